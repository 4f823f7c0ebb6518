import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { keysOf, put, temporaryHome } from '../../../fixtures/filesystem-home.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import { filesystemStore } from './filesystem-store.ts';

const HOUR_MS = 3_600_000;
const OLD = '.tmp-00000000-0000-4000-8000-000000000000';

let directory = '';
let store: ArtifactStore;
beforeEach(() => {
  directory = join(temporaryHome(), 'root');
  store = filesystemStore({ directory });
});

/** Leaves a temporary file like a process that was killed some hours ago. */
function leave(path: string, hoursAgo: number): void {
  writeFileSync(join(directory, path), '');
  const at = new Date(Date.now() - hoursAgo * HOUR_MS);
  utimesSync(join(directory, path), at, at);
}

describe('listing all values', () => {
  const keys = ['a-b/a.txt', 'a/b-c.txt', 'a/b.txt', 'a/b0.txt', 'a/z.txt', 'a0/a.txt', 'a_/a.txt'];

  test('sorts by the whole key, in which a dash comes before the slash', async () => {
    for (const key of keys.toReversed()) await put(store, key, 'x');
    expect(await keysOf(store)).toEqual(keys);
  });

  test('continues after any key', async () => {
    for (const key of keys) await put(store, key, 'x');
    for (const after of ['', ...keys, 'a', 'a/', 'a/b', 'a-b/zzz', 'a0', 'a0/', 'zzz/a']) {
      expect(await keysOf(store, '', { after }), after).toEqual(keys.filter((key) => key > after));
      expect(await keysOf(store, 'a/', { after }), after).toEqual(
        keys.filter((key) => key > after && key.startsWith('a/')),
      );
    }
  });

  test('does not read earlier folders', async () => {
    for (const key of ['a/a.txt', 'b/a.txt']) await put(store, key, 'x');
    for (const name of ['a', 'b']) leave(`${name}/${OLD}`, 48);
    await keysOf(store, '', { after: 'b/0' });
    expect(readdirSync(join(directory, 'a'))).toContain(OLD);
    expect(readdirSync(join(directory, 'b'))).not.toContain(OLD);
  });

  test.each(['', 'folder/'])('ends between two values when the signal aborts: %j', async (prefix) => {
    for (const name of ['a', 'b', 'c']) await put(store, `folder/${name}.txt`, 'x');
    const controller = new AbortController();
    const reason = new Error('stopped');
    const seen: string[] = [];
    async function listUntilAborted(): Promise<void> {
      for await (const { key } of store.list(prefix, { signal: controller.signal })) {
        seen.push(key);
        controller.abort(reason);
      }
    }
    await expect(listUntilAborted()).rejects.toBe(reason);
    expect(seen).toEqual(['folder/a.txt']);
  });

  test('removes temporary files of more than a day and the folders that become empty, and nothing else', async () => {
    for (const folder of ['folder', 'left']) await put(store, `${folder}/a.txt`, 'a');
    rmSync(join(directory, 'left/a.txt'));
    const link = '.tmp-00000000-0000-4000-8000-000000000001';
    const fresh = '.tmp-00000000-0000-4000-8000-000000000002';
    const foreign = ['.tmp-notes', '.tmp-00000000', 'OLD.txt', 'old.txt'];
    mkdirSync(join(directory, 'notes'));
    for (const path of [`folder/${OLD}`, `left/${OLD}`, OLD]) leave(path, 25);
    leave(`folder/${fresh}`, 23);
    for (const name of foreign) leave(`folder/${name}`, 48);
    writeFileSync(join(directory, '../target'), '');
    symlinkSync(join(directory, '../target'), join(directory, 'folder', link));
    expect(await keysOf(store, 'folder/')).toEqual(['folder/a.txt', 'folder/old.txt']);
    expect(readdirSync(join(directory, 'folder'))).toContain(OLD);
    expect(await keysOf(store)).toEqual(['folder/a.txt', 'folder/old.txt']);
    expect(readdirSync(join(directory, 'folder')).sort()).toEqual(['a.txt', fresh, link, ...foreign].sort());
    expect(readdirSync(directory).sort()).toEqual(['.gitignore', OLD, 'folder', 'notes']);
  });
});

describe('deleting', () => {
  test('continues after a value that cannot be deleted, and then fails', async () => {
    for (const key of ['folder/a.txt', 'folder/c.txt', 'z/a.txt']) await put(store, key, 'a');
    mkdirSync(join(directory, 'folder/b.txt'));
    writeFileSync(join(directory, 'file'), '');
    const keys = ['file/a.txt', 'folder/a.txt', 'folder/b.txt', 'folder/c.txt', 'z/a.txt'];
    await expect(store.delete(keys)).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
    expect(await keysOf(store)).toEqual([]);
    expect(readdirSync(directory).sort()).toEqual(['.gitignore', 'file', 'folder']);
  });

  test('ends between two values when the signal aborts', async () => {
    const keys = Array.from({ length: 200 }, (_, index) => `folder/n${index}.txt`);
    await Promise.all(keys.map((key) => put(store, key, 'a')));
    const controller = new AbortController();
    const reason = new Error('stopped');
    const deleting = store.delete(keys, { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(deleting).rejects.toBe(reason);
    expect((await keysOf(store)).length).toBeGreaterThan(0);
  });

  test('leaves a folder that was empty before', async () => {
    await put(store, 'folder/a.txt', 'a');
    mkdirSync(join(directory, 'notes'));
    await store.delete(['notes/a.txt']);
    expect(readdirSync(directory)).toContain('notes');
  });
});
