import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Region, textRegions } from '../windows/text-regions.ts';
import { createMatchList, type GrepMatch, type MatchLimits, type MatchList, SHOWN_LINE } from './matches.ts';
import type { Hit } from './search-region.ts';

const ROOMY: MatchLimits = { before: 0, after: 0, maxMatches: 1000, maxChars: 1_000_000 };

async function regionOf(text: string): Promise<Region> {
  async function* chunks() {
    yield new TextEncoder().encode(text);
  }
  const regions = textRegions(chunks(), { byte: 0, leadBytes: 0, character: 0 });
  const { value } = await regions.next();
  return value as Region;
}

/** The lines that contain `hit`, each as a search would add it. */
function hitsIn(text: string): Hit[] {
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const hit = { start, end: start + line.length, isEnded: true, at: start + line.indexOf('hit') };
    start += line.length + 1;
    return line.includes('hit') ? [hit] : [];
  });
}

async function listOf(text: string, limits: Partial<MatchLimits> = {}): Promise<MatchList> {
  const list = createMatchList({ ...ROOMY, ...limits });
  list.enter(await regionOf(text), 1);
  for (const hit of hitsIn(text)) list.add(hit);
  list.leave();
  return list;
}

const matchesOf = async (text: string, limits?: Partial<MatchLimits>) => (await listOf(text, limits)).matches;

describe('a match', () => {
  test('has the number and the text of its line', async () => {
    expect(await matchesOf('a\nhit 1\n\nhit 2')).toEqual([
      { line: 2, text: 'hit 1' },
      { line: 4, text: 'hit 2' },
    ]);
  });

  test('shows what hides or reorders text', async () => {
    expect((await matchesOf('hit\u202e\x07'))[0]?.text).toBe('hit\\u{202e}␇');
  });

  test(`shows a line of ${SHOWN_LINE} characters whole, and of a longer one the text around the match`, async () => {
    const long = `${'x'.repeat(297)}hit`;
    expect(await matchesOf(long)).toEqual([{ line: 1, text: long }]);
    expect(await matchesOf(`é${long}`)).toEqual([
      { line: 1, text: `…${'x'.repeat(100)}hit`, column: 299, at: '1:299:299' },
    ]);
    expect(await matchesOf(`hit${'x'.repeat(298)}`)).toEqual([
      { line: 1, text: `hit${'x'.repeat(197)}…`, column: 1, at: '1:1:0' },
    ]);
  });

  test('has no half of a character at either end', async () => {
    for (const between of ['', 'x']) {
      const [match] = await matchesOf(`${'🙂'.repeat(200)}${between}hit${between}${'🙂'.repeat(200)}`);
      expect(match?.text).not.toMatch(/\p{Surrogate}|\ufffd/u);
      expect(match?.column).toBe(401 + between.length);
    }
  });

  test('has at most 600 characters, however many of them are invisible', async () => {
    const [match] = await matchesOf(`hit${'\u202e'.repeat(297)}`);
    expect(match?.text).toHaveLength(601);
    expect(match?.text).toMatch(/^hit(\\u\{202e\})+.*…$/);
  });

  test('in a line that goes on is shown as cut, and counts as a stretch', async () => {
    const list = createMatchList(ROOMY);
    list.enter(await regionOf('a hit'), 1);
    list.add({ start: 0, end: 5, isEnded: false, at: 2 });
    expect(list.matches).toEqual([{ line: 1, text: 'a hit…', column: 3, at: '1:3:2' }]);
    expect(list.countsStretches).toBe(true);
  });

  test('counts as a stretch only in a line of more than 4,096 characters', async () => {
    expect((await listOf('hit'.padEnd(4096))).countsStretches).toBe(false);
    expect((await listOf('hit'.padEnd(4097))).countsStretches).toBe(true);
  });
});

