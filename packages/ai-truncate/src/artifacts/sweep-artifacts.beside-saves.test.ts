import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { tool } from 'ai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { inTemporaryDirectory } from '../../fixtures/in-temporary-directory.ts';
import { runTool } from '../../fixtures/run-tool.ts';
import { createTaskTool } from '../agents/task/task-tool.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';
import type { SweepBesideSaves, SweepOutcome } from './sweep-artifacts.ts';

const call = { toolName: 'read', toolCallId: 'call_1' };
const scope = 'chat-1';
const hour = 3_600_000;
const large = 'line\n'.repeat(3000);

afterEach(() => {
  vi.restoreAllMocks();
});

/** A store like on another machine, which cannot claim a sweep. */
function remoteStore(): ArtifactStore {
  const { claimSweep: _, ...remote } = memoryStore();
  return remote;
}

/** Every function that saves, each called once. */
const entrances: Record<string, (store: ArtifactStore, options: SweepBesideSaves) => Promise<unknown>> = {
  scopedArtifacts: (store, options) => scopedArtifacts(store, { scope, ...options }).save('text', call),
  truncateOutput: (store, options) => truncateOutput(large as unknown, { store, scope, ...call, ...options }),
  truncateToolOutputs: (store, options) => {
    const read = tool({ inputSchema: z.object({}), execute: () => large });
    return runTool(truncateToolOutputs({ read }, { store, scope, ...options }), { toolName: 'read' });
  },
  createTaskTool: (store, options) => runTask({ task: createTaskTool({ agents, store, scope, ...options }) }),
  'the tool task of truncateToolOutputs': (store, options) =>
    runTask(truncateToolOutputs({}, { store, scope, agents, ...options })),
};

const agents = { writer: { description: 'Writes.', run: async () => ({ conclusion: large.repeat(20) }) } };

function runTask(tools: Parameters<typeof runTool>[0]): Promise<unknown> {
  return runTool(tools, { toolName: 'task', input: { agent: 'writer', prompt: 'Write.' } });
}

describe.each(Object.entries(entrances))('a save of %s', (_, save) => {
  test('sweeps a store that can claim a sweep, and its listener receives the outcome', async () => {
    const onSweep = vi.fn<(outcome: SweepOutcome) => void>();
    await save(memoryStore(), { onSweep });
    await vi.waitFor(() => expect(onSweep).toHaveBeenCalledOnce());
    expect(onSweep).toHaveBeenCalledWith({ status: 'done', result: expect.objectContaining({ failed: 0 }) });
  });

  test.each([
    ['a remote store', remoteStore, {}],
    ['any store with `sweep: false`', memoryStore, { sweep: false }],
  ] as const)('lists nothing of %s', async (_, open, options) => {
    const store = open();
    const list = vi.spyOn(store, 'list');
    await save(store, options);
    await new Promise((resolve) => setImmediate(resolve));
    expect(list).not.toHaveBeenCalled();
  });

  test("sweeps a remote store with `sweep: 'hourly'`, and its listener receives the failure", async () => {
    const list = () => {
      throw new Error('503');
    };
    const onSweep = vi.fn<(outcome: SweepOutcome) => void>();
    await save({ ...remoteStore(), list }, { sweep: 'hourly', onSweep });
    await vi.waitFor(() => expect(onSweep).toHaveBeenCalledOnce());
    expect(onSweep).toHaveBeenCalledWith({ status: 'failed', error: new Error('503') });
  });
});

describe.each([
  ['a memory store', memoryStore, {}],
  ['a remote store', remoteStore, { sweep: 'hourly' }],
] as const)('the sweep of %s', (_, open, options) => {
  test('runs once an hour at most, for all owners together', async () => {
    const store = open();
    const onSweep = vi.fn();
    const save = (owner: string) => scopedArtifacts(store, { scope: owner, onSweep, ...options }).save('text', call);
    await Promise.all([save('chat-1'), save('chat-2')]);
    await vi.waitFor(() => expect(onSweep).toHaveBeenCalledOnce());
    const { now } = performance;
    const clock = vi.spyOn(performance, 'now');
    clock.mockImplementation(() => now.call(performance) + 0.9 * hour);
    await save('chat-1');
    clock.mockImplementation(() => now.call(performance) + hour);
    await save('chat-1');
    await vi.waitFor(() => expect(onSweep).toHaveBeenCalledTimes(2));
  });

  test('neither delays nor fails a save when the store hangs in its listing', async () => {
    const list = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) });
    await scopedArtifacts({ ...open(), list }, { scope, ...options }).save('text', call);
  });
});

