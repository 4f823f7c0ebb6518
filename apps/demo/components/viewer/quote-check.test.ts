import { expect, test } from 'vitest';
import { quoteCheck } from './quote-check';

const sourceOf = (texts: string[], cut = 0) => ({
  lines: async () => ({
    lines: texts.map((text, index) => ({
      number: index + 1,
      text,
      start: 0,
      bytes: text.length + cut,
      shownBytes: text.length,
    })),
    totalLines: texts.length,
  }),
});
const { signal } = new AbortController();
const check = (texts: string[], quote: string, cut?: number) =>
  quoteCheck(sourceOf(texts, cut), { range: { from: 1, to: texts.length }, quote, signal });

test('a quote over two lines is found, regardless of white space and colours', async () => {
  expect(await check(['  a \u001b[31mred\u001b[0m', 'line  b'], 'a red\nline b')).toBe('there');
});

test('a quote is found even when the agent saw it without a title and a cursor movement', async () => {
  expect(await check(['a \u001b[2Kred \u001b]0;title\u0007line'], 'a red line')).toBe('there');
});

test('words in an unterminated title are part of the line', async () => {
  expect(await check(['safe \u001b]0;pay the bill'], 'pay the bill')).toBe('there');
});

test('other words are missing', async () => {
  expect(await check(['order 48213 failed'], 'order 48214 failed')).toBe('missing');
  expect(await check([], 'anything')).toBe('missing');
});

test('a partly visible line is neither confirmed nor rejected', async () => {
  expect(await check(['order 48213'], 'failed', 5000)).toBe('unknown');
});
