import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { TextPosition } from '../artifacts/text-regions.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { findLineStart } from '../windows/place.ts';
import { grepArtifact } from './grep-artifact.ts';
import { type GrepBackwardsOptions, type GrepBackwardsResult, grepBackwards } from './grep-backwards.ts';
import type { GrepMatch } from './matches.ts';
import { compileSearchPattern, type SearchPattern } from './pattern.ts';
import { LINE_COST } from './region.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'backwards' });
const never = new AbortController().signal;

function compile(source: string): SearchPattern {
  const compiled = compileSearchPattern(source);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.pattern;
}

async function save(content: string | Uint8Array): Promise<string> {
  return (await artifacts.save(content, { toolName: 'read', toolCallId: 'call_1' })).path;
}

async function lineStart(path: string, line: number): Promise<TextPosition> {
  const found = await findLineStart(artifacts, path, { line, abortSignal: undefined });
  const { bytes } = await artifacts.info(path);
  return { line, character: 1, byte: found?.lineStart ?? bytes };
}

interface Found {
  matches: GrepMatch[];
  places: number[];
  result: GrepBackwardsResult;
}

async function search(
  path: string,
  source: string,
  options: Partial<GrepBackwardsOptions> & { before: TextPosition },
  from: Artifacts = artifacts,
): Promise<Found> {
  const pattern = compile(source);
  const steps = grepBackwards(from, path, {
    pattern,
    maxMatches: 1000,
    deadline: never,
    abortSignal: never,
    ...options,
  });
  const matches: GrepMatch[] = [];
  const places: number[] = [];
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return { matches, places, result: value };
    matches.push(...value.matches);
    places.push(value.scannedBytes);
  }
}

/** All of them, page by page. */
async function allBefore(path: string, source: string, options: { before: TextPosition; maxMatches: number }) {
  const matches: GrepMatch[] = [];
  for (let before: TextPosition | undefined = options.before; before; ) {
    const page: Found = await search(path, source, { ...options, before });
    expect(page.matches.length).toBeLessThanOrEqual(options.maxMatches);
    matches.push(...page.matches);
    before = page.result.next;
  }
  return matches;
}

/** Counts what is read of the artifact itself. */
function counted(): { from: Artifacts; bytesRead(): number } {
  let read = 0;
  return {
    from: {
      ...artifacts,
      async readStream(path, options) {
        const stream = await artifacts.readStream(path, options);
        return stream.pipeThrough(
          new TransformStream({
            transform(chunk, controller) {
              read += chunk.length;
              controller.enqueue(chunk);
            },
          }),
        );
      },
    },
    bytesRead: () => read,
  };
}

