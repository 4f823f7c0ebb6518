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

const template = fc
  .array(
    fc.constantFrom(
      ...['N', 'N', ' ', 'N:N:N', 'order N', 'xN', 'NTN', 'NZ', 'licenseKey', '订单', 'failed', '"', '/', '-'],
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(' '));
const numbers = fc.oneof(fc.constantFrom('48215', '48', '215', '06', '07', '04'), fc.nat(99_999).map(String));

test('a line that equals an earlier one except for its digits is found like any other line', () => {
  fc.assert(
    fc.property(
      fc.array(template, { minLength: 1, maxLength: 3 }),
      fc.array(numbers, { minLength: 1, maxLength: 50 }),
      (templates, digits) => {
        let next = 0;
        const line = (index: number) =>
          (templates[index % templates.length] ?? '').replaceAll('N', () => digits[next++ % digits.length] ?? '');
        const text = Array.from({ length: 60 }, (_, index) => line(index)).join('\n');
        // A line that two chunks share is always read word by word.
        const cuts = [...text].flatMap((character, index) => (character === '\n' ? [index] : []));
        expect(read(text, [])).toEqual(read(text, cuts));
      },
    ),
    { numRuns: 300 },
  );
});
