import { rmSync, truncateSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  hungPut,
  keysOf,
  modeOf,
  openDescriptors,
  put,
  read,
  restingTemporary,
} from '../../../fixtures/filesystem-home.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import { artifactStoreContract } from '../artifact-store-contract.ts';
import { filesystemStore } from './filesystem-store.ts';

const needsRoot = process.getuid?.() === 0 ? false : 'only root may give a file to another user';
const needsProc = process.platform === 'linux' ? false : 'only Linux shows the open descriptors of a process';

let home = '';
let directory = '';
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'filesystem-store-')));
});
beforeEach(async () => {
  directory = join(await mkdtemp(join(home, 'case-')), 'store');
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rm(home, { recursive: true, force: true }));

describe('the contract over filesystemStore', () => {
  const cases = artifactStoreContract({ open: () => filesystemStore({ directory: join(home, 'contract') }) });
  for (const { name, run, skip } of cases) test.skipIf(skip)(name, run);
});

describe('the contract over filesystemStore where no call tells the path of an open file', () => {
  beforeEach(() => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
  });
  const cases = artifactStoreContract({ open: () => filesystemStore({ directory: join(home, 'portable') }) });
  for (const { name, run, skip } of cases) test.skipIf(skip)(name, run);
});

describe('the directory of filesystemStore', () => {
  test('is not made before the first value is written', async () => {
    const store = filesystemStore({ directory });
    expect(await store.get('folder/a.txt')).toBeUndefined();
    expect(await store.head('folder/a.txt')).toBeUndefined();
    expect([...(await keysOf(store)), ...(await keysOf(store, 'folder/'))]).toEqual([]);
    await store.delete(['folder/a.txt']);
    await expect(lstat(directory)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is closed to other users, together with everything in it', async () => {
    await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
    expect(await modeOf(directory)).toBe('700');
    expect(await modeOf(join(directory, 'folder'))).toBe('700');
    expect(await modeOf(join(directory, 'folder/a.txt'))).toBe('600');
    expect(await modeOf(join(directory, '.gitignore'))).toBe('600');
  });

  test('becomes closed to other users if it was open to them', async () => {
    await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
    for (const path of [directory, join(directory, 'folder')]) await chmod(path, 0o777);
    await put(filesystemStore({ directory }), 'folder/b.txt', 'b');
    expect(await modeOf(directory)).toBe('700');
    expect(await modeOf(join(directory, 'folder'))).toBe('700');
  });

  test.each(['750', '707', '710', '701'])('becomes closed to the group and to others at mode %s', async (mode) => {
    await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
    for (const path of [directory, join(directory, 'folder')]) await chmod(path, Number.parseInt(mode, 8));
    await put(filesystemStore({ directory }), 'folder/b.txt', 'b');
    expect([await modeOf(directory), await modeOf(join(directory, 'folder'))]).toEqual(['700', '700']);
  });

  test('is ignored by git', async () => {
    await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
    expect(await readFile(join(directory, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('is made again after another program deleted it', async () => {
    const store = filesystemStore({ directory });
    await put(store, 'folder/a.txt', 'a');
    await rm(directory, { recursive: true });
    await put(store, 'folder/b.txt', 'b');
    expect(await keysOf(store)).toEqual(['folder/b.txt']);
    expect(await readFile(join(directory, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('is refused when it is not a path', () => {
    for (const wrong of ['', 'a\0b', 7, null, {}]) {
      expect(() => filesystemStore({ directory: wrong as never })).toThrow(
        '`directory` must be the path of a directory',
      );
    }
    for (const wrong of ['out', null, 7]) {
      expect(() => filesystemStore(wrong as never)).toThrow('`options` must be an object');
    }
  });

  test('is refused when it is a link, a file or shared with other users', async () => {
    await mkdir(join(directory, 'target'), { recursive: true });
    await symlink(join(directory, 'target'), join(directory, 'link'));
    await writeFile(join(directory, 'file'), '');
    await mkdir(join(directory, 'sticky'));
    await chmod(join(directory, 'sticky'), 0o1777);
    for (const name of ['link', 'file', 'sticky']) {
      const store = filesystemStore({ directory: join(directory, name) });
      await expect(put(store, 'folder/a.txt', 'a'), name).rejects.toMatchObject({
        code: expect.stringMatching(/UNSAFE_DIRECTORY|EEXIST/),
      });
      await expect(store.get('folder/a.txt'), name).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
      await expect(keysOf(store), name).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
    }
    expect(await readdir(join(directory, 'target'))).toEqual([]);
    expect(await readdir(join(directory, 'sticky'))).toEqual([]);
  });

  test.skipIf(needsRoot)(
    'is refused when it belongs to another user, whatever its mode, and is checked again',
    async () => {
      await mkdir(directory);
      for (const mode of [0o700, 0o777]) {
        await chmod(directory, mode);
        await chown(directory, 65534, 65534);
        const store = filesystemStore({ directory });
        await expect(put(store, 'folder/a.txt', 'a')).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
        await expect(store.delete(['folder/a.txt'])).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
        expect(await readdir(directory)).toEqual([]);
        await chown(directory, 0, 0);
        await put(store, `folder/a${mode}.txt`, 'a');
        await store.delete([`folder/a${mode}.txt`]);
        await rm(join(directory, '.gitignore'));
      }
    },
  );
});

describe('foreign files in the directory', () => {
  let store: ArtifactStore;
  let secret = '';
  beforeEach(async () => {
    store = filesystemStore({ directory });
    await put(store, 'folder/a.txt', 'a');
    const outside = join(directory, '../outside');
    await mkdir(outside);
    secret = join(outside, 'secret.txt');
    await writeFile(secret, 'secret');
  });

  test('are never followed when one is a link in place of a value', async () => {
    await symlink(secret, join(directory, 'folder/secret.txt'));
    await expect(store.get('folder/secret.txt')).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    await expect(store.head('folder/secret.txt')).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    await expect(put(store, 'folder/secret.txt', 'b')).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    expect(await keysOf(store)).toEqual(['folder/a.txt']);
    await store.delete(['folder/secret.txt']);
    expect(await readFile(secret, 'utf8')).toBe('secret');
  });

  test.each(['linux', 'darwin'] as const)(
    'are never followed when one is a link in place of a folder (%s)',
    async (platform) => {
      vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
      await symlink(join(directory, '../outside'), join(directory, 'planted'));
      await expect(store.get('planted/secret.txt')).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
      await expect(store.head('planted/secret.txt')).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
      await expect(put(store, 'planted/b.txt', 'b')).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
      await expect(store.delete(['planted/secret.txt'])).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
      await expect(keysOf(store, 'planted/')).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
      expect(await keysOf(store)).toEqual(['folder/a.txt']);
      expect(await readdir(join(directory, '../outside'))).toEqual(['secret.txt']);
    },
  );

  test('are never followed when the root became a link after it was checked', async () => {
    const outside = join(directory, '../outside');
    await mkdir(join(outside, 'folder'));
    await writeFile(join(outside, 'folder/a.txt'), 'secret');
    expect(await read(store, 'folder/a.txt')).toBe('a');
    await rm(directory, { recursive: true });
    await symlink(outside, directory);
    await expect(store.get('folder/a.txt')).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
  });

  test('are not values when they are directories, named pipes or files with another kind of name', async () => {
    await mkdir(join(directory, 'folder/directory.txt'));
    await writeFile(join(directory, 'folder/UPPER.txt'), '');
    await writeFile(join(directory, 'folder/.hidden'), '');
    await writeFile(join(directory, 'file'), '');
    await mkdir(join(directory, '.folder'));
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(directory, 'folder/pipe.txt')]);
    expect(await keysOf(store)).toEqual(['folder/a.txt']);
    expect(await keysOf(store, 'folder/')).toEqual(['folder/a.txt']);
    for (const key of ['folder/directory.txt', 'folder/pipe.txt', 'file/a.txt']) {
      await expect(store.get(key), key).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    }
  });

  test.skipIf(needsRoot)('are not values when they belong to another user', async () => {
    await writeFile(join(directory, 'folder/foreign.txt'), 'foreign');
    await chown(join(directory, 'folder/foreign.txt'), 65534, 65534);
    await expect(store.get('folder/foreign.txt')).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    expect(await keysOf(store)).toEqual(['folder/a.txt']);
  });
});

describe('a put that fails', () => {
  test('rejects with the error of its source and leaves neither a file nor a folder', async () => {
    const store = filesystemStore({ directory });
    const sourceError = new Error('the tool failed');
    async function* failing(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      yield new Uint8Array(100_000);
      throw sourceError;
    }
    await expect(store.put('folder/a.txt', failing(), { contentType: 'text/plain' })).rejects.toBe(sourceError);
    expect(await readdir(directory)).toEqual(['.gitignore']);
  });

  test('closes its source, but does not wait for it', async () => {
    await mkdir(directory);
    await writeFile(join(directory, '.gitignore'), '*\n');
    await writeFile(join(directory, 'folder'), 'a file in place of the folder');
    let isClosed = false;
    const body: AsyncIterable<Uint8Array<ArrayBuffer>> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: new Uint8Array(10) }),
        return: () => {
          isClosed = true;
          return new Promise(() => {});
        },
      }),
    };
    const store = filesystemStore({ directory });
    await expect(store.put('folder/a.txt', body, { contentType: 'text/plain' })).rejects.toMatchObject({
      code: 'UNSAFE_DIRECTORY',
    });
    expect(isClosed).toBe(true);
  });

  test('rejects when the value is not completely on the disk', async () => {
    const store = filesystemStore({ directory });
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      yield new Uint8Array(1000);
      // Pulled while the first chunk is written. Only the third pull finds the whole chunk there.
      yield new Uint8Array(1000);
      const [name = ''] = (await readdir(join(directory, 'folder'))).filter((file) => file.startsWith('.tmp-'));
      truncateSync(join(directory, 'folder', name), 10);
    }
    await expect(store.put('folder/a.txt', body(), { contentType: 'text/plain' })).rejects.toMatchObject({
      code: 'INCOMPLETE_WRITE',
    });
    expect(await keysOf(store)).toEqual([]);
  });
});

describe('turns', () => {
  test.skipIf(needsProc)('and descriptors are lent to others while a source is idle', async () => {
    const store = filesystemStore({ directory });
    const hung = Array.from({ length: 100 }, (_, index) => hungPut(store, `folder/hung-${index}.txt`));
    await put(store, 'folder/small.txt', 'small');
    expect(await read(store, 'folder/small.txt')).toBe('small');
    expect(await openDescriptors(directory)).toBeLessThanOrEqual(33);
    for (const { release } of hung) release();
    await Promise.all(hung.map(({ done }) => done));
    const keys = await keysOf(store);
    expect(keys).toHaveLength(101);
    for (const key of keys.slice(0, 100)) expect(await read(store, key)).toBe('first second');
    expect(await openDescriptors(directory)).toBe(0);
  });

  test('continue only with the file that they started', async () => {
    const store = filesystemStore({ directory });
    const { done, release } = hungPut(store, 'folder/a.txt');
    const outcome = expect(done).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    // Once the put has lent its descriptor, the file can be replaced unnoticed.
    const temporary = await restingTemporary(join(directory, 'folder'));
    await rm(temporary);
    await writeFile(`${temporary}.other`, '');
    await writeFile(temporary, 'forged');
    release();
    await outcome;
    expect(await keysOf(store)).toEqual([]);
  });

  test('are not awaited once the signal aborts, and nothing starts', async () => {
    const store = filesystemStore({ directory });
    const hung = Array.from({ length: 32 }, (_, index) => hungPut(store, `folder/hung-${index}.txt`));
    const controller = new AbortController();
    const reason = new Error('stopped');
    let isBegun = false;
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      isBegun = true;
      yield new Uint8Array(1);
    }
    const waiting = store.put('folder/a.txt', body(), { contentType: 'text/plain', signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(isBegun).toBe(false);
    for (const { release } of hung) release();
    await Promise.all(hung.map(({ done }) => done));
  });

  test('go to a put that needs its second turn before a burst of others gets its first', async () => {
    const store = filesystemStore({ directory });
    const ended: string[] = [];
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      yield new Uint8Array(1);
    }
    const put = async (key: string) => {
      await store.put(`folder/${key}`, body(), { contentType: 'text/plain' });
      ended.push(key);
    };
    const save = async (index: number) => {
      await put(`value-${index}.txt`);
      await put(`side-car-${index}.json`);
    };
    const count = 400;
    await Promise.all(Array.from({ length: count }, (_, index) => save(index)));
    const half = ended.slice(0, count);
    expect(half.filter((key) => key.startsWith('side-car')).length).toBeGreaterThan(count / 4);
    // The put that has waited longest is not starved.
    expect(half.indexOf('value-40.txt')).toBeGreaterThan(-1);
  });

  test('let the source work at most one chunk ahead', async () => {
    const store = filesystemStore({ directory });
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      for (let index = 0; index < 20; index++) {
        const [name] = (await readdir(join(directory, 'folder')).catch(() => [])).filter((file) =>
          file.startsWith('.tmp'),
        );
        const written = name ? (await lstat(join(directory, 'folder', name))).size : 0;
        ahead.push(index - written / 1000);
        yield new Uint8Array(1000);
      }
    }
    const ahead: number[] = [];
    await store.put('folder/a.txt', body(), { contentType: 'text/plain' });
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1);
  });
});

describe('a folder', () => {
  test('disappears with its last value', async () => {
    const store = filesystemStore({ directory });
    await put(store, 'folder/a.txt', 'a');
    await put(store, 'folder/b.txt', 'b');
    await store.delete(['folder/a.txt']);
    expect(await readdir(directory)).toContain('folder');
    await store.delete(['folder/b.txt']);
    expect(await readdir(directory)).toEqual(['.gitignore']);
  });

  test('fails no put while it is removed and made all the time', async () => {
    const stores = [filesystemStore({ directory }), filesystemStore({ directory })];
    const work = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; round < 200; round++) {
        const store = stores[writer % 2] as ArtifactStore;
        const key = `folder/n${writer}-${round}.txt`;
        await put(store, key, 'value');
        expect(await read(store, key)).toBe('value');
        await store.delete([key]);
      }
    });
    await Promise.all(work);
    expect(await readdir(directory)).toEqual(['.gitignore']);
  });
});

