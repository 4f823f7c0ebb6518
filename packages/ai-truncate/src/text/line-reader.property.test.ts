import fc from 'fast-check';
import { expect, test } from 'vitest';
import { focusTerms } from './focus-terms.ts';
import { LineReader } from './line-reader.ts';

const piece = fc.oneof(
  fc.constantFrom('error', 'order 48215', 'licenseKey', '06:07:04', '订单', '\n', '\r\n', ' ', '"', '/', '🚀', 'İ'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.nat(100_000).map(String),
  // Lines long enough to be read in parts.
  fc.nat(6000).map((length) => 'x '.repeat(length)),
);
const output = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

function read(text: string, cuts: readonly number[]): unknown {
  const reader = new LineReader(focusTerms(['Which licenseKey has order 48215 of 06:07:04, and 订单?']));
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    reader.push(text.slice(from, cut));
    from = Math.max(from, cut);
  }
  reader.push(text.slice(from));
  return reader.finish();
}

test('the split of an output into chunks changes nothing', () => {
  fc.assert(
    fc.property(output, fc.array(fc.nat(20_000), { maxLength: 8 }), (text, cuts) => {
      expect(read(text, cuts)).toEqual(read(text, []));
    }),
    { numRuns: 300 },
  );
});

test('each focused line has its true number', () => {
  fc.assert(
    fc.property(output, (text) => {
      const lines = text.split('\n');
      const { focused } = read(text, [10, 100]) as ReturnType<LineReader['finish']>;
      for (const { line, at, text: shown } of focused)
        expect(lines[line - 1]?.slice(at, at + shown.length)).toBe(shown);
    }),
    { numRuns: 300 },
  );
});
