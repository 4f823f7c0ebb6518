import { describe, expect, test, vi } from 'vitest';
import { longestTurnOf } from '../../fixtures/longest-turn.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { ArtifactNotFoundError } from './artifacts.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';

const call = { toolName: 'readServerLogs', toolCallId: 'call_123' };

/** A store that records its calls. */
function recorded(store: ArtifactStore = memoryStore()): ArtifactStore & { verbs: string[]; bytesRead: number } {
  const record = {
    ...store,
    verbs: [] as string[],
    bytesRead: 0,
    put(...[key, ...rest]: Parameters<ArtifactStore['put']>) {
      record.verbs.push(`put ${kindOf(key)}`);
      return store.put(key, ...rest);
    },
    async get(...[key, options]: Parameters<ArtifactStore['get']>) {
      record.verbs.push(`get ${kindOf(key)}`);
      const stream = await store.get(key, options);
      const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          record.bytesRead += chunk.length;
          controller.enqueue(chunk);
        },
      });
      return stream?.pipeThrough(count);
    },
    list(...[prefix, options]: Parameters<ArtifactStore['list']>) {
      record.verbs.push('list');
      return store.list(prefix, options);
    },
  };
  return record;
}

function kindOf(key: string): string {
  return key.endsWith('.info.json') ? 'side-car' : 'artifact';
}

async function listed(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a path', () => {
  test('finds its artifact, and so do its name and its random part', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path, name } = await artifacts.save('text', call);
    expect(path).toBe(`tool-output/${name}`);
    for (const reference of [path, name, name.slice(-20, -4)]) {
      expect((await artifacts.info(reference)).path).toBe(path);
    }
  });

  test('finds its artifact wherever the working directory is now, as long as it ends in its own folder', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { name } = await artifacts.save('text', call);
    for (const directory of ['', './', '../../far/tool-output/', '/srv/tool-output/', 'C:/tool-output/']) {
      expect((await artifacts.info(`${directory}chat-1/${name}`)).name).toBe(name);
    }
  });

  test('is the real path if the store has files, and finds the artifact', async () => {
    const store: ArtifactStore = { ...memoryStore(), locate: (key) => `data/tool-output/${key}` };
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path, name } = await artifacts.save('text', call);
    expect(path).toBe(`data/tool-output/chat-1/${name}`);
    for (const reference of [path, name, `tool-output/${name}`]) {
      expect((await artifacts.info(reference)).path).toBe(path);
    }
  });

  test.each(['data/\n/x', `${'x/'.repeat(300)}`, 'data/\u202ex'])(
    'is the short path if the real one is too long or cannot be shown: %j',
    async (directory) => {
      const store: ArtifactStore = { ...memoryStore(), locate: (key) => `${directory}/${key}` };
      const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
      const { path, name } = await artifacts.save('text', call);
      expect(path).toBe(`tool-output/${name}`);
      expect((await artifacts.info(path)).name).toBe(name);
    },
  );

  test('from another scope is not found, in any form, with the same text and the same work as a missing one', async () => {
    const store = recorded();
    const theirs = scopedArtifacts(store, { scope: 'theirs' });
    const ours = scopedArtifacts(store, { scope: 'ours' });
    await ours.save('our text', call);
    const { name } = await theirs.save('secret', call);
    const never = `${name.slice(0, -20)}0000000000000000.txt`;
    for (const form of [(n: string) => n, (n: string) => `tool-output/${n}`, (n: string) => n.slice(-20, -4)]) {
      const [foreign, missing] = await Promise.all([work(form(name)), work(form(never))]);
      expect(foreign.message.replace(form(name), '')).toBe(missing.message.replace(form(never), ''));
      expect(foreign.verbs).toEqual(missing.verbs);
    }
    expect(await ours.delete(`tool-output/${name}`)).toBe(false);
    expect(await new Response(await theirs.readStream(name)).text()).toBe('secret');

    async function work(path: string): Promise<{ message: string; verbs: string[] }> {
      const counted = recorded(store);
      const error = await scopedArtifacts(counted, { scope: 'ours' })
        .readLines(path)
        .catch((caught: unknown) => caught);
      if (!ArtifactNotFoundError.isInstance(error)) throw new Error(`found ${path}`);
      return { message: error.message, verbs: counted.verbs };
    }
  });

  test('that is forged, partial or an address is not found, by any method, and costs no read', async () => {
    const store = recorded();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path, name } = await artifacts.save('text', call);
    store.verbs.length = 0;
    const forged = [
      `chat-2/${name}`,
      `my-chat-1/${name}`,
      `/srv/my-chat-1/${name}`,
      `https://example.com/chat-1/${name}`,
      `../chat-1/${name}/..`,
      `https://example.com/tool-output/${name}`,
      `tool-output/../tool-output/${name}`,
      `/tool-output/${name}`,
      `${path}.info.json`,
      `${path}\0`,
      ` ${path}`,
      path.toUpperCase(),
      name.slice(5),
      name.slice(-15, -4),
      '/etc/passwd',
      '../x',
      '',
      '__proto__',
      'x'.repeat(1_000_000),
    ];
    for (const reference of forged) {
      await expect(artifacts.info(reference)).rejects.toThrow(ArtifactNotFoundError);
      await expect(artifacts.readLines(reference)).rejects.toThrow(ArtifactNotFoundError);
      await expect(artifacts.readBytes(reference)).rejects.toThrow(ArtifactNotFoundError);
      await expect(artifacts.readStream(reference)).rejects.toThrow(ArtifactNotFoundError);
      expect(await artifacts.delete(reference)).toBe(false);
    }
    expect(store.verbs).toEqual([]);
    expect((await artifacts.info(path)).name).toBe(name);
  });

  test('to an artifact without its side-car finds nothing, because it was never committed', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path } = await artifacts.save('text', call);
    await store.delete((await listed(store)).filter((key) => key.endsWith('.info.json')));
    await expect(artifacts.readLines(path)).rejects.toThrow(ArtifactNotFoundError);
    expect(await collect(artifacts.list())).toEqual([]);
  });

  test('that is not found is quoted in short form', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const error: Error = await artifacts.info('x'.repeat(1_000_000)).catch((caught) => caught);
    expect(error.message.length).toBeLessThan(400);
  });

  test('an unknown failure of the store is never "not found"', async () => {
    const store: ArtifactStore = { ...memoryStore(), get: () => Promise.reject(new Error('503')) };
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path } = await artifacts.save('text', call);
    await expect(artifacts.info(path)).rejects.toThrow('503');
  });
});

