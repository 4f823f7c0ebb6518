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

test('a burst may be taken at once, and afterwards one token at a time as tokens return', () => {
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

test('keys have separate buckets', () => {
  const buckets = bucketsAt({ burst: 1, perHour: 60 });
  buckets.take('a');
  expect(buckets.waitSeconds('b')).toBe(0);
});

test('after days the bucket has no more than a burst', () => {
  const buckets = bucketsAt({ burst: 2, perHour: 3_600 });
  buckets.take('a');
  buckets.pass(1_000_000);
  buckets.takeMany('a', 2);
  expect(buckets.waitSeconds('a')).toBe(1);
});

test('taking from an empty bucket creates no debt', () => {
  const buckets = bucketsAt({ burst: 1, perHour: 60 });
  buckets.takeMany('a', 100);
  expect(buckets.waitSeconds('a')).toBe(60);
});

test('tokens that were used already are a debt, even of an empty bucket, and must return first', () => {
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

test('keys beyond the largest number of buckets share one bucket, so that many keys get no more', () => {
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

test('a key that gets its own bucket does not wait for the debt of the shared bucket', () => {
  const buckets = bucketsAt({ burst: 2, perHour: 60, maxKeys: 2 });
  for (const key of ['a', 'b']) buckets.take(key);
  buckets.charge('c', 100);
  expect(buckets.waitSeconds('d')).toBe(99 * 60);
  buckets.pass(60);
  expect(buckets.waitSeconds('d')).toBe(0);
});
