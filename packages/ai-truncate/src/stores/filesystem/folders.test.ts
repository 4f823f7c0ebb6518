import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { put, read, temporaryHome, watchFiles } from '../../../fixtures/filesystem-home.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import { filesystemStore } from './filesystem-store.ts';

const needsProc = process.platform === 'linux' ? false : 'only Linux reports the path of an open file';

let directory = '';
let folder = '';
let store: ArtifactStore;
beforeEach(async () => {
  directory = join(temporaryHome(), 'root');
  folder = join(directory, 'folder');
  store = filesystemStore({ directory });
  await put(store, 'folder/a.txt', 'a');
});

describe.skipIf(needsProc)('a folder that the store knows', () => {
  test('is not made durable again', async () => {
    const synced = await watchFiles('sync');
    await put(store, 'folder/b.txt', 'b');
    expect(synced).toEqual([expect.stringContaining(join(folder, '.tmp-')), folder]);
  });

  test('is made durable again when another program removed it and made it again', async () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder, { mode: 0o700 });
    const synced = await watchFiles('sync');
    await put(store, 'folder/b.txt', 'b');
    expect(synced).toContain(directory);
    expect(await read(store, 'folder/b.txt')).toBe('b');
    synced.length = 0;
    await put(store, 'folder/c.txt', 'c');
    expect(synced).not.toContain(directory);
  });
});

describe.skipIf(needsProc)('a folder that is unsafe', () => {
  test('is checked once, and the folders of other scopes are not prepared again', async () => {
    symlinkSync(temporaryHome(), join(directory, 'unsafe'));
    const synced = await watchFiles('sync');
    await expect(put(store, 'unsafe/a.txt', 'a')).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
    await put(store, 'folder/b.txt', 'b');
    expect(synced).not.toContain(directory);
  });
});

describe('a link in place of a known folder', () => {
  const secret = () => join(directory, '../outside');
  beforeEach(() => mkdirSync(join(secret(), 'folder'), { recursive: true }));

  test('is not followed when it replaces a folder, and its target stays empty', async () => {
    renameSync(folder, join(directory, '../away'));
    symlinkSync(secret(), folder);
    await expect(put(store, 'folder/b.txt', 'b')).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
    expect(readdirSync(secret())).toEqual(['folder']);
  });

  test('is not followed when it replaces the root, and its target stays empty', async () => {
    renameSync(directory, join(directory, '../away'));
    symlinkSync(secret(), directory);
    await expect(put(store, 'folder/b.txt', 'b')).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
    await expect(store.delete(['folder/b.txt'])).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
    expect(readdirSync(join(secret(), 'folder'))).toEqual([]);
  });
});
