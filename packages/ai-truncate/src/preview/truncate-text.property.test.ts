import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryLargeText } from '../../fixtures/arbitrary-text.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { seedTruncate } from '../../fixtures/seed-004.ts';
import { truncateText } from './truncate-text.ts';

const limits = fc.record({ maxLines: fc.integer({ min: 3, max: 60 }), maxBytes: fc.integer({ min: 5, max: 3000 }) });
const endsLimits = fc.record({
  maxLines: fc.integer({ min: 3, max: 60 }),
  maxBytes: fc.integer({ min: 256, max: 3000 }),
});
const loneSurrogate = /\p{Surrogate}/u;
const isBlank = (text: string) => /^\n*$/.test(text);

describe('truncateText, for any text', () => {
  test('agrees with the algorithm of requirement document 004 whenever that shows some text', () => {
    fc.assert(
      fc.property(
        arbitraryLargeText,
        limits,
        fc.constantFrom('head' as const, 'tail' as const),
        (text, options, keep) => {
          const wanted = seedTruncate(text, { ...options, direction: keep });
          const result = truncateText(text, { ...options, keep });
          expect(result.truncated).toBe(wanted.truncated);
          if (!(wanted.hitBytes && isBlank(wanted.content))) expect(result.content).toBe(wanted.content);
          if (result.truncated) expect(result.reason).toBe(wanted.hitBytes ? 'bytes' : 'lines');
        },
      ),
      { numRuns: propertyRuns({ sample: 5000, full: 100_000 }) },
    );
  });

  test('stays within both limits, with true counts and exact parts', () => {
    fc.assert(
      fc.property(
        arbitraryLargeText,
        limits,
        fc.constantFrom('head' as const, 'tail' as const),
        (text, options, keep) => {
          const result = truncateText(text, { ...options, keep });
          if (!result.truncated) return;
          expect(keep === 'head' ? text.startsWith(result.content) : text.endsWith(result.content)).toBe(true);
          expect(result.keptBytes).toBe(Buffer.byteLength(result.content));
          expect(result.keptBytes).toBeLessThanOrEqual(options.maxBytes);
          expect(result.keptLines).toBe(result.content.split('\n').length);
          expect(result.keptLines).toBeLessThanOrEqual(Math.min(options.maxLines, result.originalLines));
          expect(result.originalLines).toBe(text.split('\n').length);
          expect(result.originalBytes).toBe(Buffer.byteLength(text));
          if (!loneSurrogate.test(text)) expect(result.content).not.toMatch(loneSurrogate);
          if (result.reason === 'bytes' && !isBlank(text)) expect(result.content).not.toBe('');
        },
      ),
      { numRuns: propertyRuns({ sample: 5000, full: 100_000 }) },
    );
  });

  test('keeps true ends whose gap adds up', () => {
    fc.assert(
      fc.property(arbitraryLargeText, endsLimits, (text, options) => {
        const result = truncateText(text, { ...options, keep: 'ends' });
        if (!result.truncated) return;
        expect(Buffer.byteLength(result.content)).toBeLessThanOrEqual(options.maxBytes);
        expect(result.content.split('\n').length).toBeLessThanOrEqual(options.maxLines);
        const parts = partsOf(result.content, text);
        expect(parts, `no gap adds up in ${JSON.stringify(result.content)}`).toBeDefined();
        expect(parts?.lines).toBe(result.originalLines - result.keptLines);
        expect(result.keptLines).toBeLessThanOrEqual(result.originalLines);
      }),
      { numRuns: propertyRuns({ sample: 5000, full: 100_000 }) },
    );
  });
});

/** The row whose numbers fit its surroundings. The text may contain rows that look like it. */
function partsOf(content: string, text: string): { lines: number } | undefined {
  for (const row of content.matchAll(
    /(?:^|\n)\.\.\. \[(?:([\d,]+) lines?, )?([\d,]+) characters? not shown[^\n]*\] \.\.\.(?=\n|$)/g,
  )) {
    const head = content.slice(0, row.index);
    const tail = content.slice(row.index + row[0].length + 1);
    const chars = Number(row[2]?.replaceAll(',', ''));
    if (text.startsWith(head) && text.endsWith(tail) && chars === text.length - head.length - tail.length) {
      return { lines: Number(row[1]?.replaceAll(',', '') ?? 0) };
    }
  }
  return undefined;
}
