import { expect, test } from 'vitest';
import { seededRandom } from '../../lab/seeded-random.ts';
import { Median, MedianRoom } from './median.ts';

const medianOf = (numbers: readonly number[], room = new MedianRoom()): Median => {
  const median = new Median(room);
  for (const number of numbers) median.add(number);
  return median;
};

test.each([
  [[], null],
  [[7], 7],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[-5, 0, -1e308, 1e308], -2.5],
  [[Number.MAX_VALUE, Number.MAX_VALUE], Number.MAX_VALUE],
])('the median of %j is %j', (numbers, expected) => {
  expect(medianOf(numbers).result()).toBe(expected);
});

test('a median is exact for 100,000 numbers', () => {
  const { next } = seededRandom(1);
  const numbers = Array.from({ length: 100_000 }, () => next() * 1000 - 300);
  const sorted = numbers.toSorted((left, right) => left - right);
  const median = medianOf(numbers);
  expect(median.isExact).toBe(true);
  expect(median.result()).toBeCloseTo(((sorted[49_999] as number) + (sorted[50_000] as number)) / 2, 10);
});

test.each([
  ['positive', (share: number) => share ** 8 * 1e9],
  ['negative', (share: number) => -(share ** 3) - 5],
  ['of both signs', (share: number) => share * 400 - 100],
  ['tiny', (share: number) => share * 1e-300],
])('a median of more numbers is within 1 %%: %s', (_, toNumber) => {
  const { next } = seededRandom(2);
  const numbers = Array.from({ length: 150_001 }, () => toNumber(next()));
  const exact = numbers.toSorted((left, right) => left - right)[75_000] as number;
  const median = medianOf(numbers);
  expect(median.isExact).toBe(false);
  expect(Math.abs((median.result() as number) - exact)).toBeLessThanOrEqual(Math.abs(exact) * 0.01);
});

test('the medians of many groups share their memory, and count the numbers that do not fit', () => {
  const room = new MedianRoom();
  room.numbers = 10;
  room.buckets = 2;
  expect(medianOf([1, 2, 3, 4, 5, 6, 7, 8], room).isExact).toBe(true);
  const other = medianOf([10, 20, 1000, 2000], room);
  expect(other.isExact).toBe(false);
  expect(room.leftOut).toBe(2);
});
