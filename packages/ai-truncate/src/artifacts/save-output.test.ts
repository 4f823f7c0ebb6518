import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { asTimePasses } from '../../fixtures/passing-time.ts';
import { sleep } from '../deadlines.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { type LiveSaveOptions, startSave } from './save-output.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';

const call = { toolName: 'read', toolCallId: 'call_1', stallMs: 50 };

afterEach(() => vi.useRealTimers());

function liveSave(store: ArtifactStore = memoryStore(), options: Partial<LiveSaveOptions> = {}) {
  const artifacts = scopedArtifacts(store, { scope: 'chat-1', sweep: false });
  return { artifacts, save: startSave(artifacts, { ...call, ...options }) };
}

async function keysOf(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

describe('a live save', () => {
  test('saves its chunks in order, text and bytes', async () => {
    const { artifacts, save } = liveSave();
    for (const chunk of ['one\n', new TextEncoder().encode('two\n'), 'x'.repeat(200_000)]) await save.write(chunk);
    const outcome = await save.finish();
    if (outcome.status === 'failed') throw outcome.error;
    expect(await new Response(await artifacts.readStream(outcome.info.path)).text()).toBe(
      `one\ntwo\n${'x'.repeat(200_000)}`,
    );
  });

  test('has copied a chunk when its write resolves, so that the owner may fill the buffer again', async () => {
    const { artifacts, save } = liveSave();
    const buffer = new Uint8Array(1);
    for (const digit of '0123456789') {
      buffer.set([digit.charCodeAt(0)]);
      await save.write(buffer);
    }
    buffer.set(['!'.charCodeAt(0)]);
    const outcome = await save.finish();
    if (outcome.status === 'failed') throw outcome.error;
    expect(await new Response(await artifacts.readStream(outcome.info.path)).text()).toBe('0123456789');
  });

  test('saves an output that never had a chunk', async () => {
    expect(await liveSave().save.finish()).toMatchObject({ status: 'saved', info: { bytes: 0 } });
  });

  test('makes a fast source wait for a slow store', async () => {
    const inner = memoryStore();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store: ArtifactStore = {
      ...inner,
      async put(key, body, options) {
        await released;
        await inner.put(key, body, options);
      },
    };
    const { save } = liveSave(store, { stallMs: 10_000 });
    let isTaken = false;
    const writing = save.write('x').then(() => {
      isTaken = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    release();
    await writing;
    const finished = save.finish();
    expect(await finished).toMatchObject({ status: 'saved' });
  });

  test.each<[string, Partial<ArtifactStore>]>([
    ['rejects', { put: () => Promise.reject(new Error('no space left')) }],
    [
      'throws',
      {
        put: () => {
          throw new Error('no space left');
        },
      },
    ],
  ])('never fails the writer if the store %s, and reports the reason', async (_, broken) => {
    const { save } = liveSave({ ...memoryStore(), ...broken });
    for (let count = 0; count < 100; count++) await save.write('x'.repeat(10_000));
    expect(await save.finish()).toMatchObject({ status: 'failed', error: { message: 'no space left' } });
  });

  test('gives up a store that hangs while the output flows, and a store that hangs at its end', async () => {
    const hanging: ArtifactStore = { ...memoryStore(), put: () => new Promise(() => {}) };
    const { save } = liveSave(hanging);
    await save.write('x');
    await save.write('x');
    expect(await save.finish()).toMatchObject({ status: 'failed', error: { code: 'STORE_TIMEOUT' } });

    const inner = memoryStore();
    const stuckAtEnd: ArtifactStore = {
      ...inner,
      async put(_, body) {
        for await (const _ of body);
        await new Promise(() => {});
      },
    };
    const second = liveSave(stuckAtEnd);
    await second.save.write('x');
    expect(await second.save.finish()).toMatchObject({ status: 'failed', error: { code: 'STORE_TIMEOUT' } });
  });

  test('never gives up a slow store that takes each chunk in time, but gives it up as soon as it hangs too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const stallMs = 400;
    function slowStore(chunksUntilItHangs: number): ArtifactStore {
      const inner = memoryStore();
      return {
        ...inner,
        put: (key, body, options) => inner.put(key, slowed(body), options),
      };
      async function* slowed(body: AsyncIterable<Uint8Array<ArrayBuffer>>) {
        let chunks = 0;
        for await (const chunk of body) {
          await sleep(chunks++ === chunksUntilItHangs ? 60_000 : 100);
          yield chunk;
        }
      }
    }
    async function feed(save: ReturnType<typeof startSave>): Promise<number> {
      let longestMs = 0;
      for (let count = 0; count < 60; count++) {
        const startedAt = performance.now();
        await save.write('x'.repeat(64 * 1024));
        longestMs = Math.max(longestMs, performance.now() - startedAt);
      }
      return longestMs;
    }
    const healthy = liveSave(slowStore(Number.POSITIVE_INFINITY), { stallMs }).save;
    await asTimePasses(feed(healthy));
    expect(await asTimePasses(healthy.finish())).toMatchObject({ status: 'saved' });
    const hanging = liveSave(slowStore(3), { stallMs }).save;
    await asTimePasses(hanging.write('x'));
    // The pause of the source does not count.
    await vi.advanceTimersByTimeAsync(1.2 * stallMs);
    expect(await asTimePasses(feed(hanging))).toBeGreaterThanOrEqual(stallMs - 1);
    expect(await hanging.finish()).toMatchObject({ status: 'failed', error: { code: 'STORE_TIMEOUT' } });
  });

  test.each<[string, (save: ReturnType<typeof startSave>) => unknown]>([
    ['its end', (save) => save.finish()],
    ['the failure of its output', (save) => save.abandon(new Error('the tool failed'))],
  ])('keeps no process alive after %s, and leaves nothing on the signal of its chat', async (_, end) => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const { signal } = new AbortController();
    const { save } = liveSave(memoryStore(), { stallMs: 60_000, abortSignal: signal });
    await save.write('x'.repeat(200_000));
    expect(timers()).toBe(before + 1);
    await end(save);
    expect(timers()).toBe(before);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('leaves nothing on the signal of its chat when it gives up a store that hangs', async () => {
    const { signal } = new AbortController();
    const hanging: ArtifactStore = { ...memoryStore(), put: () => new Promise(() => {}) };
    const { save } = liveSave(hanging, { abortSignal: signal });
    await save.write('x');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('does not count the time of the source against the store', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { save } = liveSave(memoryStore(), { stallMs: 20 });
    await save.write('one');
    await vi.advanceTimersByTimeAsync(60);
    await save.write('two');
    expect(await save.finish()).toMatchObject({ status: 'saved', info: { bytes: 6 } });
  });

  test('saves nothing of an output that failed', async () => {
    const store = memoryStore();
    const { save } = liveSave(store);
    await save.write('x'.repeat(200_000));
    save.abandon(new Error('the tool failed'));
    await save.write('more');
    expect(await save.finish()).toMatchObject({ status: 'failed', error: { message: 'the tool failed' } });
    expect(await keysOf(store)).toEqual([]);
  });
});
