import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  closeToOthers,
  hasCode,
  NO_FOLLOW,
  openFile,
  requireOwnDirectory,
  syncDirectory,
  undefinedFor,
  unsafeDirectory,
} from './open-files.ts';
import { makeRoot, type Place } from './root.ts';

const MAX_KNOWN_FOLDERS = 10_000;
const MAX_FOLDER_ATTEMPTS = 10;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
/** The name of the root itself. */
const ROOT = '';

interface Folder {
  path: string;
  stats: BigIntStats;
}

export interface TemporaryFile {
  path: string;
  file: FileHandle;
}

/** The folders that a store writes to. Each folder is made, checked and made durable once. Parallel puts share this work. */
export class Folders {
  readonly #place: Place;
  readonly #known = new Map<string, Promise<Folder>>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** A new file in the folder. The folder is made if it does not exist. */
  async createTemporary(folderName: string): Promise<TemporaryFile> {
    for (let attempt = 1; ; attempt++) {
      let folder: Folder | undefined;
      try {
        folder = await this.#prepared(folderName);
        return await createIn(folder);
      } catch (error) {
        // Another process deleted the folder with its last value, or created it again, perhaps not durably. A folder that is
        // unsafe when it is prepared stays unsafe, and another attempt would only prepare the folders of all scopes again.
        const isGone = hasCode(error, 'ENOENT') || (folder && hasCode(error, 'UNSAFE_DIRECTORY'));
        if (!isGone || attempt === MAX_FOLDER_ATTEMPTS) throw error;
        this.#known.clear();
      }
    }
  }

  #prepared(name: string): Promise<Folder> {
    const known = this.#known.get(name);
    if (known) return known;
    if (this.#known.size >= MAX_KNOWN_FOLDERS) this.#known.clear();
    const preparing =
      name === ROOT ? makeRoot(this.#place) : this.#prepared(ROOT).then((root) => makeFolder(root.path, name));
    this.#known.set(name, preparing);
    preparing.catch(() => {
      if (this.#known.get(name) === preparing) this.#known.delete(name);
    });
    return preparing;
  }
}

const LIVE = Symbol.for('ai-truncate.live-temporaries');
const NAME = /^\.tmp-[0-9a-f-]{36}$/;
/** A bundle can contain this file twice, and each copy must know the files of both. */
const shared = globalThis as { [LIVE]?: Set<string> };

/**
 * The temporary files that this process is writing, in all of its stores. A sweep leaves them alone, however long their source
 * is idle.
 */
export const liveTemporaries: Set<string> = shared[LIVE] ?? new Set();
shared[LIVE] = liveTemporaries;

export function isTemporaryName(name: string): boolean {
  return NAME.test(name);
}

/** The name of the file counts as live until the caller removes it from `liveTemporaries`. */
async function createIn(folder: Folder): Promise<TemporaryFile> {
  const name = `.tmp-${randomUUID()}`;
  const path = join(folder.path, name);
  liveTemporaries.add(name);
  let file: FileHandle | undefined;
  try {
    file = await openFile(path, CREATE);
    if (await isStill(folder)) return { path, file };
    throw unsafeDirectory(folder.path, 'was exchanged');
  } catch (error) {
    await file?.close().catch(() => {});
    if (file) await unlink(path).catch(() => {});
    liveTemporaries.delete(name);
    throw error;
  }
}

/** Makes a folder of the root, or checks the existing folder. */
async function makeFolder(root: string, name: string): Promise<Folder> {
  const path = join(root, name);
  await mkdir(path, { mode: 0o700 }).catch(undefinedFor('EEXIST'));
  const stats = await requireOwnDirectory(path);
  await closeToOthers(path, stats);
  // Needed for an existing folder too, because the process that made it may have stopped before this step.
  await syncDirectory(root);
  return { path, stats };
}

/**
 * Whether the path still leads to the prepared folder. Compares more than the number, because the number of a removed folder is
 * used again.
 */
async function isStill({ path, stats }: Folder): Promise<boolean> {
  const now = await lstat(path, { bigint: true });
  return now.dev === stats.dev && now.ino === stats.ino && now.birthtimeNs === stats.birthtimeNs;
}