describe('list', () => {
  test('yields the newest first, with the metadata from names and listings', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    for (const day of [2, 1, 3]) {
      vi.setSystemTime(new Date(`2026-01-0${day}T12:00:00Z`));
      await artifacts.save('x'.repeat(day), { toolName: `tool${day}`, toolCallId: 'call_1' });
    }
    vi.useRealTimers();
    const all = await collect(artifacts.list());
    expect(all.map(({ tool, bytes }) => [tool, bytes])).toEqual([
      ['tool3', 3],
      ['tool2', 2],
      ['tool1', 1],
    ]);
    expect(all[0]?.createdAt).toEqual(new Date('2026-01-03T12:00:00Z'));
    expect((await artifacts.info(all[2]?.path ?? '')).toolName).toBe('tool1');
  });

  test('refuses an invalid cursor, and a misspelt option', () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    for (const cursor of ['', 'x', 'x:1', 7, {}]) expect(() => artifacts.list({ cursor } as never)).toThrow('`cursor`');
    expect(() => artifacts.list({ curser: 'x' } as never)).toThrow('Did you mean `cursor`?');
  });

  test('names a tool like `info`', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save('x', { toolName: 'readServerLogs', toolCallId: 'call_1' });
    expect((await collect(artifacts.list()))[0]?.tool).toBe('read-server-logs');
    expect(await artifacts.info(path)).toMatchObject({ tool: 'read-server-logs', toolName: 'readServerLogs' });
  });

  test('shows only one scope, and no foreign keys', async () => {
    const store = memoryStore();
    await scopedArtifacts(store, { scope: 'chat-10' }).save('theirs', call);
    await store.put('chat-1/notes.txt', ReadableStream.from([new Uint8Array(1)]), { contentType: 'text/plain' });
    expect(await collect(scopedArtifacts(store, { scope: 'chat-1' }).list())).toEqual([]);
  });
});

describe('delete', () => {
  test('removes an artifact with its side-car, and twice without an error', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path } = await artifacts.save('text', call);
    expect(await artifacts.delete(path)).toBe(true);
    expect(await artifacts.delete(path)).toBe(false);
    expect(await listed(store)).toEqual([]);
  });

  test('deleteAll removes only its scope, even if it has more than a store deletes at once', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    for (let index = 0; index < 1200; index++) await artifacts.save('x', call);
    await scopedArtifacts(store, { scope: 'chat-10' }).save('stays', call);
    expect(await artifacts.deleteAll()).toBe(1200);
    expect(await artifacts.deleteAll()).toBe(0);
    expect((await listed(store)).map((key) => key.split('/')[0])).toEqual(['chat-10', 'chat-10']);
  });
});

