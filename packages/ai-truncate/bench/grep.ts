import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import type { Artifacts } from '../src/artifacts/artifacts.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { grepArtifact } from '../src/search/grep-artifact.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { compileSearchPattern } from '../src/text/pattern.ts';
import type { BenchPart, BenchScale } from './bench-part.ts';
import { type Column, type Contender, compare } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { logPieces, MEGABYTE } from './inputs.ts';
import { columnsBetween, megabytesText, mostStringBytes } from './sizes.ts';

interface Search {
  pattern: string;
  ignoreCase: boolean;
}

/** The same log in every place that is searched. */
interface KeptLog {
  bytes: number;
  inMemory: Kept;
  inFiles: Kept;
  /** Absent if the log exceeds the longest possible string. */
  lines?: string[];
}

interface Kept {
  artifacts: Artifacts;
  path: string;
}

interface Task {
  log: KeptLog;
  search: Search;
}

const ours = 'ai-truncate, filesystemStore';
const oursInMemory = 'ai-truncate, memoryStore';
const growing: Search = { pattern: 'worker-1\\b', ignoreCase: false };
const searches: Search[] = [
  growing,
  { pattern: 'ERROR', ignoreCase: false },
  { pattern: 'Connection Refused', ignoreCase: true },
  { pattern: 'refused|timeout|critical', ignoreCase: false },
  { pattern: 'error|timeout', ignoreCase: true },
  { pattern: '\\d{4}-\\d{2}-\\d{2}T23', ignoreCase: false },
  { pattern: 'in [0-9]{2} ms', ignoreCase: false },
  { pattern: '(refused|denied) by', ignoreCase: false },
  { pattern: '(a+)+$', ignoreCase: false },
];

/** Counts matching lines of a log. */
export const grep: BenchPart = {
  section: 'bench-grep',
  heading: 'To search',
  measure: (scale) =>
    inTemporaryDirectory(async (directory) => {
      const contenders = [...searchers, await ripgrep()];
      const keep = keeper(directory);
      return [await sizes(contenders, { scale, keep }), await patterns(contenders, { scale, keep })].join('\n\n');
    }),
};

interface GrepRun {
  scale: BenchScale;
  keep(bytes: number): Promise<KeptLog>;
}

async function sizes(contenders: Contender<Task>[], { scale, keep }: GrepRun): Promise<string> {
  const columns = columnsBetween(['1 KB', '1 GB'], {
    scale,
    prepare: async ({ bytes }) => ({ log: await keep(bytes), search: growing }),
  });
  const caption =
    `\`${growing.pattern}\` in logs of 80 columns, of which one in 17 matches: matching lines counted. ai-truncate reads ` +
    'the artifact from its store, in slices, in one thread; V8 already has the lines in memory; ripgrep runs in its own process that ' +
    'reads the file.';
  return compared(contenders, { columns, scale, caption });
}

async function patterns(contenders: Contender<Task>[], { scale, keep }: GrepRun): Promise<string> {
  const bytes = Math.min(50 * MEGABYTE, scale.mostBytes);
  const log = await keep(bytes);
  const columns = searches.map((search) => ({
    name: `\`${search.pattern}\`${search.ignoreCase ? ', any case' : ''}`,
    bytes,
    prepare: () => ({ log, search }),
  }));
  return compared(contenders, { columns, scale, caption: `Patterns, in ${megabytesText(bytes)}.` });
}

interface ComparedSearches {
  columns: Column<Task>[];
  scale: BenchScale;
  caption: string;
}

async function compared(contenders: Contender<Task>[], { columns, scale, caption }: ComparedSearches): Promise<string> {
  const checked = columns.map((column) => ({
    ...column,
    async prepare() {
      const task = await column.prepare();
      await requireSameCount(contenders, task);
      return task;
    },
  }));
  const comparison = await compare(contenders, { columns: checked, scale });
  return comparisonText(comparison, { caption, base: ours, tellsThroughput: true });
}

function keeper(directory: string): (bytes: number) => Promise<KeptLog> {
  const inMemory = scopedArtifacts(memoryStore(), { scope: 'bench', sweep: false });
  const store = filesystemStore({ directory: join(directory, 'store'), showAbsolutePaths: true });
  const inFiles = scopedArtifacts(store, { scope: 'bench', sweep: false });
  const call = { toolName: 'readServerLogs', toolCallId: 'call_1' };
  return async (bytes) => {
    await inMemory.deleteAll();
    await inFiles.deleteAll();
    return {
      bytes,
      inMemory: { artifacts: inMemory, path: (await inMemory.save(logPieces(bytes), call)).path },
      inFiles: { artifacts: inFiles, path: (await inFiles.save(logPieces(bytes), call)).path },
      ...(bytes < mostStringBytes && { lines: [...logPieces(bytes)].join('').split('\n') }),
    };
  };
}

const searchers: Contender<Task>[] = [
  { name: ours, run: ({ log, search }) => countIn(log.inFiles, search) },
  { name: oursInMemory, run: ({ log, search }) => countIn(log.inMemory, search) },
  {
    name: 'V8, line by line',
    rival: {
      of: oursInMemory,
      because:
        'it already has lines, and compiles a pattern to machine code, where RE2JS is JavaScript; `(a+)+b` can block its process forever, which RE2 cannot',
    },
    cannot: ({ log }) => (log.lines ? undefined : 'longer than any string'),
    run({ log: { lines = [] }, search: { pattern, ignoreCase } }) {
      const expression = new RegExp(pattern, ignoreCase ? 'i' : '');
      let count = 0;
      for (const line of lines) if (expression.test(line)) count++;
      return count;
    },
  },
];

async function countIn({ artifacts, path }: Kept, { pattern, ignoreCase }: Search): Promise<number> {
  const compiled = compileSearchPattern(pattern, { ignoreCase });
  if (!compiled.ok) throw new Error(compiled.message);
  // Runs to the end, however busy the machine is.
  const deadline = new AbortController().signal;
  return (await grepArtifact(artifacts, path, { ...compiled, deadline })).count;
}

async function ripgrep(): Promise<Contender<Task>> {
  // Imported by a computed path, so that type checks work without the peers.
  const { ripgrepCommand }: { ripgrepCommand(): Promise<{ command: string; version: string } | undefined> } =
    await import(`${import.meta.dirname}/peers/ripgrep.mjs`);
  const found = await ripgrepCommand();
  const run = promisify(execFile);
  return {
    name: found?.version ?? 'ripgrep',
    rival: {
      of: ours,
      because: 'it is compiled, searches many bytes at a time, and neither checks owners nor gives other tasks a turn',
    },
    cannot: () => (found ? undefined : 'not installed'),
    async run({ log, search: { pattern, ignoreCase } }) {
      // The exit code is 1 if nothing is found.
      const options = ['--count', '--no-config', ...(ignoreCase ? ['--ignore-case'] : [])];
      const { stdout } = await run(found?.command ?? '', [...options, '-e', pattern, log.inFiles.path]).catch(
        (error) => {
          if (error.code === 1) return { stdout: '0' };
          throw error;
        },
      );
      return Number(stdout);
    },
  };
}

async function requireSameCount(contenders: Contender<Task>[], task: Task): Promise<void> {
  const able = contenders.filter(({ cannot }) => cannot?.(task) === undefined);
  const counts: unknown[] = [];
  for (const { run } of able) counts.push(await run(task));
  if (new Set(counts).size === 1) return;
  throw new Error(`\`${task.search.pattern}\` is found ${counts.join(', ')} times, so the searches differ.`);
}
