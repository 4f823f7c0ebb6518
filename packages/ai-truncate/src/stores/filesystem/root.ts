import { type BigIntStats, constants } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { type AiTruncateError, InvalidOptionError } from '../../errors.ts';
import { requireOption, requireOptionalBoolean, requireOptions } from '../../options.ts';
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

/** The place of a store. Both paths are absolute, so they stay valid when the process changes its working directory. */
export interface Place {
  directory: string;
  /** Whether paths of values and errors may be absolute. */
  showAbsolutePaths: boolean;
  /** The working directory of the process when the store was made. */
  workingDirectory: string;
}

const SERVED_IN_PROJECT = new Set(['public', 'static', '.next', 'app']);
/** In other places, `app` and `static` have too many meanings. Container images, for example, use `/app`. */
const SERVED_ELSEWHERE = new Set(['public', '.next']);

/** Throws if values must not be saved there. */
export function toPlace(options: { directory?: string; showAbsolutePaths?: boolean }): Place {
  const known = ['directory', 'showAbsolutePaths'];
  requireOptions(options, { known, expected: "an object, e.g. { directory: '…' }" });
  const { directory = 'tool-output', showAbsolutePaths = false } = options;
  requireOptionalBoolean('showAbsolutePaths', showAbsolutePaths);
  const isPath = typeof directory === 'string' && directory !== '' && !directory.includes('\0');
  requireOption(isPath, { option: 'directory', value: directory, expected: 'the path of a directory' });
  const workingDirectory = process.cwd();
  // Otherwise Turbopack would assume that this code reads the whole project, and trace every file of it into the bundle.
  const path = resolve(/* turbopackIgnore: true */ workingDirectory, directory);
  const place = { directory: path, workingDirectory, showAbsolutePaths };
  requireUnserved(place);
  return place;
}

/** A web server would serve these files without any check of who may read a value. */
function requireUnserved({ directory, workingDirectory }: Omit<Place, 'showAbsolutePaths'>): void {
  // The path to the project itself, for instance `.next/standalone`, does not matter.
  const isInside = isInsideProject(directory, workingDirectory);
  const parts = (isInside ? relative(workingDirectory, directory) : directory).split(sep);
  const names = isInside ? SERVED_IN_PROJECT : SERVED_ELSEWHERE;
  const served = parts.find((part) => names.has(part.toLowerCase()));
  if (served === undefined && !isWithin(workingDirectory, directory)) return;
  // The value in an error message is cut, and the relevant part may be at its end.
  const expected =
    served === undefined
      ? `a directory that only the store uses, e.g. \`tool-output\`, because git would ignore everything in \`${directory}\``
      : `outside of folders that a web server may serve, e.g. \`tool-output\`, and not below \`${served}\` in \`${directory}\``;
  throw new InvalidOptionError({ option: 'directory', value: directory, expected });
}

/**
 * The path with which other programs open a value. For a store inside the project, it is relative. Outside the project, the path
 * would show where the server stores its data, so there is no path unless absolute paths may be shown.
 */
export function toShownPath(
  { directory, workingDirectory, showAbsolutePaths }: Place,
  key: string,
): string | undefined {
  const path = join(directory, key);
  const isInside = isInsideProject(directory, workingDirectory);
  if (!isInside && !showAbsolutePaths) return undefined;
  return (isInside ? relative(workingDirectory, path) : path).replaceAll(sep, '/');
}

/** A service that runs in `/` has no project, because the whole machine would be in it. */
export function isInsideProject(path: string, workingDirectory: string): boolean {
  return workingDirectory !== parse(workingDirectory).root && isWithin(path, workingDirectory);
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Keeps the values out of git, and marks the directory as a store. */
const MARK_FILE = '.gitignore';
const MARK = '*';
const MAX_MARK_BYTES = 65_536;

/** Makes the root and missing directories above it. Refuses a directory that belongs to somebody else. Returns its real path. */
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

/** The real path of an existing, safe root. It is not changed, because it may belong to somebody else. */
export async function checkRoot({
  directory,
  workingDirectory,
}: Pick<Place, 'directory' | 'workingDirectory'>): Promise<string> {
  await requireOwnDirectory(directory);
  const root = await realpath(directory);
  const realWorkingDirectory = await unlessMissing(realpath(workingDirectory));
  requireUnserved({ directory: root, workingDirectory: realWorkingDirectory ?? workingDirectory });
  return root;
}

/** Throws if the directory holds other files, because they would be closed to other users and hidden from git. */
async function requireStore(root: string): Promise<boolean> {
  // The order matters: a process that makes the root at the same moment marks it before it puts other files into it.
  const other = await nameBesideMark(root);
  const markText = await readMark(root);
  if (markText?.split(/\r?\n/).includes(MARK)) return true;
  // An empty mark: a process is writing it, was killed before it did, or had no space left.
  if (other !== undefined || markText) throw holdsOtherFiles(root, other ?? MARK_FILE);
  return false;
}

async function nameBesideMark(root: string): Promise<string | undefined> {
  for await (const { name } of await openDirectory(root)) if (name !== MARK_FILE) return name;
  return undefined;
}

async function readMark(root: string): Promise<string | undefined> {
  // A user who gives the directory to the user of this process may forget its files. The mark contains no secrets.
  const found = await openOwnFile(join(root, MARK_FILE), (stats) => stats.isFile()).catch((error: unknown) => {
    throw hasCode(error, 'UNSAFE_FILE') ? holdsOtherFiles(root, MARK_FILE) : error;
  });
  if (!found) return undefined;
  try {
    const { buffer, bytesRead } = await found.file.read(Buffer.alloc(MAX_MARK_BYTES), 0, MAX_MARK_BYTES, 0);
    // The process that wrote the mark may have been killed before it was on the disk, and without it the next process refuses
    // the root. Windows syncs no file that is open only for reading.
    if (bytesRead > 0) await found.file.sync().catch(undefinedFor('EINVAL', 'EPERM'));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await found.file.close();
  }
}

/** The directory existed and holds files that no store wrote. They were not changed. */
function holdsOtherFiles(root: string, name: string): AiTruncateError {
  const advice =
    'set `directory` to a directory that only the store uses. If a store did write these files, put a `.gitignore` with the line `*` into it.';
  return unsafeDirectory(root, `holds other files (e.g. \`${name}\`)`, advice);
}

/** Two processes that run this at once write the same bytes to the same place. */
async function mark(root: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW;
  await withFile({ path: join(root, MARK_FILE), flags }, async (file) => {
    await file.writeFile(`${MARK}\n`);
    await file.sync();
  });
}

/**
 * Makes the names on the path to the root durable. The name of the root is always included, because the process that made it
 * may have stopped before this step.
 */
async function syncAbove(directory: string, firstMade: string | undefined): Promise<void> {
  for (let made = directory; ; made = dirname(made)) {
    // The directory belongs to another user, who lets us enter but not list it.
    await syncDirectory(dirname(made)).catch(undefinedFor('EACCES', 'EPERM'));
    if (firstMade === undefined || made.length <= firstMade.length) return;
  }
}
