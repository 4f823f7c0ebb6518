import { expect, test } from 'vitest';
import { tokenBuckets } from './token-buckets';

function bucketsAt(options: { burst: number; perHour: number; maxKeys?: number }) {
  let ms = 0;
  const buckets = tokenBuckets({ ...options, now: () => ms });
  return {
    ...buckets,
    pass: (seconds: number) => {
      ms += seconds * 1000;
    },
    takeMany(key: string, count: number) {
      for (let taken = 0; taken < count; taken++) buckets.take(key);
    },
  };
}

test('a burst may be taken at once, then one at a time as they come back', () => {
  const buckets = bucketsAt({ burst: 3, perHour: 60 });
  buckets.takeMany('a', 3);
  expect(buckets.waitSeconds('a')).toBe(60);
  buckets.pass(59);
  expect(buckets.waitSeconds('a')).toBe(1);
  buckets.pass(1);
  expect(buckets.waitSeconds('a')).toBe(0);
  buckets.take('a');
  expect(buckets.waitSeconds('a')).toBe(60);
});

test('keys do not take from each other', () => {
  const buckets = bucketsAt({ burst: 1, perHour: 60 });
  buckets.take('a');
  expect(buckets.waitSeconds('b')).toBe(0);
});

test('who waits for days has no more than a burst', () => {
  const buckets = bucketsAt({ burst: 2, perHour: 3_600 });
  buckets.take('a');
  buckets.pass(1_000_000);
  buckets.takeMany('a', 2);
  expect(buckets.waitSeconds('a')).toBe(1);
});

test('taking from an empty bucket makes no debt', () => {
  const buckets = bucketsAt({ burst: 1, perHour: 60 });
  buckets.takeMany('a', 100);
  expect(buckets.waitSeconds('a')).toBe(60);
});

test('what was given already is owed, also by an empty bucket, and has to come back first', () => {
  const buckets = bucketsAt({ burst: 100, perHour: 3_600 });
  buckets.charge('a', 99);
  expect(buckets.waitSeconds('a')).toBe(0);
  buckets.charge('a', 500);
  buckets.charge('a', 500);
  expect(buckets.waitSeconds('a')).toBe(1_000);
  buckets.pass(999);
  expect(buckets.waitSeconds('a')).toBe(1);
  buckets.pass(1);
  expect(buckets.waitSeconds('a')).toBe(0);
});

test('more keys than are told apart share one bucket, so that nobody gets more by being many', () => {
  const buckets = bucketsAt({ burst: 2, perHour: 60, maxKeys: 3 });
  for (const key of ['a', 'b', 'c']) buckets.take(key);
  buckets.take('d');
  buckets.take('e');
  expect(buckets.waitSeconds('f')).toBe(60);
  // Who is full again makes room.
  buckets.pass(60);
  buckets.take('g');
  expect(buckets.waitSeconds('h')).toBe(0);
});

test('who comes when there is room again does not wait for what others owe together', () => {
  const buckets = bucketsAt({ burst: 2, perHour: 60, maxKeys: 2 });
  for (const key of ['a', 'b']) buckets.take(key);
  buckets.charge('c', 100);
  expect(buckets.waitSeconds('d')).toBe(99 * 60);
  buckets.pass(60);
  expect(buckets.waitSeconds('d')).toBe(0);
});
