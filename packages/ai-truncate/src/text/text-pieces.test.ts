import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textPieces } from './text-pieces.ts';

const text = fc
  .array(fc.constantFrom('a', 'é', '😀', '\ud800', '\udc00', '\n'), { maxLength: 40 })
  .map((units) => units.join(''));

test('pieces join to the text, are within the limit and divide no pair', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 9 }), (whole, maxUnits) => {
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
  // A lone half divides no pair.
  expect([...textPieces('a\ud800b', 2)]).toEqual(['a\ud800', 'b']);
});
