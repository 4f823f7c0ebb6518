import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { longestTurnOf } from '../../fixtures/longest-turn.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { compileSearchPattern, type SearchPattern, type SearchPatternOptions } from '../text/pattern.ts';
import {
  type GrepArtifactOptions,
  type GrepArtifactResult,
  type GrepProgress,
  grepArtifact,
  streamGrepArtifact,
} from './grep-artifact.ts';

const store = memoryStore();
const artifacts = scopedArtifacts(store, { scope: 'grep' });

function compile(source: string, options?: SearchPatternOptions): SearchPattern {
  const result = compileSearchPattern(source, options);
  if (!result.ok) throw new Error(result.message);
  return result.pattern;
}

async function save(content: string | Uint8Array): Promise<string> {
  return (await artifacts.save(content, { toolName: 'read', toolCallId: 'call_1' })).path;
}

async function grep(
  content: string | Uint8Array,
  source: string,
  options: Omit<GrepArtifactOptions, 'pattern'> = {},
): Promise<GrepArtifactResult> {
  return grepArtifact(artifacts, await save(content), { ...options, pattern: compile(source) });
}

describe('a match', () => {
  test('has its true line number, and counts in the total', async () => {
    const result = await grep('one\ntwo\nthree two\n', 'two');
    expect(result).toMatchObject({
      count: 2,
      isComplete: true,
      matches: [
        { line: 2, text: 'two' },
        { line: 3, text: 'three two' },
      ],
    });
    expect(result).not.toHaveProperty('next');
  });

  test('is counted after the answer is full, and found when the search continues', async () => {
    const text = Array.from({ length: 500 }, (_, index) => `hit ${index + 1}`).join('\n');
    const first = await grep(text, 'hit', { maxMatches: 3 });
    expect(first).toMatchObject({ count: 500, isComplete: true, next: { line: 4, character: 1, byte: 18 } });
    const second = await grep(text, 'hit', { maxMatches: 3, start: first.next });
    expect(second.matches.map((match) => match.line)).toEqual([4, 5, 6]);
  });

  test('is shown with the lines around it, each once', async () => {
    const { matches } = await grep('a\nb\nhit 1\nc\nhit 2\nd\ne\nf', 'hit', { before: 2, after: 2 });
    expect(matches).toEqual([
      { line: 3, text: 'hit 1', before: ['a', 'b'], after: ['c'] },
      { line: 5, text: 'hit 2', after: ['d', 'e'] },
    ]);
  });

  test('has the lines before it at the start of a page too', async () => {
    const text = 'a\nb\nhit 1\nc\nd\nhit 2';
    const { next } = await grep(text, 'hit', { maxMatches: 1 });
    const { matches } = await grep(text, 'hit', { start: next, before: 2 });
    expect(matches).toEqual([{ line: 6, text: 'hit 2', before: ['c', 'd'] }]);
  });

  test('is shown without lines around it if the answer would be too long', async () => {
    const around = `${'x'.repeat(290)}\n`.repeat(20);
    const { matches, usedChars } = await grep(`${around}hit\n${around}`, 'hit', {
      before: 20,
      after: 20,
      maxChars: 1000,
    });
    expect(usedChars).toBeLessThanOrEqual(1000);
    expect(matches[0]?.before).toHaveLength(3);
  });

  test('in a long line is shown with its surroundings and its column', async () => {
    const { matches } = await grep(`${'x'.repeat(1000)}hit${'y'.repeat(1000)}`, 'hit');
    expect(matches).toEqual([
      { line: 1, text: `…${'x'.repeat(100)}hit${'y'.repeat(197)}…`, column: 1001, at: '1:1001:1000' },
    ]);
  });

  test('is not shown with half a character', async () => {
    const { matches } = await grep(`x${'🙂'.repeat(500)}hit${'🙂'.repeat(500)}`, 'h');
    expect(matches[0]?.text).not.toMatch(/\p{Surrogate}|\ufffd/u);
  });

  test('shows characters that hide or reorder text, and no colors', async () => {
    const { matches } = await grep('\x1b[31mred\x1b[0m hit\u202e\x07', 'hit');
    expect(matches[0]?.text).toBe('red hit\\u{202e}␇');
  });

  test('in a line of 3 MB is found everywhere, and the search continues inside the line', async () => {
    const text = `${'z'.repeat(1_000_000)}hit`.repeat(3);
    const first = await grep(text, 'h.t', { maxMatches: 2 });
    expect(first).toMatchObject({
      count: 3,
      matches: [
        { line: 1, column: 1_000_001 },
        { line: 1, column: 2_000_004 },
      ],
    });
    const second = await grep(text, 'h.t', { start: first.next });
    expect(second).toMatchObject({ count: 1, matches: [{ line: 1, column: 3_000_007 }] });
  });

  test('has the lines before it even if one of them is longer than a step of the search', async () => {
    const { matches } = await grep(`one\n${'x'.repeat(1_000_000)}\nhit\ntwo`, 'hit', { before: 2, after: 1 });
    expect(matches).toEqual([{ line: 3, text: 'hit', before: ['one', `${'x'.repeat(200)}…`], after: ['two'] }]);
  });

  test.each(['é', '日', '🙂'])('in a long line of %s has its true column', async (character) => {
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const start = `${before}${character.repeat(300_000)}`;
      const { matches } = await grep(`${start}needle`, 'needle');
      const byte = new TextEncoder().encode(start).length;
      expect(matches[0]).toMatchObject({ column: start.length + 1, at: `1:${start.length + 1}:${byte}` });
    }
  });

  test('in a long line is not found again in its shown surroundings when the search continues between two matches', async () => {
    const text = `${'z'.repeat(45_000)}hit${'z'.repeat(97)}hit${'z'.repeat(300_000)}`;
    const first = await grep(text, 'hit', { maxScanBytes: 1 });
    expect(first).toMatchObject({ count: 1, matches: [{ column: 45_001 }], next: { character: 45_201 } });
    expect(await grep(text, 'hit', { start: first.next })).toMatchObject({ count: 0, isComplete: true });
  });

  test('in a long line is found at the end of a window too', async () => {
    for (let before = 4060; before <= 4100; before++) {
      const { matches } = await grep(`${'z'.repeat(before)}start of the end${'z'.repeat(5000)}`, 's.{5,20}end');
      expect(matches.map((match) => match.column)).toEqual([before + 1]);
    }
  });

  test('in a long line does not treat the end of a window as the end of the line', async () => {
    expect(await grep('ab'.repeat(100_000), 'a$')).toMatchObject({ count: 0, isComplete: true });
    expect(await grep(`${'ab'.repeat(100_000)}c`, 'a.*b$')).toMatchObject({ count: 0 });
    expect(await grep('ab'.repeat(100_000), '^b')).toMatchObject({ count: 0 });
    expect(await grep('a'.repeat(100_000), 'a\\b')).toMatchObject({ count: 1, matches: [{ column: 100_000 }] });
  });
});

