import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryChunks } from '../../fixtures/arbitrary-text.ts';
import { createTextScan, type TextScan } from './text-scan.ts';

const windows = fc.record({ headChars: fc.nat({ max: 200 }), tailChars: fc.nat({ max: 200 }) });

describe('the text scan, for any text', () => {
  it('learns the same however the text is cut into chunks', () => {
    fc.assert(
      fc.property(arbitraryChunks, windows, (chunks, options) => {
        expect(scan(chunks, options)).toEqual(scan([chunks.join('')], options));
      }),
      { numRuns: 30_000 },
    );
  });

  it('counts what is there', () => {
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
      { numRuns: 10_000 },
    );
  });
});

function scan(chunks: string[], options: { headChars: number; tailChars: number }): TextScan {
  const scanner = createTextScan({ ...options, findsSalientLines: true });
  for (const chunk of chunks) scanner.push(chunk);
  return scanner.finish();
}
