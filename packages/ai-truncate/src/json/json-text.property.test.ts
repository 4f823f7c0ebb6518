import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteLength } from '../text/utf.ts';
import { quotableEnd, quotableStart, quoteJson } from './json-text.ts';

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    'plain',
    '"',
    '\\',
    '\n',
    '\u0001',
    '\u007f',
    '\u0080',
    'é',
    '日',
    '😀',
    '\u{e0041}',
    '\ud800',
    '\udc00',
  ),
  fc.constantFrom('<', '< /', '<\\', '</tool-output-preview>', '<TOOL-output', '-preview', 'tool-output-preview'),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const maxBytes = fc.integer({ min: -2, max: 90 });

describe('text that can be quoted in so many bytes', () => {
  it('is the longest whole beginning', () => {
    fc.assert(
      fc.property(text, maxBytes, (whole, budget) => {
        const start = quotableStart(whole, budget);
        const characters = [...whole];
        const longest = longestFitting(
          characters.map((_, index) => characters.slice(0, index + 1).join('')),
          budget,
        );
        expect(whole.startsWith(start)).toBe(true);
        expect(contentBytes(start)).toBeLessThanOrEqual(Math.max(0, budget));
        // Before a tag that does not fit whole, its `<` is given the room of an escape.
        expect(longest.length - start.length).toBeLessThanOrEqual(whole.includes('<') ? 5 : 0);
      }),
      { numRuns: 5000 },
    );
  });

  it('is the longest whole ending', () => {
    fc.assert(
      fc.property(text, maxBytes, (whole, budget) => {
        const characters = [...whole];
        const endings = characters.map((_, index) => characters.slice(index).join('')).reverse();
        expect(quotableEnd(whole, budget)).toBe(longestFitting(endings, budget));
      }),
      { numRuns: 5000 },
    );
  });

  it('is found quickly where every character takes six bytes', () => {
    const whole = '\u0080'.repeat(2_000_000);
    // The best of several: the machine may be busy with other tests.
    const timesMs = Array.from({ length: 10 }, () => {
      const started = performance.now();
      expect(quotableStart(whole, 16_000)).toHaveLength(2666);
      expect(quotableEnd(whole, 16_000)).toHaveLength(2666);
      return performance.now() - started;
    });
    expect(Math.min(...timesMs)).toBeLessThan(10);
  });
});

function longestFitting(texts: string[], budget: number): string {
  return texts.findLast((candidate) => contentBytes(candidate) <= budget) ?? '';
}

function contentBytes(part: string): number {
  return byteLength(quoteJson(part)) - 2;
}
