import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import type { Artifacts } from '../src/artifacts/artifacts.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { type ReadWindowResult, readWindow } from '../src/windows/read-window.ts';
import type { BenchPart } from './bench-part.ts';
import { type Contender, compare } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { countingStore, meanAndMost, type StoreReads } from './counting-store.ts';
import { table } from './measure.ts';
import { COLUMNS, numberedLine, numberedLines } from './numbered-lines.ts';
import { columnsBetween, mostStringBytes } from './sizes.ts';

/**
 * The cost of a page depends on its distance from a mark of the line index, so many pages are read, each further from the end.
 */
const PAGES = 20;
const STEP = 337;
const LINES = 100;
const SCOPE = 'bench';
const options = { limit: LINES, maxChars: 2 * LINES * COLUMNS };
const ours = 'ai-truncate, as in readArtifact';

interface Kept {
  artifacts: Artifacts;
  path: string;
  bytes: number;
  /** The first line of each page. */
  offsets: number[];
}

/** Pages of lines near the end of growing artifacts. */
export const windows: BenchPart = {
  section: 'bench-windows',
  heading: 'To read a window of lines',
  measure: (scale) =>
    inTemporaryDirectory(async (directory) => {
      const store = filesystemStore({ directory: join(directory, 'store'), showAbsolutePaths: true });
      const reads: string[][] = [];
      const columns = columnsBetween(['100 KB', '1 GB'], {
        scale,
        async prepare({ name, bytes }) {
          const kept = await keep(store, bytes);
          reads.push([name, ...(await readsOf(kept, store))]);
          return kept;
        },
      });
      const caption = `A page of ${LINES} lines near the end of an artifact of 80 columns, filesystemStore; the mean of ${PAGES} pages.`;
      const comparison = await compare(contenders, { columns, scale });
      const ofStore = table(['read from the store for a page', 'requests', 'at most', 'KB', 'at most'], reads);
      return `${comparisonText(comparison, { caption, base: ours })}\n\n${ofStore}`;
    }),
};

const contenders: Contender<Kept>[] = [
  {
    name: ours,
    givesMilliseconds: true,
    async run({ artifacts, path, offsets }) {
      const started = performance.now();
      for (const offset of offsets) await readWindow(artifacts, path, { ...options, offset });
      return (performance.now() - started) / offsets.length;
    },
  },
  {
    name: 'readFile, split, slice',
    rival: {
      of: ours,
      because: 'it checks neither the owner nor the starts of lines, and the whole file is still small',
    },
    cannot: ({ bytes }) => (bytes > mostStringBytes ? 'longer than any string' : undefined),
    async run({ path, offsets: [offset = 1] }) {
      return (await readFile(path, 'utf8')).split('\n').slice(offset - 1, offset - 1 + LINES);
    },
  },
];

async function keep(store: ArtifactStore, bytes: number): Promise<Kept> {
  const artifacts = scopedArtifacts(store, { scope: SCOPE, sweep: false });
  const total = Math.floor(bytes / COLUMNS);
  const { path } = await artifacts.save(numberedLines(total), { toolName: 'readServerLogs', toolCallId: 'call_1' });
  // In the smallest artifact, from the end to the middle and back.
  const offsets = Array.from({ length: PAGES }, (_, index) => total - LINES - ((index * STEP) % (total >> 1)));
  return { artifacts, path, bytes, offsets };
}

/** Not in the timed runs, because counting takes time too. */
async function readsOf({ path, offsets }: Kept, store: ArtifactStore): Promise<string[]> {
  const reads: StoreReads[] = [];
  for (const offset of offsets) {
    const read = { calls: 0, bytes: 0 };
    const counted = scopedArtifacts(countingStore(store, read), { scope: SCOPE });
    requireLines(await readWindow(counted, path, { ...options, offset }), { offset });
    reads.push(read);
  }
  return meanAndMost(reads);
}

function requireLines({ pieces }: ReadWindowResult, { offset }: { offset: number }): void {
  const areRight = pieces.every(({ text }, index) => text === numberedLine(offset + index));
  if (pieces.length !== LINES || !areRight) throw new Error(`The page that starts at line ${offset} has other lines.`);
}
