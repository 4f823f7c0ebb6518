import { type Adapter, Files } from 'files-sdk';
import { memory } from 'files-sdk/memory';
import { describe, expect, test } from 'vitest';
import { stallingBody } from '../../../fixtures/stalling-body.ts';
import { filesSdkStore } from './files-sdk-store.ts';

const text = { contentType: 'text/plain' };

async function* body(bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield Uint8Array.from({ length: bytes }, (_, index) => index);
}

/** A real `Files` over the memory adapter, with some methods replaced. */
function filesWith(changed: (adapter: Adapter) => Partial<Adapter>): Files {
  const adapter: Adapter = memory();
  return new Files({ adapter: { ...adapter, ...changed(adapter) } });
}

function ignore(): undefined {}

/** The last byte of chunks that are filled with their sizes. */
const lastByte = (sizes: readonly number[]) => new Uint8Array(sizes.filter((size) => size > 0)).at(-1);

describe('an upload', () => {
  /** Puts chunks of these sizes, and records how they arrive at the adapter. */
  async function sent(sizes: readonly number[]): Promise<(number | 'stream')[]> {
    const bodies: (number | 'stream')[] = [];
    const files = filesWith((adapter) => ({
      upload: (key, value, options) => {
        bodies.push(value instanceof Uint8Array ? value.length : 'stream');
        return adapter.upload(key, value, options);
      },
    }));
    const store = filesSdkStore(files);
    async function* chunks() {
      for (const size of sizes) yield new Uint8Array(size).fill(size);
    }
    await store.put('a/a.bin', chunks(), text);
    const stored = await new Response(await store.get('a/a.bin')).bytes();
    expect([stored.length, stored.at(-1)]).toEqual([sizes.reduce((sum, size) => sum + size, 0), lastByte(sizes)]);
    return bodies;
  }

  test.each([[[]], [[1]], [[3, 0, 5]], [[8_000_000]]])('is one value in memory up to 8 MB: %j bytes', async (sizes) => {
    expect(await sent(sizes)).toEqual([sizes.reduce<number>((sum, size) => sum + size, 0)]);
  });

  test.each([[[8_000_001]], [[8_000_000, 1]]])('is a stream of its chunks above 8 MB: %j bytes', async (sizes) => {
    expect(await sent(sizes)).toEqual(['stream']);
  });

  test('closes a body that stalls when its upload fails', async () => {
    const files = filesWith(() => ({
      upload: async (_key, stream) => {
        const reader = (stream as ReadableStream).getReader();
        for (let chunk = 0; chunk < 10; chunk++) await reader.read();
        void reader.read();
        throw new Error('no connection');
      },
    }));
    const { body: stalling, closed } = stallingBody(Array.from({ length: 10 }, () => new Uint8Array(1_000_000)));
    await expect(filesSdkStore(files).put('a/a.bin', stalling, text)).rejects.toThrow('no connection');
    await closed;
  });

  test.each(['fails', 'succeeds'])(
    'stores no part of a source that failed if an adapter stores half of it and %s',
    async (end) => {
      const files = filesWith((adapter) => ({
        upload: async (key, stream, options) => {
          const reader = (stream as ReadableStream<Uint8Array>).getReader();
          while (await reader.read().catch(ignore)) {}
          const result = await adapter.upload(key, 'half', options);
          if (end === 'fails') throw new Error('FTP: 426');
          return result;
        },
      }));
      const failure = new Error('the tool failed');
      async function* failing() {
        yield new Uint8Array(9_000_000);
        throw failure;
      }
      const store = filesSdkStore(files);
      await expect(store.put('a/a.bin', failing(), text)).rejects.toBe(failure);
      expect(await store.head('a/a.bin')).toBeUndefined();
    },
  );

  test('prevents an adapter that ignores the signal from storing half a value after the deadline', async () => {
    let goOn: () => void = ignore;
    const pause = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let upload: Promise<unknown> | undefined;
    const files = filesWith((adapter) => ({
      upload: (key, stream, options) => {
        const reader = (stream as ReadableStream<Uint8Array>).getReader();
        const run = async () => {
          await reader.read();
          await pause;
          while (!(await reader.read()).done) {}
          return adapter.upload(key, 'half', options);
        };
        const running = run();
        upload = running.catch(ignore);
        return running;
      },
    }));
    const store = filesSdkStore(files, { timeoutMs: 20 });
    await expect(store.put('a/a.bin', body(9_000_000), text)).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
    goOn();
    await upload;
    expect(await store.head('a/a.bin')).toBeUndefined();
  });

  test('ends a failed put at once, and still looks for its value', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    let hasFailed = false;
    const files = filesWith((adapter) => ({
      upload: async () => {
        hasFailed = true;
        throw new Error('broken');
      },
      head: async (key) => {
        if (!hasFailed) return adapter.head(key);
        controller.abort(reason);
        return new Promise<never>(ignore);
      },
    }));
    const put = filesSdkStore(files).put('a/a.bin', body(8), { ...text, signal: controller.signal });
    await expect(put).rejects.toBe(reason);
  });
});
