import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { longestTurnOf } from '../../../fixtures/longest-turn.ts';
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
  return { path, start_line: named, end_line: named, quote: `INFO request ${number} served` };
}

function invented(number: number) {
  return { path, start_line: 5, end_line: 5, quote: `ERROR pool ${number} exhausted, {"user": 5, "role": "admin"}` };
}

/** The same artifacts, of which all that is streamed is counted. */
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

describe('what it may cost', () => {
  test('is one pass over an artifact, for all the quotes that are not where they were said to be', async () => {
    const count = counted();
    const claims = [...Array.from({ length: 16 }, (_, index) => invented(index)), claim(10, 10), claim(39_000, 7)];
    const evidence = await checkEvidence(count.artifacts, claims);
    expect(evidence.map(({ verified }) => verified)).toEqual([...Array(16).fill(false), true, true]);
    expect(evidence.filter(({ unchecked }) => unchecked)).toEqual([]);
    expect(count).toMatchObject({ streams: 1, streamed: bytes });
  });

  test('is no pass at all, when all are where they were said to be', async () => {
    const count = counted();
    await checkEvidence(count.artifacts, [claim(10, 10), claim(30_000, 30_003), claim(LINES, LINES)]);
    expect(count.streams).toBe(0);
  });

  test('ends where no other place could be nearer', async () => {
    const large = await artifacts.save(`a needle-4711 here\n${'nothing of it\n'.repeat(1_000_000)}`, {
      toolName: 'readLog',
      toolCallId: 'call_2',
    });
    const count = counted();
    const [found] = await checkEvidence(count.artifacts, [
      { path: large.path, start_line: 400, end_line: 400, quote: 'a needle-4711 here' },
    ]);
    expect(found).toMatchObject({ verified: true, start_line: 1 });
    expect(count.streamed).toBeLessThan(large.bytes / 4);
  });

  test('is bounded: what was not looked for to the end is unchecked, what was found stands', async () => {
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
  ])('is refused when it makes no sense: %s', async (option, options) => {
    await expect(checkEvidence(artifacts, [claim(10, 10)], options)).rejects.toThrow(`\`${option}\` must be`);
  });
});

describe('what could not be looked up is unchecked, which is not the same as not there:', () => {
  const other = 'INFO request 39000 served';

  test.each<[string, Partial<Artifacts>]>([
    ['the store does not tell', { info: () => Promise.reject(new Error('EIO')) }],
    ['the lines cannot be read', { readLines: () => Promise.reject(new Error('EIO')) }],
    ['the rest cannot be read', { readStream: () => Promise.reject(new Error('EIO')) }],
    ['the rest breaks off', { readStream: async () => ReadableStream.from(brokenOff()) }],
    ['the store stands still', { info: () => new Promise(() => {}) }],
    ['the lines stand still', { readLines: () => new Promise(() => {}) }],
    ['the rest stands still', { readStream: async () => new ReadableStream() }],
  ])('%s', async (_, failing) => {
    const claims = [{ path, start_line: 5, end_line: 5, quote: other }];
    const [evidence] = await checkEvidence({ ...artifacts, ...failing }, claims, { deadlineMs: 50 });
    expect(evidence).toEqual({ path, start_line: 5, end_line: 5, quote: other, verified: false, unchecked: true });
  });

  test('and one artifact that stands still leaves the others their time', async () => {
    const second = await artifacts.save('one\ntwo\n'.repeat(100) + other, { toolName: 'other', toolCallId: 'call_1' });
    const halting: Artifacts = {
      ...artifacts,
      readStream: async (each, options) =>
        each === path ? new ReadableStream() : afterAWhile(await artifacts.readStream(each, options)),
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const claims = [path, second.path].map((each) => ({ path: each, start_line: 5, end_line: 5, quote: other }));
    const evidence = await asTimePasses(checkEvidence(halting, claims, { deadlineMs: 1000 }));
    expect(evidence).toMatchObject([{ unchecked: true }, { verified: true, start_line: 201 }]);
  });

  test('and one lookup that stands still keeps no other from its lines', async () => {
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

  test('but an artifact that is not there has no such quote', async () => {
    const gone: Artifacts = { ...artifacts, info: (each) => Promise.reject(new ArtifactNotFoundError(each)) };
    expect(await checkEvidence(gone, [claim(5, 5)])).toEqual([{ ...claim(5, 5), verified: false }]);
  });
});

test('ends at once when its caller goes while it searches', async () => {
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

test('stops all that it began when its time is up', async () => {
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
])('takes at most %s', async (_, failing, milliseconds) => {
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

test('blocks the event loop no longer with twenty claims than with one, whatever the text and the quotes', async () => {
  const saved = await artifacts.save(`${'a '.repeat(30_000)}\n`.repeat(20), {
    toolName: 'readLog',
    toolCallId: 'call_2',
  });
  const claims = Array.from({ length: 20 }, (_, index) => {
    return { path: saved.path, start_line: index + 1, end_line: index + 1, quote: `${'a '.repeat(200)}b` };
  });
  expect(await longestTurnOf(() => checkEvidence(artifacts, claims, { maxBytes: 0 }))).toBeLessThan(50);
});

test('leaves no timer and no listener behind, whether it found, missed or waited in vain', async () => {
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
