import { expect, test } from 'vitest';
import type { FieldSummary } from './field-profile.ts';
import { fieldWords, valueText } from './profile-words.ts';

const none: FieldSummary = {
  ...{ present: 0, nulls: 0, numbers: 0, least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY, sum: 0 },
  ...{ texts: 0, dates: undefined, lists: 0, listItems: 0, objects: 0, values: undefined, moreThan: 0 },
  isTable: false,
};

const counted = (counts: Record<string, number>, isNumber = false) => ({
  different: Object.keys(counts).length,
  frequent: Object.entries(counts).map(([text, count]) => ({ text, count, isNumber })),
});

test('a field of a few values has all of them with their counts', () => {
  const values = counted({ paid: 4100, shipped: 300, refunded: 27 });
  const summary = { ...none, present: 4427, texts: 4427, values };
  expect(fieldWords(summary, { records: 4427, most: 12 })).toBe(
    '3 different; paid (4,100), shipped (300), refunded (27)',
  );
});

test('a field of numbers has their range and sum', () => {
  const summary = {
    ...none,
    present: 90,
    nulls: 2,
    numbers: 88,
    least: -0.5,
    most: 1200,
    sum: 5000.25,
    moreThan: 1000,
  };
  expect(fieldWords(summary, { records: 100, most: 5 })).toBe(
    '-0.5 to 1200; sum 5000.25; more than 1,000 different; null 2; missing 10',
  );
  expect(fieldWords({ ...summary, isTable: true }, { records: 100, most: 5 })).toContain('; empty 2; ');
});

test('numbers that hardly repeat are not frequent', () => {
  const values = { ...counted({ 7: 3, 8: 2, 9: 2 }, true), different: 90 };
  const summary = { ...none, present: 200, numbers: 200, least: 0, most: 99, sum: 10, values };
  expect(fieldWords(summary, { records: 200, most: 3 })).toBe('0 to 99; sum 10; 90 different');
});

test.each([
  ['refunded', 'refunded'],
  ['New York', 'New York'],
  ['Action, Adventure', "'Action, Adventure'"],
  ['paid (5), refunded', "'paid (5), refunded'"],
  ["x' (5), 'refunded", "'x\\' (5), \\'refunded'"],
  ['', "''"],
  [' padded', "' padded'"],
])('a value that could be taken for the words around it is quoted: %j', (value, words) => {
  expect(valueText(value)).toBe(words);
});
