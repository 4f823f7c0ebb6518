import { constants } from 'node:fs';
import { lstat, mkdir, realpath, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { InvalidOptionError } from '../errors.ts';
import { hasCode, NO_FOLLOW, openFile, whenDescriptorsAreFree } from './filesystem-open.ts';
import { unsafeDirectory } from './filesystem-unsafe.ts';

/** The absolute path of the root; throws where values must not lie. */
export function toDirectory(options: { directory?: string }): string {
  const { directory = 'tool-output' } = Object(options) as typeof options;
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionError({ option: 'options', value: options, expected: "an object, e.g. { directory: '…' }" });
  }
  if (typeof directory !== 'string' || directory === '' || directory.includes('\0')) {
    throw new InvalidOptionError({ option: 'directory', value: directory, expected: 'the path of a directory' });
  }
  const path = resolve(directory);
  requireUnserved(path);
  return path;
}

/** What a web server hands out would pass every check of who may read a value. */
function requireUnserved(path: string): void {
  const inProject = relative(process.cwd(), path);
  const parts = path.toLowerCase().split(sep);
  const projectParts = isOutside(inProject) ? [] : inProject.toLowerCase().split(sep);
  if (
    parts.some((part) => part === 'public' || part === '.next') ||
    projectParts.some((part) => part === 'static' || part === 'app')
  ) {
    throw new InvalidOptionError({
      option: 'directory',
      value: path,
      expected: 'outside of what a web server may hand out (`public`, `static`, `.next`, `app`), e.g. `tool-output`',
    });
  }
  if (!isOutside(relative(path, process.cwd()))) {
    throw new InvalidOptionError({
      option: 'directory',
      value: path,
      expected: 'a directory of its own, e.g. `tool-output`: git would ignore all that lies in it',
    });
  }
}

function isOutside(relativePath: string): boolean {
  return relativePath === '..' || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath);
}

/** Makes the root, and what is missing above it. Gives its real path. */
export async function makeRoot(directory: string): Promise<string> {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 });
  const root = await checkRoot(directory);
  for (let made = directory; first !== undefined && made.length >= first.length; made = dirname(made)) {
    await syncDirectory(dirname(made));
  }
  const ignored = join(root, '.gitignore');
  try {
    await whenDescriptorsAreFree(() => writeFile(ignored, '*\n', { flag: 'wx', mode: 0o600 }));
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return root;
    await unlink(ignored).catch(() => {});
    throw error;
  }
  return root;
}

/** The real path of a root that is there and safe. */
export async function checkRoot(directory: string): Promise<string> {
  await requireOwnDirectory(directory);
  const root = await realpath(directory);
  requireUnserved(root);
  return root;
}

/** Makes a folder of the root, or checks the one that is there. Gives its path. */
export async function makeFolder(root: string, name: string): Promise<string> {
  const path = join(root, name);
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  await requireOwnDirectory(path);
  // Also of a folder that was there: who made it may not have come this far.
  await syncDirectory(root);
  return path;
}

/** Throws unless it is a directory of ours, no link to one, that others can neither read nor change. */
export async function requireOwnDirectory(path: string): Promise<true> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) throw unsafeDirectory(path, 'is a symbolic link');
  if (!stats.isDirectory()) throw unsafeDirectory(path, 'is not a directory');
  if (process.getuid === undefined) return true;
  if (stats.uid !== process.getuid()) throw unsafeDirectory(path, 'belongs to another user');
  if ((stats.mode & 0o1000) !== 0) throw unsafeDirectory(path, 'is shared with other users');
  if ((stats.mode & 0o077) !== 0) await closeToOthers(path);
  return true;
}

async function closeToOthers(path: string): Promise<void> {
  // `chmod` would follow a link that takes the place of the directory meanwhile.
  const directory = await openFile(path, constants.O_RDONLY | constants.O_DIRECTORY | NO_FOLLOW);
  try {
    await directory.chmod(0o700);
  } finally {
    await directory.close();
  }
}

/** A folder that cannot go harms nobody, so it fails no call. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}

/** Names in it survive a power cut from here on. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directory as a file.
  if (process.platform === 'win32') return;
  const directory = await openFile(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } catch (error) {
    // Some network file systems have nothing to sync there.
    if (!hasCode(error, 'EINVAL')) throw error;
  } finally {
    await directory.close();
  }
}