describe('a search backwards', () => {
  const log = Array.from({ length: 20_000 }, (_, index) => (index % 4000 === 7 ? `ERROR ${index}` : `line ${index}`));

  it('finds the nearest first, and none at the place or behind it', async () => {
    const path = await save(log.join('\n'));
    const { matches, result } = await search(path, 'ERROR', { before: await lineStart(path, 12_008) });
    expect(matches).toEqual([
      { line: 8008, text: 'ERROR 8007' },
      { line: 4008, text: 'ERROR 4007' },
      { line: 8, text: 'ERROR 7' },
    ]);
    expect(result).toMatchObject({ kind: 'text', scannedBytes: (await lineStart(path, 12_008)).byte });
    expect(result.next).toBeUndefined();
  });

  it('from the end finds the last line', async () => {
    const path = await save('hit\nmiss\nhit');
    const { matches } = await search(path, '^hit$', { before: await lineStart(path, 4) });
    expect(matches.map(({ line }) => line)).toEqual([3, 1]);
  });

  it('before the first line finds nothing', async () => {
    const path = await save('hit\n');
    expect(await search(path, 'hit', { before: await lineStart(path, 1) })).toMatchObject({
      matches: [],
      result: { scannedBytes: 0 },
    });
  });

  it('reads little when what it looks for is near, however long the artifact', async () => {
    const path = await save(`${'no line says it\n'.repeat(500_000)}the ERROR\n${'nor here\n'.repeat(500)}`);
    const { from, bytesRead } = counted();
    const before = await lineStart(path, 500_400);
    const { matches, result } = await search(path, 'ERROR', { before, maxMatches: 1 }, from);
    expect(matches.map(({ line }) => line)).toEqual([500_001]);
    expect(result.ended).toBe('enough');
    expect(bytesRead()).toBeLessThan(500_000);
  });

  it('tells how far back it has come after each window, and its windows grow', async () => {
    const path = await save('x'.repeat(99).concat('\n').repeat(100_000));
    const before = await lineStart(path, 100_001);
    const { places, result } = await search(path, 'never', { before });
    expect(places.length).toBeGreaterThan(5);
    expect(places.length).toBeLessThan(12);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places.at(-1)).toBe(10_000_000);
    expect(result).toMatchObject({ scannedBytes: 10_000_000 });
  });

  it('takes fewer lines at once where they are long', async () => {
    const path = await save(Array.from({ length: 300 }, (_, index) => `${index} ${'y'.repeat(100_000)}`).join('\n'));
    const { places } = await search(path, 'never', { before: await lineStart(path, 301) });
    const sizes = places.map((place, index) => place - (places[index - 1] ?? 0));
    expect(Math.max(...sizes)).toBeLessThan(8.1 * 1024 * 1024);
  });

  it.each([
    ['of 70 characters', `${'z'.repeat(70)}\n`.repeat(60_000)],
    ['of 1,500 characters, each coloured', `\u001b[31m${'z'.repeat(1500)}\n`.repeat(2000)],
    ['that are empty', '\n'.repeat(200_000)],
  ])('has searched each window in half of 20 seconds, however hard the expression: lines %s', async (_, content) => {
    const path = await save(content);
    // A step of so many characters takes up to 15 ms.
    let now = 0;
    const hard: SearchPattern = {
      window: 1024,
      find: () => undefined,
      test(text) {
        now += ((text.length + LINE_COST) / hard.window) * 15;
        return false;
      },
    };
    const before = await lineStart(path, content.split('\n').length);
    const limits = { maxMatches: 1, deadline: never, abortSignal: never };
    const milliseconds: number[] = [];
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      let [searchedBytes, searchedAt] = [0, 0];
      for await (const { scannedBytes } of grepBackwards(artifacts, path, { ...limits, pattern: hard, before })) {
        if (scannedBytes === searchedBytes) continue;
        milliseconds.push(now - searchedAt);
        [searchedBytes, searchedAt] = [scannedBytes, now];
      }
      expect(searchedBytes).toBe(before.byte);
    } finally {
      clock.mockRestore();
    }
    expect(Math.max(...milliseconds)).toBeLessThan(10_000);
  });

  it('that is slow finds the nearest also in a window with more than are searched for at once', async () => {
    const path = await save(`${'hit\n'.repeat(2000)}${'miss\n'.repeat(4000)}`);
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 300;
      return now;
    });
    try {
      const { matches } = await search(path, '^[gh].', { before: await lineStart(path, 3001) });
      expect(matches.map(({ line }) => line)).toEqual(Array.from({ length: 1000 }, (_, index) => 2000 - index));
    } finally {
      clock.mockRestore();
    }
  });

  it('goes on inside of a giant line, and then before it', async () => {
    const giant = Array.from({ length: 900 }, (_, index) => `hit${index}${'.'.repeat(300)}`).join('');
    const path = await save(`first hit\n${giant}\nlast`);
    const before = await lineStart(path, 3);
    const matches = await allBefore(path, 'hit', { before, maxMatches: 400 });
    expect(matches).toHaveLength(901);
    expect(matches.map(({ line }) => line).slice(-2)).toEqual([2, 1]);
    const columns = matches.slice(0, 900).map(({ column }) => column ?? 0);
    expect(columns).toEqual(columns.toSorted((one, other) => other - one));
  });

  it('in what is no text finds nothing', async () => {
    const path = await save(new Uint8Array(5000));
    const { result } = await search(path, 'x', { before: { line: 1, character: 1, byte: 5000 } });
    expect(result).toEqual({ kind: 'binary', scannedBytes: 0 });
  });

  it('whose time is up ends with where it came to, and goes on there', async () => {
    const path = await save(log.join('\n'));
    const deadline = new AbortController();
    const before = await lineStart(path, 20_001);
    const steps = grepBackwards(artifacts, path, {
      pattern: compile('ERROR'),
      before,
      maxMatches: 1000,
      deadline: deadline.signal,
      abortSignal: never,
    });
    const first = await steps.next();
    deadline.abort();
    const last = await steps.next();
    if (!last.done || first.done) throw new Error('it did not end');
    expect(last.value).toMatchObject({ ended: 'deadline', scannedBytes: first.value.scannedBytes });
    const { next } = last.value;
    if (!next) throw new Error('nowhere to go on');
    const rest = await search(path, 'ERROR', { before: next });
    expect([...first.value.matches, ...rest.matches].map(({ line }) => line)).toEqual([16_008, 12_008, 8008, 4008, 8]);
  });

  it('that nobody waits for any more has no answer', async () => {
    const path = await save(log.join('\n'));
    const gone = new AbortController();
    const before = await lineStart(path, 20_001);
    gone.abort(new Error('gone'));
    await expect(search(path, 'ERROR', { before, abortSignal: gone.signal })).rejects.toThrow('gone');
  });
});

it('page by page, backwards finds what forwards does, the other way round', async () => {
  const line = fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom('hit', 'miss', '', 'a hit and a hit', 'héé', '\u001b[31mhit') },
    { weight: 1, arbitrary: fc.constantFrom('hit'.repeat(1500), `${'é'.repeat(9000)}hit`, 'hit '.repeat(300)) },
  );
  const texts = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 60 }))
    .map(([lines, times]) => Array.from({ length: times }, () => lines.join('\n')).join('\n'));
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 20, max: 1000 }), fc.nat(), async (text, maxMatches, anywhere) => {
      const path = await save(text);
      const lines = text.split('\n').length;
      const before = await lineStart(path, 1 + (anywhere % (lines + 1)));
      const forwards: GrepMatch[] = [];
      for (let start: TextPosition | undefined, isFirst = true; isFirst || start; isFirst = false) {
        const page = await grepArtifact(artifacts, path, {
          pattern: compile('hit'),
          maxMatches: 1000,
          countsAll: false,
          maxChars: Number.MAX_SAFE_INTEGER,
          deadline: never,
          ...(start && { start }),
        });
        forwards.push(...page.matches);
        start = page.next;
      }
      const backwards = await allBefore(path, 'hit', { before, maxMatches });
      await artifacts.delete(path);
      expect(backwards).toEqual(forwards.filter((match) => match.line < before.line).reverse());
    }),
    { numRuns: 25 },
  );
});
