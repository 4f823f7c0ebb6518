import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { compileSearchPattern, type SearchPattern } from '../text/pattern.ts';
import { visibleText } from '../text/visible-text.ts';
import { type GrepArtifactOptions, grepArtifact } from './grep-artifact.ts';
import type { GrepMatch } from './matches.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'grep' });
/** Patterns that mean the same to both engines. */
const patterns = fc.constantFrom(
  'a',
  'ab',
  'é',
  '^a',
  'b$',
  '^$',
  'a.*b',
  '\\bb',
  '[^a]b',
  '日|🙂',
  '(?:ab)+',
  'x{3}',
  'b\\b',
  '\\.',
);
const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '日', '🙂', '\r', ' ', '.', 'x'), maxLength: 30 });
const line = fc.oneof(
  { weight: 12, arbitrary: letters },
  {
    weight: 1,
    arbitrary: fc
      .tuple(letters, fc.integer({ min: 10, max: 4000 }))
      .map(([text, times]) => text.repeat(times).slice(0, 4000)),
  },
);
const smallTexts = fc.array(line, { minLength: 1, maxLength: 60 }).map((lines) => lines.join('\n'));
/** Longer than a region, so that lines and their surroundings cross its borders. */
const largeTexts = fc
  .tuple(smallTexts, smallTexts, smallTexts, fc.integer({ min: 1, max: 3000 }))
  .map(([first, middle, last, length]) => {
    const filler = `${'z'.repeat(length)}\n`.repeat(Math.ceil(280_000 / length));
    return [first, filler, middle, filler, last].join('\n');
  });

function compile(source: string): SearchPattern {
  const compiled = compileSearchPattern(source);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.pattern;
}

async function saved<Result>(content: string | Uint8Array, use: (path: string) => Promise<Result>): Promise<Result> {
  const { path } = await artifacts.save(content, { toolName: 'read', toolCallId: 'call_1' });
  try {
    return await use(path);
  } finally {
    await artifacts.delete(path);
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').map((each) => each.replace(/\r$/, ''));
}

/** Uses the JavaScript engine on the whole text. */
function matchingLines(text: string, source: string): number[] {
  const expression = new RegExp(source, 'us');
  return linesOf(text).flatMap((each, index) => (expression.test(each) ? [index + 1] : []));
}

async function allPages(path: string, options: GrepArtifactOptions): Promise<GrepMatch[]> {
  const matches: GrepMatch[] = [];
  for (let start: GrepArtifactOptions['start'], pages = 0; ; pages++) {
    const page = await grepArtifact(artifacts, path, { ...options, start });
    matches.push(...page.matches);
    if (!page.next) return matches;
    expect(pages).toBeLessThan(20_000);
    expect(page.matches.length + page.scannedBytes).toBeGreaterThan(0);
    start = page.next;
  }
}

test('finds the same lines as split and the JavaScript engine, and counts them all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(smallTexts, largeTexts), patterns, async (text, source) => {
      await saved(text, async (path) => {
        const expected = matchingLines(text, source);
        const result = await grepArtifact(artifacts, path, { pattern: compile(source), maxMatches: 200 });
        expect(result.count).toBe(expected.length);
        expect(result.isComplete).toBe(true);
        expect(result.matches.map((match) => match.line)).toEqual(expected.slice(0, result.matches.length));
        const lines = linesOf(text);
        for (const match of result.matches) {
          const whole = lines[match.line - 1] ?? '';
          if (whole.length <= 300) expect(match.text).toBe(visibleText(whole));
          else expect(match.text.length).toBeLessThanOrEqual(602);
        }
      });
    }),
    { numRuns: propertyRuns({ sample: 100, full: 300 }) },
  );
});

test('finds the same matches, each once, when it continues page by page', async () => {
  const limits = fc.record({
    maxMatches: fc.integer({ min: 1, max: 200 }),
    maxChars: fc.integer({ min: 700, max: 8000 }),
    maxScanBytes: fc.constantFrom(1, 300_000, Number.MAX_SAFE_INTEGER),
    before: fc.integer({ min: 0, max: 3 }),
    after: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 5, arbitrary: smallTexts }, largeTexts),
      patterns,
      limits,
      async (text, source, given) => {
        const expected = matchingLines(text, source);
        // Otherwise it would take as many searches as there are lines.
        fc.pre(expected.length < 2000);
        await saved(text, async (path) => {
          const found = await allPages(path, { pattern: compile(source), ...given });
          expect(found.map((match) => match.line)).toEqual(expected);
        });
      },
    ),
    { numRuns: propertyRuns({ sample: 50, full: 150 }) },
  );
});

