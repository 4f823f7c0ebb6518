import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { log, MEGABYTE, records } from '../bench/inputs.ts';
import { callReader } from '../fixtures/call-reader.ts';
import { longestTurnOf } from '../fixtures/longest-turn.ts';
import { scopedArtifacts } from './artifacts/scoped-artifacts.ts';
import { isTruncatedOutput } from './protocol/truncated-output.ts';
import type { ArtifactStore } from './stores/artifact-store.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

// The promise is 50 ms. On a busy machine, V8's garbage collector takes additional time. Work in a single step would take
// hundreds.
const LONGEST_MS = 80;

const call: ToolExecutionOptions<Record<string, unknown>> = { toolCallId: 'call_1', messages: [], context: {} };
/** In one piece, like text from a file. A text that is joined from many pieces is flattened at its first use. */
const inOnePiece = (text: string) => Buffer.from(text).toString('latin1');

let store: ArtifactStore;
beforeEach(() => {
  store = memoryStore();
});

describe('a wrapped tool lets the event loop turn', () => {
  test('when it returns a value of 40 MB', async () => {
    const value = records(40 * MEGABYTE);
    expect(await longestTurnOf(() => run(() => value))).toBeLessThan(LONGEST_MS);
  });

  test('when it returns a text of 50 MB', async () => {
    const text = inOnePiece(log(50 * MEGABYTE, { columns: 80 }));
    expect(await longestTurnOf(() => run(() => text))).toBeLessThan(LONGEST_MS);
  });

  test('when it throws 50 MB', async () => {
    const error = new Error(inOnePiece(log(50 * MEGABYTE, { columns: 80 })));
    expect(await longestTurnOf(() => run(() => Promise.reject(error)))).toBeLessThan(LONGEST_MS);
  });

  test('when it yields a text that grows to 50 MB, 500 times', async () => {
    expect(await longestTurnOf(() => run(growingText))).toBeLessThan(LONGEST_MS);
  });

  test.each([
    ['over the limits', records(MEGABYTE)],
    ['within them', records(40 * 1024)],
  ])('when it yields 2,000 values and never waits: %s', async (_, value) => {
    async function* values() {
      for (let count = 0; count < 2000; count++) yield value;
    }
    expect(await longestTurnOf(() => run(values))).toBeLessThan(LONGEST_MS);
  });
});

describe('fifty outputs at once let the event loop turn', () => {
  test.each([
    ['JSON texts', JSON.stringify(records(256 * 1024))],
    ['lists in JSON texts', JSON.stringify(Array.from({ length: 20_000 }, (_, id) => [id, [1]]))],
    [
      'NDJSON',
      records(256 * 1024)
        .map((record) => JSON.stringify(record))
        .join('\n'),
    ],
    ['an object before blank lines', `{"a":1}${'\n'.repeat(60_000)}`],
  ])('%s', async (_, text) => {
    const own = tool({ inputSchema: z.object({}), execute: () => text });
    const tools: ToolSet = truncateToolOutputs({ own }, { store, scope: 'chat-1' });
    const ask = async (): Promise<unknown> => tools.own?.execute?.({}, call);
    await ask();
    const longest = await longestTurnOf(() => Promise.all(Array.from({ length: 50 }, ask)));
    expect(longest).toBeLessThan(LONGEST_MS);
  });
});

describe('an output with a preview of a megabyte lets the event loop turn', () => {
  const limits = { maxBytes: MEGABYTE, previewBytes: MEGABYTE };

  test.each([
    ['soft hyphens', '\u00ad'.repeat(600_000)],
    ['tag characters', '\u{e0041}'.repeat(300_000)],
    ['carriage returns', '\r'.repeat(1_200_000)],
    ['too many lines within the budget', `${'\u{e0041}'.repeat(120)}\n`.repeat(2100)],
  ])('with %s', async (_, text) => {
    const own = tool({ inputSchema: z.object({}), execute: () => text });
    const tools: ToolSet = truncateToolOutputs({ own }, { store, scope: 'chat-1', ...limits });
    expect(await longestTurnOf(async () => tools.own?.execute?.({}, call))).toBeLessThan(LONGEST_MS);
  });
});

describe('readers that are called fifty times at once let the event loop turn', () => {
  test.each([
    ['grep', 'grepArtifacts', { pattern: 'worker [0-9]+7 ' }],
    ['a query', 'queryArtifact', { groupBy: ['name'] }],
    ['queries with slow patterns', 'queryArtifact', { where: slowPatterns() }],
    ['patterns that are refused', 'grepArtifacts', { pattern: 'a{0,1000}'.repeat(56) }],
  ] as const)('%s', async (_, reader, input) => {
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const isQuery = reader === 'queryArtifact';
    const text = isQuery ? JSON.stringify(records(MEGABYTE / 4)) : log(MEGABYTE, { columns: 80 });
    const mediaType = isQuery ? 'application/json' : 'text/plain';
    const { path } = await artifacts.save(text, { toolName: 'read', toolCallId: 'call_1', mediaType });
    const ask = () => callReader(artifacts, reader, { path, ...input });
    await ask();
    const longest = await longestTurnOf(() => Promise.all(Array.from({ length: 50 }, ask)));
    expect(longest).toBeLessThan(LONGEST_MS);
  });

  function slowPatterns() {
    return Array.from({ length: 20 }, (_, index) => ({ field: 'name', op: 'matches', value: `x{0,${400 + index}}b` }));
  }
});

describe('a text that grows to 50 MB, yielded 500 times', () => {
  test('is saved once, when it is complete', async () => {
    const { outputs } = await run(growingText);
    const artifacts: string[] = [];
    for await (const { key } of store.list('')) if (key.endsWith('.txt')) artifacts.push(key);
    expect(artifacts).toHaveLength(1);
    expect(outputs.at(-1)).toMatchObject({ data: { truncation: { original_bytes: 500 * PIECE.length } } });
  });

  test('is measured from time to time, not at each growth', async () => {
    const startedAt = performance.now();
    const { outputs } = await run(growingText);
    const quarterSeconds = Math.ceil((performance.now() - startedAt) / 250);
    // One more for the first measurement, and one for the final output.
    expect(outputs.filter(isTruncatedOutput).length).toBeLessThanOrEqual(quarterSeconds + 2);
  });
});

const PIECE = log(100 * 1024, { columns: 80 });

async function* growingText(): AsyncGenerator<string> {
  let text = '';
  for (let count = 0; count < 500; count++) {
    text += PIECE;
    yield text;
  }
}

/** Runs a tool like the SDK does. */
async function run(execute: () => unknown): Promise<{ outputs: unknown[] }> {
  const own = tool({ inputSchema: z.object({}), execute });
  const tools: ToolSet = truncateToolOutputs({ own }, { store, scope: 'chat-1' });
  const outputs: unknown[] = [];
  try {
    const result: unknown = tools.own?.execute?.({}, call);
    if (isAsyncIterable(result)) for await (const output of result) outputs.push(output);
    else outputs.push(await result);
  } catch (error) {
    outputs.push(error);
  }
  return { outputs };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
