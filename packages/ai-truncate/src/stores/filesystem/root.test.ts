import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keysOf, modeOf, put, temporaryHome, watchFiles } from '../../../fixtures/filesystem-home.ts';
import { InvalidOptionError } from '../../errors.ts';
import { filesystemStore } from './filesystem-store.ts';

const needsProc = process.platform === 'linux' ? false : 'only Linux reports the path of an open file';

let directory = '';
beforeEach(() => {
  directory = join(temporaryHome(), 'root');
});

/** An existing directory that is open to all users. */
function make(files: Record<string, string>): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  chmodSync(directory, 0o755);
}

describe('an existing directory', () => {
  test('that holds other files is refused, and neither closed nor hidden', async () => {
    make({ 'mine.md': 'mine' });
    await expect(put(filesystemStore({ directory }), 'folder/a.txt', 'a')).rejects.toMatchObject({
      code: 'UNSAFE_DIRECTORY',
      message: expect.stringContaining(
        'holds other files (e.g. `mine.md`): set `directory` to a directory that only the store uses',
      ),
    });
    expect(await modeOf(directory)).toBe('755');
    expect(readdirSync(directory)).toEqual(['mine.md']);
  });

  test('is not changed by reads, listings and deletions', async () => {
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

  test.each(['*\n', '*', '# all\n*\n!keep-me\n', '*\r\n!keep-me\r\n'])(
    'that is marked %j is a store with any content',
    async (mark) => {
      make({ '.gitignore': mark, 'mine.md': 'mine' });
      await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
      expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe(mark);
      expect(await modeOf(directory)).toBe('700');
    },
  );

  test.each(['!keep-me\n', '*.log\n', '#*\n', ' *\n'])('that has its own .gitignore is refused: %j', async (text) => {
    make({ '.gitignore': text });
    await expect(put(filesystemStore({ directory }), 'folder/a.txt', 'a')).rejects.toThrow('(e.g. `.gitignore`)');
    expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe(text);
    expect(await modeOf(directory)).toBe('755');
  });

  test('that has a new owner and no mark is a store', async () => {
    make({ '.gitignore': '*\n', 'mine.md': 'mine' });
    const foreign = (await lstat(join(directory, '.gitignore'))).ino;
    const file = await open('/dev/null');
    const prototype = Object.getPrototypeOf(file) as typeof file;
    await file.close();
    const stat = prototype.stat as (this: typeof file) => Promise<Stats>;
    vi.spyOn(prototype, 'stat').mockImplementation(async function (this: typeof file) {
      const stats = await stat.call(this);
      return (stats.ino === foreign ? Object.assign(stats, { uid: stats.uid + 1 }) : stats) as never;
    });
    await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
    expect(await modeOf(directory)).toBe('700');
  });

  test('that has a link as its .gitignore is refused', async () => {
    make({});
    writeFileSync(join(directory, '../all'), '*\n');
    symlinkSync(join(directory, '../all'), join(directory, '.gitignore'));
    await expect(put(filesystemStore({ directory }), 'folder/a.txt', 'a')).rejects.toThrow('(e.g. `.gitignore`)');
  });

  test.each<Record<string, string>>([{}, { '.gitignore': '' }])(
    'that is almost empty becomes a store: %j',
    async (files) => {
      make(files);
      await put(filesystemStore({ directory }), 'folder/a.txt', 'a');
      expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe('*\n');
      expect(await modeOf(directory)).toBe('700');
    },
  );

  test('that has an empty .gitignore and other files is refused', async () => {
    make({ '.gitignore': '', 'mine.md': 'mine' });
    await expect(put(filesystemStore({ directory }), 'folder/a.txt', 'a')).rejects.toThrow('(e.g. `mine.md`)');
  });

  test('that lost its content is used by the same store again', async () => {
    make({ 'mine.md': 'mine' });
    const store = filesystemStore({ directory });
    await expect(put(store, 'folder/a.txt', 'a')).rejects.toMatchObject({ code: 'UNSAFE_DIRECTORY' });
    rmSync(join(directory, 'mine.md'));
    await put(store, 'folder/a.txt', 'a');
    expect(await keysOf(store)).toEqual(['folder/a.txt']);
  });
});

describe.skipIf(needsProc)('a power cut', () => {
  test('syncs the name and the mark of a root that another process made', async () => {
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

  test('syncs every directory that was made on the path', async () => {
    const synced = await watchFiles('sync');
    await put(filesystemStore({ directory: join(directory, 'a/b') }), 'folder/a.txt', 'a');
    for (const path of [dirname(directory), directory, join(directory, 'a'), join(directory, 'a/b')]) {
      expect(synced).toContain(path);
    }
  });
});

afterEach(() => vi.restoreAllMocks());

function workIn(directory: string): void {
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
}

describe('the paths that a store returns', () => {
  test('are in `tool-output` under the working directory by default', () => {
    expect(filesystemStore().locate('chat-1/tool_a.txt')).toBe('tool-output/chat-1/tool_a.txt');
    expect(() => filesystemStore().locate('../a.txt')).toThrow(InvalidOptionError);
  });

  test('do not exist outside of the working directory', () => {
    const directory = join(temporaryHome(), 'outside');
    expect(filesystemStore({ directory }).locate('folder/a.txt')).toBeUndefined();
  });

  test('are relative inside the working directory, and absolute outside of it if they may be shown', async () => {
    const home = temporaryHome();
    const outside = filesystemStore({ directory: join(home, 'outside'), showAbsolutePaths: true });
    await put(outside, 'folder/a.txt', 'a');
    expect(outside.locate('folder/a.txt')).toBe(join(home, 'outside/folder/a.txt'));
    expect(await readFile(outside.locate('folder/a.txt') ?? '', 'utf8')).toBe('a');
    workIn(home);
    expect(filesystemStore({ directory: join(home, 'out') }).locate('folder/a.txt')).toBe('out/folder/a.txt');
    workIn('/');
    const container = filesystemStore({ directory: 'data/out', showAbsolutePaths: true });
    expect(container.locate('folder/a.txt')).toBe('/data/out/folder/a.txt');
  });

  test('stay as they are when the working directory changes', () => {
    workIn('/srv/project');
    const inside = filesystemStore({ directory: 'out' });
    const outside = filesystemStore({ directory: '/data/out', showAbsolutePaths: true });
    workIn('/data');
    expect(inside.locate('folder/a.txt')).toBe('out/folder/a.txt');
    expect(outside.locate('folder/a.txt')).toBe('/data/out/folder/a.txt');
  });
});

describe('a directory that a web server may serve', () => {
  test.each([
    ['/srv/site', 'public', 'public'],
    ['/srv/site', 'public/tool-output', 'public'],
    ['/srv/site', '.next/static', '.next'],
    ['/srv/site', 'static/x', 'static'],
    ['/srv/site', 'app/files', 'app'],
    ['/srv/site', 'src/app/files', 'app'],
    ['/srv/site', '/var/www/Public/x', 'Public'],
    ['/srv/site', '../.next/x', '.next'],
    ['/srv/public/site', 'public/x', 'public'],
    ['/srv/public/site', '../x', 'public'],
    ['/', 'public/x', 'public'],
    ['/', '/srv/site/.next/x', '.next'],
  ])('is refused: in %s, %s', (workingDirectory, directory, served) => {
    workIn(workingDirectory);
    expect(() => filesystemStore({ directory })).toThrow('`directory` must be outside of folders that a web server');
    expect(() => filesystemStore({ directory })).toThrow(`\`${served}\` in \`/`);
  });

  test('is named in full, however long it is', () => {
    const directory = `/srv/${'long-name/'.repeat(20)}public/x`;
    expect(() => filesystemStore({ directory })).toThrow(`\`public\` in \`${directory}\``);
  });

  test.each([
    ['/srv/public/site', undefined],
    ['/srv/site/.next/standalone', undefined],
    ['/srv/public/site', 'data/out'],
    ['/srv/app/static', 'out'],
    ['/srv/site', '/app/tool-output'],
    ['/', '/app/data/tool-output'],
    ['/', undefined],
  ])('is not a directory above the project: in %s, %s', (workingDirectory, directory) => {
    workIn(workingDirectory);
    expect(() => filesystemStore(directory === undefined ? {} : { directory })).not.toThrow();
  });

  test('is refused in the same way after it was made', async () => {
    const project = join(temporaryHome(), 'public/site');
    mkdirSync(join(project, 'static'), { recursive: true });
    symlinkSync(join(project, 'static'), join(project, 'link'));
    workIn(project);
    await put(filesystemStore(), 'folder/a.txt', 'a');
    await expect(
      put(filesystemStore({ directory: 'link/store', showAbsolutePaths: true }), 'folder/a.txt', 'a'),
    ).rejects.toThrow(`\`static\` in \`${project}/static/store\``);
  });

  test.each(['.', '..', '/'])('or that holds the working directory is refused: %s', (wide) => {
    expect(() => filesystemStore({ directory: wide })).toThrow(
      '`directory` must be a directory that only the store uses',
    );
  });
});
