import { describe, expect, test, vi } from 'vitest';
import { streamOf } from '../artifact-store.ts';
import { type ReadStreamOptions, toReadStream } from './read-stream.ts';

/** Returns the texts one by one, and then ends or hangs. */
function bodyOf(texts: string[], { hangs = false } = {}) {
  const results = texts.map((text) => ({ done: false, value: new TextEncoder().encode(text) }));
  const read = vi.fn(async () => results.shift() ?? (hangs ? new Promise<never>(() => {}) : { done: true }));
  return { read, cancel: vi.fn(async () => {}) };
}

function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

const whole: ReadStreamOptions = {
  key: 'folder/a.txt',
  start: 0,
  end: Number.POSITIVE_INFINITY,
  promisedBytes: undefined,
  timeoutMs: 1000,
  signal: undefined,
};

describe('toReadStream', () => {
  test('reads only as much as requested', async () => {
    const body = bodyOf(['one', 'two', 'three', 'four']);
    const reader = toReadStream(body, whole).getReader();
    await new Promise((resolve) => setImmediate(resolve));
    expect(body.read).toHaveBeenCalledTimes(0);
    await reader.read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(body.read).toHaveBeenCalledTimes(1);
  });

  test('cancels a body that continues after the range', async () => {
    const body = bodyOf(['0123', '4567', '89']);
    expect(await textOf(toReadStream(body, { ...whole, start: 2, end: 6, promisedBytes: 10 }))).toBe('2345');
    expect(body.read).toHaveBeenCalledTimes(2);
    expect(body.cancel).toHaveBeenCalledOnce();
  });

  test('cancels a body that breaks off, and says how much of it arrived', async () => {
    const body = bodyOf(['0123']);
    await expect(textOf(toReadStream(body, { ...whole, promisedBytes: 10 }))).rejects.toMatchObject({
      code: 'INCOMPLETE_READ',
      message: expect.stringContaining('`folder/a.txt` after 4 of 10 bytes'),
    });
    expect(body.cancel).toHaveBeenCalledOnce();
  });

  test('returns the existing bytes of a range that reaches past the end', async () => {
    expect(await textOf(toReadStream(bodyOf(['0123']), { ...whole, end: 10, promisedBytes: 4 }))).toBe('0123');
    expect(await textOf(toReadStream(bodyOf(['0123']), { ...whole, start: 8, end: 10, promisedBytes: 4 }))).toBe('');
  });

  test('ends where the body ends when no length was announced', async () => {
    expect(await textOf(toReadStream(bodyOf(['0123']), whole))).toBe('0123');
  });

  test('ends a body that stalls at the deadline, and cancels it', async () => {
    const body = bodyOf(['0123'], { hangs: true });
    await expect(textOf(toReadStream(body, { ...whole, timeoutMs: 20 }))).rejects.toMatchObject({
      code: 'STORE_TIMEOUT',
      message: expect.stringContaining('`get` within 20 ms'),
    });
    expect(body.cancel).toHaveBeenCalledOnce();
  });

  test('cancels the body when the signal aborts, even without a pending read, and rejects with its reason', async () => {
    const body = bodyOf(['0123', '4567']);
    const controller = new AbortController();
    const reader = toReadStream(body, { ...whole, signal: controller.signal }).getReader();
    await reader.read();
    const reason = new Error('stopped');
    controller.abort(reason);
    expect(body.cancel).toHaveBeenCalledExactlyOnceWith(reason);
    await expect(reader.read()).rejects.toBe(reason);
  });

  test('ends a read that hangs when the signal aborts', async () => {
    const controller = new AbortController();
    const reading = textOf(toReadStream(bodyOf([], { hangs: true }), { ...whole, signal: controller.signal }));
    controller.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });

  test('cancels the body when the signal is already aborted', async () => {
    const body = bodyOf(['0123']);
    const reason = new Error('stopped');
    await expect(textOf(toReadStream(body, { ...whole, signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(body.cancel).toHaveBeenCalledOnce();
    expect(body.read).not.toHaveBeenCalled();
  });

  test.each(['read to the end', 'cancelled', 'broken off'])('leaves no listener when it is %s', async (end) => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const promisedBytes = end === 'broken off' ? 10 : undefined;
    const stream = toReadStream(bodyOf(['0123']), { ...whole, signal, promisedBytes });
    if (end === 'cancelled') await stream.cancel();
    else await textOf(stream).catch(() => {});
    expect(added).toHaveBeenCalledOnce();
    expect(removed).toHaveBeenCalledWith('abort', added.mock.calls[0]?.[1]);
  });

  test('does not wait for a body that hangs when it is canceled', async () => {
    const body = { ...bodyOf(['0123']), cancel: () => new Promise<never>(() => {}) };
    await toReadStream(body, whole).cancel();
  });
});

test('a stream of no chunks is empty', async () => {
  expect(await textOf(streamOf([]))).toBe('');
});
