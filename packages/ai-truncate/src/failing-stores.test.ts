import { tool } from 'ai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { countArtifacts, runTool, truncatedOf } from '../fixtures/run-tool.ts';
import type { ArtifactStore } from './stores/artifact-store.ts';
import { memoryStore } from './stores/memory-store.ts';
import type { TruncateToolOutputsOptions } from './tools/tool-set-options.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const log = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}: nothing to see`).join('\n');
const inputSchema = z.object({});
const readLogs = tool({ inputSchema, execute: async () => log });
const forEver = () => new Promise<never>(() => {});

function broken(put: ArtifactStore['put']): ArtifactStore {
  return { ...memoryStore(), put };
}

const unhandled = vi.fn();
beforeEach(() => void process.on('unhandledRejection', unhandled));
afterEach(() => {
  process.off('unhandledRejection', unhandled);
  unhandled.mockClear();
});

describe('a tool whose store', () => {
  test.each<[string, ArtifactStore, Partial<TruncateToolOutputsOptions>]>([
    [
      'throws',
      broken(() => {
        throw new Error('no such bucket');
      }),
      {},
    ],
    ['rejects', broken(() => Promise.reject(new Error('503'))), {}],
    [
      'rejects half-way',
      broken(async (_, body) => {
        for await (const _chunk of body) throw new Error('connection lost');
      }),
      {},
    ],
    ['hangs', broken(forEver), { saveTimeoutMs: 20 }],
    ['is full', memoryStore({ maxBytes: 1000 }), {}],
    ['is limited to smaller artifacts', memoryStore(), { maxArtifactBytes: 1000 }],
  ])('%s has its output bounded, and the text says that the rest is lost', async (_, store, options) => {
    const onTruncate = vi.fn();
    const tools = truncateToolOutputs({ readLogs }, { store, scope: 'chat-1', onTruncate, ...options });
    const { output, error, sent } = await runTool(tools);
    expect(error).toBeUndefined();
    expect(truncatedOf(output).data.truncation.full_output_path).toBeNull();
    expect(sent.value).toMatch(/^readLogs succeeded, .* shown\. The rest was not saved and cannot be retrieved\.\n/);
    expect(onTruncate).toHaveBeenCalledWith(expect.objectContaining({ path: null, error: expect.any(Error) }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('fails repeatedly is not used for a while', async () => {
    const put = vi.fn(() => Promise.reject(new Error('503')));
    const tools = truncateToolOutputs({ readLogs }, { store: broken(put), scope: 'chat-1' });
    for (let run = 0; run < 5; run++) expect(truncatedOf((await runTool(tools)).output).status).toBe('partial');
    expect(put).toHaveBeenCalledTimes(3);
  });

  test('hangs when the call is aborted loses the path, not the output', async () => {
    const controller = new AbortController();
    const store = broken(() => {
      controller.abort(new Error('the user left'));
      return forEver();
    });
    const { readLogs: wrapped } = truncateToolOutputs({ readLogs }, { store, scope: 'chat-1' });
    const output = await wrapped.execute(
      {},
      { toolCallId: 'call_1', messages: [], context: {}, abortSignal: controller.signal },
    );
    expect(truncatedOf(output).data.truncation.full_output_path).toBeNull();
  });
});

describe('an application without listeners', () => {
  test('is warned once about a store that saves nothing', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const reason = new Error('no such bucket');
    const tools = truncateToolOutputs({ readLogs }, { store: broken(() => Promise.reject(reason)), scope: 'chat-1' });
    await runTool(tools);
    await runTool(tools);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('could not save'), reason);
    warn.mockRestore();
  });
});

describe('a tool that returns a stream', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

  test('that fails halfway is a failed tool, and nothing is saved', async () => {
    const store = memoryStore();
    const read = tool({
      inputSchema,
      execute: async () =>
        ReadableStream.from(
          (async function* () {
            yield* lines(10_000);
            throw new Error('connection lost');
          })(),
        ),
    });
    const { error } = await runTool(truncateToolOutputs({ read }, { store, scope: 'chat-1' }));
    expect(error).toEqual(new Error('connection lost'));
    expect(await countArtifacts(store)).toBe(0);
  });

  test.each(['a promise of it', 'itself'])(
    'that is aborted halfway ends with the reason, and nothing is saved: %s',
    async (how) => {
      const store = memoryStore();
      const controller = new AbortController();
      const cancelled = vi.fn();
      let pulls = 0;
      const stream = new ReadableStream<string>({
        pull(source) {
          if (++pulls === 5000) controller.abort(new Error('the user left'));
          source.enqueue(`line ${pulls}\n`);
        },
        cancel: cancelled,
      });
      const read = tool({ inputSchema, execute: (): unknown => (how === 'itself' ? stream : Promise.resolve(stream)) });
      const { read: wrapped } = truncateToolOutputs({ read }, { store, scope: 'chat-1' });
      const call = wrapped.execute(
        {},
        { toolCallId: 'call_1', messages: [], context: {}, abortSignal: controller.signal },
      );
      await expect(lastOf(call)).rejects.toThrow('the user left');
      expect(cancelled).toHaveBeenCalledOnce();
      expect(await countArtifacts(store)).toBe(0);
    },
  );

  test.each<[string, () => unknown]>([
    ['a promise of it', async () => endless()],
    ['itself', () => endless()],
  ])('without an end is stopped when it is too large to save, and the text says so: %s', async (_, execute) => {
    const store = memoryStore();
    const tools = truncateToolOutputs(
      { read: tool({ inputSchema, execute }) },
      { store, scope: 'chat-1', maxArtifactBytes: 200_000 },
    );
    const { output, sent } = await runTool(tools);
    expect(truncatedOf(output).data.truncation.full_output_path).toBeNull();
    expect(sent.value).toMatch(
      /^read succeeded, but its output is incomplete: [\d,]+ of more than [\d,]+ lines shown\. It became too large to save, so the rest was not read and cannot be retrieved\.\n/,
    );
    expect(await countArtifacts(store)).toBe(0);
  });

  test.each([1, 2])('is closed when it has values and its consumer stops after %i', async (count) => {
    const cancelled = vi.fn();
    let pulls = 0;
    const stream = new ReadableStream<object>({
      pull: (source) => source.enqueue({ pulls: ++pulls }),
      cancel: cancelled,
    });
    const read = tool({ inputSchema, execute: (): unknown => stream });
    const { read: wrapped } = truncateToolOutputs({ read }, { store: memoryStore(), scope: 'chat-1' });
    const outputs = wrapped.execute({}, { toolCallId: 'call_1', messages: [], context: {} }) as AsyncGenerator<unknown>;
    for (let taken = 0; taken < count; taken++) await outputs.next();
    await outputs.return(undefined);
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
  });

  /** Returns the output like the SDK: the output itself, or the last one of several. */
  async function lastOf(outputs: unknown): Promise<unknown> {
    if (typeof outputs !== 'object' || outputs === null || !(Symbol.asyncIterator in outputs)) return outputs;
    let last: unknown;
    for await (const output of outputs as AsyncIterable<unknown>) last = output;
    return last;
  }

  function endless(): ReadableStream<string> {
    let line = 0;
    return new ReadableStream({ pull: (source) => source.enqueue(`line ${++line}\n`) });
  }
});
