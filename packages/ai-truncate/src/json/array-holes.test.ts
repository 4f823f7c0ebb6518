import { describe, expect, test } from 'vitest';
import { ArrayHoles, isHole } from './array-holes.ts';

const nextItem = (
  array: unknown[],
  start: number,
  holes: ArrayHoles = new ArrayHoles(),
): { index: number; pauses: number } => {
  const search = holes.nextItem(array, { start, end: array.length });
  for (let pauses = 0; ; pauses++) {
    const step = search.next();
    if (step.done) return { index: step.value, pauses };
  }
};

const sparse = (length: number, items: Record<number, unknown>): unknown[] =>
  Object.assign(new Array(length), items) as unknown[];

describe('ArrayHoles', () => {
  test('finds the next item', () => {
    expect(nextItem(sparse(100, { 3: 'a', 50: undefined }), 4).index).toBe(50);
  });

  test('finds the end when no item follows', () => {
    expect(nextItem(sparse(100, { 3: 'a' }), 4).index).toBe(100);
  });

  test('pauses in a long search', () => {
    expect(nextItem(sparse(1_000_000, {}), 0)).toEqual({ index: 1_000_000, pauses: 976 });
  });

  test('does not visit the holes of a huge array', () => {
    const array = sparse(4_000_000_000, { 5: 'a', 3000000000: 'b' });
    expect(nextItem(array, 6)).toEqual({ index: 3_000_000_000, pauses: 4 });
  });

  test('lists the keys of a huge array once', () => {
    let listed = 0;
    const target = sparse(4_000_000_000, { 1000000000: 'a', 2000000000: 'b' });
    const array = new Proxy(target, {
      ownKeys: (object) => {
        listed++;
        return Reflect.ownKeys(object);
      },
    });
    const holes = new ArrayHoles();
    expect([0, 1_000_000_001, 2_000_000_001].map((start) => nextItem(array, start, holes).index)).toEqual([
      1_000_000_000, 2_000_000_000, 4_000_000_000,
    ]);
    expect(listed).toBe(1);
  });

  test('takes the rest of a huge array that does not list its keys for empty', () => {
    const array = new Proxy(sparse(4_000_000_000, {}), {
      ownKeys: () => {
        throw new Error('no keys');
      },
    });
    expect(nextItem(array, 0).index).toBe(4_000_000_000);
  });
});

test('a hole is where not even undefined is', () => {
  const array = sparse(3, { 1: undefined });
  expect([0, 1, 2].map((index) => isHole(array, index))).toEqual([true, false, true]);
});
