import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { wholeStream } from './whole-stream.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A source whose chunks have these sizes. */
function sourceOf(sizes: readonly number[], { end = true } = {}) {
  const onCancel = vi.fn();
  const left = [...sizes];
  let pulls = 0;
  const stream = new ReadableStream<Bytes>(
    {
      pull(controller) {
        pulls++;
        const size = left.shift();
        if (size !== undefined) controller.enqueue(new Uint8Array(size).fill(pulls));
        else if (end) controller.close();
        else return new Promise(() => {});
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
  return { stream, onCancel, pulls: () => pulls };
}

const wrap = (stream: ReadableStream<Bytes>, bytes: number, signal?: AbortSignal) =>
  wholeStream(stream, { name: 'a.txt', bytes, signal });
const read = async (stream: ReadableStream<Bytes>) => new Uint8Array(await new Response(stream).arrayBuffer());

describe('a stream of a store', () => {
  test.each([[[]], [[0]], [[3]], [[1, 0, 2]]])('is passed on in full: chunks of %j bytes', async (sizes) => {
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(await read(wrap(sourceOf(sizes).stream, total))).toEqual(await read(sourceOf(sizes).stream));
  });

  test.each([
    [[], 1],
    [[3], 4],
    [[3], 2],
    [[3, 1], 3],
    [[1, 1_000_000], 3],
  ])('with chunks of %j bytes ends with an error if %i are expected', async (sizes, expected) => {
    const reading = read(wrap(sourceOf(sizes).stream, expected));
    await expect(reading).rejects.toMatchObject({
      code: 'INCOMPLETE_READ',
      message: expect.stringContaining('`a.txt`'),
    });
  });

  test('is not read further than one chunk too many, and then canceled', async () => {
    const { stream, onCancel, pulls } = sourceOf([3, 3, 3, 3, 3], { end: false });
    await expect(read(wrap(stream, 5))).rejects.toThrow('6 bytes instead of 5');
    expect(pulls()).toBe(2);
    expect(onCancel).toHaveBeenCalledOnce();
  });

  test('is read only as its reader asks', async () => {
    const { stream, pulls } = sourceOf([1, 1, 1]);
    const reader = wrap(stream, 3).getReader();
    await nextTurn();
    expect(pulls()).toBe(0);
    await reader.read();
    await nextTurn();
    expect(pulls()).toBe(1);
  });

  test('is canceled with its reader, for the same reason', async () => {
    const { stream, onCancel } = sourceOf([1, 1]);
    const reader = wrap(stream, 2).getReader();
    await reader.read();
    await reader.cancel('enough');
    expect(onCancel).toHaveBeenCalledExactlyOnceWith('enough');
  });

  test('passes on the error of the store', async () => {
    const error = new Error('connection lost');
    const stream = new ReadableStream<Bytes>({ pull: (controller) => controller.error(error) });
    await expect(read(wrap(stream, 2))).rejects.toBe(error);
  });
});

describe('a signal', () => {
  test('ends a read that the store never answers, with its reason', async () => {
    const { stream, onCancel } = sourceOf([1], { end: false });
    const controller = new AbortController();
    const reader = wrap(stream, 5, controller.signal).getReader();
    await reader.read();
    const pending = reader.read();
    const reason = new Error('left');
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect(onCancel).toHaveBeenCalledExactlyOnceWith(reason);
  });

  test('is heard between two reads, too', async () => {
    const controller = new AbortController();
    const reader = wrap(sourceOf([1, 1]).stream, 2, controller.signal).getReader();
    await reader.read();
    controller.abort(new Error('left'));
    await expect(reader.read()).rejects.toThrow('left');
  });

  test('does not hide its reason if the store cannot be canceled', async () => {
    const controller = new AbortController();
    const stream = new ReadableStream<Bytes>(
      { pull: () => new Promise(() => {}), cancel: () => Promise.reject(new Error('cannot')) },
      { highWaterMark: 0 },
    );
    const pending = wrap(stream, 1, controller.signal).getReader().read();
    controller.abort(new Error('left'));
    await expect(pending).rejects.toThrow('left');
  });

  test('is not listened to after the end, however the stream ends', async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    await read(wrap(sourceOf([2]).stream, 2, signal));
    await read(wrap(sourceOf([2]).stream, 3, signal)).catch(() => {});
    await wrap(sourceOf([2]).stream, 2, signal).cancel();
    expect(removed).toHaveBeenCalledTimes(3);
  });
});
