import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { compileSearchPattern, type SearchPattern } from './pattern.ts';
import { withUnicodeEscapes } from './pattern-syntax.ts';

/** Includes the two letters whose other case is ASCII. */
const letters = fc.constantFrom(...'aAbBkKsSiI1-. '.split(''), 'ſ', '\u212a', 'İ', 'ı', 'é', '🙂', '\ud83d');
const texts = fc.string({ unit: letters, maxLength: 30 });

function compiled(source: string, ignoreCase: boolean): SearchPattern | undefined {
  const result = compileSearchPattern(source, { ignoreCase });
  return result.ok ? result.pattern : undefined;
}

function byEngine(source: string, ignoreCase: boolean): RE2JS {
  return RE2JS.compile(withUnicodeEscapes(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
}

test('the search without the engine finds the same as the engine, in any case', () => {
  const forms = fc.constantFrom(
    ...['words', '(words)', '(?:words)', '(?i)words', '(?i)(words)', '\\b(words)\\b', 'words\\b', '\\bwords'],
    ...['(words)-', '[aK](words)', '(words)?1', '(words)??1', '(words)(a|s)', '(?i)\\b(?:words)\\b'],
  );
  const words = fc.array(
    fc.string({ unit: fc.constantFrom(...'aAbBkKsSiI1-'.split('')), minLength: 1, maxLength: 4 }),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  let withoutEngine = 0;
  fc.assert(
    fc.property(words, forms, texts, fc.boolean(), fc.nat(5), (choice, form, text, ignoreCase, from) => {
      const source = form.replace('words', choice.join('|'));
      const { literals, find, test } = compiled(source, ignoreCase) ?? {};
      const matcher = byEngine(source, ignoreCase).matcher(text);
      const start = Math.min(from, text.length);
      const expected = matcher.find(start) ? { start: matcher.start(), end: matcher.end() } : undefined;
      if (literals) {
        withoutEngine++;
        expect(literals.find(text, start)).toEqual(expected);
        expect(literals.findEnd(text, start)).toBe(expected?.end ?? -1);
        expect(literals.isIn(text)).toBe(byEngine(source, ignoreCase).test(text));
      }
      expect(find?.(text, start)).toEqual(expected);
      expect(test?.(text)).toBe(byEngine(source, ignoreCase).test(text));
    }),
    { numRuns: 5000 },
  );
  expect(withoutEngine).toBeGreaterThan(3000);
});

/** Signs of expressions, also in an order that makes no expression. */
const plain = fc.constantFrom('a', 'b', 'k', '1', '-');
const sign = fc.constantFrom(
  ...['.', '^', '$', '*', '+', '?', '+?', '*?', '{2}', '{0,1}', '{', '}', ',', '\\b', '\\d', '\\.', '\\x61', '\\u0061'],
  ...['\\pL', '\\Q', '\\E', '[ab]', '[^a]', '(', ')', '(?i)', '|', 'é', '🙂'],
);

test('a text that every match must have is in every text that matches', () => {
  const sources = fc
    .array(fc.oneof({ weight: 6, arbitrary: plain }, sign), { minLength: 2, maxLength: 4 })
    .map((parts) => parts.join(''));
  const fewLetters = fc.string({ unit: fc.constantFrom('a', 'b', 'K', 'k', '1', '-'), minLength: 20, maxLength: 60 });
  let compared = 0;
  fc.assert(
    fc.property(sources, fewLetters, fc.boolean(), (source, text, ignoreCase) => {
      const { required } = compiled(source, ignoreCase) ?? {};
      if (!required || !byEngine(source, ignoreCase).test(text)) return;
      compared++;
      expect(required.isIn(text)).toBe(true);
    }),
    { numRuns: propertyRuns({ sample: 6000, full: 30_000 }) },
  );
  expect(compared).toBeGreaterThan(200);
});

test('a choice of texts means the same to the JavaScript engine', () => {
  const sign = fc.constantFrom(...'ab|.*/\\-_"()[]{}^$|+? é'.split(''), '\\.', '\\(', '\\\\');
  fc.assert(
    fc.property(
      fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => signs.join('')),
      (source) => {
        // A word border needs more than the text itself.
        fc.pre(!source.includes('\\b'));
        const result = compileSearchPattern(source);
        for (const literal of (result.ok && result.pattern.literals?.texts) || []) {
          expect(new RegExp(`^(?:${source})$`).test(literal)).toBe(true);
        }
      },
    ),
    { numRuns: propertyRuns({ sample: 1000, full: 5000 }) },
  );
});
