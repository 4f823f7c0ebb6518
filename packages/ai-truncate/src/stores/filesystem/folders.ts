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
/** The name under which the root itself is known. */
const ROOT = '';

interface Folder {
  path: string;
  stats: BigIntStats;
}

export interface TemporaryFile {
  path: string;
  file: FileHandle;
}

/** The folders that a store writes to. Each is made, checked and made durable once; parallel puts share that work. */
export class Folders {
  readonly #place: Place;
  readonly #known = new Map<string, Promise<Folder>>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** A new file in the folder, which is made when it is missing. */
  async createTemporary(folderName: string): Promise<TemporaryFile> {
    for (let attempt = 1; ; attempt++) {
      let folder: Folder | undefined;
      try {
        folder = await this.#prepared(folderName);
        return await createIn(folder);
      } catch (error) {
        // Another process deleted the folder with its last value, or created it again, perhaps not durably. A folder that is
        // unsafe when it is prepared stays so, and another attempt would only prepare the folders of all scopes again.
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
/** A bundle can hold two copies of this file, and each knows the files of both. */
const shared = globalThis as { [LIVE]?: Set<string> };

/** The temporary files that this process writes, in any of its stores: a sweep leaves them, however long their source rests. */
export const liveTemporaries: Set<string> = shared[LIVE] ?? new Set();
shared[LIVE] = liveTemporaries;

export function isTemporaryName(name: string): boolean {
  return NAME.test(name);
}

/** The name of the file counts as live until it is taken out of `liveTemporaries`. */
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

/** Makes a folder of the root, or checks the one that is there. */
async function makeFolder(root: string, name: string): Promise<Folder> {
  const path = join(root, name);
  await mkdir(path, { mode: 0o700 }).catch(undefinedFor('EEXIST'));
  const stats = await requireOwnDirectory(path);
  await closeToOthers(path, stats);
  // Also of a folder that was there: who made it may not have come this far.
  await syncDirectory(root);
  return { path, stats };
}

/** Whether the folder of the path is the one that was prepared; the number of a removed one is given out again. */
async function isStill({ path, stats }: Folder): Promise<boolean> {
  const now = await lstat(path, { bigint: true });
  return now.dev === stats.dev && now.ino === stats.ino && now.birthtimeNs === stats.birthtimeNs;
}
