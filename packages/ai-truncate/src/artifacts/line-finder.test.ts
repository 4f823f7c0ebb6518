import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewedValue, viewOf } from '../../fixtures/view-of.ts';
import { findLine } from './line-finder.ts';

const encoder = new TextEncoder();
const BEGINNING = { line: 0, offset: 0 };

/** Searches for a line in bytes that arrive in chunks with these ends. */
function find(
  bytes: Uint8Array,
  { first, cuts = [], ...options }: { first: number; cuts?: number[]; isView?: boolean },
) {
  const finder = findLine(BEGINNING, { first, ...options });
  let from = 0;
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    finder.read(bytes.subarray(from, end));
    from = end;
  }
  return { line: finder.line(), start: finder.start(), end: finder.end() };
}

/** The stored start and end of each line. The last line has no end, because more bytes could follow. */
function placesOf(lines: readonly number[], { breakBytes = lines.map(() => 1) } = {}) {
  let start = 0;
  return lines.map((bytes, at) => {
    const place = { start, end: at === lines.length - 1 ? undefined : start + bytes };
    start += bytes + (breakBytes[at] ?? 1);
    return place;
  });
}

const cuts = fc.array(fc.nat(), { maxLength: 6 });

describe('a line', () => {
  test('is found with its start and end, wherever the bytes are cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '\\', 'n'), maxLength: 30 });
    fc.assert(
      fc.property(text, cuts, (content, places) => {
        const lines = content.split('\n');
        for (const [first, place] of placesOf(lines.map((line) => encoder.encode(line).length)).entries()) {
          expect(find(encoder.encode(content), { first, cuts: places })).toEqual({ ...place, line: lines.length - 1 });
        }
        expect(find(encoder.encode(content), { first: lines.length, cuts: places }).start).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });

  test('is found from a mark before it', () => {
    const finder = findLine({ line: 5, offset: 100 }, { first: 6 });
    finder.read(encoder.encode('five\nsix\nsev'));
    expect([finder.line(), finder.start(), finder.end()]).toEqual([7, 105, 108]);
  });

  test('starts at its own mark', () => {
    const finder = findLine({ line: 5, offset: 100 }, { first: 5 });
    expect([finder.start(), finder.end()]).toEqual([100, undefined]);
    finder.read(encoder.encode('\n'));
    expect(finder.end()).toBe(100);
  });

  test('has no end while its bytes go on', () => {
    const finder = findLine(BEGINNING, { first: 1 });
    for (let count = 0; count < 1000; count++) finder.read(encoder.encode(count === 0 ? 'a\nx' : 'xxxx'));
    expect([finder.start(), finder.end()]).toEqual([2, undefined]);
    finder.read(encoder.encode('\n'));
    expect(finder.end()).toBe(3 + 999 * 4);
  });
});

describe('a line of a text view', () => {
  test('is found where it is stored, wherever the bytes are cut', () => {
    const values = viewedValue.filter((value) => JSON.stringify(value).length < 200);
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 2), cuts, (value, indent, places) => {
        const json = JSON.stringify(value, undefined, indent);
        // Splits at line breaks and at escaped ones, but not after an escaped backslash.
        const parts = json.split(/(?<=(?<!\\)(?:\\\\)*)(\\n|\\u000[aA]|\n)/);
        const sizes = parts.map((part) => encoder.encode(part).length);
        const lines = sizes.filter((_, at) => at % 2 === 0);
        const breakBytes = sizes.filter((_, at) => at % 2 === 1);
        if (indent) expect(lines).toHaveLength(viewOf(value).split('\n').length);
        for (const [first, place] of placesOf(lines, { breakBytes }).entries()) {
          const found = find(encoder.encode(json), { first, cuts: places, isView: true });
          expect(found).toEqual({ ...place, line: lines.length - 1 });
        }
      }),
      { numRuns: 80 },
    );
  });
});
