import { Readable } from 'node:stream';
import { type Tool, type ToolSet, tool } from 'ai';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loopbackMcpTools } from '../fixtures/loopback-mcp.ts';
import { log, oneLine, quotes, rows } from '../fixtures/one-megabyte.ts';
import { type WeighedRun, weighGeneration, weighStream } from '../fixtures/weighed-run.ts';
import { scopedArtifacts } from './artifacts/scoped-artifacts.ts';
import { resolveLimits, type TruncationLimits } from './preview/limits.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

interface Case {
  /** A set with a tool `read`, which is called. */
  tools: () => ToolSet | Promise<ToolSet>;
  input?: unknown;
  /** The content that the store must have: this text, or a value as JSON. */
  original: unknown;
}

const inputSchema = z.object({ text: z.string().optional() });

function returning(output: unknown, members: Partial<Tool> = {}): Case['tools'] {
  return executing(() => (typeof output === 'function' ? output() : output), members);
}

function executing(execute: () => unknown, members: Partial<Tool> = {}): Case['tools'] {
  return () => ({ read: tool({ inputSchema, execute, ...members } as never) as Tool });
}

function throwing(error: unknown): Case['tools'] {
  return executing(() => {
    throw error;
  });
}

async function* growing(): AsyncGenerator<string> {
  for (let part = 1; part <= 20; part++) yield log.slice(0, Math.ceil((log.length * part) / 20));
}

async function* failing(): AsyncGenerator<string> {
  yield log;
  throw new Error(log);
}

const envelope = { status: 'success', data: {}, text: 'ok', stats: { time_ms: 1 }, context: { cwd: '.' } };
const failed = { ...envelope, status: 'error', error: { code: 'TIMEOUT', message: log } };
const inData = { ...envelope, data: { rows } };
const inStats = { ...envelope, stats: { time_ms: 1, note: log } };
const inContext = { ...envelope, context: { cwd: log, params_input: {} } };
const thrown = { code: 7, stderr: log };
const chunks = log.match(/.{1,65536}/gs) ?? [];
const content = [{ type: 'text', text: JSON.stringify(rows) }];
const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } };

const cases: Record<string, Case> = {
  'a string': { tools: returning(log), original: log },
  'a string of one line': { tools: returning(oneLine), original: oneLine },
  'a string that doubles in JSON': { tools: returning(quotes), original: quotes },
  'a value': { tools: returning(rows), original: rows },
  'a web stream': { tools: returning(() => ReadableStream.from(chunks)), original: log },
  'a web stream of bytes': { tools: returning(() => new Blob([log]).stream()), original: log },
  'a promise of a web stream': { tools: returning(async () => ReadableStream.from(chunks)), original: log },
  'a Node stream': { tools: returning(() => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))), original: log },
  'a generator': { tools: executing(growing), original: log },
  'a generator that fails': { tools: executing(failing), original: `Error: ${log}` },
  'an error': { tools: throwing(new Error(log)), original: `Error: ${log}` },
  'an error with a large cause': { tools: throwing(new Error(log, { cause: rows })), original: `Error: ${log}` },
  'a thrown text': { tools: throwing(log), original: log },
  'a thrown object': { tools: throwing(thrown), original: thrown },
  'an old error string': { tools: returning({ error: log }), original: { error: log } },
  'an envelope with much data': { tools: returning(inData), original: inData },
  'an envelope with large stats': { tools: returning(inStats), original: inStats },
  'an envelope with a large context': { tools: returning(inContext), original: inContext },
  'an envelope with a large error': { tools: returning(failed), original: failed },
  "text of the tool's toModelOutput": {
    tools: returning({ log }, { toModelOutput: ({ output }) => ({ type: 'text', value: output.log }) }),
    original: log,
  },
  "text and a picture of the tool's toModelOutput": {
    tools: returning(log, {
      toModelOutput: ({ output }) => ({ type: 'content', value: [{ type: 'text', text: output }, picture] }) as never,
    }),
    original: log,
  },
  'an MCP result that contains it twice': {
    tools: () => loopbackMcpTools({ content, structuredContent: { rows } }),
    original: JSON.stringify(rows),
  },
  'an MCP error': {
    tools: () => loopbackMcpTools({ content: [{ type: 'text', text: log }], isError: true }),
    original: log,
  },
  'an MCP result with only a large second copy': {
    tools: () => loopbackMcpTools({ content: [{ type: 'text', text: '20,000 rows' }], structuredContent: { rows } }),
    original: { rows },
  },
};

