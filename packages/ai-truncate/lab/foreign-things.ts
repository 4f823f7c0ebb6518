import { execFileSync } from 'node:child_process';
import {
  chownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createArtifactName, infoKey } from '../src/artifacts/artifact-name.ts';

const longAgo = new Date('2020-01-01T00:00:00Z');

/** Files that do not belong to a store, put into its directory, as old as possible. */
export interface ForeignThings {
  /** One line for each file: its path and its metadata. */
  look(): string[];
}

/** Plants links, files, folders and a named pipe in a store and in one of its scopes. The targets of the links are outside. */
export function plantForeignThings({
  store,
  outside,
  scope,
}: Record<'store' | 'outside' | 'scope', string>): ForeignThings {
  const planted: string[] = [];
  const plant = (path: string, make: (path: string) => unknown) => {
    make(path);
    planted.push(path);
  };
  const file = (path: string) => writeFileSync(path, 'not yours');
  const folder = (path: string) => mkdirSync(path, { recursive: true, mode: 0o700 });
  const inScope = (name: string) => join(store, scope, name);

  folder(join(store, scope));
  folder(outside);
  writeFileSync(join(store, '.gitignore'), '*\n');
  const names = [oldName(), infoKey(oldName())];
  for (const name of names) plant(join(outside, name), file);
  for (const name of names) plant(inScope(name), (path) => symlinkSync(join(outside, name), path));
  plant(join(store, 'chat-link'), (path) => symlinkSync(outside, path));
  plant(inScope(oldName()), folder);
  plant(inScope(oldName()), (path) => execFileSync('mkfifo', [path]));
  plant(inScope(oldName().replace(/txt$/, 'html')), file);
  plant(inScope('notes.txt'), file);
  plant(inScope('.tmp-notes'), file);
  plant(join(store, 'README.md'), file);
  plant(join(store, 'chat-empty'), folder);
  folder(join(store, 'Photos'));
  plant(join(store, 'Photos', oldName()), file);
  plant(join(store, 'Photos'), () => {});
  if (process.getuid?.() === 0) {
    plant(inScope(oldName()), (path) => {
      file(path);
      chownSync(path, 65_534, 65_534);
    });
  }
  for (const path of planted) lutimesSync(path, longAgo, longAgo);
  return { look: () => planted.map(describe) };
}

function describe(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return `${path}: gone`;
  const { ino, mode, uid, mtimeMs } = stats;
  const content = stats.isSymbolicLink()
    ? readlinkSync(path)
    : stats.isDirectory()
      ? readdirSync(path).join()
      : stats.isFile()
        ? readFileSync(path, 'utf8')
        : '';
  return `${path}: ${[ino, mode, uid, mtimeMs, content].join(' ')}`;
}

function oldName(): string {
  return createArtifactName({ toolName: 'write', toolCallId: 'call_1', mediaType: 'text/plain', createdAt: longAgo });
}