describe('the content of an artifact', () => {
  test('may end its lines with CRLF', async () => {
    const { matches } = await grep('one\r\ntwo\r\n', '^two$');
    expect(matches).toEqual([{ line: 2, text: 'two' }]);
  });

  test('may have a color within the pattern, in lines of up to 4,096 characters before a CRLF', async () => {
    const coloured = 'h\u001b[31mit';
    const line = coloured.padEnd(4096, '.');
    const { matches } = await grep(`miss\r\n${line}\r\nmiss\r\n${line}\r`, 'hit');
    expect(matches.map((match) => match.line)).toEqual([2, 4]);
  });

  test('may be empty', async () => {
    expect(await grep('', 'x')).toMatchObject({ count: 0, isComplete: true, scannedBytes: 0 });
    expect(await grep('', '^$')).toMatchObject({ count: 1, matches: [{ line: 1, text: '' }] });
  });

  test('may be HTML, which the answer says', async () => {
    expect(await grep('<!DOCTYPE html>\n<p>hit', 'hit')).toMatchObject({ kind: 'html', count: 1 });
  });

  test('may have bytes that are not UTF-8', async () => {
    const bytes = Uint8Array.from([0x68, 0x69, 0xff, 0xe2, 0x82, 10, 0x68, 0x6f]);
    expect((await grep(bytes, 'h')).matches).toEqual([
      { line: 1, text: 'hi\ufffd\ufffd' },
      { line: 2, text: 'ho' },
    ]);
  });

  test.each([
    ['gzip', gzipSync('hit')],
    ['binary', Buffer.from('hit\0hit')],
    ['utf-16', Buffer.from('\ufeffhit', 'utf16le')],
  ])('is not searched when it is %s', async (kind, bytes) => {
    expect(await grep(bytes, 'hit')).toMatchObject({ kind, matches: [], count: 0, isComplete: false });
  });

  test('is searched in the same way in a directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'ai-truncate-grep-'));
    try {
      const there = scopedArtifacts(filesystemStore({ directory }), { scope: 'grep' });
      const text = `${'filler line\n'.repeat(60_000)}hit\n${'filler line\n'.repeat(60_000)}hit`;
      const { path } = await there.save(text, { toolName: 'read', toolCallId: 'call_1' });
      const options = { pattern: compile('h[i]t'), before: 1, after: 1, maxMatches: 1 };
      const result = await grepArtifact(there, path, options);
      expect(result).toEqual(await grepArtifact(artifacts, await save(text), options));
      expect(result).toMatchObject({ count: 2, matches: [{ line: 60_001 }], next: { line: 120_002 } });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('a search that takes too long', () => {
  const hostile = [
    '(a+)+$',
    '(a|aa)+$',
    '(.*)*x',
    '(a*)*b',
    'a.*a.*a.*a.*b$',
    '(\\w+\\s?)*$',
    '(x+x+)+y',
    '(a?){190}a{190}$',
    '[\\p{L}]{1,240}!{1,240}',
    '(.|a|b|\\w){0,90}(.|b|\\W){0,90}$',
  ];

  test.each(hostile)('answers or is partial in time, and lets the event loop turn: %s', async (source) => {
    const path = await save(`${'a'.repeat(1024 * 1024)}!`);
    const started = process.cpuUsage();
    let result: GrepArtifactResult | undefined;
    const longestMs = await longestTurnOf(async () => {
      result = await grepArtifact(artifacts, path, { pattern: compile(source) });
    });
    const { user, system } = process.cpuUsage(started);
    expect(result?.isComplete || result?.next !== undefined).toBe(true);
    expect((user + system) / 1_000_000).toBeLessThan(4);
    // In one step it would take up to ten seconds. The bound leaves room for a busy machine.
    expect(longestMs).toBeLessThan(80);
  });

  test('ends with the matches so far, and says where to continue', async () => {
    const deadline = new AbortController();
    const pattern = compile('h[a-i]t');
    let tests = 0;
    const slow: SearchPattern = {
      ...pattern,
      test(text) {
        if (++tests === 3000) deadline.abort();
        return pattern.test(text);
      },
    };
    const path = await save('hit\n'.repeat(100_000));
    const first = await grepArtifact(artifacts, path, {
      pattern: slow,
      maxMatches: 200,
      maxChars: 100_000,
      deadline: deadline.signal,
    });
    expect(first).toMatchObject({ isComplete: false, next: { line: 201 } });
    expect(first.count).toBeGreaterThan(2000);
    expect(first.count).toBeLessThan(100_000);
  });

  test('still shows the lines after its last match', async () => {
    const deadline = new AbortController();
    const pattern = compile('h[i]t');
    // Without a required text, each line is tested, and the text after the match takes its time.
    const endsAtHit: SearchPattern = {
      window: pattern.window,
      find: pattern.find,
      test(text) {
        const isHit = pattern.test(text);
        if (isHit) deadline.abort();
        return isHit;
      },
    };
    const path = await save(`${'x\n'.repeat(3000)}hit\nbecause\n${'x\n'.repeat(100_000)}`);
    const result = await grepArtifact(artifacts, path, { pattern: endsAtHit, after: 2, deadline: deadline.signal });
    expect(result).toMatchObject({ isComplete: false, matches: [{ text: 'hit', after: ['because', 'x'] }] });
  });

  test('continues where it ended if some matches were not shown, and at its last position if all were', async () => {
    const path = await save(`${'x\n'.repeat(400_000)}hit`);
    const first = await grepArtifact(artifacts, path, { pattern: compile('h[i]t'), maxScanBytes: 1 });
    expect(first).toMatchObject({ count: 0, isComplete: false });
    const rest = await grepArtifact(artifacts, path, { pattern: compile('h[i]t'), start: first.next });
    expect(rest).toMatchObject({ isComplete: true, matches: [{ line: 400_001 }] });
    expect(first.scannedBytes + rest.scannedBytes).toBe(800_003);
  });

  test('also ends when the store hangs', async () => {
    const path = await save('hit');
    const hung: ArtifactStore = {
      ...store,
      async get(key, options) {
        if (key.endsWith('.info.json')) return store.get(key, options);
        return new ReadableStream({ pull: () => new Promise<void>(() => {}) });
      },
    };
    const deadline = new AbortController();
    setImmediate(() => setImmediate(() => deadline.abort()));
    const result = await grepArtifact(scopedArtifacts(hung, { scope: 'grep' }), path, {
      pattern: compile('hit'),
      deadline: deadline.signal,
    });
    expect(result).toMatchObject({ count: 0, scannedBytes: 0, isComplete: false, next: { line: 1, byte: 0 } });
  });

  test('that its caller aborts has no answer', async () => {
    const reason = new Error('the chat was closed');
    await expect(grep('hit', 'hit', { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('the arguments', () => {
  test.each([
    { before: -1 },
    { before: 21 },
    { after: Number.NaN },
    { after: 2 ** 53 },
    { maxMatches: 1001 },
    { maxMatches: 1.5 },
  ])('are refused if they are out of bounds: %o', async (options) => {
    await expect(grep('hit', 'hit', options)).rejects.toThrow(InvalidOptionError);
  });

  test.each([
    ['past the end', { line: 3, character: 1, byte: 1000 }],
    ['inside a line', { line: 2, character: 1, byte: 2 }],
    ['at a line and not at its start', { line: 1, character: 5, byte: 4 }],
  ])('are refused if they contain an invalid place: %s', async (_, start) => {
    await expect(grep('one\ntwo', 'o', { start })).rejects.toThrow(/`cursor` must be a place in this artifact/);
  });

  test('find nothing with a path of another scope', async () => {
    const path = await save('hit');
    const foreign = scopedArtifacts(store, { scope: 'other' });
    await expect(grepArtifact(foreign, path, { pattern: compile('hit') })).rejects.toThrow(/There is no artifact/);
  });
});

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

describe('a search that reports while it runs', () => {
  test.each([
    ['hit', {}],
    ['hit', { maxMatches: 1000, maxChars: 1_000_000 }],
    ['h.t', { maxMatches: 7 }],
    ['h.t', { maxMatches: 7, countsAll: false }],
    ['hit', { maxMatches: 1, countsAll: false }],
    ['h.t', { before: 2, after: 2, maxMatches: 100, maxChars: 100_000 }],
    ['nowhere', {}],
  ])(
    'reports every match once, in order, and ends like a search that reports at its end: %s %o',
    async (source, more) => {
      const { told, result, whole } = await streamed(content, optionsFor(source, more));
      expect(told.flatMap(({ matches }) => matches)).toEqual(result.matches);
      expect(result).toEqual(whole);
    },
  );

  test('reports a match before it has read much further', async () => {
    const { told } = await streamed(content, optionsFor('hit', { maxMatches: 1000, maxChars: 1_000_000 }));
    expect(told.length).toBeGreaterThan(2);
    expect(told[0]?.scannedBytes).toBeLessThan(300_000);
  });

  test('reports its progress four times a second while it finds nothing', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 1;
      return now;
    });
    try {
      const { told } = await streamed(content.repeat(10), optionsFor('[x-z]{3}', { maxMatches: 1 }));
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
