import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { grepArtifact } from '../src/readers/grep-artifact.ts';
import { compileSearchPattern } from '../src/readers/search-pattern.ts';
import { filesystemStore } from '../src/stores/filesystem-store.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { log, MEGABYTE } from './inputs.ts';
import { type Contender, medians, table } from './measure.ts';

const ROUNDS = 5;
const PATTERNS = [
  'ERROR',
  'not found',
  'refused|timeout|critical',
  '\\d{4}-\\d{2}-\\d{2}T23',
  'worker-1\\b',
  'in [0-9]{2} ms',
  '(a+)+$',
];
const SCOPE = 'bench';

/**
 * Matching lines of 50 MB of log, counted, in MB/s. Ours reads the artifact from its store; the engine of JavaScript has the
 * lines in memory already; ripgrep is a process of its own and reads the file, on as many cores as it likes.
 */
export async function grep(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ai-truncate-bench-'));
  try {
    const text = log(50 * MEGABYTE, { columns: 80 });
    const file = join(directory, 'log.txt');
    await writeFile(file, text);
    const searchers: Searcher[] = [
      await ours('ours, memoryStore', { text, store: memoryStore() }),
      await ours('ours, filesystemStore', { text, store: filesystemStore({ directory: join(directory, 'store') }) }),
      linesByEngine(text.split('\n')),
      ...(await ripgrep(file)),
    ];
    const columns = searchers.map(() => new Map<string, number>());
    for (const pattern of PATTERNS) {
      await requireSameCount(searchers, pattern);
      const contenders: Contender<string>[] = searchers.map(({ name, count }) => ({ name, run: count }));
      const times = await medians(contenders, { rounds: ROUNDS, input: () => pattern });
      for (const [at, { name }] of searchers.entries()) columns[at]?.set(pattern, times.get(name) ?? Number.NaN);
    }
    const megabytes = text.length / MEGABYTE;
    const rows = PATTERNS.map((pattern) => [
      `\`${pattern.replaceAll('|', '\\|')}\``,
      ...columns.map((times) => (megabytes / ((times.get(pattern) ?? Number.NaN) / 1000)).toFixed(0)),
    ]);
    console.log(`\n## grep over 50 MB of log, in MB/s\n\n${table(['', ...searchers.map(({ name }) => name)], rows)}`);
  } finally {
    await rm(directory, { recursive: true });
  }
}

interface Searcher {
  name: string;
  count(pattern: string): Promise<number>;
}

async function ours(
  name: string,
  { text, store }: { text: string; store: Parameters<typeof scopedArtifacts>[0] },
): Promise<Searcher> {
  const artifacts = scopedArtifacts(store, { scope: SCOPE });
  const { path } = await artifacts.save(text, { toolName: 'readServerLogs', toolCallId: 'call_1' });
  return {
    name,
    async count(source) {
      const compiled = compileSearchPattern(source);
      if (!compiled.ok) throw new Error(compiled.message);
      // To the end, however busy the machine is.
      const deadline = new AbortController().signal;
      return (await grepArtifact(artifacts, path, { ...compiled, deadline })).count;
    },
  };
}

function linesByEngine(lines: string[]): Searcher {
  return {
    name: 'V8, line by line',
    async count(source) {
      const expression = new RegExp(source);
      let count = 0;
      for (const line of lines) if (expression.test(line)) count++;
      return count;
    },
  };
}

/** Nothing where it is not installed. */
async function ripgrep(file: string): Promise<Searcher[]> {
  // By address, so that nobody needs the peers installed to check types.
  const { ripgrepPath }: { ripgrepPath(): Promise<string | undefined> } = await import(
    `${import.meta.dirname}/peers/ripgrep.mjs`
  );
  const command = await ripgrepPath();
  if (command === undefined) return [];
  const run = promisify(execFile);
  const count = async (source: string) => {
    // It exits with 1 when nothing is found.
    const { stdout } = await run(command, ['--count', '--no-config', '-e', source, file]).catch((error) => {
      if (error.code === 1) return { stdout: '0' };
      throw error;
    });
    return Number(stdout);
  };
  return [{ name: 'ripgrep', count }];
}

async function requireSameCount(searchers: Searcher[], pattern: string): Promise<void> {
  const counts: number[] = [];
  for (const { count } of searchers) counts.push(await count(pattern));
  if (new Set(counts).size === 1) return;
  throw new Error(`\`${pattern}\` is found ${counts.join(', ')} times: the searches are not the same.`);
}
