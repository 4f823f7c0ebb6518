import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { generateText, isStepCount, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import '@vercel/blob';
import { Files } from 'files-sdk';
import { s3 } from 'files-sdk/s3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type BlobServer, startBlobServer } from '../../fixtures/blob-server.ts';
import { callReader } from '../../fixtures/call-reader.ts';
import { redirectBlobHosts } from '../../fixtures/redirect-blob-hosts.ts';
import { runTool } from '../../fixtures/run-tool.ts';
import { type S3Server, startS3Server } from '../../fixtures/s3-server.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { filesSdkStore } from '../stores/files-sdk/files-sdk-store.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { vercelBlobStore } from '../stores/vercel-blob/vercel-blob-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import type { ReaderName } from './create-artifact-tools.ts';

let blob: BlobServer;
let amazon: S3Server;
let inside: string;
let outside: string;
let restoreHosts: () => void;
let stores: Record<string, () => ArtifactStore>;

beforeAll(async () => {
  blob = await startBlobServer();
  amazon = await startS3Server();
  restoreHosts = redirectBlobHosts(blob.origin);
  vi.stubEnv('VERCEL_BLOB_API_URL', blob.apiUrl);
  inside = await mkdtemp(join(process.cwd(), 'node_modules', '.readers-'));
  outside = await mkdtemp(join(tmpdir(), 'readers-'));
  stores = {
    memory: () => memoryStore(),
    'the file system': () => filesystemStore({ directory: join(relative(process.cwd(), inside), 'tool-output') }),
    'the file system, elsewhere': () => filesystemStore({ directory: join(outside, 'tool-output') }),
    'Vercel Blob': () => vercelBlobStore({ token: 'vercel_blob_rw_store_secret' }),
    S3: () => {
      const { endpoint, credentials, bucket } = amazon;
      const adapter = s3({
        bucket,
        region: 'us-east-1',
        endpoint,
        forcePathStyle: true,
        credentials,
        conditional: true,
      });
      return filesSdkStore(new Files({ adapter }), { timeoutMs: 5000 });
    },
  };
});

afterAll(async () => {
  restoreHosts();
  vi.unstubAllEnvs();
  await blob.close();
  await amazon.close();
  await rm(inside, { recursive: true, force: true });
  await rm(outside, { recursive: true, force: true });
});

const log = Array.from({ length: 3000 }, (_, index) => `${index} ${index % 100 === 7 ? 'ERROR: 失敗' : 'fine'}`).join(
  '\n',
);
const table = JSON.stringify({ rows: Array.from({ length: 300 }, (_, id) => ({ id, group: `g${id % 3}` })) });
const unknown = 'tool-output/tool_20260113_153045_read-server-logs_call-1_7f3k9q2m4x8p1z5c.txt';

/** Calls with the artifacts as `<log>`, `<table>`, `<gzip>` and `<empty>`. */
const calls: [ReaderName, object][] = [
  ['readArtifact', { path: '<log>' }],
  ['readArtifact', { path: '<log>', offset: -3 }],
  ['readArtifact', { path: '<log>', cursor: '8:1:49' }],
  ['readArtifact', { path: '<table>', chars: { line: 1, start: 500, count: 50 } }],
  ['readArtifact', { path: '<gzip>' }],
  ['readArtifact', { path: '<empty>' }],
  ['readArtifact', { path: 'tool-output/missing.txt' }],
  ['readArtifact', { path: unknown }],
  ['readArtifact', { path: '/etc/passwd' }],
  ['readArtifact', { path: '../x' }],
  ['grepArtifacts', { path: '<log>', pattern: 'ERROR', context: 1 }],
  ['grepArtifacts', { path: ['<log>', unknown, '<gzip>', '<empty>'], pattern: '失敗' }],
  ['grepArtifacts', { path: '<empty>', pattern: 'x' }],
  ['grepArtifacts', { pattern: 'g2' }],
  ['grepArtifacts', { pattern: '(?<!x)y' }],
  ['queryArtifact', { path: '<table>', groupBy: ['group'], aggregate: [{ op: 'sum', field: 'id' }] }],
  ['queryArtifact', { path: '<table>', where: [{ field: 'nope', op: 'eq', value: 1 }] }],
  ['queryArtifact', { path: '<log>' }],
  ['queryArtifact', { path: '<gzip>' }],
  ['listArtifacts', {}],
  ['globArtifacts', { pattern: '*.json' }],
];

async function answersOf(store: ArtifactStore): Promise<string[]> {
  const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
  const saved: Record<string, { path: string; name: string }> = {};
  const contents: [string, string, unknown][] = [
    ['<log>', 'text/plain', log],
    ['<table>', 'application/json', table],
    ['<gzip>', 'application/gzip', ReadableStream.from([new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3])])],
    ['<empty>', 'text/plain', ''],
  ];
  // For outputs of the same second, the names do not show which is newer.
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const [key, mediaType, content] of contents) {
    vi.setSystemTime(Date.now() + 1000);
    saved[key] = await artifacts.save(content as never, { toolName: 'readServerLogs', toolCallId: key, mediaType });
  }
  vi.useRealTimers();
  const answers: string[] = [];
  for (const [name, input] of calls) {
    let asked = JSON.stringify(input);
    for (const [key, { path }] of Object.entries(saved)) asked = asked.replaceAll(key, path);
    const { output, text } = await callReader(artifacts, name, JSON.parse(asked));
    const { stats, ...rest } = output;
    const { time_ms: _, ...counts } = stats;
    let answer = JSON.stringify({ name, rest, counts, text });
    for (const [key, { path, name: file }] of Object.entries(saved)) {
      answer = answer
        .replaceAll(path, key)
        .replaceAll(file, key)
        .replaceAll(/_([^_]+)\.\w+$/.exec(file)?.[1] ?? '', key);
    }
    answers.push(answer.replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '<date>'));
  }
  return answers;
}

