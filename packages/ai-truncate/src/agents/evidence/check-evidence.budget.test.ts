import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { watchTurns } from '../../../fixtures/longest-turn.ts';
import { asTimePasses } from '../../../fixtures/passing-time.ts';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import { ArtifactNotFoundError } from '../../artifacts/artifacts.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { checkEvidence } from './check-evidence.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
const LINES = 40_000;
const { path, bytes } = await artifacts.save(
  Array.from({ length: LINES }, (_, index) => `INFO request ${index + 1} served in 12 ms, {"user": ${index}}`).join(
    '\n',
  ),
  { toolName: 'readLog', toolCallId: 'call_1' },
);

function claim(number: number, named: number) {
  return { path, startLine: named, endLine: named, quote: `INFO request ${number} served` };
}

function invented(number: number) {
  return { path, startLine: 5, endLine: 5, quote: `ERROR pool ${number} exhausted, {"user": 5, "role": "admin"}` };
}

/** The same artifacts, which count all streamed bytes. */
function counted(): { artifacts: Artifacts; streams: number; streamed: number } {
  const count = { artifacts: { ...artifacts }, streams: 0, streamed: 0 };
  count.artifacts.readStream = async (...call) => {
    count.streams++;
    const stream = await artifacts.readStream(...call);
    return stream.pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          count.streamed += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
  };
  return count;
}

describe('the cost', () => {
  test('is one pass over an artifact for all quotes that are not at their named lines', async () => {
    const count = counted();
    const claims = [...Array.from({ length: 16 }, (_, index) => invented(index)), claim(10, 10), claim(39_000, 7)];
    const evidence = await checkEvidence(count.artifacts, claims);
    expect(evidence.map(({ verified }) => verified)).toEqual([...Array(16).fill(false), true, true]);
    expect(evidence.filter(({ unchecked }) => unchecked)).toEqual([]);
    expect(count).toMatchObject({ streams: 1, streamed: bytes });
  });

  test('needs no pass if all quotes are at their named lines', async () => {
    const count = counted();
    await checkEvidence(count.artifacts, [claim(10, 10), claim(30_000, 30_003), claim(LINES, LINES)]);
    expect(count.streams).toBe(0);
  });

  test('ends when no other place could be nearer', async () => {
    const large = await artifacts.save(`a needle-4711 here\n${'nothing of it\n'.repeat(1_000_000)}`, {
      toolName: 'readLog',
      toolCallId: 'call_2',
    });
    const count = counted();
    const [found] = await checkEvidence(count.artifacts, [
      { path: large.path, startLine: 400, endLine: 400, quote: 'a needle-4711 here' },
    ]);
    expect(found).toMatchObject({ verified: true, startLine: 1 });
    expect(count.streamed).toBeLessThan(large.bytes / 4);
  });

  test('is bounded: quotes whose search did not end are unchecked, and found quotes remain verified', async () => {
    const count = counted();
    const evidence = await checkEvidence(count.artifacts, [claim(100, 900), invented(1), claim(39_000, 7)], {
      maxBytes: 100_000,
    });
    expect(evidence.map(({ verified, unchecked }) => [verified, unchecked])).toEqual([
      [true, undefined],
      [false, true],
      [false, true],
    ]);
    expect(count.streamed).toBeLessThan(bytes);
    expect(await checkEvidence(artifacts, [claim(10, 10), claim(10, 900)], { maxBytes: 0 })).toMatchObject([
      { verified: true },
      { verified: false, unchecked: true },
    ]);
  });

  test.each([
    ['deadlineMs', { deadlineMs: 0 }],
    ['maxBytes', { maxBytes: -1 }],
  ])('cannot be an invalid limit: %s', async (option, options) => {
    await expect(checkEvidence(artifacts, [claim(10, 10)], options)).rejects.toThrow(`\`${option}\` must be`);
  });
});