const MAX_BYTES_ANYWHERE = 64 * 1024;

const runs = { streamed: weighStream, generated: weighGeneration };
const limitsOfRuns: Record<string, TruncationLimits> = { 'default limits': {}, 'limits of 1 KiB': { maxBytes: 1024 } };

async function run(how: keyof typeof runs, { tools, input = {} }: Case, limits: TruncationLimits) {
  const store = memoryStore();
  const wrapped = truncateToolOutputs(await tools(), { store, scope: 'chat-1', ...limits });
  const weighed = await runs[how](wrapped, { toolName: 'read', input });
  const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
  const kept: string[] = [];
  for await (const { path } of artifacts.list()) kept.push(await new Response(await artifacts.readStream(path)).text());
  return { ...weighed, kept };
}

function heavierThan(maxBytes: number, texts: Record<string, string>): [string, number][] {
  const weights = Object.entries(texts).map(([place, text]): [string, number] => [place, Buffer.byteLength(text)]);
  return weights.filter(([, bytes]) => bytes >= maxBytes);
}

function textSent({ type, value }: WeighedRun['sent']): string {
  if (type === 'content') return (value as { text?: string }[]).map(({ text = '' }) => text).join('');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

describe.each(Object.entries(limitsOfRuns))('1 MB, with %s', (_, limits) => {
  const { previewBytes } = resolveLimits(limits);

  describe.each(Object.keys(runs) as (keyof typeof runs)[])('%s', (how) => {
    describe.each(Object.entries(cases))('%s', (_, given) => {
      let outcome: Awaited<ReturnType<typeof run>>;
      beforeAll(async () => {
        outcome = await run(how, given, limits);
      }, 60_000);

      test('takes little space in the prompt, the UI, the chat log and telemetry', () => {
        expect(heavierThan(MAX_BYTES_ANYWHERE, outcome.everything)).toEqual([]);
      });

      test('costs the model no more than previewBytes', () => {
        expect(Buffer.byteLength(textSent(outcome.sent))).toBeLessThanOrEqual(previewBytes);
      });

      test('satisfies the rules of its envelope', () => {
        const output = JSON.stringify(outcome.output ?? null);
        expect(Buffer.byteLength(output)).toBeLessThanOrEqual(2 * previewBytes + 8192);
      });

      test('is in the store, once and completely', () => {
        const { kept } = outcome;
        expect(kept).toHaveLength(1);
        const whole: unknown = typeof given.original === 'string' ? kept[0] : JSON.parse(kept[0] ?? '');
        // A difference of 1 MB would be printed.
        expect(isSame(whole, given.original)).toBe(true);
      });
    });
  });
});

function isSame(one: unknown, other: unknown): boolean {
  return typeof one === 'string' ? one === other : JSON.stringify(one) === JSON.stringify(other);
}

// The model itself made the call, so its input is in the prompt, the UI and telemetry, whatever the tool returns.
describe.each(Object.keys(runs) as (keyof typeof runs)[])('a call with 1 MB of input and 1 MB of output, %s', (how) => {
  test('takes little space in every copy of the output', async () => {
    const { answers, kept } = await run(how, { tools: returning(log), input: { text: log }, original: log }, {});
    expect(heavierThan(MAX_BYTES_ANYWHERE, answers)).toEqual([]);
    expect(kept).toHaveLength(1);
  });
});
