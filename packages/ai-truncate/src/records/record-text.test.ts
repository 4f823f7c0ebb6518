import { expect, test } from 'vitest';
import { bytesOf } from '../../fixtures/record-bytes.ts';
import { JsonPieces } from '../json/json-pieces.ts';
import { textsOf } from './record-text.ts';

const allTexts = async (bytes: AsyncIterable<Uint8Array>): Promise<string[]> => {
  const texts: string[] = [];
  for await (const text of textsOf(bytes)) texts.push(text);
  return texts;
};
const textOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => (await allTexts(bytes)).join('');

test.each([
  ['a mark', '\ufeffab', 'ab'],
  ['only a mark', '\ufeff', ''],
  ['two marks', '\ufeff\ufeffa', '\ufeffa'],
  ['a mark after another mark', 'a\ufeff', 'a\ufeff'],
  // The character starts with the first byte of the mark.
  ['a character that starts like a mark', '！a', '！a'],
])('the first mark of a text with %s is dropped, even if it arrives byte by byte', async (_, text, expected) => {
  expect(await textOf(bytesOf(text, 1))).toBe(expected);
  expect(await textOf(bytesOf(text, 100))).toBe(expected);
});

test('a large chunk is passed on in pieces of 64 KB', async () => {
  const texts = await allTexts(bytesOf('x'.repeat(150_000), 150_000));
  expect(texts.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928]);
});

test.each([1, 2, 3, 5])('bytes in chunks of %i become the same text as in one piece', async (size) => {
  const bytes = Uint8Array.from([
    ...new TextEncoder().encode('aé日😀'),
    ...[0xff, 0x41, 0xe6, 0x97, 0x41, 0xf0, 0x9f, 0x98, 0x80, 0x80, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xf0, 0x9f],
  ]);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    // One buffer, filled repeatedly.
    const chunk = new Uint8Array(size);
    for (let at = 0; at < bytes.length; at += size) {
      chunk.set(bytes.subarray(at, at + size));
      yield chunk.subarray(0, bytes.length - at);
    }
  }
  expect(await textOf(chunks())).toBe(new TextDecoder().decode(bytes));
});

test('the byte of a position includes the discarded text before it', () => {
  const text = new JsonPieces();
  text.append('日本a');
  text.append('é"b"');
  text.discardTo(1);
  expect([text.byteAt(1), text.byteAt(3), text.byteAt(5), text.keptBytes]).toEqual([3, 7, 10, 9]);
  expect(text.slice(1, 5)).toBe('本aé"');
});
