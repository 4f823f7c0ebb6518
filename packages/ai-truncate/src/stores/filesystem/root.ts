import { type BigIntStats, constants } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { type AiTruncateError, InvalidOptionError } from '../../errors.ts';
import { requireOption, requireOptions } from '../../options.ts';
import {
  closeToOthers,
  hasCode,
  NO_FOLLOW,
  openDirectory,
  openOwnFile,
  requireOwnDirectory,
  syncDirectory,
  undefinedFor,
  unlessMissing,
  unsafeDirectory,
  withFile,
} from './open-files.ts';

/** Where a store lies. Both paths are absolute and stay as they are when the process changes its working directory. */
export interface Place {
  directory: string;
  /** Of the process, when the store was made. */
  workingDirectory: string;
}

const SERVED_IN_PROJECT = new Set(['public', 'static', '.next', 'app']);
/** Elsewhere `app` and `static` mean too many things: images of containers lie in `/app`. */
const SERVED_ELSEWHERE = new Set(['public', '.next']);

/** Throws where values must not lie. */
export function toPlace(options: { directory?: string }): Place {
  requireOptions(options, { known: ['directory'], expected: "an object, e.g. { directory: '…' }" });
  const { directory = 'tool-output' } = options;
  const isPath = typeof directory === 'string' && directory !== '' && !directory.includes('\0');
  requireOption(isPath, { option: 'directory', value: directory, expected: 'the path of a directory' });
  const workingDirectory = process.cwd();
  // Turbopack would take the whole project for what this reads, and trace all of it into the bundle.
  const place = { directory: resolve(/* turbopackIgnore: true */ workingDirectory, directory), workingDirectory };
  requireUnserved(place);
  return place;
}

/** What a web server hands out would pass every check of who may read a value. */
function requireUnserved({ directory, workingDirectory }: Place): void {
  // How the project itself came to its place, in `.next/standalone` for instance, is not ours to judge.
  const isInside = isInsideProject(directory, workingDirectory);
  const parts = (isInside ? relative(workingDirectory, directory) : directory).split(sep);
  const names = isInside ? SERVED_IN_PROJECT : SERVED_ELSEWHERE;
  const served = parts.find((part) => names.has(part.toLowerCase()));
  if (served === undefined && !isWithin(workingDirectory, directory)) return;
  // The value that an error shows is cut, and the part in question may lie at its end.
  const expected =
    served === undefined
      ? `a directory of its own, e.g. \`tool-output\`: git would ignore everything in \`${directory}\``
      : `outside of what a web server may hand out, e.g. \`tool-output\`: \`${served}\` in \`${directory}\` is such a folder`;
  throw new InvalidOptionError({ option: 'directory', value: directory, expected });
}

/** The path of a value as other programs open it: short for those that run in the project. */
export function toShownPath({ directory, workingDirectory }: Place, key: string): string {
  const path = join(directory, key);
  const shown = isInsideProject(directory, workingDirectory) ? relative(workingDirectory, path) : path;
  return shown.replaceAll(sep, '/');
}

/** A service that runs in `/` has no project: all of the machine would lie in it. */
function isInsideProject(path: string, workingDirectory: string): boolean {
  return workingDirectory !== parse(workingDirectory).root && isWithin(path, workingDirectory);
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Keeps the values out of git, and tells that the directory is a store's. */
const MARK_FILE = '.gitignore';
const MARK = '*';
const MAX_MARK_BYTES = 65_536;

/** Makes the root, and what is missing above it; refuses one that is somebody else's. Gives its real path. */
export async function makeRoot(place: Place): Promise<{ path: string; stats: BigIntStats }> {
  const firstMade = await mkdir(place.directory, { recursive: true, mode: 0o700 });
  const path = await checkRoot(place);
  const isMarked = await requireStore(path);
  const stats = await requireOwnDirectory(path);
  await closeToOthers(path, stats);
  await syncAbove(place.directory, firstMade);
  if (!isMarked) await mark(path);
  return { path, stats };
}

/** The real path of a root that is there and safe. It is left as it is: it may be somebody else's. */
export async function checkRoot({ directory, workingDirectory }: Place): Promise<string> {
  await requireOwnDirectory(directory);
  const root = await realpath(directory);
  const realWorkingDirectory = await unlessMissing(realpath(workingDirectory));
  requireUnserved({ directory: root, workingDirectory: realWorkingDirectory ?? workingDirectory });
  return root;
}

/** Throws when it holds other things than a store: they would be closed to other users and lost to git. */
async function requireStore(root: string): Promise<boolean> {
  // In this order: who makes the root at the same moment marks it before it puts anything else into it.
  const other = await nameBesideMark(root);
  const markText = await readMark(root);
  if (markText?.split(/\r?\n/).includes(MARK)) return true;
  // Without text: somebody is writing the mark, or was killed or out of space before it was written.
  if (other !== undefined || markText) throw holdsOtherFiles(root, other ?? MARK_FILE);
  return false;
}

async function nameBesideMark(root: string): Promise<string | undefined> {
  for await (const { name } of await openDirectory(root)) if (name !== MARK_FILE) return name;
  return undefined;
}

async function readMark(root: string): Promise<string | undefined> {
  // Whoever gives a directory to the user of this process may forget its files, and the mark has nothing to hide.
  const found = await openOwnFile(join(root, MARK_FILE), (stats) => stats.isFile()).catch((error: unknown) => {
    throw hasCode(error, 'UNSAFE_FILE') ? holdsOtherFiles(root, MARK_FILE) : error;
  });
  if (!found) return undefined;
  try {
    const { buffer, bytesRead } = await found.file.read(Buffer.alloc(MAX_MARK_BYTES), 0, MAX_MARK_BYTES, 0);
    // Who wrote it may have been killed before it was on the disk, and without it the next process refuses the root.
    // Windows syncs no file that is open for reading only.
    if (bytesRead > 0) await found.file.sync().catch(undefinedFor('EINVAL', 'EPERM'));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await found.file.close();
  }
}

/** A directory that was there, with things in it that no store wrote. They were left as they are. */
function holdsOtherFiles(root: string, name: string): AiTruncateError {
  const advice =
    'set `directory` to one of its own. If a store did write them, put a `.gitignore` with the line `*` into it.';
  return unsafeDirectory(root, `holds other files (e.g. \`${name}\`)`, advice);
}

/** Two processes that do it at once write the same bytes to the same place. */
async function mark(root: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW;
  await withFile({ path: join(root, MARK_FILE), flags }, async (file) => {
    await file.writeFile(`${MARK}\n`);
    await file.sync();
  });
}

/** Makes the names durable that lead to the root: that of the root always, for who made it may not have come this far. */
async function syncAbove(directory: string, firstMade: string | undefined): Promise<void> {
  for (let made = directory; ; made = dirname(made)) {
    // Of another user, who lets us in but not look around.
    await syncDirectory(dirname(made)).catch(undefinedFor('EACCES', 'EPERM'));
    if (firstMade === undefined || made.length <= firstMade.length) return;
  }
}
