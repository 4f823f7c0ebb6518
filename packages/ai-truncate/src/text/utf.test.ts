import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byteLength,
  bytePieces,
  countBytes,
  countLines,
  countNewlineBytes,
  endOfFirstBytes,
  firstChars,
  shortened,
  startOfLastBytes,
  textPieces,
} from './utf.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
/** Half pairs are included. */
const brokenText = fc.array(fc.nat({ max: 0xffff }), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes));

describe('byteLength', () => {
  test('is the size of the stored text, with and without Buffer', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, brokenText), (text) => {
        const bytes = new TextEncoder().encode(text).length;
        expect(byteLength(text)).toBe(bytes);
        expect(countBytes(text)).toBe(bytes);
      }),
    );
  });

  test('counts a text of many pieces with any borders', () => {
    const text = '😀€a'.repeat(20_000);
    expect(countBytes(text)).toBe(8 * 20_000);
    expect(countBytes(`a${text}`)).toBe(8 * 20_000 + 1);
  });

  test('counts a long text in which every character has three bytes', () => {
    expect(countBytes('文'.repeat(50_000))).toBe(150_000);
  });
});

describe('cutting at bytes', () => {
  test('returns the longest beginning that fits and splits no code point', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, brokenText), fc.nat({ max: 60 }), (text, maxBytes) => {
        let kept = '';
        for (const character of text) {
          if (byteLength(kept + character) > maxBytes) break;
          kept += character;
        }
        expect(text.slice(0, endOfFirstBytes(text, maxBytes))).toBe(kept);
      }),
      { numRuns: 5000 },
    );
  });

  test('returns the longest ending that fits and splits no code point', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, brokenText), fc.nat({ max: 60 }), (text, maxBytes) => {
        const codePoints = [...text];
        const start = startOfLastBytes(text, maxBytes);
        let kept = '';
        while (codePoints.length > 0 && byteLength((codePoints.at(-1) ?? '') + kept) <= maxBytes)
          kept = codePoints.pop() + kept;
        expect(text.slice(start)).toBe(kept);
      }),
      { numRuns: 5000 },
    );
  });
});

const textOfUnits = fc
  .array(fc.constantFrom('a', 'é', '😀', '\ud800', '\udc00', '\n'), { maxLength: 40 })
  .map((units) => units.join(''));

test('pieces join to the text, are within the limit and split no pair', () => {
  fc.assert(
    fc.property(textOfUnits, fc.integer({ min: 2, max: 9 }), (whole, maxUnits) => {
      const pieces = [...textPieces(whole, maxUnits)];
      expect(pieces.join('')).toBe(whole);
      expect(pieces.every((piece) => piece.length > 0 && piece.length <= maxUnits)).toBe(true);
      // Encoding each piece gives the bytes of the whole: no pair became two U+FFFD.
      expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece)))).toEqual(Buffer.from(whole));
    }),
    { numRuns: 2_000 },
  );
});

test('a piece is as long as the limit and the pairs allow', () => {
  expect([...textPieces('abc', 10)]).toEqual(['abc']);
  expect([...textPieces('a😀', 2)]).toEqual(['a', '😀']);
  expect([...textPieces('a😀', 3)]).toEqual(['a😀']);
  // A lone half can be cut anywhere.
  expect([...textPieces('a\ud800b', 2)]).toEqual(['a\ud800', 'b']);
});

test('pieces of bytes join to the bytes, are within the limit and share their memory', () => {
  const bytes = Uint8Array.from({ length: 10 }, (_, index) => index);
  const pieces = [...bytePieces(bytes, 4)];

  expect(pieces.map(({ length }) => length)).toEqual([4, 4, 2]);
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes));
  expect(pieces.every(({ buffer }) => buffer === bytes.buffer)).toBe(true);
});

describe('a shortened text', () => {
  test.each([
    ['abc', 3, 'abc', 'abc'],
    ['abcd', 3, 'abc', 'ab…'],
    ['😀😀', 3, '😀', '😀…'],
    ['😀', 1, '', '…'],
    ['', 0, '', ''],
  ])('%j cut to %i characters has no half pair', (text, maxChars, first, short) => {
    expect(firstChars(text, maxChars)).toBe(first);
    expect(shortened(text, maxChars)).toBe(short);
  });
});

test('lines are the lines of `split`, and text and bytes have the same number of line breaks', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\n', 'a', '日') }), fc.nat({ max: 5 }), (text, skipped) => {
      const bytes = new Uint8Array([...new Uint8Array(skipped), ...new TextEncoder().encode(text)]);
      expect(countLines(text)).toBe(text.split('\n').length);
      expect(countNewlineBytes(bytes, { from: skipped, to: bytes.length })).toBe(countLines(text) - 1);
    }),
  );
});