describe('reading', () => {
  test('refuses invalid ranges, and names the option', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save('one\ntwo', call);
    await expect(artifacts.readLines(path, { start: 0 })).rejects.toThrow(
      '`start` must be a whole number of at least 1',
    );
    await expect(artifacts.readLines(path, { count: Number.NaN })).rejects.toThrow(InvalidOptionError);
    await expect(artifacts.readBytes(path, { start: -1 })).rejects.toThrow('`start`');
    await expect(artifacts.readBytes(path, { start: 5, end: 2 })).rejects.toThrow('`end`');
  });

  test('past the end returns nothing, and the total size', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save('one\ntwo', call);
    expect(await artifacts.readLines(path, { start: 3 })).toEqual({ lines: [], totalLines: 2 });
    expect(await artifacts.readBytes(path, { start: 100 })).toMatchObject({ start: 7, end: 7, totalBytes: 7 });
    expect(await new Response(await artifacts.readStream(path, { start: 100, end: 200 })).text()).toBe('');
  });

  test('counts lines from the end when the first is below 0', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save('one\ntwo\nthree', call);
    const texts = async (start: number) => (await artifacts.readLines(path, { start })).lines.map(({ text }) => text);
    expect(await texts(-2)).toEqual(['two', 'three']);
    expect(await texts(-100)).toEqual(['one', 'two', 'three']);
  });

  test('is an error if the store has less than was saved, and never a shorter text', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path } = await artifacts.save('0123456789\n'.repeat(100), call);
    const [key = ''] = await listed(store);
    await store.delete([key]);
    await store.put(key, ReadableStream.from([new Uint8Array(500)]), { contentType: 'text/plain' });
    const incomplete = { code: 'INCOMPLETE_READ' };
    await expect(artifacts.readLines(path, { start: 90 })).rejects.toMatchObject(incomplete);
    await expect(artifacts.readBytes(path, { start: 400, end: 900 })).rejects.toMatchObject(incomplete);
    await expect(new Response(await artifacts.readStream(path)).text()).rejects.toMatchObject(incomplete);
    expect((await artifacts.readBytes(path, { start: 0, end: 100 })).bytes).toHaveLength(100);
  });

  test.each([-1, 1, 5000])('is an error if a store sends %i bytes too many, for any request', async (more) => {
    const inner = memoryStore();
    const { path, bytes } = await scopedArtifacts(inner, { scope: 'chat-1' }).save('0123456789\n'.repeat(100), call);
    const store: ArtifactStore = {
      ...inner,
      async get(key, { start = 0, end = bytes, ...options } = {}) {
        if (kindOf(key) === 'side-car') return inner.get(key, { start, end, ...options });
        return ReadableStream.from([new Uint8Array(end - start + more)]);
      },
    };
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const incomplete = { code: 'INCOMPLETE_READ' };
    await expect(artifacts.readLines(path, { start: 1 })).rejects.toMatchObject(incomplete);
    await expect(artifacts.readBytes(path, { start: 400, end: 900 })).rejects.toMatchObject(incomplete);
    await expect(new Response(await artifacts.readStream(path)).text()).rejects.toMatchObject(incomplete);
  });

  test('never blocks the event loop, even if every byte is a line', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save('\n'.repeat(3_000_000), call);
    const options = { start: 1_500_000, count: 10_000, maxBytes: 8 * 1024 ** 2 };
    const read = async () => expect((await artifacts.readLines(path, options)).lines).toHaveLength(10_000);
    expect(await longestTurnOf(read)).toBeLessThan(100);
    await expect(artifacts.readLines(path, { count: 10_001 })).rejects.toThrow('`count` must be');
  });

  test('ends with the reason of its signal while the store hangs in a listing', async () => {
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      list: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    };
    const artifacts = scopedArtifacts(store, { scope: 'chat-1', sweep: false });
    const { name } = await artifacts.save('text', call);
    const abortSignal = AbortSignal.timeout(20);
    for (const call of [
      () => artifacts.info(name.slice(-20, -4), { abortSignal }),
      () => collect(artifacts.list({ abortSignal })),
      () => artifacts.deleteAll({ abortSignal }),
    ]) {
      await expect(call()).rejects.toMatchObject({ name: 'TimeoutError' });
    }
  });

  test('reads only the requested bytes of a stream, and ends a stalled one with its signal', async () => {
    const inner = memoryStore();
    const onPull = vi.fn(() => new Promise<void>(() => {}));
    const stalled = () => new ReadableStream<Uint8Array<ArrayBuffer>>({ pull: onPull }, { highWaterMark: 0 });
    const store: ArtifactStore = {
      ...inner,
      get: async (key, options) => (kindOf(key) === 'artifact' ? stalled() : inner.get(key, options)),
    };
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path } = await artifacts.save('text', call);
    await artifacts.readStream(path);
    await new Promise((resolve) => setImmediate(resolve));
    expect(onPull).not.toHaveBeenCalled();
    const abortSignal = AbortSignal.timeout(20);
    const timeout = { name: 'TimeoutError' };
    await expect(artifacts.readLines(path, { abortSignal })).rejects.toMatchObject(timeout);
    await expect(artifacts.readBytes(path, { abortSignal })).rejects.toMatchObject(timeout);
  });

  test('holds at most 8 MiB of bytes at once', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save('x'.repeat(20_000_000), call);
    const window = await artifacts.readBytes(path, { start: 1000, end: 20_000_000 });
    expect(window).toMatchObject({ start: 1000, end: 1000 + 8 * 1024 ** 2, totalBytes: 20_000_000 });
  });

  test('returns the exact bytes of a binary artifact', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const bytes = new Uint8Array(100).fill(0x80);
    const { path } = await artifacts.save(bytes, { ...call, mediaType: 'image/png' });
    expect(await artifacts.readBytes(path, { start: 10, end: 20 })).toEqual({
      bytes: bytes.slice(10, 20),
      start: 10,
      end: 20,
      totalBytes: 100,
    });
  });

  test('100 lines near the end of a million lines, five million in the lab, cost two reads and less than 1 MB', async () => {
    const store = recorded();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path, lines, bytes } = await artifacts.save(millionsOfLines(), call);
    expect([lines, bytes]).toEqual([LINES + 1, 100 * LINES]);
    store.verbs.length = 0;
    const window = await artifacts.readLines(path, { start: LINES - 200, count: 100 });
    expect(window.lines.map(({ text }) => text.trimEnd())).toEqual(
      Array.from({ length: 100 }, (_, index) => `line ${LINES - 200 + index}`),
    );
    expect(store.verbs).toEqual(['get side-car', 'get artifact']);
    expect(store.bytesRead).toBeLessThan(1_000_000);
  });

  test('the line after one of 100 MB costs less than 1 MB, and so does the beginning of that line', async () => {
    const store = recorded();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    function* content() {
      yield 'before\n';
      for (let count = 0; count < 100; count++) yield 'x'.repeat(1_000_000);
      yield '\nafter\n';
    }
    const { path } = await artifacts.save(content(), call);
    store.bytesRead = 0;
    const giant = await artifacts.readLines(path, { start: 2, count: 5, maxBytes: 10_000 });
    expect(giant).toMatchObject({
      lines: [{ number: 2, start: 7, bytes: 100_000_000, shownBytes: 10_000 }],
      nextLine: 3,
    });
    expect(await artifacts.readLines(path, { start: 3, count: 5 })).toMatchObject({
      lines: [
        { number: 3, text: 'after' },
        { number: 4, text: '' },
      ],
    });
    expect(store.bytesRead).toBeLessThan(1_000_000);
  });
});

