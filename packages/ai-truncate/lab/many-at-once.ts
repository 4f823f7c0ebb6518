import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tool } from 'ai';
import { z } from 'zod';
import { longestTurnOf } from '../fixtures/longest-turn.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { isTruncatedOutput } from '../src/protocol/truncated-output.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem-store.ts';
import { truncateToolOutputs } from '../src/truncate-tool-outputs.ts';
import { thousands } from '../src/truncation/thousands.ts';
import { inTemporaryDirectory } from './in-temporary-directory.ts';
import type { LabPromise, LabTrial, TrialOutcome } from './lab-promise.ts';

const MOST_OPEN_FILES = 64;
const MOST_DESCRIPTORS = 1024;
const body = `${'x'.repeat(99)}\n`.repeat(600);
const counts = { full: 10_000, small: 500 };

const patient: LabTrial = {
  name: 'oversized outputs, all at once',
  target: `0 errors, at most ${MOST_OPEN_FILES} open files, all kept`,
  run: (size) =>
    // The last of them waits for the disk as long as all take.
    deliverAtOnce(counts[size], {
      saveTimeoutMs: 300_000,
      isMet: ({ errors, openFiles, kept, broken }, count) =>
        errors === 0 && openFiles <= MOST_OPEN_FILES && kept === count && broken === 0,
    }),
};

const impatient: LabTrial = {
  name: 'the same with the default of saveTimeoutMs',
  target: `0 errors, at most ${MOST_OPEN_FILES} open files, what the disk takes in that time is kept whole, the rest said to be lost`,
  run: (size) =>
    deliverAtOnce(counts[size], {
      saveTimeoutMs: 10_000,
      isMet: ({ errors, openFiles, kept, broken }, count) =>
        errors === 0 && openFiles <= MOST_OPEN_FILES && kept >= count / 100 && broken === 0,
    }),
};

/** A burst of outputs takes its turns at the disk, and the event loop its turns between them. */
export const manyAtOnce: LabPromise = {
  promise: 'Many outputs at once need few files and lose nothing',
  trials: [patient, impatient],
};

/** For this process alone. Tells why where that cannot be. */
function limitDescriptors(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux limits and shows the open files of a process that runs';
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
  /** Have a path, and are there to the last byte. */
  kept: number;
  /** Have a path, and are not. */
  broken: number;
}

interface BurstOptions {
  saveTimeoutMs: number;
  isMet(burst: Burst, count: number): boolean;
}

async function deliverAtOnce(count: number, { saveTimeoutMs, isMet }: BurstOptions): Promise<TrialOutcome> {
  const reason = limitDescriptors();
  if (reason) return { status: 'skipped', reason };
  return inTemporaryDirectory(async (directory) => {
    const store = filesystemStore({ directory });
    const readLog = tool({
      inputSchema: z.object({ index: z.number() }),
      execute: ({ index }) => textOf(index),
    });
    const { readLog: wrapped } = truncateToolOutputs({ readLog }, { store, scope: 'lab', saveTimeoutMs });
    const call = (index: number) =>
      wrapped.execute({ index }, { toolCallId: `call_${index}`, messages: [], context: {} });

    const watch = watchOpenFiles();
    const startedAt = performance.now();
    let results: PromiseSettledResult<unknown>[] = [];
    const longestTurnMs = await longestTurnOf(async () => {
      results = await Promise.allSettled(Array.from({ length: count }, (_, index) => call(index)));
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const openFiles = watch.end();

    const errors = results.filter(({ status }) => status === 'rejected').length;
    const burst = { errors, openFiles, ...(await compareKept(results, store)) };
    return {
      status: isMet(burst, count) ? 'met' : 'missed',
      how: `${thousands(count)} calls of a wrapped tool begun in one turn, each with 60 KB of its own, filesystemStore, a limit of ${thousands(MOST_DESCRIPTORS)} open files, saveTimeoutMs ${thousands(saveTimeoutMs)}; each artifact read again and compared`,
      measured: `${errors} errors, at most ${openFiles} open files, ${thousands(burst.kept)} of ${thousands(count)} kept whole, ${burst.broken} not whole; ${seconds.toFixed(1)} s, longest turn ${longestTurnMs.toFixed(0)} ms`,
    };
  });
}

function textOf(index: number): string {
  return `output ${index}\n${body}`;
}

async function compareKept(
  results: readonly PromiseSettledResult<unknown>[],
  store: ArtifactStore,
): Promise<Pick<Burst, 'kept' | 'broken'>> {
  const artifacts = scopedArtifacts(store, { scope: 'lab' });
  const burst = { kept: 0, broken: 0 };
  for (const [index, result] of results.entries()) {
    const output = result.status === 'fulfilled' ? result.value : undefined;
    const path = isTruncatedOutput(output) ? output.data.truncation.full_output_path : null;
    if (path === null) continue;
    const text = await new Response(await artifacts.readStream(path)).text();
    burst[text === textOf(index) ? 'kept' : 'broken']++;
  }
  return burst;
}

/** The most files that the process had open at the same time, seen once in each turn of the event loop. */
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
