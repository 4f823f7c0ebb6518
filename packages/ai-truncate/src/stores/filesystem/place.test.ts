import { mkdirSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { put, temporaryHome } from '../../../fixtures/filesystem-home.ts';
import { InvalidOptionError } from '../../errors.ts';
import { filesystemStore } from './filesystem-store.ts';

afterEach(() => vi.restoreAllMocks());

function workIn(directory: string): void {
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
}

describe('the paths that a store gives', () => {
  it('lie in `tool-output` under the working directory unless told', () => {
    expect(filesystemStore().locate('chat-1/tool_a.txt')).toBe('tool-output/chat-1/tool_a.txt');
    expect(() => filesystemStore().locate('../a.txt')).toThrow(InvalidOptionError);
  });

  it('are relative inside the working directory, and absolute outside of it', async () => {
    const home = temporaryHome();
    const outside = filesystemStore({ directory: join(home, 'outside') });
    await put(outside, 'folder/a.txt', 'a');
    expect(outside.locate('folder/a.txt')).toBe(join(home, 'outside/folder/a.txt'));
    expect(await readFile(outside.locate('folder/a.txt') ?? '', 'utf8')).toBe('a');
    workIn(home);
    expect(filesystemStore({ directory: join(home, 'out') }).locate('folder/a.txt')).toBe('out/folder/a.txt');
    workIn('/');
    expect(filesystemStore({ directory: 'data/out' }).locate('folder/a.txt')).toBe('/data/out/folder/a.txt');
  });

  it('stay as they are when the working directory changes', () => {
    workIn('/srv/project');
    const inside = filesystemStore({ directory: 'out' });
    const outside = filesystemStore({ directory: '/data/out' });
    workIn('/data');
    expect(inside.locate('folder/a.txt')).toBe('out/folder/a.txt');
    expect(outside.locate('folder/a.txt')).toBe('/data/out/folder/a.txt');
  });
});

describe('a directory that a web server may hand out', () => {
  it.each([
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
    expect(() => filesystemStore({ directory })).toThrow('`directory` must be outside of what a web server');
    expect(() => filesystemStore({ directory })).toThrow(`\`${served}\` in \`/`);
  });

  it('is named whole, however long it is', () => {
    const directory = `/srv/${'long-name/'.repeat(20)}public/x`;
    expect(() => filesystemStore({ directory })).toThrow(`\`public\` in \`${directory}\``);
  });

  it.each([
    ['/srv/public/site', undefined],
    ['/srv/site/.next/standalone', undefined],
    ['/srv/public/site', 'data/out'],
    ['/srv/app/static', 'out'],
    ['/srv/site', '/app/tool-output'],
    ['/', '/app/data/tool-output'],
    ['/', undefined],
  ])('is not what lies above the project: in %s, %s', (workingDirectory, directory) => {
    workIn(workingDirectory);
    expect(() => filesystemStore(directory === undefined ? {} : { directory })).not.toThrow();
  });

  it('is judged in the same way once it is made', async () => {
    const project = join(temporaryHome(), 'public/site');
    mkdirSync(join(project, 'static'), { recursive: true });
    symlinkSync(join(project, 'static'), join(project, 'link'));
    workIn(project);
    await put(filesystemStore(), 'folder/a.txt', 'a');
    await expect(put(filesystemStore({ directory: 'link/store' }), 'folder/a.txt', 'a')).rejects.toThrow(
      `\`static\` in \`${project}/static/store\``,
    );
  });

  it.each(['.', '..', '/'])('or that holds the working directory is refused: %s', (wide) => {
    expect(() => filesystemStore({ directory: wide })).toThrow('`directory` must be a directory of its own');
  });
});
