import { expect, test } from 'vitest';
import { storedCounts, tokenTexts } from '../../fixtures/token-texts.ts';
import { estimateTokens } from './estimate-tokens.ts';

const KINDS = ['english', 'german', 'chinese', 'code', 'json', 'base64', 'log'];
const texts = tokenTexts();
const counts = storedCounts();

test.each(KINDS)(
  'at least five texts of the kind %s are compared, and none of them was used to fit the costs',
  (kind) => {
    expect(texts.filter(({ name }) => name.startsWith(`${kind}-`)).length).toBeGreaterThanOrEqual(5);
  },
);

test('every text has counts of all vocabularies, and no count is left without its text', () => {
  expect(Object.keys(counts).sort()).toEqual(texts.map(({ name }) => name).sort());
});

test.each(texts)(
  '$name: between 0.9 times o200k and 1.1 times the largest of the other vocabularies',
  ({ name, text }) => {
    const { o200k = 0, ...others } = counts[name] ?? {};
    const estimate = estimateTokens(text);
    expect(estimate).toBeGreaterThanOrEqual(0.9 * o200k);
    expect(estimate).toBeLessThanOrEqual(1.1 * Math.max(...Object.values(others)));
  },
);

test('an empty text has no tokens, and every other text has at least one', () => {
  expect(estimateTokens('')).toBe(0);
  for (const text of ['a', ' ', '\n', '7', '漢', '\ud83d', '.', '\u0000'])
    expect(estimateTokens(text)).toBeGreaterThan(0);
});

test('a text that is estimated from parts of it has the same tokens per character', () => {
  const page = texts.map(({ text }) => text).join('\n');
  const perChar = estimateTokens(page) / page.length;
  const long = page.repeat(60);
  expect(long.length).toBeGreaterThan(5_000_000);
  expect(estimateTokens(long) / long.length / perChar).toBeCloseTo(1, 1);
});

test('two halves have about as many tokens as the whole text', () => {
  for (const { text } of texts) {
    const middle = text.indexOf(' ', text.length / 2) + 1;
    const halves = estimateTokens(text.slice(0, middle)) + estimateTokens(text.slice(middle));
    expect(Math.abs(halves - estimateTokens(text))).toBeLessThanOrEqual(4);
  }
});

test('a value that is no text is an error that names it', () => {
  expect(() => estimateTokens(17 as never)).toThrow('`text`');
});
