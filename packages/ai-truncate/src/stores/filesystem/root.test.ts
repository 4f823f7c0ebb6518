import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { keysOf, modeOf, put, temporaryHome, watchFiles } from '../../../fixtures/filesystem-home.ts';
import { filesystemStore } from './filesystem-store.ts';

const needsProc = process.platform === 'linux' ? false : 'only Linux tells the path of an open file';

let directory = '';
beforeEach(() => {
  directory = join(temporaryHome(), 'root');
});

/** A directory that is there, open to all. */
function make(files: Record<string, string>): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  chmodSync(directory, 0o755);
}

describe('a directory that is there', () => {
  it('and holds other files is refused, neither closed nor hidden', async () => {
    make({ 'mine.md': 'mine' });
    await expect(put(filesystemStore({ directory }), 'folder/a.txt', 'a')).rejects.toMatchObject({
      code: 'UNSAFE_DIRECTORY',
      message: expect.stringContaining('holds other files (e.g. `mine.md`): set `directory` to one of its own'),
    });
    expect(await modeOf(directory)).toBe('755');
    expect(readdirSync(directory)).toEqual(['mine.md']);
  });

  it('is left as it is by who reads, lists and deletes', async () => {
    make({ 'mine.md': 'mine' });
    mkdirSync(join(directory, 'notes'));
    chmodSync(join(directory, 'notes'), 0o755);
    const store = filesystemStore({ directory });
    expect([await store.get('notes/a.txt'), await store.head('notes/a.txt')]).toEqual([undefined, undefined]);
    expect([...(await keysOf(store)), ...(await keysOf(store, 'notes/'))]).toEqual([]);
    await store.delete(['notes/a.txt']);
    expect(await modeOf(directory)).toBe('755');
    expect(await modeOf(join(directory, 'notes'))).toBe('755');
  });

  it.each(['*\n', '*', '# all\n*\n!keep-me\n', '*\r\n!keep-me\r\n'])(
    'and is marked %j is a store, whatever it holds',
    async (mark) => {
      make({ '.gitignore': mark, 'mine.md': 'mine' });
      await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
      expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe(mark);
      expect(await modeOf(directory)).toBe('700');
    },
  );

  it.each(['!keep-me\n', '*.log\n', '#*\n', ' *\n'])('and has a .gitignore of its own is refused: %j', async (text) => {
    make({ '.gitignore': text });
    await expect(put(filesystemStore({ directory }), 'folder/a.txt', 'a')).rejects.toThrow('(e.g. `.gitignore`)');
    expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe(text);
    expect(await modeOf(directory)).toBe('755');
  });

  it('and has a link as its .gitignore is refused', async () => {
    make({});
    writeFileSync(join(directory, '../all'), '*\n');
    symlinkSync(join(directory, '../all'), join(directory, '.gitignore'));
    await expect(put(filesystemStore({ directory }), 'folder/a.txt', 'a')).rejects.toThrow('(e.g. `.gitignore`)');
  });

  it.each<Record<string, string>>([{}, { '.gitignore': '' }])(
    'and is as good as empty becomes a store: %j',
    async (files) => {
      make(files);
      await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
      expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe('*\n');
      expect(await modeOf(directory)).toBe('700');
    },
  );

  it('and has an empty .gitignore beside other things is refused', async () => {
    make({ '.gitignore': '', 'mine.md': 'mine' });
    await expect(put(filesystemStore({ directory }), 'folder/a.txt', 'a')).rejects.toThrow('(e.g. `mine.md`)');
  });

  it('and loses what it held is taken by the same store', async () => {
    make({ 'mine.md': 'mine' });
    const store = filesystemStore({ directory });
    await expect(put(store, 'folder/a.txt', 'a')).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
    rmSync(join(directory, 'mine.md'));
    await put(store, 'folder/a.txt', 'a');
    expect(await keysOf(store)).toEqual(['folder/a.txt']);
  });
});

describe.skipIf(needsProc)('a power cut', () => {
  it('finds the name of a root that another process made, and its mark', async () => {
    mkdirSync(directory);
    writeFileSync(join(directory, '.gitignore'), '*\n');
    const synced = await watchFiles('sync');
    const store = filesystemStore({ directory });
    await put(store, 'folder/a.txt', 'a');
    expect(synced).toContain(dirname(directory));
    expect(synced).toContain(join(directory, '.gitignore'));
    synced.length = 0;
    await put(store, 'other/a.txt', 'a');
    expect(synced).not.toContain(dirname(directory));
  });

  it('finds every directory that was made on the way', async () => {
    const synced = await watchFiles('sync');
    await put(filesystemStore({ directory: join(directory, 'a/b') }), 'folder/a.txt', 'a');
    for (const path of [dirname(directory), directory, join(directory, 'a'), join(directory, 'a/b')]) {
      expect(synced).toContain(path);
    }
  });
});
