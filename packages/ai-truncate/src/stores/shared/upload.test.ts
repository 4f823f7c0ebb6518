import { describe, expect, test, vi } from 'vitest';
import { stallingBody } from '../../../fixtures/stalling-body.ts';
import { Source } from './upload.ts';

describe('Source', () => {
  test('counts chunks, and recognizes the end', async () => {
    const source = new Source(
      (async function* () {
        yield Uint8Array.of(1, 2);
        yield Uint8Array.of(3);
      })(),
    );
    expect(await source.next()).toEqual(Uint8Array.of(1, 2));
    expect(source).toMatchObject({ bytes: 2, isDone: false });
    expect(await source.next()).toEqual(Uint8Array.of(3));
    expect(await source.next()).toBeUndefined();
    expect(source).toMatchObject({ bytes: 3, isDone: true, failure: undefined });
  });

  test('also reads an array of chunks', async () => {
    const source = new Source([Uint8Array.of(1)]);
    expect([await source.next(), await source.next()]).toEqual([Uint8Array.of(1), undefined]);
  });

  test('stores the error of the body', async () => {
    const error = new Error('the tool failed');
    const source = new Source({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
    });
    await expect(source.next()).rejects.toBe(error);
    expect(source).toMatchObject({ failure: { error }, isDone: false });
  });

  test('closes a body that is not read to its end', async () => {
    const closed = vi.fn();
    const source = new Source(
      (async function* () {
        try {
          while (true) yield new Uint8Array(1);
        } finally {
          closed();
        }
      })(),
    );
    await source.next();
    source.close();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
  });

  test('closes a body that it is still waiting for at once', async () => {
    const { body, closed } = stallingBody([Uint8Array.of(1)]);
    const source = new Source(body);
    await source.next();
    source.next().catch(() => {});
    source.close();
    await closed;
  });

  test.each([
    ['has ended', async () => ({ done: true as const, value: undefined })],
    ['has failed', () => Promise.reject(new Error('the tool failed'))],
    ['was never begun', undefined],
  ])('closes no body that %s', async (_, next) => {
    const close = vi.fn(async () => ({ done: true as const, value: undefined }));
    const source = new Source({
      [Symbol.asyncIterator]: () => ({ next: next ?? (() => Promise.reject()), return: close }),
    });
    if (next) await source.next().catch(() => {});
    source.close();
    expect(close).not.toHaveBeenCalled();
  });

  test('is closed at once, and its error ignored, when the body stalls, cannot be closed or fails on closing', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const never = new Promise<never>(() => {});
    const next = async () => ({ done: false, value: new Uint8Array(1) });
    const iterators = [
      { next: () => never },
      { next },
      { next, return: () => Promise.reject(new Error('late')) },
      {
        next,
        return: () => {
          throw new Error('late');
        },
      },
    ];
    for (const iterator of iterators) {
      const source = new Source({ [Symbol.asyncIterator]: () => iterator });
      const reading = source.next();
      if (iterator !== iterators[0]) await reading;
      source.close();
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
