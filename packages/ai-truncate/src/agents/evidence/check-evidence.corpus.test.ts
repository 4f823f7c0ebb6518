import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callReader } from '../../../fixtures/call-reader.ts';
import { corpusNames, readCorpus } from '../../../fixtures/corpus.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { checkEvidence } from './check-evidence.ts';
import type { EvidenceClaim } from './evidence.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
const searchedFor: Record<string, string> = {
  'movies.json': 'title',
  'earthquakes.json': 'title',
  'seattle-weather.csv': 'snow',
  'wikipedia.html': 'encyclopedia',
};
const logs = corpusNames.filter((name) => name.endsWith('.log'));

async function saved(name: string): Promise<string> {
  const mediaType = name.endsWith('.json') ? 'application/json' : 'text/plain';
  return (await artifacts.save(readCorpus(name), { toolName: name, toolCallId: 'call_1', mediaType })).path;
}

async function checked(claims: readonly EvidenceClaim[]) {
  const evidence = [];
  for (let at = 0; at < claims.length; at += 20)
    evidence.push(...(await checkEvidence(artifacts, claims.slice(at, at + 20))));
  return evidence;
}

describe('text that a reader shows is verified as it is shown:', () => {
  test.each(corpusNames)('all matches of a search in %s', async (name) => {
    const path = await saved(name);
    const pattern = searchedFor[name] ?? 'error|fail|warn';
    const { text, data } = await callReader(artifacts, 'grepArtifacts', { path, pattern, ignoreCase: true });
    const claims: EvidenceClaim[] = [];
    for (const [row, number, shown] of text.matchAll(/^(\d+)(?::\d+)?(?: \(cursor [^)]+\))?: (.*)$/gm)) {
      const named = { path, startLine: Number(number), endLine: Number(number) };
      claims.push({ ...named, quote: row }, { ...named, quote: shown ?? '' });
    }
    expect(claims).toHaveLength(2 * data.matches.length);
    expect(claims.length).toBeGreaterThan(10);
    const evidence = await checked(claims);
    expect(evidence.filter(({ verified }) => !verified)).toEqual([]);
    expect(evidence.map(({ startLine }) => startLine)).toEqual(claims.map(({ startLine }) => startLine));
  });

  test.each(corpusNames)('every two lines of a page of %s, whatever lines are claimed', async (name) => {
    const path = await saved(name);
    const { text } = await callReader(artifacts, 'readArtifact', { path, offset: 100, limit: 20 });
    const rows = text.match(/^\d+: .*$/gm) ?? [];
    const claims = rows.slice(1).flatMap((row, index) => {
      const pair = [rows[index] ?? '', row];
      const bare = pair.map((each) => each.replace(/^\d+: /, ''));
      return [pair, bare].map((each) => ({ path, startLine: 7, endLine: 8, quote: each.join('\n') }));
    });
    const evidence = await checked(claims.filter(({ quote }) => quote.replace(/\s+/g, '').length >= 16));
    expect(evidence.length).toBeGreaterThan(2);
    expect(evidence.filter(({ verified }) => !verified)).toEqual([]);
  });
});

test.each(logs)(
  'true quotes of %s are verified, and quotes with one changed letter or digit never are',
  async (name) => {
    const path = await saved(name);
    const lines = readCorpus(name).split('\n');
    const plain = lines.join(' ').replace(/\s+/g, ' ');
    const words = fc.record({
      line: fc.nat({ max: lines.length - 1 }),
      from: fc.nat({ max: 8 }),
      count: fc.integer({ min: 3, max: 12 }),
      at: fc.nat(),
      letter: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
    });
    const asked = fc.sample(words, { numRuns: 60, seed: 6 }).flatMap(({ line, from, count, at, letter }) => {
      const quote = (lines[line] ?? '')
        .trim()
        .split(/\s+/)
        .slice(from, from + count)
        .join(' ');
      const places = [...quote.matchAll(/[a-z0-9]/gi)].map(({ index }) => index);
      const place = places[at % places.length];
      if (place === undefined || quote.replace(/\s/g, '').length < 8 || quote[place] === letter) return [];
      const altered = quote.slice(0, place) + letter + quote.slice(place + 1);
      const named = { path, startLine: line + 1, endLine: line + 1 };
      // Sometimes it is the text of another line.
      return plain.includes(altered) ? [] : [{ true: { ...named, quote }, altered: { ...named, quote: altered } }];
    });
    expect(asked.length).toBeGreaterThan(40);
    const evidence = await checked(asked.map((each) => each.true));
    expect(evidence.filter(({ verified }) => !verified)).toEqual([]);
    const forged = await checked(asked.map((each) => each.altered));
    expect(forged.filter(({ verified, unchecked }) => verified || unchecked)).toEqual([]);
  },
);
