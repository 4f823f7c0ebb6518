import { type ToolSet, tool } from 'ai';
import { Files } from 'files-sdk';
import { s3 } from 'files-sdk/s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { countingStore } from '../bench/counting-store.ts';
import { startBlobServer } from '../fixtures/blob-server.ts';
import { callReader } from '../fixtures/call-reader.ts';
import { wrapped } from '../fixtures/delivered-output.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { redirectBlobHosts } from '../fixtures/redirect-blob-hosts.ts';
import { runTool, truncatedOf } from '../fixtures/run-tool.ts';
import { startS3Server } from '../fixtures/s3-server.ts';
import { viewOf } from '../fixtures/view-of.ts';
import { checkEvidence } from './agents/evidence/check-evidence.ts';
import { serializeInfo } from './artifacts/artifact-info.ts';
import { createLineIndex } from './artifacts/line-index.ts';
import { scopedArtifacts } from './artifacts/scoped-artifacts.ts';
import { createArtifactHandler } from './http/create-artifact-handler.ts';
import type { ArtifactLinesAnswer } from './http/lines-view.ts';
import { isTruncatedOutput } from './protocol/truncated-output.ts';
import type { ArtifactStore } from './stores/artifact-store.ts';
import { filesSdkStore } from './stores/files-sdk/files-sdk-store.ts';
import { filesystemStore } from './stores/filesystem/filesystem-store.ts';
import { memoryStore } from './stores/memory-store.ts';
import { vercelBlobStore } from './stores/vercel-blob/vercel-blob-store.ts';
import { truncateOutput } from './tools/truncate-output.ts';
import { readWindow } from './windows/read-window.ts';

const scope = 'chat-1';
const call = { toolName: 'runCommand', toolCallId: 'call_1' };
const ERROR =
  "src/pay.ts:88:11 - error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.";
const compiled = Array.from({ length: 6000 }, (_, index) =>
  index === 3000 ? ERROR : `[${index}] compiling src/${index}.ts`,
);
const commandOutput = { stdout: compiled.join('\n'), stderr: '', exitCode: 1 };
/** The brace and the beginning of the text are in the first two lines. */
const ERROR_LINE = 3002;

/** Each store, with its own server where it needs one. */
const stores: Record<string, (use: (store: ArtifactStore) => Promise<void>) => Promise<void>> = {
  memory: (use) => use(memoryStore()),
  'file system': (use) => inTemporaryDirectory((directory) => use(filesystemStore({ directory }))),
  'Vercel Blob': async (use) => {
    const server = await startBlobServer();
    onTestFinished(() => server.close());
    redirectBlobHosts(server.origin);
    process.env.VERCEL_BLOB_API_URL = server.apiUrl;
    await use(vercelBlobStore({ token: 'vercel_blob_rw_bench_secret' }));
  },
  S3: async (use) => {
    const { bucket, endpoint, credentials, close } = await startS3Server();
    onTestFinished(close);
    const options = { bucket, region: 'us-east-1', endpoint, forcePathStyle: true, credentials, conditional: true };
    await use(filesSdkStore(new Files({ adapter: s3(options) })));
  },
};

