import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import type { KeepFunction } from '../preview/limits.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import type { TruncationEvent } from './events.ts';

const large = 'line\n'.repeat(3000);
const identity = { store: memoryStore(), scope: 'chat-1', toolName: 'run', toolCallId: 'call_1' };
let warn: MockInstance;

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function eventOf(keep: KeepFunction, abortSignal?: AbortSignal): Promise<TruncationEvent | undefined> {
  let event: TruncationEvent | undefined;
  const onTruncate = (each: TruncationEvent): void => {
    event = each;
  };
  await truncateOutput(large as unknown, { ...identity, keep, onTruncate, abortSignal });
  return event;
}

describe('a `keep` function that fails', () => {
  test.each<[string, () => KeepFunction, unknown]>([
    [
      'throws',
      () => () => {
        throw new Error('broken');
      },
      expect.objectContaining({ message: 'broken' }),
    ],
    ['rejects', () => () => Promise.reject(new Error('broken')), expect.objectContaining({ message: 'broken' })],
    [
      'throws nothing',
      () => () => {
        throw undefined;
      },
      expect.any(TypeError),
    ],
    ['answers with a number', () => () => 7 as never, expect.any(TypeError)],
  ])('because it %s is in the event, and is printed once', async (_, make, keepError) => {
    const keep = make();
    for (let calls = 0; calls < 3; calls++) {
      expect(await eventOf(keep)).toMatchObject({ keepError, path: expect.any(String) });
    }
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('`keep`'), keepError);
  });

  test('because it hangs is in the event', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const event = eventOf(() => new Promise<never>(() => {}));
    while (warn.mock.calls.length === 0) {
      await vi.advanceTimersByTimeAsync(31_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await event).toMatchObject({ keepError: { message: expect.stringContaining('`keep`') } });
  });

  test('because the caller aborted is not printed', async () => {
    const controller = new AbortController();
    const keep = () => {
      controller.abort(new Error('left'));
      return new Promise<never>(() => {});
    };
    await eventOf(keep, controller.signal).catch(() => {});
    expect(warn).not.toHaveBeenCalled();
  });
});

test.each<[string, KeepFunction]>([
  ['answers', () => 'short'],
  ['returns nothing', () => undefined],
])('a `keep` function that %s has no error in the event', async (_, keep) => {
  expect(await eventOf(keep)).not.toHaveProperty('keepError');
  expect(warn).not.toHaveBeenCalled();
});
