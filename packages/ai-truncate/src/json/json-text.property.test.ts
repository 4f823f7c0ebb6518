import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { processorMsOf } from '../../fixtures/processor-time.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
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

describe('text that can be quoted within a number of bytes', () => {
  test('is the longest possible beginning', () => {
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
        // Before a tag that does not fit, its `<` gets the room of an escape.
        expect(longest.length - start.length).toBeLessThanOrEqual(whole.includes('<') ? 5 : 0);
      }),
      { numRuns: propertyRuns({ sample: 1000, full: 5000 }) },
    );
  });

  test('is the longest possible ending', () => {
    fc.assert(
      fc.property(text, maxBytes, (whole, budget) => {
        const characters = [...whole];
        const endings = characters.map((_, index) => characters.slice(index).join('')).reverse();
        expect(quotableEnd(whole, budget)).toBe(longestFitting(endings, budget));
      }),
      { numRuns: propertyRuns({ sample: 1000, full: 5000 }) },
    );
  });

  test('is found quickly if every character takes six bytes', async () => {
    const whole = '\u0080'.repeat(2_000_000);
    const cut = () => {
      expect(quotableStart(whole, 16_000)).toHaveLength(2666);
      expect(quotableEnd(whole, 16_000)).toHaveLength(2666);
    };
    const timesMs: number[] = [];
    // The fastest of several runs, because the first runs are not compiled.
    for (let count = 0; count < 10; count++) timesMs.push(await processorMsOf(cut));
    expect(Math.min(...timesMs)).toBeLessThan(10);
  });
});

function longestFitting(texts: string[], budget: number): string {
  return texts.findLast((candidate) => contentBytes(candidate) <= budget) ?? '';
}

function contentBytes(part: string): number {
  return byteLength(quoteJson(part)) - 2;
}
