import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { type ArtifactHandler, createArtifactHandler } from '../src/http/create-artifact-handler.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { formatPosition } from '../src/windows/place.ts';
import type { BenchPart } from './bench-part.ts';
import { type Contender, compare } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { countingStore } from './counting-store.ts';
import { logPieces } from './inputs.ts';
import { table } from './measure.ts';
import { COLUMNS, numberedLines } from './numbered-lines.ts';
import { columnsBetween, mostStringBytes } from './sizes.ts';

/** Two artifacts of the same size: one with many lines, and one with a single line. */
interface Served {
  handler: ArtifactHandler;
  bytes: number;
  lines: { name: string; path: string; count: number };
  oneLine: { name: string };
}

interface View {
  name: string;
  /** The request, relative to the address of the handler. */
  of(served: Served): { path: string; range?: string };
}

const SCOPE = 'bench';
const SHOWN = 200;
const RANGE_BYTES = 64 * 1024;
const lastLines = `the last ${SHOWN} lines`;
const rawRange = 'raw, 64 KB in the middle';

const views: View[] = [
  { name: `the first ${SHOWN} lines`, of: ({ lines }) => ({ path: `${lines.name}/lines?start=1&count=${SHOWN}` }) },
  {
    name: `${SHOWN} lines in the middle`,
    of: ({ lines }) => ({ path: `${lines.name}/lines?start=${lines.count >> 1}&count=${SHOWN}` }),
  },
  { name: lastLines, of: ({ lines }) => ({ path: `${lines.name}/lines?start=-${SHOWN}&count=${SHOWN}` }) },
  {
    name: 'the first 2,000 characters of a line',
    of: ({ oneLine }) => ({ path: `${oneLine.name}/chars?start=1` }),
  },
  {
    name: '2,000 characters in its middle, by number',
    of: ({ oneLine, bytes }) => ({ path: `${oneLine.name}/chars?start=${bytes >> 1}` }),
  },
  {
    name: 'the same, with a cursor from an earlier answer',
    of: ({ oneLine, bytes }) => ({
      path: `${oneLine.name}/chars?at=${formatPosition({ line: 1, character: (bytes >> 1) + 1, byte: bytes >> 1 })}`,
    }),
  },
  { name: rawRange, of: ({ lines, bytes }) => ({ path: `${lines.name}/raw`, range: rangeOf(bytes).header }) },
];

/** Windows of growing artifacts, as a UI requests them. */
export const http: BenchPart = {
  section: 'bench-http',
  heading: 'To serve a window over HTTP',
  measure: (scale) =>
    inTemporaryDirectory(async (directory) => {
      const store = filesystemStore({ directory: join(directory, 'store'), showAbsolutePaths: true });
      const reads: string[][] = [];
      const columns = columnsBetween(['100 KB', '1 GB'], {
        scale,
        async prepare({ name, bytes }) {
          const served = await serve(store, bytes);
          for (const view of views) reads.push([name, view.name, ...(await readsOf(view, { served, store }))]);
          return served;
        },
      });
      const contenders = [...views.map(asContender), ...plainReads];
      const caption =
        'A request to `createArtifactHandler` until its body is read, filesystemStore, without a socket. The rows below show the time that plain Node ' +
        'needs to read the same from the file.';
      const comparison = comparisonText(await compare(contenders, { columns, scale }), { caption });
      const ofStore = table(['', 'of one answer', 'requests to the store', 'KB read from it', 'KB sent'], reads);
      return `${comparison}\n\n${ofStore}`;
    }),
};

function asContender(view: View): Contender<Served> {
  return { name: view.name, run: (served) => answerBytes(view, served) };
}

const plainReads: Contender<Served>[] = [
  {
    name: 'readFile, split, slice, JSON',
    rival: {
      of: lastLines,
      because: 'it checks neither the owner nor the starts of lines, and the whole file is still small',
    },
    cannot: ({ bytes }) => (bytes > mostStringBytes ? 'longer than any string' : undefined),
    run: async ({ lines }) => JSON.stringify((await readFile(lines.path, 'utf8')).split('\n').slice(-SHOWN)),
  },
  {
    name: 'open, read 64 KB, close',
    rival: {
      of: rawRange,
      because: 'it does the minimum; ai-truncate also finds the owner, and answers with a stream',
    },
    async run({ lines, bytes }) {
      const file = await open(lines.path);
      try {
        await file.read(Buffer.alloc(RANGE_BYTES), 0, RANGE_BYTES, rangeOf(bytes).start);
      } finally {
        await file.close();
      }
    },
  },
];

function rangeOf(bytes: number): { start: number; header: string } {
  const start = bytes >> 1;
  return { start, header: `bytes=${start}-${start + RANGE_BYTES - 1}` };
}

async function serve(store: ArtifactStore, bytes: number): Promise<Served> {
  const artifacts = scopedArtifacts(store, { scope: SCOPE, sweep: false });
  await artifacts.deleteAll();
  const call = { toolName: 'readServerLogs', toolCallId: 'call_1' };
  const count = Math.floor(bytes / COLUMNS);
  const { name, path } = await artifacts.save(numberedLines(count), call);
  const oneLine = await artifacts.save(oneLinePieces(bytes), call);
  return { handler: handlerOf(store), bytes, lines: { name, path, count }, oneLine };
}

function* oneLinePieces(bytes: number): Generator<string> {
  for (const piece of logPieces(bytes)) yield piece.replaceAll('\n', ' ');
}

function handlerOf(store: ArtifactStore): ArtifactHandler {
  return createArtifactHandler({ store, authorize: () => SCOPE });
}

async function answerBytes({ name, of }: View, served: Served): Promise<number> {
  const { path, range } = of(served);
  const headers: Record<string, string> = range ? { range } : {};
  const response = await served.handler(new Request(`https://app.test/artifacts/${path}`, { headers }));
  const { byteLength: bytes } = await response.arrayBuffer();
  if (response.status !== (range ? 206 : 200)) throw new Error(`${name}: ${response.status}`);
  return bytes;
}

/** Not in the timed runs, because counting takes time too. */
async function readsOf(view: View, { served, store }: { served: Served; store: ArtifactStore }): Promise<string[]> {
  const reads = { calls: 0, bytes: 0 };
  const sent = await answerBytes(view, { ...served, handler: handlerOf(countingStore(store, reads)) });
  return [String(reads.calls), (reads.bytes / 1024).toFixed(1), (sent / 1024).toFixed(1)];
}
