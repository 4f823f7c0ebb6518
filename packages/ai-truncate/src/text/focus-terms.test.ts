import { expect, test } from 'vitest';
import { focusTerms, MAX_TERMS } from './focus-terms.ts';

function termsOf(...texts: string[]): string[] {
  return focusTerms(texts).map(({ words }) => words.join(' '));
}

test('question words are not terms, and an identifier is one term in addition to its words', () => {
  expect(termsOf('What is the licenseKey of the customer?')).toEqual([
    'licens key',
    'licensekei',
    'customer',
    'licens',
    'key',
  ]);
});

test('a timestamp is one term, and its two-digit numbers are not terms', () => {
  expect(termsOf('What happened at 06:07:04?')).toEqual(['06 07 04', 'happen']);
});

test('a number is found with and without separators', () => {
  expect(termsOf('12,345')).toEqual(['12 345', '12345', '345']);
  expect(termsOf('90112')).toEqual(['90 112', '90112']);
});

test('quoted words are one term', () => {
  expect(termsOf('Where is "insufficient funds"?')).toContain('insufficient fund');
});

test('Chinese text becomes pairs of characters', () => {
  expect(termsOf('支付网关')).toEqual(['支付 付网 网关', '支付', '付网', '网关']);
});

test('a question of a megabyte has at most 64 terms', () => {
  const question = Array.from({ length: 100_000 }, (_, index) => `word${index} 订单${index} ${index}`).join(' ');
  const terms = focusTerms([question]);
  expect(terms.length).toBe(MAX_TERMS);
  expect(Math.max(...terms.map(({ words }) => words.join(' ').length))).toBeLessThan(300);
});

test('the same terms come first for the same question', () => {
  expect(termsOf('order 48215 payment', 'earlier question about refunds')).toEqual(
    termsOf('order 48215 payment', 'earlier question about refunds'),
  );
});

test('text without content words has no terms', () => {
  expect(termsOf('What is it?', '   ', '?!… 🚀')).toEqual([]);
});