test('shows the lines around a match, each line once', async () => {
  const wanted = fc.record({ before: fc.integer({ min: 0, max: 20 }), after: fc.integer({ min: 0, max: 20 }) });
  await fc.assert(
    fc.asyncProperty(fc.oneof(smallTexts, largeTexts), patterns, wanted, async (text, source, { before, after }) => {
      await saved(text, async (path) => {
        const result = await grepArtifact(artifacts, path, {
          pattern: compile(source),
          before,
          after,
          maxChars: 1_000_000,
        });
        const shown = new Set<number>();
        const lines = linesOf(text);
        const numbers = new Set(matchingLines(text, source).slice(0, 50));
        const expected = new Set(
          [...numbers].flatMap((number) =>
            Array.from({ length: before + after + 1 }, (_, index) => number - before + index).filter(
              (each) => each >= 1 && each <= lines.length,
            ),
          ),
        );
        for (const match of result.matches) {
          const around = [...(match.before ?? []), match.text, ...(match.after ?? [])];
          around.forEach((each, index) => {
            const number = match.line - (match.before?.length ?? 0) + index;
            const whole = lines[number - 1] ?? '';
            expect(shown.has(number)).toBe(false);
            shown.add(number);
            if (whole.length <= 300) expect(each).toBe(visibleText(whole));
          });
        }
        // Lines after the last match are shown up to the first that does not fit.
        const last = result.next ? Math.max(0, ...numbers) : lines.length;
        expect([...shown].filter((each) => each <= last)).toEqual(
          [...expected].filter((each) => each <= last).sort((a, b) => a - b),
        );
      });
    }),
    { numRuns: propertyRuns({ sample: 70, full: 200 }) },
  );
});

/** The starts of matches in the JavaScript engine, when each is searched 200 characters after the previous one. */
function stretchesOf(line: string, source: string): number[] {
  const expression = new RegExp(source, 'gus');
  const columns: number[] = [];
  for (let at = 0; at < line.length; ) {
    expression.lastIndex = at;
    const match = expression.exec(line);
    if (!match) break;
    columns.push(match.index + 1);
    at = match.index + 200;
    if (/[\udc00-\udfff]/.test(line[at] ?? '')) at--;
  }
  return columns;
}

test('in a long line finds the matches of the JavaScript engine, stretch by stretch, on one page or on many', async () => {
  const near = fc.constantFrom(
    'a',
    'ab',
    'é',
    '^a',
    'b$',
    '\\bb',
    '[^a]b',
    '日|🙂',
    '(?:ab)+',
    'x{3}',
    'b\\b',
    '\\ba.{0,20}b\\b',
    'b\\.$',
  );
  const filler = fc
    .tuple(
      fc.string({ unit: fc.constantFrom('z', 'é', '🙂', 'y ', 'a'), minLength: 1, maxLength: 6 }),
      fc.integer({ min: 4100, max: 300_000 }),
    )
    .map(([text, length]) => text.repeat(Math.ceil(length / text.length)));
  const longLines = fc.tuple(letters, filler, letters, filler, letters).map((parts) => parts.join(''));
  const limits = fc.record({
    maxMatches: fc.integer({ min: 20, max: 200 }),
    maxScanBytes: fc.constantFrom(1, Number.MAX_SAFE_INTEGER),
  });
  await fc.assert(
    fc.asyncProperty(letters, longLines, letters, near, limits, async (before, long, after, source, given) => {
      const text = [before, long, after].join('\n');
      const [, line = ''] = linesOf(text);
      const expected = stretchesOf(line, source);
      await saved(text, async (path) => {
        const all = await grepArtifact(artifacts, path, { pattern: compile(source), maxMatches: 0 });
        const short = matchingLines(`${before}\n${after}`, source).length;
        expect(all.count).toBe(expected.length + short);
        const found = await allPages(path, { pattern: compile(source), maxChars: 100_000, ...given });
        expect(found.filter((match) => match.line === 2).map((match) => match.column)).toEqual(expected);
        for (const match of found)
          if (match.column)
            expect(line.slice(match.column - 1)).toMatch(new RegExp(`^(?:${source.replace(/^\^|^\\b/, '')})`, 'us'));
      });
    }),
    { numRuns: propertyRuns({ sample: 15, full: 200 }) },
  );
});
