import { expect, test } from 'vitest';
import { JsonProfile, type ProfileField } from '../json/json-profile.ts';
import { finished } from '../pace.ts';
import { byteLength } from '../text/utf.ts';
import { fitFields } from './fit-profile.ts';

const statuses = ['paid', 'paid', 'paid', 'shipped', 'refunded'];

function fieldsOf(records: readonly object[]): ProfileField[] {
  const profile = new JsonProfile();
  for (const record of records) profile.add(record);
  return finished(profile.finish());
}

const write = (name: string, words: string) => `${name}: ${words}`;

const orders = Array.from({ length: 1000 }, (_, row) => ({
  id: `ord-${row}`,
  customer: `customer ${row % 300}`,
  status: statuses[row % 5],
  ...(row === 7 && { 'a rare field of one record only': 'x' }),
}));

test.each([0, 30, 60, 100, 200, 1000])('the fields take at most %i bytes', (maxBytes) => {
  const shown = fitFields(fieldsOf(orders), { records: 1000, maxBytes, write });
  expect(byteLength(shown.map((text) => `${text},`).join(''))).toBeLessThanOrEqual(maxBytes);
});

test('counts by value come before the frequent values of other fields', () => {
  expect(fitFields(fieldsOf(orders), { records: 1000, maxBytes: 120, write })).toEqual([
    'id: 1,000 different',
    'customer: 300 different',
    'status: 3 different; paid (600), refunded (200), shipped (200)',
  ]);
});

test('fields of few records get the room that the others leave', () => {
  const names = (maxBytes: number) =>
    fitFields(fieldsOf(orders.toReversed()), { records: 1000, maxBytes, write }).map((text) => text.split(':')[0]);
  expect(names(130)).toEqual(['id', 'customer', 'status']);
  expect(names(500)).toEqual(['id', 'customer', 'status', 'a rare field of one record only']);
});
