import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryChunks } from '../../fixtures/arbitrary-text.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { createTextScan, type TextScan } from './text-scan.ts';

const windows = fc.record({ headChars: fc.nat({ max: 200 }), tailChars: fc.nat({ max: 200 }) });

describe('the text scan, for any text', () => {
  test('has the same result for any split into chunks', () => {
    fc.assert(
      fc.property(arbitraryChunks, windows, (chunks, options) => {
        expect(scan(chunks, options)).toEqual(scan([chunks.join('')], options));
      }),
      { numRuns: propertyRuns({ sample: 6000, full: 30_000 }) },
    );
  });

  test('counts correctly', () => {
    fc.assert(
      fc.property(arbitraryChunks, windows, (chunks, options) => {
        const text = chunks.join('');
        const lines = text.split('\n');
        const result = scan(chunks, options);
        expect(result).toMatchObject({
          lines: lines.length,
          bytes: Buffer.byteLength(text),
          chars: text.length,
        });
        expect(text.startsWith(result.head)).toBe(true);
        expect(text.endsWith(result.tail)).toBe(true);
        for (const { line, text: found } of result.salientLines) expect(lines[line - 1]?.startsWith(found)).toBe(true);
      }),
      { numRuns: propertyRuns({ sample: 2000, full: 10_000 }) },
    );
  });
});

function scan(chunks: string[], options: { headChars: number; tailChars: number }): TextScan {
  const scanner = createTextScan({ ...options, findsSalientLines: true });
  for (const chunk of chunks) scanner.push(chunk);
  return scanner.finish();
}
