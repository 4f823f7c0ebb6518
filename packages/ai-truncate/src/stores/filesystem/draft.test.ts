import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
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
import { filesystemStore } from './filesystem-store.ts';

const needsProc = process.platform === 'linux' ? false : 'only Linux tells the path of an open file';
const DAY_MS = 86_400_000;

let directory = '';
let folder = '';
beforeEach(() => {
  directory = join(temporaryHome(), 'root');
  folder = join(directory, 'folder');
});
afterEach(() => vi.restoreAllMocks());

describe.skipIf(needsProc)('a source that rests', () => {
  test('for days loses nothing while others list', async () => {
    const { done, release } = hungPut(filesystemStore({ directory }), 'folder/a.txt');
    const longAgo = new Date(Date.now() - 2 * DAY_MS);
    utimesSync(await restingTemporary(folder), longAgo, longAgo);
    const other = filesystemStore({ directory });
    expect(await keysOf(other)).toEqual([]);
    release();
    await done;
    expect(await read(other, 'folder/a.txt')).toBe('first second');
  });

  test('for days loses nothing while another copy of the library lists', async () => {
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
    '%s is told when its file was removed',
    async (_, later) => {
      const { done, release } = hungPut(filesystemStore({ directory }), 'folder/a.txt', [...later]);
      const outcome = expect(done).rejects.toMatchObject({
        code: 'INCOMPLETE_WRITE',
        message: expect.stringContaining('was removed before its value was whole'),
      });
      rmSync(await restingTemporary(folder));
      release();
      await outcome;
    },
  );
});

describe('a file that is removed while it is written', () => {
  test('is told of', async () => {
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

describe.skipIf(needsProc)('the time of a value', () => {
  test('is that of its publishing, also when its last chunk came long before', async () => {
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

  test('costs no call when the last chunk has just come', async () => {
    const touched = await watchFiles('utimes');
    await put(filesystemStore({ directory }), 'folder/a.txt', 'a', 'b');
    expect(touched).toEqual([]);
  });
});
