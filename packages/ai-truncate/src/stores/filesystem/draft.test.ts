import { createHash } from 'node:crypto';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  bodyOf,
  hungPut,
  keysOf,
  put,
  read,
  restingTemporary,
  temporaryHome,
  watchFiles,
} from '../../../fixtures/filesystem-home.ts';
import { stallingBody } from '../../../fixtures/stalling-body.ts';
import { type ArtifactContent, toBytes } from '../../artifacts/artifact-content.ts';
import { filesystemStore } from './filesystem-store.ts';

const needsProc = process.platform === 'linux' ? false : 'only Linux reports the path of an open file';
const DAY_MS = 86_400_000;
const TYPE = { contentType: 'text/plain' };

let directory = '';
let folder = '';
beforeEach(() => {
  directory = join(temporaryHome(), 'root');
  folder = join(directory, 'folder');
});
afterEach(() => vi.restoreAllMocks());

describe.skipIf(needsProc)('a source that rests', () => {
  test('that takes days loses nothing while others list', async () => {
    const { done, release } = hungPut(filesystemStore({ directory }), 'folder/a.txt');
    const longAgo = new Date(Date.now() - 2 * DAY_MS);
    utimesSync(await restingTemporary(folder), longAgo, longAgo);
    const other = filesystemStore({ directory });
    expect(await keysOf(other)).toEqual([]);
    release();
    await done;
    expect(await read(other, 'folder/a.txt')).toBe('first second');
  });

  test('that takes days loses nothing while another copy of the library lists', async () => {
    const { done, release } = hungPut(filesystemStore({ directory }), 'folder/a.txt');
    const longAgo = new Date(Date.now() - 2 * DAY_MS);
    utimesSync(await restingTemporary(folder), longAgo, longAgo);
    vi.resetModules();
    const copy = await import('./filesystem-store.ts');
    expect(copy.filesystemStore).not.toBe(filesystemStore);
    expect(await keysOf(copy.filesystemStore({ directory }))).toEqual([]);
    release();
    await done;
  });

  test.each([['with more to come', ['second']] as const, ['at its end', []] as const])(
    '%s fails when its file was removed',
    async (_, later) => {
      const { done, release } = hungPut(filesystemStore({ directory }), 'folder/a.txt', [...later]);
      const outcome = expect(done).rejects.toMatchObject({
        code: 'INCOMPLETE_WRITE',
        message: expect.stringContaining('was removed before its value was complete'),
      });
      rmSync(await restingTemporary(folder));
      release();
      await outcome;
    },
  );
});

describe('a file that is removed while it is written', () => {
  test('makes the put fail', async () => {
    const store = filesystemStore({ directory });
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      yield* bodyOf('a', 'b');
      rmSync(folder, { recursive: true });
    }
    await expect(store.put('folder/a.txt', body(), { contentType: 'text/plain' })).rejects.toMatchObject({
      code: 'INCOMPLETE_WRITE',
    });
  });
});

test('a stalled source is closed at once when a write fails', async () => {
  const notBytes = { length: 3 } as Uint8Array<ArrayBuffer>;
  const { body, closed } = stallingBody([notBytes]);
  await expect(filesystemStore({ directory }).put('folder/a.txt', body, TYPE)).rejects.toThrow(TypeError);
  await closed;
});

describe('the memory of chunks', () => {
  const onBytes = () => {};

  test('is reused, so that a large save needs few chunks', async () => {
    const buffers = new Set<ArrayBuffer>();
    async function* slowSource(): AsyncGenerator<string> {
      for (let megabyte = 0; megabyte < 30; megabyte++) {
        yield 'x'.repeat(1_000_000);
        if (megabyte % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const body = toBytes(slowSource(), { onBytes: ({ buffer }) => buffers.add(buffer) });
    await filesystemStore({ directory }).put('folder/a.txt', body, TYPE);
    // Four growing chunks, and two that alternate: the store writes one while the other is filled.
    expect(buffers.size).toBeLessThanOrEqual(6);
  });

  test('never mixes the bytes of a source that reuses one buffer', async () => {
    const store = filesystemStore({ directory });
    const random = fc.array(fc.integer({ min: 1, max: 900_000 }), { minLength: 1, maxLength: 12 });
    let saves = 0;
    await fc.assert(
      fc.asyncProperty(random, async (lengths) => {
        const buffer = new Uint8Array(900_000);
        const hash = createHash('sha256');
        async function* source(): AsyncGenerator<Uint8Array> {
          for (const [index, length] of lengths.entries()) {
            const chunk = buffer.fill(index + saves).subarray(0, length);
            hash.update(chunk);
            yield chunk;
            // The owner may do so as soon as the next chunk is requested.
            buffer.fill(255);
          }
        }
        const key = `folder/${saves++}.txt`;
        await store.put(key, toBytes(source(), { onBytes }), TYPE);
        const saved = createHash('sha256');
        for await (const chunk of (await store.get(key)) ?? []) saved.update(chunk);
        expect(saved.digest('hex')).toBe(hash.digest('hex'));
      }),
      { numRuns: 25 },
    );
  });

  test('is not reused while a wrapping store holds the chunks', async () => {
    const store = filesystemStore({ directory });
    const held: Uint8Array<ArrayBuffer>[] = [];
    async function* copied(content: ArtifactContent): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      for await (const chunk of toBytes(content, { onBytes })) {
        held.push(chunk);
        yield chunk;
      }
    }
    const content = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(1_000_000));
    await store.put('folder/a.txt', copied(content), TYPE);
    expect(Buffer.concat(held).toString() === content.join('')).toBe(true);
  });
});

describe.skipIf(needsProc)('the time of a value', () => {
  test('is the time of its publishing, even if its last chunk arrived long before', async () => {
    const store = filesystemStore({ directory });
    const longAgo = Date.now() - 2 * DAY_MS;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(longAgo);
    const { done, release } = hungPut(store, 'folder/a.txt', []);
    utimesSync(await restingTemporary(folder), longAgo / 1000, longAgo / 1000);
    clock.mockRestore();
    release();
    await done;
    const writtenAt = (await store.head('folder/a.txt'))?.writtenAt.getTime() ?? 0;
    expect(Math.abs(Date.now() - writtenAt)).toBeLessThan(60_000);
  });

  test('costs no call when the last chunk has just arrived', async () => {
    const touched = await watchFiles('utimes');
    await put(filesystemStore({ directory }), 'folder/a.txt', 'a', 'b');
    expect(touched).toEqual([]);
  });
});