describe('the lines around a match', () => {
  /** A second implementation: a line is shown once, and belongs to the match before it if it can. */
  function expected(lines: readonly string[], { before, after }: MatchLimits): GrepMatch[] {
    let shown = -1;
    return lines.flatMap((text, at) => {
      if (!text.includes('hit')) return [];
      const above = lines.slice(Math.max(shown + 1, at - before), at);
      const next = lines.findIndex((line, index) => index > at && line.includes('hit'));
      const below = lines.slice(at + 1, Math.min(at + 1 + after, next === -1 ? lines.length : next));
      shown = at + below.length;
      return {
        line: at + 1,
        text,
        ...(above.length > 0 && { before: above }),
        ...(below.length > 0 && { after: below }),
      };
    });
  }

  test('are shown once, as many as are wanted', async () => {
    const line = fc.constantFrom('hit', 'a hit', '', 'b', 'c');
    const count = fc.integer({ min: 0, max: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 25 }), count, count, async (lines, before, after) => {
        const limits = { ...ROOMY, before, after };
        expect(await matchesOf(lines.join('\n'), limits)).toEqual(expected(lines, limits));
      }),
      { numRuns: 300 },
    );
  });

  test('have no carriage return, and at most 200 characters of a long line', async () => {
    const long = 'x'.repeat(SHOWN_LINE + 1);
    const [match] = await matchesOf(`${long}\none\r\nhit\ntwo\r\n${long}`, { before: 2, after: 2 });
    expect(match?.before).toEqual([`${'x'.repeat(200)}…`, 'one']);
    expect(match?.after).toEqual(['two', `${'x'.repeat(200)}…`]);
  });

  test('may be in the region before', async () => {
    const list = createMatchList({ ...ROOMY, before: 2, after: 2 });
    const first = 'a\nb\nhit 1\n';
    const second = 'c\nd\ne\nhit 2';
    list.enter({ ...(await regionOf(first)), isLast: false }, 1);
    for (const hit of hitsIn(first)) list.add(hit);
    const line = list.leave();
    expect(line).toBe(4);
    list.enter(await regionOf(second), line);
    for (const hit of hitsIn(second)) list.add(hit);
    list.leave();
    expect(list.matches).toEqual([
      { line: 3, text: 'hit 1', before: ['a', 'b'], after: ['c', 'd'] },
      { line: 7, text: 'hit 2', before: ['e'] },
    ]);
  });

  test('are shown after the last match when the search ends early', async () => {
    const list = createMatchList({ ...ROOMY, after: 1 });
    const text = 'hit\nb\nc';
    list.enter(await regionOf(text), 1);
    for (const hit of hitsIn(text)) list.add(hit);
    list.endHere();
    expect(list.matches).toEqual([{ line: 1, text: 'hit', after: ['b'] }]);
  });
});

describe('an answer', () => {
  test('has as many matches as it may have, counts the others, and says where the first of them is', async () => {
    const list = await listOf('hit 1\né\nhit 2\nhit 3', { maxMatches: 1 });
    expect(list.matches).toEqual([{ line: 1, text: 'hit 1' }]);
    expect([list.count, list.next]).toEqual([3, { line: 3, character: 1, byte: 9 }]);
  });

  test('continues inside a long line where the first match that is not shown is', async () => {
    const list = await listOf(`hit\n${'x'.repeat(5000)}hit`, { maxMatches: 1 });
    expect(list.next).toEqual({ line: 2, character: 5001, byte: 5004 });
  });

  test('continues with the whole line if that is not long', async () => {
    const list = await listOf(`hit\n${'x'.repeat(500)}hit`, { maxMatches: 1 });
    expect(list.next).toEqual({ line: 2, character: 1, byte: 4 });
  });

  test('has a match if there is exactly room for it', async () => {
    const room = 'hit'.length + 40;
    expect((await listOf('hit\nhit', { maxChars: 2 * room })).matches).toHaveLength(2);
    expect((await listOf('hit\nhit', { maxChars: 2 * room - 1 })).matches).toHaveLength(1);
  });

  test('has the nearest lines before a match if there is no room for all', async () => {
    const room = 'hit'.length + 40 + 2 * ('b'.length + 4);
    expect(await matchesOf('a\nb\nc\nhit', { before: 3, maxChars: room })).toEqual([
      { line: 4, text: 'hit', before: ['b', 'c'] },
    ]);
  });

  test('is never larger than it may be', async () => {
    const lines = fc.array(fc.constantFrom('hit', 'x'.repeat(250), `${'y'.repeat(400)}hit`, ''), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(2000), fc.nat(3), async (texts, maxChars, around) => {
        const list = await listOf(texts.join('\n'), { maxChars, before: around, after: around });
        const shown = list.matches.flatMap(({ before = [], text, after = [] }) => [...before, text, ...after]);
        expect(shown.join('').length).toBeLessThanOrEqual(list.usedChars);
        expect(list.usedChars).toBeLessThanOrEqual(maxChars);
        expect(list.count).toBe(texts.filter((text) => text.includes('hit')).length);
        expect(list.next === undefined).toBe(list.matches.length === list.count);
      }),
      { numRuns: 200 },
    );
  });

  test('needs the place of a match in a line that is not shown whole, until it is full', async () => {
    const list = await listOf('hit');
    expect([SHOWN_LINE, SHOWN_LINE + 1].map(list.wantsPlace)).toEqual([false, true]);
    expect((await listOf('hit\nhit', { maxMatches: 1 })).wantsPlace(SHOWN_LINE + 1)).toBe(false);
  });
});