describe.each(Object.entries(stores))('an error in the middle of a command output, over %s', (_, over) => {
  test('has one line number in the preview, the readers, the evidence and over HTTP', () =>
    over(async (store) => {
      const output = await truncateOutput(commandOutput, { ...call, store, scope });
      if (!isTruncatedOutput(output)) throw new Error('The output was not truncated.');
      const { preview, truncation } = output.data;
      const path = truncation.full_output_path ?? '';
      const lines = viewOf(commandOutput).split('\n');
      expect(lines[ERROR_LINE - 1]).toBe(ERROR);
      expect(preview.split('\n')).toContain(`${ERROR_LINE}: ${ERROR}`);
      expect(truncation.original_lines).toBe(lines.length);
      expect(output.text).toMatch(/Line numbers are \w+ of readArtifact\./);

      const artifacts = scopedArtifacts(store, { scope });
      expect((await artifacts.info(path)).lines).toBe(lines.length);
      const page = await callReader(artifacts, 'readArtifact', { path, offset: ERROR_LINE, limit: 1 });
      expect(page.text).toContain(`${ERROR_LINE}: ${ERROR}`);
      const found = await callReader(artifacts, 'grepArtifacts', { path, pattern: '^src/.*error TS\\d+', context: 1 });
      expect(found.data.matches).toMatchObject([
        { line: ERROR_LINE, text: ERROR, before: [lines[ERROR_LINE - 2]], after: [lines[ERROR_LINE]] },
      ]);
      const claims = [ERROR_LINE, 7].map((line) => ({ path, startLine: line, endLine: line, quote: ERROR }));
      const evidence = { startLine: ERROR_LINE, endLine: ERROR_LINE, quote: ERROR, verified: true };
      expect(await checkEvidence(artifacts, claims)).toMatchObject([evidence, evidence]);

      const handler = createArtifactHandler({ store, authorize: () => scope });
      const name = path.slice(path.lastIndexOf('/') + 1);
      const get = (view: string) => handler(new Request(`http://localhost/artifacts/${name}/${view}`));
      const answer = await get(`lines?start=${ERROR_LINE}&count=1`);
      const served = (await answer.json()) as ArtifactLinesAnswer;
      expect(served).toMatchObject({ lines: [{ number: ERROR_LINE, text: ERROR }], totalLines: lines.length });
      const part = await (await get(`chars?line=${ERROR_LINE}&start=19&count=5`)).json();
      expect(part).toMatchObject({ line: ERROR_LINE, start: 19, text: ERROR.slice(18, 23) });
      expect(await (await get('grep?q=TS2345')).text()).toContain(`{"type":"match","line":${ERROR_LINE},`);
      const raw = await (await get('raw')).text();
      expect(raw).toBe(JSON.stringify(commandOutput, null, 2));
      const { start = 0, bytes = 0 } = served.lines[0] ?? {};
      expect(raw.slice(start, start + bytes)).toBe(ERROR);
    }));
});

const inputSchema = z.object({});
const answer = { ...commandOutput, path: 'src' };

describe('a value has the same view', () => {
  test.each<[string, ToolSet[string]]>([
    ['when a tool returns it', tool({ inputSchema, execute: () => answer })],
    [
      'when a generator yields it',
      tool({
        inputSchema,
        execute: async function* () {
          yield { stdout: 'one' };
          yield answer;
        },
      }),
    ],
    [
      'as the JSON part of `toModelOutput`',
      tool({ inputSchema, execute: () => 'done', toModelOutput: () => ({ type: 'json', value: answer }) }),
    ],
    [
      'as the structured content of an MCP answer',
      Object.assign(
        tool({
          inputSchema,
          execute: () => ({ content: [{ type: 'text' as const, text: 'done' }], structuredContent: answer }),
          toModelOutput: ({ output }) => ({ type: 'content', value: output.content }),
        }),
        { _meta: {} },
      ),
    ],
  ])('%s', async (_, run) => {
    const { output, sent } = await runTool(wrapped({ run }));
    const envelope = isTruncatedOutput(output) ? output : (output as { structuredContent: unknown }).structuredContent;
    const { preview, truncation } = truncatedOf(envelope).data;
    const lines = viewOf(answer).split('\n');
    expect(truncation).toMatchObject({ original_lines: lines.length, media_type: 'application/json' });
    expect(preview.split('\n')).toContain(`${lines.indexOf(ERROR) + 1}: ${ERROR}`);
    if (envelope === output) expect(String(sent.value)).toContain(`\n${ERROR_LINE}: ${ERROR}\n`);
  });
});

test('queryArtifact reads the exact JSON of a value that has a text view', async () => {
  const store = memoryStore();
  const rows = Array.from({ length: 400 }, (_, id) => ({
    id,
    log: `line one of ${id}\nline "two"\n${'x'.repeat(100)}`,
  }));
  const output = await truncateOutput({ rows }, { ...call, store, scope });
  if (!isTruncatedOutput(output)) throw new Error('The output was not truncated.');
  const path = output.data.truncation.full_output_path;
  const where = [{ field: 'log', op: 'contains', value: 'of 7\nline "two"' }];
  const { data } = await callReader(scopedArtifacts(store, { scope }), 'queryArtifact', {
    path,
    where,
    select: ['id'],
  });
  expect(data.rows).toEqual([{ id: 7 }]);
});

