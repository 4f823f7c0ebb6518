import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WriteReport } from './nothing-lost-writer.ts';

export interface WriterProcess {
  directory: string;
  /** How it writes: `nothing-lost-writer.ts` describes each way. */
  way: string;
  /** The first and the last call that should fail, and the step between them. */
  faults?: readonly number[];
  /** @default the environment of this process */
  environment?: NodeJS.ProcessEnv;
}

export interface WriterRun {
  reports: WriteReport[];
  /** The lines of its standard error. */
  errors: string[];
  signal: NodeJS.Signals | null;
}

const script = join(import.meta.dirname, 'nothing-lost-writer.ts');
/** A writer that hangs ends the trial. */
const mostMs = 120_000;

/** Lets a process write until it ends. */
export async function runWriter(options: WriterProcess): Promise<WriterRun> {
  const { child, reports, errors } = startWriter(options);
  const [, signal] = await once(child, 'close');
  return { reports: reports(), errors: errors(), signal };
}

/** Lets four writers write without end, and kills their process at a random moment after a number of values were acknowledged. */
export async function killWriters(
  directory: string,
  { afterReports = 1, environment }: { afterReports?: number; environment?: NodeJS.ProcessEnv } = {},
): Promise<WriteReport[]> {
  const { child, reports, errors } = startWriter({
    directory,
    way: 'all without end',
    ...(environment && { environment }),
  });
  const closed = once(child, 'close');
  while (child.exitCode === null && reports().length < afterReports)
    await Promise.race([once(child.stdout, 'data'), closed]);
  // Waits for no particular event, because the kill should hit any moment.
  await delay(Math.random() * 40);
  child.kill('SIGKILL');
  const [, signal] = await closed;
  if (signal !== 'SIGKILL') throw new Error(`The writers ended before they were killed: ${errors().join('\n')}`);
  return reports();
}

function startWriter({ directory, way, faults = [], environment = process.env }: WriterProcess) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, directory, way, ...faults.map(String)],
    { stdio: ['ignore', 'pipe', 'pipe'], env: environment, timeout: mostMs },
  );
  const output = linesOf(child.stdout);
  return {
    child,
    reports: () => output().map((line): WriteReport => JSON.parse(line)),
    errors: linesOf(child.stderr),
  };
}

/** The whole lines so far. */
function linesOf(stream: NonNullable<ChildProcess['stdout']>): () => string[] {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text.split('\n').slice(0, -1);
}
