import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { estimatedProgramSize, isTooLarge } from './pattern-size.ts';

const atom = fc.constantFrom('a', 'é', '.', '[ab]', '\\w', '\\pL', '^', '\\b', '\\Qa.\\E', '(?i:a)', '');
const count = fc.constantFrom('', '*', '+', '?', '*?', '{2}', '{0,30}', '{3,}', '{900}', '{1,400}');

function patterns({ withChoice }: { withChoice: boolean }): fc.Arbitrary<string> {
  return fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 5 },
      atom,
      fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
      ...(withChoice ? [fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`)] : []),
      fc.tuple(tie('pattern'), count).map(([inner, times]) => `(${inner})${times}`),
    ),
  })).pattern;
}

function programSize(source: string): number | undefined {
  try {
    return RE2JS.compile(source).programSize();
  } catch {
    return undefined;
  }
}

describe('the estimated size of a program', () => {
  test('is never much less than the real size, so that no large program is built', () => {
    fc.assert(
      fc.property(patterns({ withChoice: true }), (source) => {
        const estimated = estimatedProgramSize(source);
        fc.pre(estimated < 20_000);
        const size = programSize(source);
        fc.pre(size !== undefined);
        expect(estimated).toBeGreaterThanOrEqual((size ?? 0) / 2 - 5);
      }),
      {
        numRuns: propertyRuns({ sample: 400, full: 2000 }),
        examples: [
          [String.raw`((?:\pLa|(?:\pL(?:a|a)|\pLa))){0,30}`],
          ['(?:(?:ab|ac)d|(?:ab|ac)e){100}'],
          ['(?:(?:)*|a|){30}'],
        ],
      },
    );
  });

  test('is never much more than the real size of a pattern without a choice, so that no small program is refused', () => {
    fc.assert(
      fc.property(patterns({ withChoice: false }), (source) => {
        const estimated = estimatedProgramSize(source);
        fc.pre(estimated < 20_000);
        const size = programSize(source);
        fc.pre(size !== undefined);
        expect(estimated).toBeLessThanOrEqual(2 * (size ?? 0) + 20);
      }),
      { numRuns: propertyRuns({ sample: 400, full: 2000 }) },
    );
  });

  test.each([
    '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec){20}',
    '(?:ERROR_A|ERROR_B|ERROR_C|ERROR_D){90}',
    '(?:a|b|c|d|e){900}',
  ])('accepts a choice that the engine makes small: %s', (source) => {
    expect(programSize(source)).toBeLessThanOrEqual(1000);
    expect(isTooLarge(source)).toBe(false);
  });
});