describe('a quote that could not be looked up is unchecked, not missing:', () => {
  const other = 'INFO request 39000 served';

  test.each<[string, Partial<Artifacts>]>([
    ['the store does not tell', { info: () => Promise.reject(new Error('EIO')) }],
    ['the lines cannot be read', { readLines: () => Promise.reject(new Error('EIO')) }],
    ['the rest cannot be read', { readStream: () => Promise.reject(new Error('EIO')) }],
    ['the rest breaks off', { readStream: async () => ReadableStream.from(brokenOff()) }],
    ['the store hangs', { info: () => new Promise(() => {}) }],
    ['the lines hang', { readLines: () => new Promise(() => {}) }],
    ['the rest hangs', { readStream: async () => new ReadableStream() }],
  ])('%s', async (_, failing) => {
    const claims = [{ path, startLine: 5, endLine: 5, quote: other }];
    const [evidence] = await checkEvidence({ ...artifacts, ...failing }, claims, { deadlineMs: 50 });
    expect(evidence).toEqual({ path, startLine: 5, endLine: 5, quote: other, verified: false, unchecked: true });
  });

  test('an artifact that hangs leaves the others their time', async () => {
    const second = await artifacts.save('one\ntwo\n'.repeat(100) + other, { toolName: 'other', toolCallId: 'call_1' });
    const halting: Artifacts = {
      ...artifacts,
      readStream: async (each, options) =>
        each === path ? new ReadableStream() : afterAWhile(await artifacts.readStream(each, options)),
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const claims = [path, second.path].map((each) => ({ path: each, startLine: 5, endLine: 5, quote: other }));
    const evidence = await asTimePasses(checkEvidence(halting, claims, { deadlineMs: 1000 }));
    expect(evidence).toMatchObject([{ unchecked: true }, { verified: true, startLine: 201 }]);
  });

  test('a lookup that hangs does not delay the others', async () => {
    const second = await artifacts.save(other, { toolName: 'other', toolCallId: 'call_1' });
    const halting: Artifacts = {
      ...artifacts,
      info: (each, options) => (each === path ? new Promise(() => {}) : artifacts.info(each, options)),
    };
    const told = new Promise((resolve) => {
      void checkEvidence(halting, [claim(5, 5), { ...claim(39_000, 1), path: second.path }], {
        deadlineMs: 60_000,
        abortSignal: AbortSignal.timeout(5000),
        onChecked: resolve,
      }).catch(() => {});
    });
    expect(await told).toMatchObject([{ path: second.path, verified: true }]);
  });

  test('except in a missing artifact, where the quote is missing too', async () => {
    const gone: Artifacts = { ...artifacts, info: (each) => Promise.reject(new ArtifactNotFoundError(each)) };
    expect(await checkEvidence(gone, [claim(5, 5)])).toEqual([{ ...claim(5, 5), verified: false }]);
  });
});

test('a search ends at once when the caller leaves', async () => {
  const controller = new AbortController();
  const halting: Artifacts = {
    ...artifacts,
    readStream: async () => {
      queueMicrotask(() => controller.abort(new Error('gone')));
      return new ReadableStream();
    },
  };
  const checking = checkEvidence(halting, [claim(10, 900)], { abortSignal: controller.signal });
  await expect(checking).rejects.toThrow('gone');
});

test('all lookups stop when the time is up', async () => {
  let signal: AbortSignal | undefined;
  const halting: Artifacts = {
    ...artifacts,
    info: (_, options) => {
      signal = options?.abortSignal;
      return new Promise(() => {});
    },
  };
  await checkEvidence(halting, [claim(10, 900)], { deadlineMs: 20 });
  expect(signal?.aborted).toBe(true);
  const cancelled = new Promise((resolve) => {
    const endless: Artifacts = {
      ...artifacts,
      readStream: async () =>
        new ReadableStream({
          pull: (each) => each.enqueue(new TextEncoder().encode('nothing of it\n'.repeat(1000))),
          cancel: resolve,
        }),
    };
    void checkEvidence(endless, [claim(10, 900)], { deadlineMs: 100, maxBytes: Number.MAX_SAFE_INTEGER });
  });
  await cancelled;
});

test.each<[string, Partial<Artifacts>, number]>([
  ['half of ten seconds for the named lines', { info: () => new Promise(() => {}) }, 5000],
  ['ten seconds in all', { readStream: async () => new ReadableStream() }, 10_000],
])('the check takes at most %s', async (_, failing, milliseconds) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const ended = vi.fn();
    void checkEvidence({ ...artifacts, ...failing }, [claim(10, 900)]).then(ended);
    // The reads of the memory store are done in a few turns of the loop.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(milliseconds - 10);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(ended).toHaveBeenCalledWith([{ ...claim(10, 900), verified: false, unchecked: true }]);
  } finally {
    vi.useRealTimers();
  }
});

test('checks twenty claims in many turns of the event loop, for any text and quotes', async () => {
  const saved = await artifacts.save(`${'a '.repeat(30_000)}\n`.repeat(20), {
    toolName: 'readLog',
    toolCallId: 'call_2',
  });
  const claims = Array.from({ length: 20 }, (_, index) => {
    return { path: saved.path, startLine: index + 1, endLine: index + 1, quote: `${'a '.repeat(200)}b` };
  });
  const turnsMs: number[] = [];
  await watchTurns(
    () => checkEvidence(artifacts, claims, { maxBytes: 0 }),
    (milliseconds) => turnsMs.push(milliseconds),
  );
  const totalMs = turnsMs.reduce((sum, milliseconds) => sum + milliseconds, 0);
  expect(Math.max(...turnsMs)).toBeLessThan(totalMs / 4);
});

test('no timer and no listener remains, whether a quote was found, missing or timed out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const controller = new AbortController();
  const added = vi.spyOn(controller.signal, 'addEventListener');
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  await checkEvidence(artifacts, [claim(10, 10), claim(10, 900), invented(1), { ...claim(1, 1), path: 'nothing' }], {
    abortSignal: controller.signal,
  });
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  expect(added.mock.calls.length).toBeGreaterThan(0);
  expect(removed.mock.calls.length).toBe(added.mock.calls.length);
});

/** A store that takes its time: 30 ms before the first byte. */
function afterAWhile(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const wait = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: () => new Promise((resolve) => setTimeout(resolve, 30)),
  });
  return stream.pipeThrough(wait);
}

async function* brokenOff(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode('INFO request 1 served\n');
  throw new Error('ECONNRESET');
}