describe('readers over any store', () => {
  test.each(['the file system', 'the file system, elsewhere', 'Vercel Blob', 'S3'])(
    'answer like over memory, except for names and dates: %s',
    async (name) => {
      const expected = await answersOf(memoryStore());
      const actual = await answersOf(stores[name]?.() as ArtifactStore);
      for (const [index, answer] of expected.entries()) expect(actual[index]).toBe(answer);
      expect(actual).toHaveLength(calls.length);
    },
  );

  test.each(['memory', 'the file system', 'the file system, elsewhere', 'Vercel Blob', 'S3'])(
    'find an artifact by its path, its name and the end of its name: %s',
    async (name) => {
      const artifacts = scopedArtifacts(stores[name]?.() as ArtifactStore, { scope: 'chat-1' });
      const { path, name: file } = await artifacts.save('needle', { toolName: 'read', toolCallId: 'call-1' });
      for (const reference of [path, file, file.slice(-20, -4)]) {
        for (const [reader, input] of [
          ['readArtifact', {}],
          ['grepArtifacts', { pattern: 'needle' }],
        ] as const) {
          const { text, output } = await callReader(artifacts, reader, { ...input, path: reference });
          expect(text).toContain('1: needle');
          expect(output.context.path_resolved).toBe(file);
        }
      }
      const gone = path.replace(file, unknown.slice('tool-output/'.length));
      expect((await callReader(artifacts, 'readArtifact', { path: gone })).code).toBe('NOT_FOUND');
    },
  );
});

