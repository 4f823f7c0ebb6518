import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { run } from './disk.ts';

/** A store on its own disk. */
export interface StoreOnDisk {
  disk: string;
  store: ArtifactStore;
  directory: string;
  /** The folder of the only scope. */
  scope: string;
  /** The number of the round. */
  number: number;
}

export interface DiskFault {
  name: string;
  /** The options of the mount. */
  options: string;
  /** How many outputs are saved before the fault starts. */
  keptBefore: number;
  /** Absent if the disk is too small from the beginning. */
  begin?(on: StoreOnDisk): unknown;
  end(on: StoreOnDisk): unknown;
}

const nobody = 65_534;

/** Ways to make a disk refuse writes, and to undo it. */
export const diskFaults: readonly DiskFault[] = [
  {
    name: 'a disk of 512 KB',
    options: 'size=512k',
    keptBefore: 0,
    end: ({ store, scope }) => scopedArtifacts(store, { scope }).deleteAll(),
  },
  {
    name: 'a disk that is full before the store makes its directory',
    options: 'size=512k',
    keptBefore: 0,
    begin: ({ disk }) => writeFileSync(join(disk, 'filler'), new Uint8Array(512 * 1024)),
    end: ({ disk }) => rmSync(join(disk, 'filler')),
  },
  {
    // The disk itself, the directory of the store, its mark and the folder of the scope use all inodes.
    name: 'a disk of 4 inodes',
    options: 'nr_inodes=4',
    keptBefore: 0,
    end: ({ disk }) => run('mount', ['-o', 'remount,nr_inodes=100', disk]),
  },
  {
    name: 'a disk of 8 inodes',
    options: 'nr_inodes=8',
    keptBefore: 0,
    end: ({ store, scope }) => scopedArtifacts(store, { scope }).deleteAll(),
  },
  {
    name: 'a disk that becomes read-only',
    options: 'size=8m',
    keptBefore: 2,
    begin: ({ disk }) => run('mount', ['-o', 'remount,ro', disk]),
    end: ({ disk }) => run('mount', ['-o', 'remount,rw', disk]),
  },
  {
    name: 'a directory of another owner',
    options: 'size=8m',
    keptBefore: 0,
    begin(on) {
      mkdirSync(join(on.directory, on.scope), { recursive: true, mode: 0o700 });
      writeFileSync(join(on.directory, '.gitignore'), '*\n');
      chownSync(ownedByOther(on), nobody, nobody);
    },
    end: (on) => chownSync(ownedByOther(on), 0, 0),
  },
  {
    name: 'a disk that the process may not write to',
    options: 'size=8m',
    keptBefore: 0,
    begin({ disk }) {
      // Every user may read it, so that leftover files can be counted.
      for (const path of [dirname(disk), disk]) chmodSync(path, 0o755);
      process.seteuid?.(nobody);
    },
    end: () => process.seteuid?.(0),
  },
];

/** The directory of the store, or one of its folders. */
function ownedByOther({ directory, scope, number }: StoreOnDisk): string {
  return number % 2 === 0 ? directory : join(directory, scope);
}
