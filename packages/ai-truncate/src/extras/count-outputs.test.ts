import { type Tool, tool } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { log } from '../../fixtures/one-megabyte.ts';
import { runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { sentThrough } from '../../fixtures/sent-results.ts';
import type { OutputEvent } from '../delivery/events.ts';
import { truncateToolResultsMiddleware } from '../middleware/truncate-tool-results-middleware.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { countedTool } from '../tools/counted-tool.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { countOutputs } from './count-outputs.ts';
import { logTruncation } from './log-truncation.ts';

const inputSchema = z.object({});
const fail = (message = 'no'): string => {
  throw new Error(message);
};
const kinds: Record<string, Tool> = {
  'a value': tool({ inputSchema, execute: () => 'short' }),
  'a promise': tool({ inputSchema, execute: async () => ({ a: 1 }) }),
  'a large value': tool({ inputSchema, execute: () => log }),
  'an error thrown': tool({ inputSchema, execute: () => fail() }),
  'a promise that rejects': tool({ inputSchema, execute: async () => fail() }),
  'a large error': tool({ inputSchema, execute: async () => fail(log) }),
  'a stream': tool({ inputSchema, execute: async () => ReadableStream.from([log]) as unknown as string }),
  'a generator': tool({
    inputSchema,
    async *execute() {
      yield 'a';
      yield 'b';
    },
  }) as Tool,
  'a generator that fails': tool({
    inputSchema,
    async *execute() {
      yield 'a';
      fail();
    },
  }) as Tool,
};

describe('all outputs are counted', () => {
  test.each(Object.entries(kinds))('once for each call of %s', async (_, read) => {
    const { counts, ...listeners } = countOutputs();
    await runTool(truncateToolOutputs({ read }, { store: memoryStore(), scope: 'chat-1', ...listeners }));
    expect(counts().outputs).toBe(1);
  });

  test('from truncateOutput, but not from a tool that is left alone', async () => {
    const { counts, ...listeners } = countOutputs();
    const keeping = { store: memoryStore(), scope: 'chat-1', ...listeners };
    await truncateOutput('short', { ...keeping, toolName: 'read', toolCallId: 'call_1' });
    const read = tool({ inputSchema, execute: () => log });
    await runTool(truncateToolOutputs({ read }, { ...keeping, perTool: { read: false } }));
    expect(counts()).toMatchObject({ outputs: 1, truncated: 0, truncationRate: 0 });
  });

  test('together with a log, because each option accepts several listeners', async () => {
    const { counts, onOutput, onTruncate } = countOutputs();
    const info = vi.fn();
    const listeners = { onOutput: [onOutput], onTruncate: [onTruncate, logTruncation({ info, warn: () => {} })] };
    const readLogs = tool({ inputSchema, execute: () => log });
    await runTool(truncateToolOutputs({ readLogs }, { store: memoryStore(), scope: 'chat-1', ...listeners }));
    expect(counts()).toMatchObject({ outputs: 1, truncated: 1, truncationRate: 1 });
    expect(info).toHaveBeenCalledOnce();
  });

  test('so that the truncation rate is known', async () => {
    const { counts, ...listeners } = countOutputs();
    expect(counts().truncationRate).toBe(0);
    const [small, large] = [tool({ inputSchema, execute: () => 'short' }), tool({ inputSchema, execute: () => log })];
    const tools = truncateToolOutputs({ small, large }, { store: memoryStore(), scope: 'chat-1', ...listeners });
    for (const toolName of ['small', 'large', 'small', 'small']) await runTool(tools, { toolName });
    expect(counts()).toMatchObject({
      outputs: 4,
      truncated: 1,
      truncationRate: 0.25,
      notSaved: { byChoice: 0, failed: 0 },
    });
  });

  test('and so are outputs that were not saved', async () => {
    const { counts, ...listeners } = countOutputs();
    const store = { ...memoryStore(), put: () => Promise.reject(new Error('full')) };
    await runTool(
      truncateToolOutputs(
        { read: tool({ inputSchema, execute: () => log }) },
        { store, scope: 'chat-1', ...listeners },
      ),
    );
    expect(counts()).toMatchObject({ truncated: 1, notSaved: { byChoice: 0, failed: 1 } });
  });

  test('except results that the middleware cuts again with each request', async () => {
    const { counts, onTruncate } = countOutputs();
    await sentThrough(truncateToolResultsMiddleware({ onTruncate }), [{ type: 'text', value: log }]);
    expect(counts()).toMatchObject({ truncated: 0, originalBytes: 0 });
  });
});

describe('savings', () => {
  test('are the bytes that are not sent, minus the bytes that readers show afterwards', async () => {
    const { counts, ...listeners } = countOutputs();
    const read = tool({ inputSchema, execute: () => log });
    const tools = truncateToolOutputs({ read }, { store: memoryStore(), scope: 'chat-1', ...listeners });
    const { output, sent } = await runTool(tools, { toolName: 'read' });
    const path = truncatedOf(output).data.truncation.full_output_path;
    const before = counts();
    expect(before).toMatchObject({
      originalBytes: Buffer.byteLength(log),
      sentBytes: Buffer.byteLength(String(sent.value)),
    });
    expect(before.savedBytes).toBe(before.originalBytes - before.sentBytes);

    const lines = await runTool(tools, { toolName: 'readArtifact', input: { path, offset: 1, limit: 20 } });
    const found = await runTool(tools, { toolName: 'grepArtifacts', input: { path, pattern: 'line 777:' } });
    const readerBytes = Buffer.byteLength(String(lines.sent.value)) + Buffer.byteLength(String(found.sent.value));
    expect(found.sent.value).toContain('line 777:');
    expect(counts()).toMatchObject({ outputs: 1, truncated: 1, readerCalls: 2, readerBytes });
    expect(counts().savedBytes).toBe(before.savedBytes - readerBytes);
  });

  test('are negative if readers showed more', () => {
    const { counts, onOutput } = countOutputs();
    onOutput({ kind: 'reader', toolName: 'readArtifact', toolCallId: 'call_1', sentBytes: 8000 });
    expect(counts().savedBytes).toBe(-8000);
  });
});

describe('a reader that is counted', () => {
  const options = { toolCallId: 'call_1', messages: [], context: {} };

  test('as a generator returns all its outputs, and is counted by the last one', async () => {
    const reader = tool({
      inputSchema,
      async *execute() {
        yield 'a';
        yield 'longer';
      },
    }) as Tool;
    let onOutput = (_: OutputEvent): void => {};
    const told = new Promise<OutputEvent>((resolve) => {
      onOutput = resolve;
    });
    const answer: unknown = countedTool(reader, { toolName: 'task', onOutput }).execute?.({}, options);
    const outputs: unknown[] = [];
    for await (const output of answer as AsyncIterable<unknown>) outputs.push(output);
    expect(outputs).toEqual(['a', 'longer']);
    expect(await told).toEqual({ kind: 'reader', toolName: 'task', toolCallId: 'call_1', sentBytes: 6 });
  });

  test('is the same tool if there is no listener', () => {
    const reader = tool({ inputSchema, execute: () => 'a' });
    expect(countedTool(reader, { toolName: 'task', onOutput: undefined })).toBe(reader);
  });

  test('still answers when a listener throws', async () => {
    const counted = countedTool(tool({ inputSchema, execute: () => 'a' }), {
      toolName: 'read',
      onOutput: () => fail(),
    });
    expect(await counted.execute?.({}, options)).toBe('a');
  });
});

describe('an invalid listener', () => {
  test('is refused at once', () => {
    const options = { store: memoryStore(), scope: 'chat-1', onOutput: 5 as never };
    expect(() => truncateToolOutputs({}, options)).toThrow(
      '`onOutput` must be a function or an array of functions; got 5.',
    );
  });
});
