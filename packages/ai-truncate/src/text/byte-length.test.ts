import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteLength, countBytes, endOfFirstBytes, startOfLastBytes } from './byte-length.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
/** Half pairs included. */
const brokenText = fc.array(fc.nat({ max: 0xffff }), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes));

describe('byteLength', () => {
  it('is what is stored, with and without Buffer', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, brokenText), (text) => {
        const bytes = new TextEncoder().encode(text).length;
        expect(byteLength(text)).toBe(bytes);
        expect(countBytes(text)).toBe(bytes);
      }),
    );
  });

  it('counts a text of many pieces, whatever stands at their borders', () => {
    const text = '😀€a'.repeat(20_000);
    expect(countBytes(text)).toBe(8 * 20_000);
    expect(countBytes(`a${text}`)).toBe(8 * 20_000 + 1);
  });
});

describe('cutting at bytes', () => {
  it('gives the longest beginning that fits and splits no code point', () => {
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

  it('gives the longest ending that fits and splits no code point', () => {
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