describe('an artifact without a text view', () => {
  test('from the first edition is read by the lines of its stored JSON', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope });
    const json = JSON.stringify({ stdout: 'one\ntwo', exitCode: 1 }, null, 2);
    const { path, name } = await artifacts.save(json, { ...call, mediaType: 'application/json' });
    // Side-cars of the first edition have no flag.
    const indexer = createLineIndex();
    indexer.push(new TextEncoder().encode(json));
    const index = indexer.finish();
    const dates = { createdAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) };
    const { toolName, toolCallId } = call;
    const info = { toolName, toolCallId, mediaType: 'application/json', ...index, ...dates, index };
    const sideCar = JSON.parse(new TextDecoder().decode(serializeInfo(info)));
    expect(sideCar).toMatchObject({ version: 1 });
    expect(sideCar.lineIndex).not.toHaveProperty('isView');
    const { lines } = await artifacts.readLines(name);
    expect(lines.map(({ text }) => text)).toEqual(json.split('\n'));
    const found = await callReader(artifacts, 'grepArtifacts', { path, pattern: 'one' });
    expect(found.data.matches).toMatchObject([{ line: 2, text: '  "stdout": "one\\ntwo",' }]);
  });

  test('is made of a text that is JSON itself', async () => {
    const store = memoryStore();
    const text = JSON.stringify({ stdout: compiled.join('\n') });
    const output = await truncateOutput(text, { ...call, store, scope });
    if (!isTruncatedOutput(output)) throw new Error('The output was not truncated.');
    expect(output.data.truncation.original_lines).toBe(1);
    expect(output.text).not.toContain('Line numbers');
  });
});

describe('a value of 100 MB, or 500 MB in the lab, that is one command output', () => {
  const LINE_CHARS = 80;
  const LINES = propertyRuns({ sample: 1_200_000, full: 6_000_000 });
  const HEAD = '{\n  "stdout": "';
  const TAIL = '",\n  "exitCode": 0\n}';
  const SLOT = LINE_CHARS + 2;
  const total = HEAD.length + LINES * SLOT + TAIL.length;
  const lineText = (number: number) => `line ${number} `.padEnd(LINE_CHARS, '.');

  /** The stored bytes, made as they are read. */
  function storedPart(start: number, end: number): Uint8Array<ArrayBuffer> {
    let text = '';
    const first = Math.max(0, Math.floor((start - HEAD.length) / SLOT));
    const last = Math.min(LINES - 1, Math.floor((end - HEAD.length) / SLOT));
    for (let line = first; line <= last; line++) text += `${lineText(line + 1)}\\n`;
    const all = HEAD + text + TAIL;
    const from = start < HEAD.length ? start : start - first * SLOT;
    return new TextEncoder().encode(all.slice(from, from + end - start));
  }

  /** A store in which the artifact is under the key of a small one, whose side-car is replaced. */
  async function largeArtifact() {
    const memory = memoryStore();
    const artifacts = scopedArtifacts(memory, { scope });
    const { name } = await artifacts.save('small', { ...call, mediaType: 'application/json' });
    const indexer = createLineIndex({ isValue: true });
    const PART = 8_200_000;
    for (let at = 0; at < total; at += PART) indexer.push(storedPart(at, Math.min(total, at + PART)));
    const index = indexer.finish();
    const dates = { createdAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) };
    const { toolName, toolCallId } = call;
    const info = {
      toolName,
      toolCallId,
      mediaType: 'application/json',
      lines: index.lines,
      bytes: index.bytes,
      ...dates,
    };
    const sideCar = serializeInfo({ ...info, index });
    const store: ArtifactStore = {
      ...memory,
      get: async (key, { start = 0, end = total } = {}) => {
        if (key.endsWith('.info.json')) return new Response(sideCar).body ?? undefined;
        return chunked(start, Math.min(end, total));
      },
    };
    return { store, name, index };
  }

  function chunked(start: number, end: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = start;
    return new ReadableStream(
      {
        pull(controller) {
          const next = Math.min(end, at + 65_536);
          controller.enqueue(storedPart(at, next));
          at = next;
          if (at === end) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  test('gives a page near its end at the cost of 3 reads and 1 MB', { timeout: 120_000 }, async () => {
    const { store, name, index } = await largeArtifact();
    expect(index).toMatchObject({ lines: LINES + 4, bytes: total, isView: true });
    for (const offset of [LINES - 1000, LINES - 33_333, LINES + 2]) {
      const reads = { calls: 0, bytes: 0 };
      const artifacts = scopedArtifacts(countingStore(store, reads), { scope });
      const { pieces, totalLines } = await readWindow(artifacts, name, { offset, limit: 50 });
      expect(totalLines).toBe(LINES + 4);
      expect(pieces[0]).toMatchObject({
        line: offset,
        text: offset > LINES + 1 ? '",' : lineText(offset - 1),
      });
      expect(reads.calls).toBeLessThanOrEqual(3);
      expect(reads.bytes).toBeLessThanOrEqual(1_000_000);
    }
  });
});
