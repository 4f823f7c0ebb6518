import { describe, expect, test } from 'vitest';
import { PlainProbe } from './plain-json.ts';

const limits = { nodes: 512, levels: 32 };
const countNodes = (value: unknown, changed: Partial<typeof limits> = {}): number | undefined =>
  new PlainProbe().countNodes(value, { ...limits, ...changed });

describe('PlainProbe', () => {
  test('counts the nodes of plain data', () => {
    expect(countNodes({ a: [1, 'two', null, undefined], b: { c: true }, d: new Date(0) })).toBe(9);
  });

  test('counts a long text, or key, as more nodes', () => {
    expect(countNodes(['x'.repeat(160)])).toBe(12);
    expect(countNodes({ ['k'.repeat(160)]: 1 })).toBe(12);
  });

  test.each<[string, unknown]>([
    ['a BigInt', 1n],
    ['a function', () => {}],
    ['a symbol', Symbol('s')],
    ['an instance', new (class Row {})()],
    ['a Map', new Map()],
    ['a Date with another toJSON', Object.assign(new Date(0), { toJSON: () => 1n })],
    ['an object with toJSON', { toJSON: () => 1 }],
    ['an array with toJSON', Object.assign([1], { toJSON: () => 1 })],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no');
        },
      },
    ],
  ])('is left to the walk: %s', (_, value) => {
    expect(countNodes({ a: [value] })).toBeUndefined();
  });

  test('accepts exactly the given number of nodes and levels', () => {
    expect(countNodes([1, 2, 3], { nodes: 4 })).toBe(4);
    expect(countNodes([1, 2, 3], { nodes: 3 })).toBeUndefined();
    expect(countNodes([{ a: [] }], { levels: 3 })).toBe(3);
    expect(countNodes([{ a: [] }], { levels: 2 })).toBeUndefined();
  });

  test('accepts a shared reference', () => {
    const shared = { a: 1 };
    expect(countNodes([shared, [shared]])).toBe(6);
  });

  test('lists the members of an object only once on a path', () => {
    let listed = 0;
    const target: Record<string, unknown> = {};
    const members = new Proxy(target, {
      ownKeys: (object) => {
        listed++;
        return Reflect.ownKeys(object);
      },
    });
    target.child = [{ members }];
    expect(countNodes({ members })).toBeUndefined();
    expect(listed).toBe(1);
  });

  test('does not go back to an ancestor', () => {
    const ancestor = { a: 1 };
    expect(new PlainProbe([ancestor]).countNodes({ ancestor }, limits)).toBeUndefined();
  });
});
