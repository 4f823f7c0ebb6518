// Writes with `filesystemStore` in its own process, which a trial kills or makes fail, and prints a report for each value: node
// lab/nothing-lost-writer.ts <directory> <way> [<first> <last> <step>]
import { writeSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chunksOf, putHashed, saveHashed } from '../fixtures/hashed-values.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { unlessMissing } from '../src/stores/filesystem/open-files.ts';

/** A line of output. */
export interface WriteReport {
  /** The number of the call that should fail. */
  at?: number;
  outcome: 'done' | (string & {});
  /** The acknowledged keys. */
  keys: string[];
}

interface Writing {
  store: ArtifactStore;
  /** The root of the store. */
  root: string;
  chunks: ReturnType<typeof chunksOf>;
}

type Way = (writing: Writing) => Promise<string[]>;

const ways: Readonly<Record<string, Way>> = {
  put: ({ store, chunks }) => putHashed(store, chunks),
  'put into a directory that others may read': ({ store, chunks }) => putHashed(store, chunks),
  'put from a source that rests': (writing) => putHashed(writing.store, writing.chunks, resting(writing)),
  save: ({ store, chunks }) => saveHashed(store, chunks),
};

/** A source does not continue if its put failed while it was idle. */
const mostPolls = 200;
const pollMs = 5;

const [, , directory = '', way = '', ...numbers] = process.argv;
if (way === 'all without end') await Promise.all([0, 1, 2, 3].map(writeWithoutEnd));
else await writeWithFaults(ways[way] ?? fail(`No way "${way}".`), numbers.map(Number));

/** Two writers that put and two that save, in the same folder. */
async function writeWithoutEnd(writer: number): Promise<never> {
  const store = filesystemStore({ directory });
  const write = writer % 2 === 0 ? putHashed : saveHashed;
  for (let index = 0; ; index++) print({ outcome: 'done', keys: await write(store, chunksOf(index * 4 + writer)) });
}

/** For each call that should fail: writes two values, one after the other, into a new store in a directory with that number. */
async function writeWithFaults(write: Way, [first = 0, last = first, step = 1]: number[]): Promise<void> {
  for (let at = first; at <= last; at += step) {
    process.env.FAULT_AT = String(at);
    const root = join(directory, String(at));
    const store = filesystemStore({ directory: root });
    for (const seed of [1, 2]) print({ at, ...(await reportOf(write({ store, root, chunks: chunksOf(seed) }))) });
  }
}

async function reportOf(writing: Promise<string[]>): Promise<WriteReport> {
  return await writing.then(
    (keys) => ({ outcome: 'done', keys }),
    (error: { code?: string }) => ({ outcome: String(error.code ?? error), keys: [] }),
  );
}

/** Without buffers, so that every printed report is complete, however the process ends. */
function print(report: WriteReport): void {
  writeSync(1, `${JSON.stringify(report)}\n`);
}

/** Is idle after its first chunk until the store has opened a file for it and lent the descriptor to others. */
async function* resting({ root, chunks: [first, ...others] }: Writing): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (first) yield first;
  for (const awaited of [true, false]) {
    for (let polls = 0; polls < mostPolls && (await holdsTemporary(root)) !== awaited; polls++) await delay(pollMs);
  }
  yield* others;
}

/** Makes no call in the store's directory, because its calls are counted. */
async function holdsTemporary(root: string): Promise<boolean> {
  const descriptors = '/proc/self/fd';
  const names = await readdir(descriptors);
  const paths = await Promise.all(names.map((name) => unlessMissing(readlink(join(descriptors, name)))));
  return paths.some((path) => path?.startsWith(root) && path.includes('/.tmp-'));
}

function fail(message: string): never {
  throw new Error(message);
}
