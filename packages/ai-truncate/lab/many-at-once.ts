import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tool } from 'ai';
import { z } from 'zod';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { watchTurns } from '../fixtures/longest-turn.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { isTruncatedOutput } from '../src/protocol/truncated-output.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { thousands } from '../src/text/utf.ts';
import { truncateToolOutputs } from '../src/tools/truncate-tool-outputs.ts';
import type { LabPromise, LabTrial, TrialOutcome } from './lab-promise.ts';

const MOST_OPEN_FILES = 64;
const MOST_DESCRIPTORS = 1024;
/** The limit for turns other than the turn in which the caller starts all calls. */
const MOST_TURN_MS = 100;
const body = `${'x'.repeat(99)}\n`.repeat(600);
/** Longer than any disk needs for all outputs, because the last output waits for all others. */
const patienceMs = 30 * 60_000;
const counts = { full: 10_000, small: 300 };

const all: LabTrial = {
  name: 'oversized outputs, all at once',
  target: `0 errors, at most ${MOST_OPEN_FILES} open files, all saved, 0 silent, no turn over ${MOST_TURN_MS} ms except the turn that starts them all`,
  run: (size) => deliverAll(counts[size]),
};

const mixed: LabTrial = {
  name: 'JSON, NDJSON and blank lines, all at once',
  target: all.target,
  run: (size) => deliverAtOnce(counts[size], { saveTimeoutMs: patienceMs, isMet: areAllKept, textOf: recordsOf }),
};

const rows = Array.from({ length: 1500 }, (_, id) => ({ id, name: `user ${id}`, tags: ['a', 'b'] }));
const bodies = [
  JSON.stringify(rows),
  rows.map((row) => JSON.stringify(row)).join('\n'),
  '\n'.repeat(60_000),
  `[${'1,'.repeat(30_000)}1]`,
];

/** Text that starts with its number, so that each output is compared with its own text. */
function recordsOf(index: number): string {
  const rest = bodies[index % bodies.length] ?? '';
  return rest.startsWith('[') ? `[${index},${rest.slice(1)}` : `{"index":${index}}\n${rest}`;
}

const tooFew: LabTrial = {
  name: 'the same with a quarter of the time that they need',
  target: `0 errors, at most ${MOST_OPEN_FILES} open files, outputs that the disk takes in that time are saved completely, the rest reported as not saved, 0 silent, no turn over ${MOST_TURN_MS} ms except the turn that starts them all`,
  async run(size) {
    const count = counts[size];
    const startedAt = performance.now();
    const inTime = await deliverAll(count);
    const saveTimeoutMs = Math.ceil((performance.now() - startedAt) / 4);
    const isMet = ({ kept, told }: Burst) => kept >= count / 100 && told > 0;
    return inTime.status === 'met' ? deliverAtOnce(count, { saveTimeoutMs, isMet }) : inTime;
  },
};

function deliverAll(count: number): Promise<TrialOutcome> {
  return deliverAtOnce(count, { saveTimeoutMs: patienceMs, isMet: areAllKept });
}

function areAllKept({ kept }: Burst, count: number): boolean {
  return kept === count;
}

/** A burst of outputs takes turns at the disk. */
export const manyAtOnce: LabPromise = {
  promise: 'Many outputs at once need few files, and lost outputs are reported',
  trials: [all, tooFew, mixed],
  measuresTurns: true,
};

