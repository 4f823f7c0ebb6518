import { expect, it } from 'vitest';
import { bytesOf } from '../../fixtures/record-bytes.ts';
import { inPieces, withoutByteOrderMark } from './chunks.ts';

const textOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for await (const chunk of bytes) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
};

it.each([
  ['a mark', '\ufeffab', 'ab'],
  ['nothing but a mark', '\ufeff', ''],
  ['two marks', '\ufeff\ufeffa', '\ufeffa'],
  ['a mark that is not the first', 'a\ufeff', 'a\ufeff'],
  // Its first byte is that of the mark.
  ['a sign that begins like it', '！a', '！a'],
])('of a text with %s the first mark is dropped, also when it comes byte by byte', async (_, text, expected) => {
  expect(await textOf(withoutByteOrderMark(bytesOf(text, 1)))).toBe(expected);
  expect(await textOf(withoutByteOrderMark(bytesOf(text, 100)))).toBe(expected);
});

it('a large chunk is handed on in pieces of 64 KB', async () => {
  const sizes: number[] = [];
  for await (const { length } of inPieces(bytesOf('x'.repeat(150_000), 150_000))) sizes.push(length);
  expect(sizes).toEqual([65_536, 65_536, 18_928]);
});
