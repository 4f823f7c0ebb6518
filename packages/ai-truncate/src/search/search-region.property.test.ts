import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { compileSearchPattern } from '../text/pattern.ts';
import { withoutEscapeSequences } from '../text/visible-text.ts';
import { grepArtifact } from './grep-artifact.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'shown' });
const pieces = [
  'a',
  'b',
  'é',
  ' ',
  '\r',
  '\u001b[31m',
  '\u001b[0m',
  '\u001b]8;;a',
  '\u0007',
  '\u001b',
  '\u009b1m',
  '[',
];
const line = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom(...pieces), maxLength: 9 }).map((text) => text.repeat(90)),
  },
);
const texts = fc.array(line, { minLength: 1, maxLength: 40 }).map((lines) => lines.join('\n'));
const patterns = fc.constantFrom('ab', 'a|ba', '\\bab', '^a', 'b$', 'a.*b', '\\x1b\\[31ma', '31', '^$', 'bé ');

test('lines match as they are stored or as they are shown', async () => {
  await fc.assert(
    fc.asyncProperty(texts, patterns, fc.integer({ min: 0, max: 1 }), async (text, source, isLarge) => {
      const stored = isLarge ? `${text}\n${'\u001b[2mz\u001b[0m\n'.repeat(30_000)}${text}` : text;
      const { path } = await artifacts.save(stored, { toolName: 'run', toolCallId: 'call_1' });
      const compiled = compileSearchPattern(source);
      if (!compiled.ok) throw new Error(compiled.message);
      const { pattern } = compiled;
      const found = await grepArtifact(artifacts, path, {
        pattern,
        maxMatches: 1000,
        maxChars: Number.MAX_SAFE_INTEGER,
        deadline: new AbortController().signal,
      });
      await artifacts.delete(path);
      const expression = new RegExp(source, 'us');
      // A return at the end belongs to the line break, even if a sequence follows it.
      const isWanted = (each: string) => expression.test(each.replace(/\r$/, ''));
      const expected = stored
        .split('\n')
        .flatMap((each, index) => (isWanted(each) || isWanted(withoutEscapeSequences(each)) ? [index + 1] : []));
      expect(found.matches.map(({ line }) => line)).toEqual(expected.slice(0, 1000));
    }),
    { numRuns: propertyRuns({ sample: 50, full: 150 }) },
  );
});

/** Patterns for every way to search: by texts alone, by required texts, in many lines at once, and line by line. */
const sources = fc.constantFrom(
  ...[
    'error',
    '(error|failed) by',
    '\\berror\\b',
    '(?i)\\bERROR',
    'err[oO]r',
    'errors?',
    'err.r',
    'e[a-z]+ by',
    '[0-9]{2}:',
    '\\d$',
  ],
  ...[
    '^e',
    '^$',
    '$',
    '',
    '[^a]',
    '[^a]b',
    '\\s',
    '\\W{2}',
    '\\Aerror',
    'by\\z',
    '(?m)^by',
    '(?-m)^by',
    '.*',
    'x*',
    '\\By',
    '(?s)a.b',
  ],
  ...['a.*b.*c', '(a|b)+$', '[a-f]{3}', 'é+', '[^\\x00-\\x7f]', '(?i)ſ', 'k{2}', '(?:^|:)by', '[ab]{2,3}\\b'],
);
const words = [
  'error',
  'ERROR',
  'errors',
  'failed',
  ' by',
  'by ',
  'a',
  'b',
  'c',
  'kK',
  'é',
  'ſ',
  '12:',
  '7',
  ' ',
  ':',
  '\r',
  '\u001b[31m',
  '\u001b',
];
const manyLines = fc
  .array(fc.tuple(fc.array(fc.constantFrom(...words), { maxLength: 4 }), fc.integer({ min: 1, max: 120 })), {
    minLength: 1,
    maxLength: 20,
  })
  .map((runs) => runs.map(([line, times]) => Array.from({ length: times }, () => line.join('')).join('\n')).join('\n'));

test('lines match as if they were searched one by one, however many are searched at once', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(manyLines, sources, fc.boolean(), async (stored, source, isPlain) => {
      const text = isPlain ? withoutEscapeSequences(stored).replaceAll('\u001b', '') : stored;
      const compiled = compileSearchPattern(source);
      if (!compiled.ok) return;
      const engine = RE2JS.compile(source);
      const isFound = (line: string) => {
        const isWanted = (text: string) => engine.test(text.replace(/\r$/, ''));
        return isWanted(line) || (line.includes('\u001b') && isWanted(withoutEscapeSequences(line)));
      };
      const { path } = await artifacts.save(text, { toolName: 'run', toolCallId: 'call_1' });
      const result = await grepArtifact(artifacts, path, {
        pattern: compiled.pattern,
        maxMatches: 1000,
        maxChars: Number.MAX_SAFE_INTEGER,
        deadline: new AbortController().signal,
      });
      await artifacts.delete(path);
      const expected = text.split('\n').flatMap((line, index) => (isFound(line) ? [index + 1] : []));
      found += expected.length;
      expect(result.count).toBe(expected.length);
      expect(result.matches.map(({ line }) => line)).toEqual(expected.slice(0, 1000));
    }),
    { numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(5000);
});