/** Only for this process. Returns the reason if it is impossible. */
function limitDescriptors(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux limits and shows the open files of a running process';
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${MOST_DESCRIPTORS}:${MOST_DESCRIPTORS}`]);
    return undefined;
  } catch (error) {
    return `prlimit of util-linux limits the open files, and could not be run: ${String(error)}`;
  }
}

interface Burst {
  errors: number;
  openFiles: number;
  /** Outputs with a path and all their bytes. */
  kept: number;
  /** Outputs with a path that are incomplete. */
  broken: number;
  /** Outputs without a path whose text says so. */
  told: number;
  /** Outputs that were cut without saying so, or that are not bounded. */
  silent: number;
}

interface BurstOptions {
  saveTimeoutMs: number;
  /** The condition in addition to the conditions of every burst. */
  isMet(burst: Burst, count: number): boolean;
  /** @default 60 KB of lines */
  textOf?: (index: number) => string;
}

async function deliverAtOnce(
  count: number,
  { saveTimeoutMs, isMet, textOf = linesOf }: BurstOptions,
): Promise<TrialOutcome> {
  const reason = limitDescriptors();
  if (reason) return { status: 'skipped', reason };
  return inTemporaryDirectory(async (directory) => {
    const store = filesystemStore({ directory });
    const readLog = tool({
      inputSchema: z.object({ index: z.number() }),
      execute: ({ index }) => textOf(index),
    });
    const { readLog: wrapped } = truncateToolOutputs(
      { readLog },
      { store, scope: 'lab', saveTimeoutMs, onTruncate: () => {} },
    );
    const call = (index: number) =>
      wrapped.execute({ index }, { toolCallId: `call_${index}`, messages: [], context: {} });

    const watch = watchOpenFiles();
    const startedAt = performance.now();
    let results: PromiseSettledResult<unknown>[] = [];
    const turns: number[] = [];
    await watchTurns(
      async () => {
        results = await Promise.allSettled(Array.from({ length: count }, (_, index) => call(index)));
      },
      (milliseconds) => turns.push(milliseconds),
    );
    // All calls start in the first turn.
    const [beginsMs = 0, ...others] = turns;
    const longestMs = others.reduce((longest, each) => Math.max(longest, each), 0);
    const seconds = (performance.now() - startedAt) / 1000;
    const openFiles = watch.end();

    const errors = results.filter(({ status }) => status === 'rejected').length;
    const burst = { errors, openFiles, ...(await compareKept(results, { store, textOf })) };
    const isHeld =
      errors + burst.broken + burst.silent === 0 && openFiles <= MOST_OPEN_FILES && longestMs <= MOST_TURN_MS;
    return {
      status: isHeld && isMet(burst, count) ? 'met' : 'missed',
      how: `${thousands(count)} calls of a wrapped tool started in one turn, each with its own 60 KB, filesystemStore, a limit of ${thousands(MOST_DESCRIPTORS)} open files, saveTimeoutMs ${thousands(saveTimeoutMs)}; each artifact read again and compared`,
      measured: `${errors} errors, at most ${openFiles} open files, ${thousands(burst.kept)} of ${thousands(count)} saved completely, ${burst.broken} incomplete, ${thousands(burst.told)} reported as not saved, ${burst.silent} silent; ${seconds.toFixed(1)} s, the turn that starts them all takes ${beginsMs.toFixed(0)} ms, the longest of the others ${longestMs.toFixed(0)} ms`,
    };
  });
}

function linesOf(index: number): string {
  return `output ${index}\n${body}`;
}

async function compareKept(
  results: readonly PromiseSettledResult<unknown>[],
  { store, textOf }: { store: ArtifactStore; textOf: (index: number) => string },
): Promise<Pick<Burst, 'kept' | 'broken' | 'told' | 'silent'>> {
  const artifacts = scopedArtifacts(store, { scope: 'lab' });
  const burst = { kept: 0, broken: 0, told: 0, silent: 0 };
  for (const [index, result] of results.entries()) {
    if (result.status === 'rejected') continue;
    const output = result.value;
    const path = isTruncatedOutput(output) ? output.data.truncation.full_output_path : null;
    if (!isTruncatedOutput(output) || path === null) {
      const isTold = isTruncatedOutput(output) && output.text.includes('was not saved and cannot be retrieved');
      burst[isTold ? 'told' : 'silent']++;
      continue;
    }
    const text = await new Response(await artifacts.readStream(path)).text();
    burst[text === textOf(index) ? 'kept' : 'broken']++;
  }
  return burst;
}

/** The most files that the process had open at the same time, checked once in each turn of the event loop. */
function watchOpenFiles(): { end(): number } {
  let most = 0;
  let next = setImmediate(look);
  function look(): void {
    most = Math.max(most, readdirSync('/proc/self/fd').length);
    next = setImmediate(look);
  }
  return {
    end() {
      clearImmediate(next);
      return most;
    },
  };
}
