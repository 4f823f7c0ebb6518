import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { type ReadWindowResult, readWindow } from '../src/readers/read-window.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem-store.ts';
import { MEGABYTE } from './inputs.ts';
import { type Contender, medians, table } from './measure.ts';

const ROUNDS = 15;
/** What a page costs depends on how far it is from a mark of the line index: many pages, each further from the end. */
const PAGES = 20;
const STEP = 337;
const LINES = 100;
const COLUMNS = 80;
const SCOPE = 'bench';

const sizes = [
  { name: '1 MB', bytes: MEGABYTE },
  { name: '10 MB', bytes: 10 * MEGABYTE },
  { name: '100 MB', bytes: 100 * MEGABYTE },
  { name: '1 GB', bytes: 1024 * MEGABYTE },
];

/** Pages of 100 lines near the end of artifacts that grow a thousandfold: what one costs and what it reads of the store. */
export async function windows(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ai-truncate-bench-'));
  try {
    const store = filesystemStore({ directory: join(directory, 'store') });
    const artifacts: Readable[] = [];
    for (const size of sizes) artifacts.push(await pagesNearTheEnd(store, size));
    const contenders: Contender<undefined>[] = artifacts.map(({ name, readPages }) => ({ name, run: readPages }));
    const times = await medians(contenders, { rounds: ROUNDS, input: () => undefined });
    const smallest = times.get(sizes[0]?.name ?? '') ?? Number.NaN;
    const rows = artifacts.map(({ name, reads }) => {
      const time = times.get(name) ?? Number.NaN;
      return [
        name,
        `${(time / PAGES).toFixed(2)} ms`,
        `×${(time / smallest).toFixed(2)}`,
        ...[reads.map(({ calls }) => calls), reads.map(({ bytes }) => bytes / 1024)].flatMap(meanAndMost),
      ];
    });
    const head = ['', 'time', 'of the 1 MB case', 'store reads', 'at most', 'KB read', 'at most'];
    console.log(`\n## 100 lines near the end of an artifact, filesystemStore\n\n${table(head, rows)}`);
  } finally {
    await rm(directory, { recursive: true });
  }
}

function meanAndMost(numbers: number[]): string[] {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return [mean, Math.max(...numbers)].map((number) => number.toFixed(Number.isInteger(number) ? 0 : 1));
}

interface Readable {
  name: string;
  readPages(): Promise<void>;
  /** Of each page. */
  reads: Reads[];
}

interface Reads {
  /** Of `get` and `head`. */
  calls: number;
  bytes: number;
}

async function pagesNearTheEnd(
  store: ArtifactStore,
  { name, bytes }: { name: string; bytes: number },
): Promise<Readable> {
  const artifacts = scopedArtifacts(store, { scope: SCOPE, sweepOnSave: false });
  const total = Math.floor(bytes / COLUMNS);
  const { path } = await artifacts.save(numberedLines(total), { toolName: 'readServerLogs', toolCallId: 'call_1' });
  const offsets = Array.from({ length: PAGES }, (_, page) => total - LINES - page * STEP);
  const options = { limit: LINES, maxChars: 2 * LINES * COLUMNS };
  const reads: Reads[] = [];
  // Apart from what is timed: counting costs too.
  for (const offset of offsets) {
    const read = { calls: 0, bytes: 0 };
    const counted = scopedArtifacts(counting(store, read), { scope: SCOPE });
    requireLines(await readWindow(counted, path, { ...options, offset }), { offset });
    reads.push(read);
  }
  const readPages = async () => {
    for (const offset of offsets) await readWindow(artifacts, path, { ...options, offset });
  };
  return { name, readPages, reads };
}

/** Written as a stream: the largest would not fit into a string. */
async function* numberedLines(total: number): AsyncGenerator<Uint8Array> {
  const linesPerChunk = Math.floor(MEGABYTE / COLUMNS);
  for (let first = 1; first <= total; first += linesPerChunk) {
    const count = Math.min(linesPerChunk, total + 1 - first);
    yield Buffer.from(Array.from({ length: count }, (_, index) => `${numberedLine(first + index)}\n`).join(''));
  }
}

function numberedLine(line: number): string {
  return `${String(line).padStart(9, '0')} INFO worker processed a job`.padEnd(COLUMNS - 1, '.');
}

function counting(store: ArtifactStore, reads: Reads): ArtifactStore {
  return {
    ...store,
    async get(key, options) {
      reads.calls++;
      const stream = await store.get(key, options);
      const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          reads.bytes += chunk.length;
          controller.enqueue(chunk);
        },
      });
      return stream?.pipeThrough(counter);
    },
    head(key, options) {
      reads.calls++;
      return store.head(key, options);
    },
  };
}

function requireLines({ pieces }: ReadWindowResult, { offset }: { offset: number }): void {
  const areRight = pieces.every(({ text }, index) => text === numberedLine(offset + index));
  if (pieces.length !== LINES || !areRight) throw new Error(`The page from line ${offset} on has other lines.`);
}