const LINES = propertyRuns({ sample: 1_000_000, full: 5_000_000 });

function* millionsOfLines(): Generator<string> {
  for (let line = 1; line <= LINES; ) {
    let text = '';
    for (const end = line + 1000; line < end; line++) text += `line ${line}`.padEnd(99).concat('\n');
    yield text;
  }
}

describe('scopedArtifacts', () => {
  test('names an invalid option before anything is used', () => {
    expect(() => scopedArtifacts(memoryStore(), { scope: '' })).toThrow('`scope` must be a non-empty string');
    expect(() => scopedArtifacts(memoryStore(), { scope: undefined as never })).toThrow('`scope`');
    expect(() => scopedArtifacts({} as never, { scope: 'chat-1' })).toThrow('`store` must be an artifact store');
    expect(() => scopedArtifacts(undefined as never, { scope: 'chat-1' })).toThrow('`store`');
    expect(() => scopedArtifacts(memoryStore(), { scope: 'a', maxArtifactBytes: 0 })).toThrow('`maxArtifactBytes`');
    expect(() => scopedArtifacts(memoryStore(), { scope: 'a', retentionDays: 0.5 })).toThrow('`retentionDays`');
    expect(() => scopedArtifacts(memoryStore(), { scope: 'a', retentionDays: 1e9 })).toThrow('`retentionDays`');
    expect(() => scopedArtifacts(memoryStore(), undefined as never)).toThrow('an object with a `scope`');
  });

  test('keeps 50 scopes apart in 1,000 interleaved saves', async () => {
    const store = memoryStore();
    const scopes = Array.from({ length: 50 }, (_, index) => `User ${index}`);
    const saved = await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const scope = scopes[index % 50] ?? '';
        const { path } = await scopedArtifacts(store, { scope }).save(`of ${scope}`, call);
        return { scope, path };
      }),
    );
    for (const { scope, path } of saved) {
      const other = scopes[(scopes.indexOf(scope) + 1) % 50] ?? '';
      expect(await new Response(await scopedArtifacts(store, { scope }).readStream(path)).text()).toBe(`of ${scope}`);
      await expect(scopedArtifacts(store, { scope: other }).readStream(path)).rejects.toThrow(ArtifactNotFoundError);
    }
  });
});
