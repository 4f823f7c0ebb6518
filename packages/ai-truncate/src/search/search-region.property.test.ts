import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { withoutEscapeSequences } from '../text/visible-text.ts';
import { grepArtifact } from './grep-artifact.ts';
import { compileSearchPattern } from './pattern.ts';

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

it('the lines that match are those that do as they are stored, and those that do as they are shown', async () => {
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
      const isWanted = (each: string) => expression.test(each.replace(/\r$/, ''));
      const expected = stored
        .split('\n')
        .flatMap((each, index) => (isWanted(each) || isWanted(withoutEscapeSequences(each)) ? [index + 1] : []));
      expect(found.matches.map(({ line }) => line)).toEqual(expected.slice(0, 1000));
    }),
    { numRuns: 150 },
  );
});
