import { describe, expect, test } from 'vitest';
import { allPages, callReader } from '../../fixtures/call-reader.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';

const facts = { toolName: 'readServerLogs', toolCallId: 'call-1' };
const unknown = 'tool-output/tool_20260113_153045_read-server-logs_call-1_7f3k9q2m4x8p1z5c.txt';

function open(): Artifacts {
  return scopedArtifacts(memoryStore(), { scope: 'chat-1' });
}

async function save(artifacts: Artifacts, content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const body = typeof content === 'string' ? content : ReadableStream.from([content]);
  return (await artifacts.save(body as never, facts)).path;
}

describe('grepArtifacts', () => {
  test('shows matching lines below the path, with their numbers and the lines around them', async () => {
    const artifacts = open();
    const path = await save(artifacts, 'one\ntwo\nERROR here\nfour\nfive');
    const { output, text } = await callReader(artifacts, 'grepArtifacts', { pattern: 'ERROR', path, context: 1 });
    expect(output.status).toBe('success');
    expect(output.stats).toMatchObject({ total_matches: 1 });
    expect(text).toBe(
      [
        'Found 1 match in 1 saved output.',
        '<tool-output-preview>',
        path,
        '  two',
        '3: ERROR here',
        '  four',
        '</tool-output-preview>',
      ].join('\n'),
    );
  });

  test.each([
    ['"id":7', '"id": 7'],
    ['"id":\\d+', '"id": \\d+'],
    ['{"id":7,"ok":true', '"id": 7'],
  ])('says how values are saved when %s, copied from a preview, is not found', async (pattern, indented) => {
    const artifacts = open();
    const path = await save(artifacts, '{\n  "id": 7,\n  "ok": true\n}');
    const { text } = await callReader(artifacts, 'grepArtifacts', { pattern, path, literal: pattern.startsWith('{') });
    expect(text).toContain(
      `Found 0 matches in 1 saved output. Saved values have one member on each line, and a space after its colon. Search for ${indented}`,
    );
  });

  test.each(['ERROR:', '"id":\\s*8', '"id": 8'])('says nothing about colons for %s', async (pattern) => {
    const artifacts = open();
    const path = await save(artifacts, '{\n  "id": 7\n}');
    const { text } = await callReader(artifacts, 'grepArtifacts', { pattern, path });
    expect(text).not.toContain('colon');
  });

  test('finds an artifact whose path names another folder', async () => {
    const artifacts = open();
    const path = await save(artifacts, 'needle');
    const elsewhere = path.replace('tool-output/', 'other-output/');
    for (const paths of [
      [path, elsewhere],
      [elsewhere, path],
    ]) {
      const { output, data } = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path: paths });
      expect(output.status).toBe('success');
      expect(data.matches).toHaveLength(1);
    }
  });

  test('continues with a cursor in the existing artifact', async () => {
    const artifacts = open();
    const path = await save(artifacts, 'needle\n'.repeat(60));
    const input = { pattern: 'needle', path: [path.replace('tool-output/', 'other-output/'), path] };
    const { data } = await callReader(artifacts, 'grepArtifacts', input);
    const next = await callReader(artifacts, 'grepArtifacts', { ...input, cursor: data.cursor });
    expect(next.data.matches.map(({ line }: { line: number }) => line)).toEqual([
      51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
    ]);
  });

  test('treats all names of one artifact as one', async () => {
    const artifacts = open();
    const path = await save(artifacts, 'needle');
    const names = [path, path.slice('tool-output/'.length), path.slice(-20, -4), `./${path}`, ` ${path}`];
    const { output, data } = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path: names });
    expect([output.status, data.matches.length]).toEqual(['success', 1]);
  });

  test('searches all saved outputs if no path is given, and accepts several paths', async () => {
    const artifacts = open();
    const paths = [
      await save(artifacts, 'needle one'),
      await save(artifacts, 'nothing'),
      await save(artifacts, 'needle 2'),
    ];
    const all = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle' });
    expect(all.data.matches.map(({ file }: { file: string }) => file).sort()).toEqual([paths[0], paths[2]].sort());
    const two = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path: paths.slice(0, 2) });
    expect(two.data.matches).toHaveLength(1);
  });

  test('is partial if one of several is missing, and says which', async () => {
    const artifacts = open();
    const path = await save(artifacts, 'needle');
    const { output, data, text } = await callReader(artifacts, 'grepArtifacts', {
      pattern: 'needle',
      path: [path, unknown],
    });
    expect(output.status).toBe('partial');
    expect(data.matches).toHaveLength(1);
    expect(data.failed_items).toEqual([{ path: unknown, code: 'NOT_FOUND', message: expect.any(String) }]);
    expect(text).toContain(`${unknown}: NOT_FOUND`);
  });

  test('is partial if one of the artifacts is not text', async () => {
    const artifacts = open();
    await save(artifacts, new Uint8Array([1, 0, 2, 0]));
    const { output, data } = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle' });
    expect(output.status).toBe('partial');
    expect(data.failed_items[0].code).toBe('BINARY_FILE');
  });

  test('reports no more failures than an answer has room for', async () => {
    const artifacts = open();
    const paths = Array.from({ length: 99 }, (_, index) => `${'x'.repeat(1000)}${index}`);
    const path = [await save(artifacts, 'needle'), ...paths];
    const { output, text } = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path });
    expect(text).toContain('99 could not be searched');
    expect(JSON.stringify(output).length).toBeLessThan(12_000);
    expect(text.length).toBeLessThan(8000);
  });

  test.each([
    ['(?<=a)b', 'look-around'],
    ['foo(?!bar)', 'look-around'],
    ['(a)\\1', 'back-references'],
    ['(unclosed', 'RE2'],
    ['', 'empty'],
    ['x'.repeat(513), '512'],
  ])('explains what is wrong with a pattern, and what to do: %s', async (pattern, words) => {
    const { code, text } = await callReader(open(), 'grepArtifacts', { pattern });
    expect(code).toBe('INVALID_PARAM');
    expect(text).toContain(words);
  });

  test('treats signs as literal, and ignores case, if requested', async () => {
    const artifacts = open();
    const path = await save(artifacts, 'A.b(c)\naXb(c)');
    const input = { pattern: 'a.B(', path, literal: true, ignoreCase: true };
    const { data } = await callReader(artifacts, 'grepArtifacts', input);
    expect(data.matches.map(({ line }: { line: number }) => line)).toEqual([1]);
  });

  test('shows every match once to a model that follows the cursors, over several outputs', async () => {
    const artifacts = open();
    const lines = Array.from({ length: 400 }, (_, index) => (index % 2 ? `needle ${index}` : 'hay'));
    const giant = Array.from({ length: 300 }, (_, index) => `needle ${index}`.padEnd(250, '-')).join('');
    await save(artifacts, lines.join('\n'));
    await save(artifacts, giant);
    await save(artifacts, `${'needle '.repeat(10)}\n`.repeat(70));
    const pages = await allPages(artifacts, 'grepArtifacts', { pattern: 'needle' });
    const found = pages.flatMap(({ data }) => data.matches) as { file: string; line: number; column?: number }[];
    const places = new Set(found.map(({ file, line, column }) => `${file}:${line}:${column}`));
    expect(places.size).toBe(found.length);
    expect(found.length).toBe(200 + 300 + 70);
  });

  test('continues reading at the place of a match in a giant line', async () => {
    const artifacts = open();
    const path = await save(artifacts, `${'x'.repeat(100_000)}needle-42${'y'.repeat(100_000)}`);
    const { data, text } = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path });
    const { at, column } = data.matches[0];
    expect(text).toContain(`1:${column} (cursor ${at}): `);
    for (const place of [{ cursor: at }, { chars: { line: 1, start: column } }]) {
      const read = await callReader(artifacts, 'readArtifact', { path, ...place });
      expect(read.data.content).toContain('needle-42');
    }
  });

  test('explains its counts in a giant line', async () => {
    const artifacts = open();
    const words = 'In a line over 4,096 characters, matches less than 200 characters apart count as one.';
    const giant = await save(artifacts, `${'{"status":"failed"},'.repeat(3)}${'x'.repeat(5000)}`);
    const { text, output } = await callReader(artifacts, 'grepArtifacts', { pattern: 'failed', path: giant });
    expect(output.status).toBe('success');
    expect(text).toContain(`Found 1 match in 1 saved output. ${words}`);
    const short = await save(artifacts, '{"status":"failed"},\n'.repeat(1000));
    const lines = await callReader(artifacts, 'grepArtifacts', { pattern: 'failed', path: short });
    expect(lines.text).toContain('Found 1,000 matches');
    expect(lines.text).not.toContain(words);
  });

  test.each<[string, string, object]>([
    ['200 long matches', `${'x'.repeat(400)}needle${'y'.repeat(400)}\n`.repeat(200), {}],
    ['many short matches', 'needle\n'.repeat(5000), {}],
    ['short lines around', `${'a\n'.repeat(30)}needle\n`.repeat(500), { context: 20 }],
    ['empty lines around', `${'\n'.repeat(60)}needle\n`.repeat(500), { context: 20 }],
    ['a giant line', 'needle '.repeat(100_000), {}],
    ['Chinese', `needle${'漢字'.repeat(200)}\n`.repeat(300), {}],
    ['control characters', `needle${'\u0001\u202e'.repeat(200)}\n`.repeat(300), {}],
    ['quotes and backslashes', `needle${'"\\'.repeat(200)}\n`.repeat(300), {}],
    ['frame tags', `needle${'<tool-output-preview>'.repeat(20)}\n`.repeat(300), {}],
  ])('answers with about 8,000 characters for any matches: %s', async (_, content, options) => {
    const artifacts = open();
    const path = await save(artifacts, content);
    const { output, text } = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path, ...options });
    expect(text.length).toBeGreaterThan(500);
    expect(text.length).toBeLessThanOrEqual(9000);
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(22_000);
  });

  test('returns its matches so far when the store hangs halfway', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const path = await save(artifacts, `needle\n${'hay\n'.repeat(500_000)}needle`);
    const get: typeof store.get = async (key, options) => {
      const whole = await store.get(key, options);
      if (key.endsWith('.info.json') || !whole) return whole;
      const first = new Uint8Array(await new Response(whole).arrayBuffer()).subarray(0, 1_000_000);
      return new ReadableStream({ start: (controller) => controller.enqueue(first) });
    };
    const halting = scopedArtifacts({ ...store, get }, { scope: 'chat-1' });
    const { output, data, text } = await callReader(halting, 'grepArtifacts', { pattern: 'needle', path });
    expect(output.status).toBe('partial');
    expect(data.matches).toHaveLength(1);
    expect(text).toContain('The time was up before the end.');
    const rest = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path, cursor: data.cursor });
    expect(rest.data.matches).toHaveLength(1);
    expect(rest.output.status).toBe('success');
  });

  test('searches an artifact only once if it is named in several ways, page by page', async () => {
    const artifacts = open();
    const path = await save(artifacts, 'needle\n'.repeat(400));
    const name = path.slice(path.lastIndexOf('/') + 1);
    const other = await save(artifacts, 'needle');
    const names = [name.slice(-20, -4), path, name, other, name];
    for (const order of [names, names.toReversed()]) {
      const pages = await allPages(artifacts, 'grepArtifacts', { pattern: 'needle', path: order });
      expect(pages.flatMap(({ data }) => data.matches)).toHaveLength(401);
      expect(pages[0]?.output.stats.total_matches).toBe(401);
    }
    const twice = { pattern: 'needle', path: [other, unknown, unknown] };
    expect((await callReader(artifacts, 'grepArtifacts', twice)).data.failed_items).toHaveLength(1);
  });

  test('describes a later page by its matches only', async () => {
    const artifacts = open();
    const path = await save(artifacts, `${'needle\n'.repeat(120)}${'hay\n'.repeat(500_000)}`);
    const first = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path });
    expect(first.text).toContain('Found 120 matches in 1 saved output. The first 50 are shown.');
    const second = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path, cursor: first.data.cursor });
    expect(second.text).toContain(`50 more matches, from line 51 of ${path}.`);
    expect(second.text).not.toMatch(/time was up|at least|are shown/);
    expect(second.output.stats).not.toHaveProperty('total_matches');
    const third = await callReader(artifacts, 'grepArtifacts', { pattern: 'needle', path, cursor: second.data.cursor });
    expect(third.text).toContain(`20 more matches, from line 101 of ${path}.`);
    expect(third.output.status).toBe('success');
  });

  test('sets the requested path', async () => {
    const artifacts = open();
    const path = await save(artifacts, 'needle');
    const { output, data } = await callReader(artifacts, 'grepArtifacts', {
      pattern: 'needle',
      path: path.slice(-20, -4),
    });
    expect(output.context.path_resolved).toBe(path.slice(path.lastIndexOf('/') + 1));
    expect(data.matches[0].file).toBe(path);
  });
});
