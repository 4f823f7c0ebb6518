import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ArtifactStore } from './stores/artifact-store.ts';
import { memoryStore } from './stores/memory-store.ts';
import { vercelBlobStore } from './stores/vercel-blob/vercel-blob-store.ts';
import type { TruncateToolOutputsOptions } from './tools/tool-set-options.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const { loadsBlobPackage } = vi.hoisted(() => ({ loadsBlobPackage: vi.fn() }));
vi.mock('@vercel/blob', () => {
  loadsBlobPackage();
  throw new Error('it only matters here whether it is loaded');
});

const inputSchema = z.object({});
const rows = Array.from({ length: 100 }, (_, id) => ({ id, customer: `customer-${id}`, total: id / 4, paid: id > 50 }));
const call: ToolExecutionOptions<Record<string, unknown>> = { toolCallId: 'call_1', messages: [], context: {} };

const smallOutputs: [string, ToolSet[string]][] = [
  ['a text', tool({ inputSchema, execute: () => 'done' })],
  ['the promise of a text', tool({ inputSchema, execute: async () => 'done' })],
  ['an object', tool({ inputSchema, execute: async () => ({ id: 7, name: 'Ada', at: new Date(0) }) })],
  ['100 rows of a query', tool({ inputSchema, execute: async () => rows })],
  ['nothing', tool({ inputSchema, execute: () => undefined })],
  ['a value that JSON cannot carry', tool({ inputSchema, execute: () => ({ size: 12n }) })],
  [
    'a generator',
    tool({
      inputSchema,
      async *execute() {
        yield 'working';
        yield 'done';
      },
    }),
  ],
  [
    'a value with its own model output',
    tool({ inputSchema, execute: async () => rows, toModelOutput: () => ({ type: 'text', value: '100 rows' }) }),
  ],
  [
    'an error',
    tool({
      inputSchema,
      execute: (): string => {
        throw new Error('no such file');
      },
    }),
  ],
];

const largeOutput = tool({ inputSchema, execute: () => 'a line of a log\n'.repeat(10_000) });

/** Like the SDK: returns everything that a generator yields, or the value of a promise. */
async function execute({ execute: run }: ToolSet[string]): Promise<unknown> {
  try {
    const result: unknown = run?.({}, call);
    if (!isGenerator(result)) return await result;
    let last: unknown;
    for await (const output of result) last = output;
    return last;
  } catch (error) {
    return error;
  }
}

function isGenerator(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function wrapped(own: ToolSet[string], options: Partial<TruncateToolOutputsOptions> = {}): ToolSet[string] {
  const set: ToolSet = truncateToolOutputs({ own }, { store: memoryStore(), scope: 'chat-1', ...options });
  return set.own as ToolSet[string];
}

/** Every function of an application that the library may call, with a record of its calls. */
function askable() {
  const asked: string[] = [];
  const noting = <Asked extends object>(name: string, target: Asked): Asked =>
    new Proxy(target, {
      apply(run, owner, parameters) {
        asked.push(name);
        return Reflect.apply(run as never, owner, parameters);
      },
    });
  const methods = Object.entries(memoryStore()).map(([name, method]) => [name, noting(name, method)]);
  const options = {
    store: Object.fromEntries(methods) as unknown as ArtifactStore,
    scope: noting('scope', () => 'chat-1'),
    hint: noting('hint', () => ({})),
    onTruncate: noting('onTruncate', () => {}),
  };
  return { asked, options };
}

// The time of a small output is measured by `pnpm bench`.
describe('a wrapped tool', () => {
  test.each(smallOutputs)('calls neither store nor scope nor hint for a small output: %s', async (_, own) => {
    const { asked, options } = askable();
    await execute(wrapped(own, options));
    expect(asked).toEqual([]);
  });

  test('calls them for the first output over the limits', async () => {
    const { asked, options } = askable();
    await execute(wrapped(largeOutput, options));
    expect(asked).toEqual(expect.arrayContaining(['scope', 'put', 'hint', 'onTruncate']));
  });

  test.each(smallOutputs)('starts no timer and opens nothing for a small output: %s', async (_, own) => {
    expect(await startedBy(() => execute(wrapped(own)))).toEqual([]);
  });

  test('starts timers for an output over the limits', async () => {
    expect(await startedBy(() => execute(wrapped(largeOutput)))).not.toEqual([]);
  });

  test('loads the package of its store with the first output over the limits, not before', async () => {
    const store = vercelBlobStore({ token: 'vercel_blob_rw_idle_secret' });
    for (const [, own] of smallOutputs) await execute(wrapped(own, { store }));
    expect(loadsBlobPackage).not.toHaveBeenCalled();
    await execute(wrapped(largeOutput, { store }));
    expect(loadsBlobPackage).toHaveBeenCalled();
  });
});

/** Everything except promises that was started during `run`: timers, files, connections. */
async function startedBy(run: () => Promise<unknown>): Promise<string[]> {
  const course = new AsyncLocalStorage<'watched'>();
  const started: string[] = [];
  const hook = createHook({
    init(_, type) {
      if (course.getStore() === 'watched' && type !== 'PROMISE') started.push(type);
    },
  });
  hook.enable();
  try {
    await course.run('watched', run);
  } finally {
    hook.disable();
  }
  return started;
}
