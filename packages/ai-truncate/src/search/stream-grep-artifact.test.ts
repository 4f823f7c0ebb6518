import { describe, expect, it, vi } from 'vitest';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { type GrepArtifactOptions, type GrepProgress, grepArtifact, streamGrepArtifact } from './grep-artifact.ts';
import { compileSearchPattern } from './pattern.ts';

async function artifactWith(content: string): Promise<{ artifacts: Artifacts; path: string }> {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'search' });
  return { artifacts, path: (await artifacts.save(content, { toolName: 'read', toolCallId: 'call_1' })).path };
}

function optionsFor(source: string, more: Partial<GrepArtifactOptions> = {}): GrepArtifactOptions {
  const result = compileSearchPattern(source);
  if (!result.ok) throw new Error(result.message);
  return { pattern: result.pattern, ...more };
}

async function streamed(content: string, options: GrepArtifactOptions) {
  const { artifacts, path } = await artifactWith(content);
  const search = streamGrepArtifact(artifacts, path, options);
  const told: GrepProgress[] = [];
  for (;;) {
    const step = await search.next();
    if (step.done) return { told, result: step.value, whole: await grepArtifact(artifacts, path, options) };
    told.push(step.value);
  }
}

const content = Array.from({ length: 60_000 }, (_, index) =>
  index % 500 === 7 ? `hit ${index}` : `line ${index}`,
).join('\n');

describe('a search that is told while it runs', () => {
  it.each([
    ['hit', {}],
    ['hit', { maxMatches: 1000, maxChars: 1_000_000 }],
    ['h.t', { maxMatches: 7 }],
    ['h.t', { maxMatches: 7, countsAll: false }],
    ['hit', { maxMatches: 1, countsAll: false }],
    ['h.t', { before: 2, after: 2, maxMatches: 100, maxChars: 100_000 }],
    ['nowhere', {}],
  ])(
    'tells every match once, in their order, and ends like one that is told at its end: %s %o',
    async (source, more) => {
      const { told, result, whole } = await streamed(content, optionsFor(source, more));
      expect(told.flatMap(({ matches }) => matches)).toEqual(result.matches);
      expect(result).toEqual(whole);
    },
  );

  it('tells of a match before it has read much further', async () => {
    const { told } = await streamed(content, optionsFor('hit', { maxMatches: 1000, maxChars: 1_000_000 }));
    expect(told.length).toBeGreaterThan(2);
    expect(told[0]?.scannedBytes).toBeLessThan(300_000);
  });

  it('tells four times a second how far it has come while it finds nothing', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 1;
      return now;
    });
    try {
      const { told } = await streamed(content.repeat(10), optionsFor('[qQ][zZ][jJ]', { maxMatches: 1 }));
      expect(told.length).toBeGreaterThan(3);
      expect(told.length).toBeLessThan(now / 250);
      expect(told.flatMap(({ matches }) => matches)).toEqual([]);
      const places = told.map(({ scannedBytes }) => scannedBytes);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
    } finally {
      clock.mockRestore();
    }
  });
});
