import { constants } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { closeToOthers, requireOwnDirectory, syncDirectory } from './directory.ts';
import { hasCode, NO_FOLLOW, openDirectory, openFile, unlessMissing } from './open.ts';
import { type Place, requireUnserved } from './place.ts';
import { holdsOtherFiles } from './unsafe.ts';

/** Keeps the values out of git, and tells that the directory is a store's. */
const MARK_FILE = '.gitignore';
const MARK = '*';
const MAX_MARK_BYTES = 65_536;

/** Makes the root, and what is missing above it; refuses one that is somebody else's. Gives its real path. */
export async function makeRoot(place: Place): Promise<string> {
  const firstMade = await mkdir(place.directory, { recursive: true, mode: 0o700 });
  const root = await checkRoot(place);
  const isMarked = await requireStore(root);
  await closeToOthers(root, await requireOwnDirectory(root));
  await syncAbove(place.directory, firstMade);
  if (!isMarked) await mark(root);
  return root;
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
  const path = join(root, MARK_FILE);
  let file: Awaited<ReturnType<typeof openFile>> | undefined;
  try {
    // Without O_NONBLOCK a planted named pipe would keep a thread for ever.
    file = await unlessMissing(openFile(path, constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0)));
    if (!file) return undefined;
    if (!(await file.stat()).isFile()) throw holdsOtherFiles(root, MARK_FILE);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_MARK_BYTES), 0, MAX_MARK_BYTES, 0);
    // Who wrote it may have been killed before it was on the disk, and without it the next process refuses the root.
    if (bytesRead > 0) await file.sync().catch(ignoreUnsyncable);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (hasCode(error, 'ELOOP', 'ENXIO')) throw holdsOtherFiles(root, MARK_FILE);
    throw error;
  } finally {
    await file?.close();
  }
}

/** Two processes that do it at once write the same bytes to the same place. */
async function mark(root: string): Promise<void> {
  const file = await openFile(join(root, MARK_FILE), constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW);
  try {
    await file.writeFile(`${MARK}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Windows syncs no file that is open for reading only. */
function ignoreUnsyncable(error: unknown): void {
  if (!hasCode(error, 'EINVAL', 'EPERM')) throw error;
}

/** Makes the names durable that lead to the root: that of the root always, for who made it may not have come this far. */
async function syncAbove(directory: string, firstMade: string | undefined): Promise<void> {
  for (let made = directory; ; made = dirname(made)) {
    await syncDirectory(dirname(made)).catch((error: unknown) => {
      // Of another user, who lets us in but not look around.
      if (!hasCode(error, 'EACCES', 'EPERM')) throw error;
    });
    if (firstMade === undefined || made.length <= firstMade.length) return;
  }
}
