import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { grepArtifact } from '../search/grep-artifact.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { compileSearchPattern } from '../text/pattern.ts';
import { type ReadWindowOptions, type ReadWindowResult, readWindow } from './read-window.ts';

const store = memoryStore();
let gets = 0;
let bytesRead = 0;
const counted: ArtifactStore = {
  ...store,
  async get(key, options) {
    gets++;
    const stream = await store.get(key, options);
    return stream?.pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          bytesRead += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
  },
};
const artifacts = scopedArtifacts(counted, { scope: 'read' });

async function save(content: string | Uint8Array): Promise<string> {
  return (await artifacts.save(content, { toolName: 'read', toolCallId: 'call_1' })).path;
}

async function read(content: string | Uint8Array, options?: ReadWindowOptions): Promise<ReadWindowResult> {
  return readWindow(artifacts, await save(content), options);
}

describe('a page', () => {
  test('has numbered lines', async () => {
    expect(await read('one\ntwo\nthree', { offset: 2 })).toEqual({
      content: '2: two\n3: three',
      pieces: [
        { line: 2, character: 1, text: 'two', isEnd: true },
        { line: 3, character: 1, text: 'three', isEnd: true },
      ],
      totalLines: 3,
      kind: 'text',
    });
  });

  test('counts from the end for a negative offset', async () => {
    expect((await read('one\ntwo\nthree', { offset: -1 })).content).toBe('3: three');
    expect((await read('one\ntwo\nthree', { offset: -9, limit: 1 })).content).toBe('1: one');
  });

  test('has the empty line after a closing newline', async () => {
    expect((await read('one\n')).content).toBe('1: one\n2: ');
  });

  test('has one empty line for an empty artifact', async () => {
    expect(await read('')).toMatchObject({ content: '1: ', totalLines: 1 });
  });

  test('has no lines after the end, and states the number of lines', async () => {
    expect(await read('one\ntwo', { offset: 3 })).toEqual({ content: '', pieces: [], totalLines: 2, kind: 'text' });
  });

  test('ends at a whole line, and names the next place', async () => {
    const page = await read(`${'x'.repeat(150)}\n`.repeat(10), { maxChars: 500 });
    expect(page.content.length).toBeLessThanOrEqual(500);
    expect(page).toMatchObject({ next: '4:1:453' });
    expect(page.pieces).toHaveLength(3);
  });

  test('has at most as many lines as the limit', async () => {
    expect(await read('a\nb\nc\nd', { limit: 2 })).toMatchObject({ content: '1: a\n2: b', next: '3:1:4' });
  });

  test('shows part of a giant line, says so, and continues inside it', async () => {
    const path = await save('x'.repeat(20_000));
    const first = await readWindow(artifacts, path);
    expect(first.content).toMatch(/^1: x+ … \(this line goes on\)$/);
    expect(first.content).toHaveLength(8000);
    const second = await readWindow(artifacts, path, { cursor: first.next });
    expect(second.content).toMatch(/^1 \(from character 7976\): x+ … \(this line goes on\)$/);
    expect(second.content).toHaveLength(8000);
  });

  test('shows characters that hide or reorder text, and no colors; its pieces are unchanged', async () => {
    const { content, pieces } = await read('\x1b[31mred\x1b[0m\r\n\u202edetsrever\x07');
    expect(content).toBe('1: red\n2: \\u{202e}detsrever␇');
    expect(pieces[0]?.text).toBe('\x1b[31mred\x1b[0m\r');
  });

  test('has room for one character even if showing it takes ten', async () => {
    const { content, pieces } = await read('\u{e0041}'.repeat(5000), { maxChars: 200 });
    expect(content.length).toBeLessThanOrEqual(200);
    expect(pieces[0]?.text.length).toBeGreaterThan(10);
  });

  test('is the same in a file store', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'ai-truncate-read-'));
    try {
      const there = scopedArtifacts(filesystemStore({ directory }), { scope: 'read' });
      const text = `${'line é\n'.repeat(100_000)}${'🙂'.repeat(9000)}`;
      const { path } = await there.save(text, { toolName: 'read', toolCallId: 'call_1' });
      for (const options of [
        { offset: 70_000 },
        { offset: -1 },
        { chars: { line: 100_001, start: 9001, count: 100 } },
      ]) {
        expect(await readWindow(there, path, options)).toEqual(await read(text, options));
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('a part of a line', () => {
  test('has the requested number of characters', async () => {
    expect(await read('one\n0123456789', { chars: { line: 2, start: 4, count: 3 } })).toMatchObject({
      content: '2 (from character 4): 345 … (this line goes on)',
      pieces: [{ line: 2, character: 4, text: '345', isEnd: false }],
      next: '2:7:10',
    });
  });

  test('contains whole characters, even if they have two UTF-16 units', async () => {
    expect(await read('🙂x', { chars: { line: 1, start: 1, count: 1 } })).toMatchObject({
      pieces: [{ text: '🙂' }],
      next: '1:3:4',
    });
    expect(await read('🙂x', { chars: { line: 1, start: 2, count: 2 } })).toMatchObject({
      pieces: [{ character: 1, text: '🙂' }],
    });
  });

  test('is found millions of characters into a line', async () => {
    const text = `${'é'.repeat(700_000)}needle${'é'.repeat(700_000)}`;
    const { pieces } = await read(`first\n${text}`, { chars: { line: 2, start: 700_001, count: 6 } });
    expect(pieces).toEqual([{ line: 2, character: 700_001, text: 'needle', isEnd: false }]);
  });

  test.each<[string, string, string]>([
    ['one byte each', 'x'.repeat(200_003), 'y'.repeat(70_000)],
    ['three bytes each', '日'.repeat(70_000), 'y'.repeat(70_000)],
    ['none', '', 'y'.repeat(300_000)],
  ])('reaches the end of a line before a long line, with characters of %s', async (_, line, rest) => {
    const path = await save(`${line}\n${rest}`);
    for (let start = Math.max(1, line.length - 5); start <= Math.max(1, line.length); start++) {
      const { pieces } = await readWindow(artifacts, path, { chars: { line: 1, start, count: 100 } });
      expect(pieces).toEqual([{ line: 1, character: start, text: line.slice(start - 1), isEnd: true }]);
    }
  });

  test('is empty after the end of the line, and for a line that does not exist', async () => {
    expect(await read('one\ntwo', { chars: { line: 1, start: 4 } })).toMatchObject({ pieces: [] });
    expect(await read('one\ntwo', { chars: { line: 3 } })).toMatchObject({ pieces: [], totalLines: 2 });
  });

  test('continues from a search match', async () => {
    const path = await save(`${'é'.repeat(400_000)}needle${'z'.repeat(400_000)}`);
    const pattern = compileSearchPattern('needle');
    if (!pattern.ok) throw new Error(pattern.message);
    const { matches } = await grepArtifact(artifacts, path, pattern);
    const { pieces } = await readWindow(artifacts, path, { cursor: matches[0]?.at });
    expect(pieces[0]).toMatchObject({ line: 1, character: 400_001, text: expect.stringMatching(/^needlez+$/) });
  });
});

describe('the cost of a page', () => {
  test.each<[string, ReadWindowOptions]>([
    ['a line near the end', { offset: 999_990 }],
    ['the last lines', { offset: -20 }],
    ['a cursor near the end', { cursor: '999991:1:59999400' }],
  ])('is at most three reads of the store, and a small part of the artifact: %s', async (_, options) => {
    const path = await save(`${'x'.repeat(59)}\n`.repeat(1_000_000));
    gets = 0;
    bytesRead = 0;
    const { pieces } = await readWindow(artifacts, path, options);
    expect(pieces.length).toBeGreaterThan(5);
    expect(gets).toBeLessThanOrEqual(3);
    expect(bytesRead).toBeLessThan(250_000);
  });

  test('is at most three reads of the store near the end of one long line', async () => {
    const path = await save('x'.repeat(20_000_000));
    gets = 0;
    const { pieces } = await readWindow(artifacts, path, { chars: { line: 1, start: 19_999_991 } });
    expect(pieces[0]?.text).toBe('x'.repeat(10));
    expect(gets).toBeLessThanOrEqual(3);
  });
});

describe('content that is not text', () => {
  test.each([
    ['gzip', gzipSync('text')],
    ['binary', Uint8Array.of(1, 2, 0, 3)],
    ['utf-16', Buffer.from('\ufefftext', 'utf16le')],
  ])('is not shown: %s', async (kind, bytes) => {
    expect(await read(bytes)).toEqual({ content: '', pieces: [], totalLines: 1, kind });
  });

  test('is not shown from its middle', async () => {
    const bytes = Uint8Array.from({ length: 10_000 }, (_, index) =>
      index % 100 === 0 ? 10 : 128 + ((index * 7) % 128),
    );
    expect(await read(bytes, { offset: 5 })).toMatchObject({ kind: 'binary', content: '' });
  });

  test('does not include a log with a NUL in its middle', async () => {
    expect(await read('line\n'.repeat(500) + '\0'.repeat(300), { offset: 501 })).toMatchObject({
      kind: 'text',
      content: `501: ${'␀'.repeat(300)}`,
    });
  });

  test('does not include HTML, which has its own kind', async () => {
    expect(await read('\ufeff\n<html><p>text')).toMatchObject({ kind: 'html' });
  });
});

describe('arguments', () => {
  test.each<ReadWindowOptions>([
    { offset: 0 },
    { offset: Number.NaN },
    { offset: 2 ** 53 },
    { offset: 1.5 },
    { limit: 0 },
    { limit: 10_001 },
    { maxChars: 199 },
    { chars: { line: 0 } },
    { chars: { line: 1, start: 0 } },
    { chars: { line: 1, count: -1 } },
    { chars: { line: '1' as unknown as number } },
    { cursor: '' },
    { cursor: '1:1' },
    { cursor: '1:1:-1' },
    { cursor: '1e3:1:5000' },
    { cursor: '1:1:1000' },
    { cursor: '2:1:3' },
    { cursor: '1:2:4' },
    { cursor: '5:1:4' },
    { cursor: '1:99999999999999999999:4' },
    { cursor: '9'.repeat(1_000_000) },
    { cursor: 7 as unknown as string },
  ])('that are invalid are refused: %o', async (options) => {
    await expect(read('one\ntwo', options)).rejects.toThrow(InvalidOptionError);
  });

  test('an aborted read has no result', async () => {
    const reason = new Error('closed');
    await expect(read('one', { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
