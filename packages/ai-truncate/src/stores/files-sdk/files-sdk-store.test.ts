import { type Adapter, Files } from 'files-sdk';
import { fs } from 'files-sdk/fs';
import { memory } from 'files-sdk/memory';
import { s3 } from 'files-sdk/s3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { InvalidOptionError } from '../../errors.ts';
import { type FilesSdk, filesSdkStore } from './files-sdk-store.ts';

const text = { contentType: 'text/plain' };

async function* body(bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield Uint8Array.from({ length: bytes }, (_, index) => index);
}

/** A real `Files` over the memory adapter, with some methods replaced. */
function filesWith(changed: (adapter: Adapter) => Partial<Adapter>): Files {
  const adapter: Adapter = memory();
  return new Files({ adapter: { ...adapter, ...changed(adapter) } });
}

async function read(stream: ReadableStream<Uint8Array> | undefined): Promise<number[] | undefined> {
  return stream && [...new Uint8Array(await new Response(stream).arrayBuffer())];
}

describe('filesSdkStore', () => {
  test('accepts a `Files` over any adapter', () => {
    const region = 'eu-central-1';
    const all: FilesSdk[] = [
      new Files({ adapter: fs({ root: '/tmp' }) }),
      new Files({ adapter: memory() }),
      new Files({ adapter: s3({ bucket: 'b', region }) }),
      new Files({ adapter: s3({ bucket: 'b', region, endpoint: 'http://127.0.0.1:1' }) }).readonly(),
    ];
    for (const files of all) expect(filesSdkStore(files).locate('a/b.txt')).toBeUndefined();
  });

  test.each([undefined, null, 'bucket', {}, memory(), new Files({ adapter: memory() }).file('a')])(
    'refuses an object that is not a `Files`, such as an adapter (%#)',
    (files) => {
      expect(() => filesSdkStore(files as never)).toThrow(InvalidOptionError);
      expect(() => filesSdkStore(files as never)).toThrow('new Files({ adapter');
    },
  );

  test.each(['tool-output', '/a/', '../', 'a/../', 'a//', './', 7])('refuses the prefix %j', (prefix) => {
    const files = new Files({ adapter: memory() });
    expect(() => filesSdkStore(files, { prefix: prefix as never })).toThrow('`prefix` must be');
  });

  test('refuses a deadline that is not a time', () => {
    const files = new Files({ adapter: memory() });
    expect(() => filesSdkStore(files, { timeoutMs: 0 })).toThrow('`timeoutMs` must be');
    expect(() => filesSdkStore(files, { timeoutMs: Number.POSITIVE_INFINITY })).toThrow('`timeoutMs` must be');
  });

  test('reads ranges from an adapter without ranges, and cancels the rest', async () => {
    let isCancelled = false;
    const files = filesWith((adapter) => ({
      supportsRange: false,
      download: async (key, options) => {
        const file = await adapter.download(key, options);
        const chunks = [0, 1, 2, 3].map((at) => Uint8Array.of(at * 2, at * 2 + 1));
        const stream = new ReadableStream<Uint8Array>(
          {
            pull: (controller) => controller.enqueue(chunks.shift() ?? new Uint8Array()),
            cancel: () => {
              isCancelled = true;
            },
          },
          { highWaterMark: 0 },
        );
        return { ...file, stream: () => stream };
      },
    }));
    const store = filesSdkStore(files);
    await store.put('a/a.bin', body(8), text);
    expect(await read(await store.get('a/a.bin', { start: 1, end: 4 }))).toEqual([1, 2, 3]);
    expect(isCancelled).toBe(true);
  });

  test.each(['request', 'body'])('reads nothing past the end when %s fails there', async (failing) => {
    const failure = new Error('416');
    const files = filesWith((adapter) => ({
      download: async (key) => {
        if (failing === 'request') throw failure;
        const stream = () => new ReadableStream({ start: (controller) => controller.error(failure) });
        return { ...(await adapter.download(key)), size: 0, stream };
      },
    }));
    const store = filesSdkStore(files);
    await store.put('a/a.bin', body(8), text);
    expect(await read(await store.get('a/a.bin', { start: 8 }))).toEqual([]);
    await expect(store.get('a/a.bin', { start: 7 }).then(read)).rejects.toThrow('416');
  });

  test('ends with an error when fewer bytes arrive than were announced', async () => {
    const files = filesWith((adapter) => ({
      download: async (key, options) => {
        const file = await adapter.download(key, options);
        return { ...file, stream: () => new Blob([new Uint8Array(3)]).stream() };
      },
    }));
    const store = filesSdkStore(files);
    await store.put('a/a.bin', body(8), text);
    await expect(read(await store.get('a/a.bin'))).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
  });

  test('ends a body that hangs at the deadline, even if the adapter ignores the signal', async () => {
    const never = new Promise<never>(() => {});
    const files = filesWith((adapter) => ({
      download: async (key, options) => ({
        ...(await adapter.download(key, options)),
        stream: () => new ReadableStream({ pull: () => never }),
      }),
    }));
    const store = filesSdkStore(files, { timeoutMs: 50 });
    await store.put('a/a.bin', body(8), text);
    await expect(read(await store.get('a/a.bin'))).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
  });

  test('does not count the time of a reader', async () => {
    const store = filesSdkStore(new Files({ adapter: memory() }), { timeoutMs: 20 });
    await store.put('a/a.bin', body(8), text);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const stream = await store.get('a/a.bin');
    await vi.advanceTimersByTimeAsync(60);
    expect(await read(stream)).toHaveLength(8);
  });

  test('refuses a listing that is out of order', async () => {
    const files = filesWith((adapter) => ({
      list: async (options) => {
        const page = await adapter.list(options);
        return { ...page, items: page.items.toReversed() };
      },
    }));
    const store = filesSdkStore(files);
    for (const name of ['a', 'b']) await store.put(`x/${name}.txt`, body(1), text);
    const walk = async () => {
      for await (const _ of store.list('x/')) {
      }
    };
    await expect(walk()).rejects.toMatchObject({ code: 'UNORDERED_LIST' });
  });
});