const BYTES = 3_000_000;

describe.skipIf(needsProc)('a reader', () => {
  let store: ArtifactStore;
  beforeEach(async () => {
    store = filesystemStore({ directory });
    await put(store, 'folder/a.bin', new Uint8Array(BYTES).fill(7));
  });

  async function openReader(options = {}): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const stream = await store.get('folder/a.bin', options);
    if (!stream) throw new Error('nothing was stored');
    return stream.getReader();
  }

  test.each([{ start: 10, end: 60_000 }, {}])('holds no descriptor after it was forgotten: %j', async (range) => {
    const reader = await openReader(range);
    expect(await openDescriptors(directory)).toBe(0);
    await reader.read();
    expect(await openDescriptors(directory)).toBe(0);
  });

  test('needs few descriptors, however many streams are read at once', async () => {
    const readers = await Promise.all(Array.from({ length: 200 }, () => openReader()));
    let isRead = false;
    let most = 0;
    const reading = Promise.all(readers.map((reader) => reader.read())).then((results) => {
      isRead = true;
      return results;
    });
    while (!isRead) most = Math.max(most, await openDescriptors(directory));
    expect((await reading).every(({ value }) => value?.length)).toBe(true);
    expect(most).toBeLessThanOrEqual(32);
  });

  test('ends with the reason of a signal that aborts during a read', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const reader = await openReader({ signal: controller.signal });
    const reading = reader.read();
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  test('ends with the reason of a signal that aborts between two reads', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const reader = await openReader({ signal: controller.signal });
    await reader.read();
    controller.abort(reason);
    await expect(reader.read()).rejects.toBe(reason);
  });

  test('reads no further than requested, and fails when its end was cut off', async () => {
    const reader = await openReader();
    const { value } = await reader.read();
    expect(value?.length).toBeLessThanOrEqual(1_048_576);
    truncateSync(join(directory, 'folder/a.bin'), 1_500_000);
    await expect(reader.read()).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
    expect(await openDescriptors(directory)).toBe(0);
  });

  test('fails when the value is deleted in the middle', async () => {
    const reader = await openReader();
    await reader.read();
    await store.delete(['folder/a.bin']);
    await expect(reader.read()).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
  });

  test('does not continue with another value of the same key', async () => {
    const reader = await openReader();
    await reader.read();
    rmSync(join(directory, 'folder/a.bin'));
    await put(store, 'folder/a.bin', new Uint8Array(BYTES).fill(8));
    await expect(reader.read()).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
  });
});
