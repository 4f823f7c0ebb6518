import { expect, test } from 'vitest';
import { type QuotedText, quotedTexts } from './quote-places.ts';

async function textsOf(stored: string) {
  async function* chunks() {
    yield new TextEncoder().encode(stored);
  }
  const texts: QuotedText[] = [];
  for await (const text of quotedTexts(chunks())) texts.push(text);
  return texts;
}

test.each([
  ['of a long line', 'x'.repeat(600_000)],
  ['of many lines', 'INFO request served\n'.repeat(30_000)],
  ['of characters of several bytes', 'строка идёт дальше\n'.repeat(30_000)],
])('texts %s are small, because each is shown in one step', async (_, stored) => {
  const texts = await textsOf(stored);
  expect(Math.max(...texts.map(({ raw }) => raw.length))).toBeLessThan(80_000);
  expect(texts.length).toBeGreaterThan(7);
});

test('only the first text begins at the start of a line', async () => {
  const texts = await textsOf(`first\n${'x'.repeat(600_000)}`);
  expect(texts.map(({ isBegun }) => isBegun)).toEqual([true, ...Array(texts.length - 1).fill(false)]);
  expect(texts.map(({ raw }) => raw.startsWith('first\n'))).toEqual(texts.map(({ isBegun }) => isBegun));
});

test('only the last text ends where the artifact ends, even when the whole text was read before', async () => {
  const texts = await textsOf(`${'x'.repeat(63)}\n`.repeat(4096));
  expect(texts.map(({ isEnded }) => isEnded)).toEqual([...Array(texts.length - 1).fill(false), true]);
  expect(texts.at(-1)?.raw.endsWith('x\n')).toBe(true);
});