describe("a proxy's page in place of an artifact", () => {
  /** A real `Files` that answers downloads of artifacts with additional bytes. */
  function filesBehindProxy({ more, size }: { more: number; size: (bytes: number) => number }): Files {
    return filesWith((adapter) => ({
      download: async (key, options) => {
        const file = await adapter.download(key, options);
        if (key.endsWith('.info.json')) return file;
        const { size: bytes } = await adapter.download(key);
        const page = new TextEncoder().encode('<'.repeat(bytes + more));
        return { ...file, size: size(page.length), stream: () => new Blob([page]).stream() };
      },
    }));
  }

  const sizes = { declared: (bytes: number) => bytes, 'not declared': () => 0 };

  test.each(Object.entries(sizes).flatMap(([name, size]) => [1, 5000].map((more) => ({ name, size, more }))))(
    'is refused with $more more bytes, length $name',
    async (proxy) => {
      const files = filesBehindProxy(proxy);
      const artifacts = scopedArtifacts(filesSdkStore(files), { scope: 'chat-1' });
      const { name } = await artifacts.save('line\n'.repeat(100), { toolName: 'run', toolCallId: 'call_1' });
      const refused = { code: expect.stringMatching(/^(STORE_ANSWER|INCOMPLETE_READ)$/) };
      await expect(artifacts.readLines(name, { count: 1000 })).rejects.toMatchObject(refused);
      await expect(artifacts.readLines(name, { start: 40, count: 2 })).rejects.toMatchObject(refused);
      await expect(artifacts.readBytes(name, { start: 490 })).rejects.toMatchObject(refused);
    },
  );
});