describe('the hint of a set', () => {
  const csv = `id,name\n${Array.from({ length: 5000 }, (_, id) => `${id},name ${id}`).join('\n')}`;
  const rows = Array.from({ length: 5000 }, (_, id) => ({ id }));
  const log = Array.from({ length: 5000 }, (_, at) => `10:00:00 INFO line ${at}, done`).join('\n');
  const query = 'Use queryArtifact to filter, sort and count its records.';
  const search =
    'Use grepArtifacts to search the full output, or readArtifact with offset/limit to view specific sections.';

  test.each<[string, unknown, ReaderName[] | undefined, string]>([
    ['records as CSV', csv, undefined, `${search} ${query}`],
    ['records as a value', rows, undefined, `${search} ${query}`],
    ['a log', log, undefined, search],
    ['records, with this reader alone', csv, ['queryArtifact'], query],
    ['a log, with this reader alone', log, ['queryArtifact'], `If it is JSON or CSV, u${query.slice(1)}`],
    ['records, without this reader', rows, ['readArtifact', 'grepArtifacts'], search],
  ])('names the query if it can be called and helps: %s', async (_, output, readers, hint) => {
    const fetch = tool({ inputSchema: z.object({}), execute: async () => output });
    const set = truncateToolOutputs({ fetch }, { store: memoryStore(), scope: 'chat-1', ...(readers && { readers }) });
    const { sent } = await runTool(set, { toolName: 'fetch' });
    expect(String(sent.value).split('\n').at(-1)).toBe(hint);
  });
});

describe('an agent whose tool returns more than it can read', () => {
  test('learns how to search, searches, reads around the match, and finds the needle', async () => {
    // Each line has a different word, and previews do not depend on the question: only a search finds the needle.
    const nameOf = (index: number) => String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index + 1}: nothing to see of ${nameOf(index)}`);
    lines[17_233] = 'line 17234: zq-marker';
    lines[17_236] = 'line 17237: the password hint is "blue whale"';
    const tools = truncateToolOutputs(
      { readLogs: tool({ inputSchema: z.object({}), execute: async () => lines.join('\n') }) },
      { store: memoryStore(), scope: async () => 'chat-1', focus: false },
    );
    const seen: string[] = [];
    const schemas = new Set<string>();
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    };
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt, tools: offered }) => {
        schemas.add(JSON.stringify(offered));
        const last = prompt.at(-1);
        const part = last?.role === 'tool' ? last.content[0] : undefined;
        const text = part?.type === 'tool-result' && 'value' in part.output ? String(part.output.value) : '';
        seen.push(text);
        const call = nextCall(text);
        return {
          content: call
            ? [
                {
                  type: 'tool-call',
                  toolCallId: `call_${seen.length}`,
                  toolName: call[0],
                  input: JSON.stringify(call[1]),
                },
              ]
            : [{ type: 'text', text: /password hint is "([^"]+)"/.exec(text)?.[1] ?? 'not found' }],
          finishReason: { unified: call ? 'tool-calls' : 'stop', raw: undefined },
          usage,
          warnings: [],
        };
      },
    });

    /** Does only what the text says is possible. */
    function nextCall(text: string): [string, object] | undefined {
      if (text === '') return ['readLogs', {}];
      const path = /Full output saved to: (\S+)/.exec(text)?.[1];
      if (path && text.includes('Use grepArtifacts to search the full output, or readArtifact')) {
        return ['grepArtifacts', { pattern: 'zq-marker', path }];
      }
      const [, file, line] = /\n(tool-output\/\S+)\n(\d+): line \d+: zq-marker/.exec(text) ?? [];
      return file && line ? ['readArtifact', { path: file, offset: Number(line), limit: 5 }] : undefined;
    }

    const result = await generateText({ model, tools, prompt: 'What is the hint?', stopWhen: isStepCount(6) });
    expect(result.text).toBe('blue whale');
    expect(seen).toHaveLength(4);
    expect(seen[1]).not.toContain('blue whale');
    expect(seen[2]).toContain('17234: line 17234: zq-marker');
    // A provider caches the descriptions of the tools.
    expect(schemas.size).toBe(1);
    expect(JSON.stringify(result.responseMessages).length).toBeLessThan(50_000);
  });
});