describe('a failing sweep', () => {
  const failing = (): ArtifactStore => ({ ...memoryStore(), claimSweep: () => Promise.reject(new Error('EROFS')) });

  test('is printed once for a store without a listener', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const store = failing();
    const { now } = performance;
    const clock = vi.spyOn(performance, 'now');
    for (let saves = 0; saves < 3; saves++) {
      clock.mockImplementation(() => now.call(performance) + saves * hour);
      await scopedArtifacts(store, { scope }).save('text', call);
      await vi.waitFor(() => expect(warn).toHaveBeenCalled());
    }
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('`onSweep`'), new Error('EROFS'));
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('listener');
      },
    ],
    ['rejects', () => Promise.reject(new Error('listener')) as never],
  ])('whose listener %s ends no process', async (_, listener) => {
    const onSweep = vi.fn(listener);
    await scopedArtifacts(failing(), { scope, onSweep }).save('text', call);
    await vi.waitFor(() => expect(onSweep).toHaveBeenCalledOnce());
    await new Promise((resolve) => setImmediate(resolve));
    expect(onSweep).toHaveBeenCalledOnce();
  });

  test('with a directory in place of the marker reaches the listener, and the save succeeds', () =>
    inTemporaryDirectory(async (above) => {
      const directory = join(above, 'store');
      const store = filesystemStore({ directory });
      await scopedArtifacts(store, { scope, sweep: false }).save('text', call);
      await mkdir(join(directory, '.last-sweep'));
      const onSweep = vi.fn<(outcome: SweepOutcome) => void>();
      await scopedArtifacts(store, { scope, onSweep }).save('text', call);
      await vi.waitFor(() => expect(onSweep).toHaveBeenCalledOnce());
      expect(onSweep.mock.calls[0]?.[0]).toMatchObject({ status: 'failed', error: { code: 'UNSAFE_FILE' } });
    }));
});

describe('with many claims at once on one directory', () => {
  test.each([
    ['there is no marker', undefined],
    ['the marker is older than an hour', -1.5],
    ['the marker comes from a clock that was ahead', 5],
  ])('one succeeds when %s', (_, hoursFromNow) =>
    inTemporaryDirectory(async (above) => {
      const directory = join(above, 'store');
      const stores = Array.from({ length: 20 }, () => filesystemStore({ directory }));
      const [first] = stores;
      await scopedArtifacts(first as ArtifactStore, { scope, sweep: false }).save('text', call);
      if (hoursFromNow !== undefined) {
        await first?.claimSweep?.(hour);
        const time = new Date(Date.now() + hoursFromNow * hour);
        await utimes(join(directory, '.last-sweep'), time, time);
      }
      const claims = await Promise.all(stores.map((store) => store.claimSweep?.(hour)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await first?.claimSweep?.(hour)).toBe(false);
    }),
  );

  test('none succeeds where nothing was ever saved', () =>
    inTemporaryDirectory(async (above) => {
      expect(await filesystemStore({ directory: join(above, 'store') }).claimSweep?.(hour)).toBe(false);
    }));
});

test.each(['daily', true, 0, 'false'])('the option `sweep` cannot be %j', (sweep) => {
  const options = { scope, sweep: sweep as never };
  expect(() => scopedArtifacts(memoryStore(), options)).toThrow("`sweep` must be 'hourly' or false");
  expect(() => truncateToolOutputs({}, { store: memoryStore(), ...options })).toThrow(
    "`sweep` must be 'hourly' or false",
  );
});
