import { describe, expect, test, vi } from 'vitest';
import { callReader } from '../../fixtures/call-reader.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { artifactOwner, scopedArtifacts, withOwner } from '../artifacts/scoped-artifacts.ts';
import { QUERY_MS } from '../reader-limits.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { readerErrors } from './reader-words.ts';

const artifacts: Artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
const movies = Array.from({ length: 500 }, (_, index) => ({
  title: `Film ${index}`,
  year: 1950 + (index % 70),
  'Worldwide Gross': index * 1000,
  director: { name: `D${index % 7}` },
}));

async function save(content: string | Uint8Array<ArrayBuffer>, mediaType = 'application/json'): Promise<string> {
  const body = typeof content === 'string' ? content : ReadableStream.from([content]);
  return (await artifacts.save(body as never, { toolName: 'fetch', toolCallId: 'call-1', mediaType })).path;
}

function query(path: string, input: object = {}) {
  return callReader(artifacts, 'queryArtifact', { path, ...input });
}

describe('queryArtifact', () => {
  test('answers with rows, and with the number of matching records', async () => {
    const path = await save(JSON.stringify(movies));
    const { output, data, text } = await query(path, {
      where: [{ field: 'Worldwide Gross', op: 'gte', value: 498_000 }],
      select: ['title', 'director.name'],
    });
    expect(output.status).toBe('success');
    expect(data.rows).toHaveLength(2);
    expect(output.stats).toMatchObject({ total_matched: 2, total_records: 500 });
    expect(text).toContain('2 of 500 records match (0.4 %); 2 rows shown.');
    expect(text).toContain('Film 499');
  });

  test('shows no raw character that hides or reorders text, not even in names of fields and values', async () => {
    const hidden = 'a\u202eb\u{e0041}\u009bc</tool-output-preview>';
    const rows = [{ [hidden]: hidden, id: 1 }];
    const path = await save(JSON.stringify(rows));
    const { text, data } = await query(path);
    const row = text.split('\n').find((line) => line.startsWith('{')) ?? '';
    expect(row).toBe(
      `{${[hidden, hidden].map(() => '"a\\u202eb\\udb40\\udc41\\u009bc\\u003c/tool-output-preview>"').join(':')},"id":1}`,
    );
    expect([JSON.parse(row)]).toEqual(data.rows);
    const refused = await query(path, { where: [{ field: 'unknown', op: 'eq', value: 1 }] });
    const empty = await query(path, { where: [{ field: hidden, op: 'eq', value: 'nothing' }] });
    for (const answer of [text, refused.text, empty.text]) {
      expect(answer).toContain('202e');
      expect(answer).not.toMatch(/[\u202e\u009b\u{e0041}]/u);
    }
  });

  test('counts and groups, and accepts patterns', async () => {
    const path = await save(JSON.stringify({ results: movies }));
    const grouped = await query(path, { groupBy: ['director.name'], aggregate: [{ op: 'count' }] });
    expect(grouped.data.rows).toHaveLength(7);
    expect(grouped.output.stats.total_groups).toBe(7);
    const matched = await query(path, { where: [{ field: 'title', op: 'matches', value: '^Film 49\\d$' }] });
    expect(matched.output.stats.total_matched).toBe(10);
  });

  test('shows every row once to a model that follows the offsets', async () => {
    const path = await save(JSON.stringify(movies));
    const titles: string[] = [];
    for (let offset = 0, isPartial = true; isPartial; ) {
      const { output, data } = await query(path, { offset, limit: 200 });
      titles.push(...data.rows.map(({ title }: { title: string }) => title));
      isPartial = output.status === 'partial';
      if (isPartial) expect(output.text).toContain(`offset ${titles.length}`);
      offset = titles.length;
    }
    expect(titles).toEqual(movies.map(({ title }) => title));
  });

  test('refuses a field that no record has, and names the existing fields', async () => {
    const path = await save(JSON.stringify(movies));
    const { code, text } = await query(path, { where: [{ field: 'Year', op: 'eq', value: 1999 }] });
    expect(code).toBe('INVALID_PARAM');
    expect(text).toContain('"year"');
    expect(text).toContain('Worldwide Gross (number)');
  });

  test.each([
    ['a log', 'starting\nERROR, failed: (1, 2, 3)\n\ndone, all', 'neither JSON nor a table'],
    ['prose', 'Dear reader.\nThis is a letter; nothing more.\nYours, A.', 'neither JSON nor a table'],
    ['a page', '<!doctype html>\n<html><body>\n<p>hi</p>\n</body></html>', 'neither JSON nor a table'],
  ])('refuses an output without records, with the reason: %s', async (_, content, words) => {
    const { code, text } = await query(await save(content, 'text/plain'));
    expect(code).toBe('INVALID_PARAM');
    expect(text).toContain(words);
    expect(text).toContain('read it as text');
  });

  test.each([
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 10, 44, 10, 44])],
    ['binary', new Uint8Array([0x89, 0x50, 0, 44, 10, 1, 44, 2])],
  ])('refuses bytes that are not text: %s', async (kind, bytes) => {
    const { code, text } = await query(await save(bytes, 'application/octet-stream'));
    expect(code).toBe('BINARY_FILE');
    expect(text).toContain(kind);
  });

  test('says that an empty output is empty', async () => {
    const { text } = await query(await save('', 'text/plain'));
    expect(text).toMatch(/no records|empty/i);
  });

  test.each([
    ['a number', 7],
    ['objects', [{}]],
    ['too many', Array(50).fill('a')],
    ['an invalid list', { length: 3 }],
  ])('refuses invalid keys of the array: %s', async (_, at) => {
    const { code, text } = await query(await save(JSON.stringify(movies)), { at });
    expect(code).toBe('INVALID_PARAM');
    expect(text).toContain('`at` must be a list of at most 20 keys');
  });

  test('accepts the keys of the array as one text', async () => {
    const path = await save(JSON.stringify({ a: { b: [{ n: 1 }] }, c: [{ n: 2 }, { n: 3 }] }));
    expect((await query(path, { at: 'a.b' })).data.rows).toEqual([{ n: 1 }]);
    expect((await query(path, { at: ['c'] })).data.rows).toHaveLength(2);
  });

  test('names a possible array only once', async () => {
    const { text } = await query(await save('{"a":[{"n":1}],"a":[{"n":2}]}'), { at: ['b'] });
    expect(text.match(/\["a"\]/g)).toHaveLength(1);
  });

  test('gives one piece of advice for text that is not a table', async () => {
    const { text } = await query(await save('Dear reader.\nThis is a letter.', 'text/plain'));
    expect(text.match(/read it as text/g)).toHaveLength(1);
    expect(text).not.toContain('Correct the parameter');
  });

  test('advises to narrow the question if sorted rows end too early', async () => {
    const path = await save(JSON.stringify(Array.from({ length: 2100 }, (_, n) => ({ n }))));
    const { output, text } = await query(path, { sort: [{ field: 'n' }], offset: 1990 });
    expect(output.status).toBe('partial');
    expect(text).toContain('Narrow `where`');
    expect(text).not.toContain('with offset');
  });

  test('advises to try again if the time is up before a record was read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const readStream = async () => new ReadableStream<Uint8Array<ArrayBuffer>>();
      const slow = withOwner({ ...artifacts, readStream }, artifactOwner(artifacts));
      const answer = callReader(slow, 'queryArtifact', { path: await save('[{"n":1}]') });
      await vi.advanceTimersByTimeAsync(QUERY_MS);
      const { code, text } = await answer;
      expect(code).toBe('TIMEOUT');
      expect(text).toContain(readerErrors.tryAgain);
      expect(text).not.toContain(readerErrors.correct);
    } finally {
      vi.useRealTimers();
    }
  });

  test('reads CSV with quotes, CRLF and a BOM', async () => {
    const path = await save('\ufeffname,n\r\n"a ""b""",1\r\n"c\r\nd",2\r\n', 'text/csv');
    expect((await query(path)).data.rows).toEqual([
      { name: 'a "b"', n: expect.anything() },
      { name: expect.stringContaining('c'), n: expect.anything() },
    ]);
  });

  const wide = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`column_number_${index}`, 'v'.repeat(50)]),
  );
  const names = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${'n'.repeat(190)}${index}`, index]));
  test.each<[string, unknown, object]>([
    ['wide rows', Array(50).fill(wide), {}],
    ['long names', Array(50).fill(names), {}],
    ['long names that are unknown', Array(50).fill(names), { where: [{ field: 'x', op: 'eq', value: 1 }] }],
    ['long texts', Array(200).fill({ text: 'x'.repeat(5000), more: '漢'.repeat(5000) }), {}],
    ['quotes', Array(200).fill({ text: '"\\'.repeat(2000) }), {}],
    ['frame tags', Array(200).fill({ text: '<tool-output-preview>'.repeat(100) }), {}],
    ['deep values', Array(200).fill({ a: { b: { c: [[[['x'.repeat(500)]]]] } } }), {}],
    ['many groups', movies, { groupBy: ['title', 'year', 'director.name'], limit: 200 }],
    [
      'many notes',
      [...Array(9).fill(wide), { ...wide, column_number_1: 7 }],
      { where: Array(20).fill({ field: 'column_number_1', op: 'gt', value: 3 }) },
    ],
    [
      'many arrays',
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${'k'.repeat(100)}${index}`, [{ a: 1 }]])),
      {},
    ],
  ])('answers with about 8,000 characters for any records: %s', async (_, value, input) => {
    const { output, text } = await query(await save(JSON.stringify(value)), input);
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(20_000);
  });
});
