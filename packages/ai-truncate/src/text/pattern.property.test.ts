import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { compileSearchPattern, type SearchPattern } from './pattern.ts';

function compiled(source: string, ignoreCase: boolean): SearchPattern | undefined {
  const result = compileSearchPattern(source, { ignoreCase });
  return result.ok ? result.pattern : undefined;
}

/** Signs of expressions, also in an order that makes no expression. */
const plain = fc.constantFrom('a', 'b', 'k', '1', '-');
const sign = fc.constantFrom(
  ...['.', '^', '$', '*', '+', '?', '+?', '*?', '{2}', '{0,1}', '{', '}', ',', '\\b', '\\d', '\\.', '\\x61', '\\u0061'],
  ...['\\pL', '\\Q', '\\E', '[ab]', '[^a]', '(', ')', '(?i)', '|', 'é', '🙂'],
);

test('lines that are tested together match if one of them does', () => {
  const places = fc.constantFrom(
    '^',
    '$',
    '\\A',
    '\\z',
    '\\b',
    '\\B',
    '(?m)',
    '(?-m)',
    '(?s)',
    '(?s-m:',
    '[^b]',
    '\\s',
    '\\W',
  );
  const sources = fc
    .array(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: places }, sign), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join(''));
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'K', '1', '-', ' ', 'é'), maxLength: 5 });
  let compared = 0;
  fc.assert(
    fc.property(sources, fc.array(line, { minLength: 1, maxLength: 6 }), fc.boolean(), (source, lines, ignoreCase) => {
      const pattern = compiled(source, ignoreCase);
      if (!pattern?.testLines || !lines.some(pattern.test)) return;
      compared++;
      expect(pattern.testLines(lines.join('\n'))).toBe(true);
    }),
    { numRuns: propertyRuns({ sample: 6000, full: 30_000 }) },
  );
  expect(compared).toBeGreaterThan(1000);
});
