import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { ArtifactNotFoundError, ArtifactTooLargeError } from './artifacts.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';

const call = { toolName: 'readServerLogs', toolCallId: 'call_123' };
const day = 86_400_000;

function shared(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
  memory.set(bytes);
  return memory;
}

function kindOf(key: string): string {
  return key.endsWith('.info.json') ? 'side-car' : 'artifact';
}

async function listed(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

async function* failing(error: Error): AsyncGenerator<string> {
  yield 'x'.repeat(100_000);
  throw error;
}

describe('a save', () => {
  test('starts few of thousands in one turn of the event loop', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    await artifacts.save('text', call);
    const names = vi.spyOn(crypto, 'getRandomValues');
    const saves = Promise.all(Array.from({ length: 3000 }, () => artifacts.save('text', call)));
    await new Promise((resolve) => setImmediate(resolve));
    const begun = names.mock.calls.length;
    await saves;
    expect([begun < 1000, names.mock.calls.length]).toEqual([true, 3000]);
    names.mockRestore();
  });

  test.each<[string, (inner: ArtifactStore) => ArtifactStore['put']]>([
    ['at once', () => async () => {}],
    [
      'with its first chunk',
      (inner) => async (key, body, options) => {
        const { value } = await body[Symbol.asyncIterator]().next();
        await inner.put(key, ReadableStream.from(value ? [value] : []), options);
      },
    ],
  ])('does not trust a store that resolves before it has read everything: %s', async (_, toPut) => {
    const inner = memoryStore();
    const artifacts = scopedArtifacts({ ...inner, put: toPut(inner) }, { scope: 'chat-1', sweep: false });
    for (const content of ['x'.repeat(1_000_000), new Uint8Array(3_000_000), ReadableStream.from(['x', 'y'])]) {
      await expect(artifacts.save(content, call)).rejects.toMatchObject({ code: 'INCOMPLETE_WRITE' });
    }
    expect(await listed(inner)).toEqual([]);
  });

  test.each([
    ['a string', () => 'one\ntwo 🙂\n'],
    ['bytes', () => new TextEncoder().encode('one\ntwo 🙂\n')],
    ['a buffer', () => new TextEncoder().encode('one\ntwo 🙂\n').buffer],
    ['shared memory', () => shared('one\ntwo 🙂\n')],
    ['a Blob', () => new Blob(['one\ntwo 🙂\n'])],
    ['a web stream', () => ReadableStream.from(['one\n', 'two 🙂\n'])],
    ['a Node stream', () => Readable.from(['one\n', 'two 🙂\n'])],
    [
      'a generator',
      () =>
        (async function* () {
          yield 'one\ntwo ';
          yield '🙂\n';
        })(),
    ],
  ])('saves every byte of %s and counts it', async (_, content) => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const info = await artifacts.save(content(), call);
    expect(info).toMatchObject({ ...call, bytes: 13, lines: 3, mediaType: 'text/plain' });
    expect(await new Response(await artifacts.readStream(info.path)).text()).toBe('one\ntwo 🙂\n');
  });

  test('saves an empty output', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save('', call);
    expect(await artifacts.info(path)).toMatchObject({ bytes: 0, lines: 1 });
    expect((await artifacts.readLines(path)).lines).toMatchObject([{ number: 1, text: '', bytes: 0 }]);
    expect((await artifacts.readBytes(path)).bytes).toHaveLength(0);
  });

  test('writes the side-car last, because it commits the artifact', async () => {
    const puts: string[] = [];
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      put(key, ...rest) {
        puts.push(kindOf(key));
        return inner.put(key, ...rest);
      },
    };
    await scopedArtifacts(store, { scope: 'chat-1' }).save('text', call);
    expect(puts).toEqual(['artifact', 'side-car']);
  });

  test('says when the artifact may be deleted', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1', retentionDays: 30 });
    const { createdAt, expiresAt } = await artifacts.save('text', call);
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(30 * day);
    expect(Math.abs(createdAt.getTime() - Date.now())).toBeLessThan(60_000);
  });

  test('uses one of three content types, and never the type of a web page', async () => {
    const contentTypes: string[] = [];
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      put(key, body, options) {
        contentTypes.push(options.contentType);
        return inner.put(key, body, options);
      },
    };
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path } = await artifacts.save('<script>', { ...call, mediaType: 'text/html' });
    await artifacts.save('{}', { ...call, mediaType: 'application/json' });
    await artifacts.save('GIF', { ...call, mediaType: 'image/gif' });
    expect(contentTypes.filter((_, index) => index % 2 === 0)).toEqual([
      'text/plain; charset=utf-8',
      'application/json',
      'application/octet-stream',
    ]);
    expect((await artifacts.info(path)).mediaType).toBe('text/html');
  });

  test.each([
    ['fails', (error: Error) => ({ content: failing(error) })],
    ['is a stream that fails', (error: Error) => ({ content: Readable.from(failing(error)) })],
  ])('rejects with the error of a source that %s, and leaves nothing', async (_, make) => {
    const store = memoryStore();
    const error = new Error('tool broke');
    await expect(scopedArtifacts(store, { scope: 'chat-1' }).save(make(error).content, call)).rejects.toBe(error);
    expect(await listed(store)).toEqual([]);
  });

  test('rejects and leaves nothing when its signal aborts, even while the source is silent', async () => {
    const store = memoryStore();
    const controller = new AbortController();
    const reason = new Error('stopped');
    const onCancel = vi.fn();
    const silent = new ReadableStream<string>({
      start: (stream) => stream.enqueue('first'),
      pull() {
        // The first chunk is taken, and no other will come.
        controller.abort(reason);
        return new Promise(() => {});
      },
      cancel: onCancel,
    });
    const saving = scopedArtifacts(store, { scope: 'chat-1' }).save(silent, {
      ...call,
      abortSignal: controller.signal,
    });
    await expect(saving).rejects.toBe(reason);
    expect(onCancel).toHaveBeenCalledOnce();
    expect(await listed(store)).toEqual([]);
  });

  test('cancels a silent source when the store fails', async () => {
    const onCancel = vi.fn();
    const silent = new ReadableStream<string>({
      start: (stream) => stream.enqueue('x'.repeat(100_000)),
      cancel: onCancel,
    });
    const store: ArtifactStore = {
      ...memoryStore(),
      async put(_, body) {
        for await (const _ of body) throw new Error('no space left');
      },
    };
    await expect(scopedArtifacts(store, { scope: 'chat-1' }).save(silent, call)).rejects.toThrow('no space left');
    expect(onCancel).toHaveBeenCalledOnce();
  });

  test('also cancels a silent source when the store fails while it waits for the source', async () => {
    const onCancel = vi.fn();
    const silent = new ReadableStream<string>({ cancel: onCancel });
    const store: ArtifactStore = {
      ...memoryStore(),
      async put(_, body) {
        void body[Symbol.asyncIterator]().next();
        throw new Error('no space left');
      },
    };
    await expect(scopedArtifacts(store, { scope: 'chat-1' }).save(silent, call)).rejects.toThrow('no space left');
    await vi.waitFor(() => expect(onCancel).toHaveBeenCalledOnce());
  });

  test('does not wait for a store that hangs while it cleans up after an abort', async () => {
    const controller = new AbortController();
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      put: (key, body, options) =>
        kindOf(key) === 'artifact'
          ? inner.put(key, body, options)
          : new Promise((_, reject) => {
              options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
              controller.abort(new Error('stopped'));
            }),
      delete: () => new Promise(() => {}),
    };
    const saving = scopedArtifacts(store, { scope: 'chat-1' }).save('text', {
      ...call,
      abortSignal: controller.signal,
    });
    await expect(saving).rejects.toThrow('stopped');
  });

  test('saves the original bytes when their owner fills the buffer again', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    for (const bytes of [new TextEncoder().encode('one\ntwo'), Buffer.from('one\ntwo')]) {
      const { path } = await artifacts.save(bytes, call);
      bytes.fill(88);
      expect(await new Response(await artifacts.readStream(path)).text()).toBe('one\ntwo');
    }
  });

  test('also closes a source if another option is refused', async () => {
    const onCancel = vi.fn();
    const generator = (async function* () {
      yield 'text';
    })();
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const content = new ReadableStream<string>({ cancel: onCancel });
    await expect(artifacts.save(content, { ...call, mediaType: 'json' })).rejects.toThrow('`mediaType` must be');
    await expect(artifacts.save(generator, { ...call, toolName: 5 as never })).rejects.toThrow('`toolName` must be');
    expect(onCancel).toHaveBeenCalledOnce();
    expect(await generator.next()).toEqual({ done: true, value: undefined });
  });

  test('refuses a stream that was already read, because it would be saved as an empty output', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const used = Readable.from(['text']);
    for await (const _ of used);
    await expect(artifacts.save(used, call)).rejects.toThrow('a stream that nothing else reads');
    const locked = new ReadableStream<string>();
    locked.getReader();
    await expect(artifacts.save(locked, call)).rejects.toThrow('a stream that nothing else reads');
  });

  test('notices after a very long save that a sweep deleted its first half as an orphan', async () => {
    const { now } = performance;
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      async put(key, body, options) {
        await inner.put(key, body, options);
        if (kindOf(key) === 'side-car') await inner.delete([key.replace('.info.json', '')]);
        vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 3_600_000);
      },
    };
    const saving = scopedArtifacts(store, { scope: 'chat-1' }).save('text', call);
    await expect(saving.finally(() => vi.restoreAllMocks())).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
    expect(await listed(inner)).toEqual([]);
  });

  test('ends a source that is larger than an artifact may be, and saves nothing', async () => {
    const store = memoryStore();
    const onCancel = vi.fn();
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(10_000)),
      cancel: onCancel,
    });
    const saving = scopedArtifacts(store, { scope: 'chat-1', maxArtifactBytes: 1_000_000 }).save(endless, call);
    await expect(saving).rejects.toThrow(ArtifactTooLargeError);
    expect(onCancel).toHaveBeenCalledOnce();
    expect(await listed(store)).toEqual([]);
  });

  test('saves an output of exactly the largest size', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1', maxArtifactBytes: 1000 });
    expect((await artifacts.save('x'.repeat(1000), call)).bytes).toBe(1000);
    await expect(artifacts.save('x'.repeat(1001), call)).rejects.toThrow('maxArtifactBytes');
  });

  test('cancels a stream that a broken store never started to read', async () => {
    const onCancel = vi.fn();
    const broken: ArtifactStore = { ...memoryStore(), put: () => Promise.reject(new Error('no space left')) };
    const content = new ReadableStream<string>({ cancel: onCancel });
    const readable = new Readable({ read() {} });
    const artifacts = scopedArtifacts(broken, { scope: 'chat-1' });
    await expect(artifacts.save(content, call)).rejects.toThrow('no space left');
    await expect(artifacts.save(readable, call)).rejects.toThrow('no space left');
    expect(onCancel).toHaveBeenCalledOnce();
    expect(readable.destroyed).toBe(true);
  });

  test('deletes the artifact again when its side-car cannot be written', async () => {
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      put: (key, body, options) =>
        key.endsWith('.info.json') ? Promise.reject(new Error('no space left')) : inner.put(key, body, options),
    };
    await expect(scopedArtifacts(store, { scope: 'chat-1' }).save('text', call)).rejects.toThrow('no space left');
    expect(await listed(inner)).toEqual([]);
  });

  test('accepts any call id, gives each call its own artifact, and returns the exact ids', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const ids = [
      '',
      'functions.x:0',
      'functions.x:0',
      '../../etc',
      'ü🙂\ud800\n',
      'x'.repeat(1500),
      '"'.repeat(65_536),
    ];
    const paths = new Set<string>();
    for (const toolCallId of ids) {
      const { path } = await artifacts.save('text', { toolName: `__proto__${toolCallId.slice(0, 5)}`, toolCallId });
      expect(await artifacts.info(path)).toMatchObject({ toolCallId, toolName: `__proto__${toolCallId.slice(0, 5)}` });
      paths.add(path);
    }
    expect(paths.size).toBe(ids.length);
  });

  test('refuses an invalid tool name, call id or content before anything is written', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    await expect(artifacts.save('text', undefined as never)).rejects.toThrow('`toolName` must be');
    await expect(artifacts.info(undefined as never)).rejects.toThrow(ArtifactNotFoundError);
    await expect(artifacts.save('text', { ...call, toolName: undefined as never })).rejects.toThrow(
      '`toolName` must be',
    );
    await expect(artifacts.save('text', { ...call, toolCallId: 'x'.repeat(65_537) })).rejects.toThrow(
      '`toolCallId` must be',
    );
    await expect(artifacts.save({ rows: 1 } as never, call)).rejects.toThrow('`content` must be');
    await expect(artifacts.save(undefined as never, call)).rejects.toThrow('`content` must be');
    expect(await listed(store)).toEqual([]);
  });
});
