import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { log, records } from '../bench/inputs.ts';
import { deliveredOutput } from '../fixtures/delivered-output.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { keptOf } from '../fixtures/run-tool.ts';
import { artifactNameOf, infoKey } from '../src/artifacts/artifact-name.ts';
import { isTruncatedOutput } from '../src/protocol/truncated-output.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { unlessMissing } from '../src/stores/filesystem/open-files.ts';
import { thousands } from '../src/text/utf.ts';
import { whyNoDisks, withDisk } from './disk.ts';
import { type DiskFault, diskFaults, type StoreOnDisk } from './full-disk-faults.ts';
import type { LabPromise, LabTrial } from './lab-promise.ts';

const scope = 'lab';
const smallest = 60_000;
const largest = 700_000;
/** After a third failure in a row, the store rests for 30 seconds. */
const failuresWithoutRest = 2;
const restMs = 31_000;
const mostCalls = 50;

/** On a disk that refuses writes, an output has no path and the model sees that. No tool call fails and no saved byte is lost. */
export const fullDisk: LabPromise = {
  promise: 'A full disk is reported, and fails no tool call',
  trials: diskFaults.map(
    (fault): LabTrial => ({
      name: fault.name,
      target: '0 silent cuts, 0 failed calls, 0 files left behind, saved again as soon as there is space',
      async run(size) {
        const reason = whyNoDisks();
        if (reason !== undefined) return { status: 'skipped', reason };
        const rounds = { full: 30, small: 2 }[size];
        const count: Count = { calls: 0, kept: 0, told: 0, silent: 0, failed: 0, leftBehind: 0, keptAgain: 0 };
        for (let number = 0; number < rounds; number++) {
          const isLong = size === 'full' && number === rounds - 1;
          await runRound(fault, { number, failures: isLong ? 10 : failuresWithoutRest, count });
        }
        const { silent, failed, leftBehind } = count;
        const isMet = silent === 0 && failed === 0 && leftBehind === 0 && count.keptAgain === rounds;
        return {
          status: isMet && count.told >= 2 * rounds ? 'met' : 'missed',
          how:
            `generateText, ${thousands(count.calls)} outputs of 60 to 700 KB (texts, values, streams) on ${rounds} disks ` +
            `(tmpfs, ${fault.options}): ${thousands(count.kept)} saved, ${thousands(count.told)} reported as not saved`,
          measured:
            `${silent} silent, ${failed} failed, ${leftBehind} left behind, ` +
            `saved again on ${count.keptAgain} of ${rounds} disks`,
        };
      },
    }),
  ),
};

interface Count {
  calls: number;
  kept: number;
  told: number;
  silent: number;
  failed: number;
  leftBehind: number;
  keptAgain: number;
}

interface RoundOptions {
  number: number;
  /** How many outputs in a row are not saved before the fault ends. */
  failures: number;
  count: Count;
}

async function runRound(fault: DiskFault, { number, failures, count }: RoundOptions): Promise<void> {
  await inTemporaryDirectory(async (home) => {
    const disk = join(home, 'disk');
    await mkdir(disk);
    await withDisk(
      { directory: disk, options: ['-t', 'tmpfs', '-o', `mode=700,${fault.options}`, 'tmpfs'] },
      async () => {
        const directory = join(disk, 'store');
        const on: StoreOnDisk = { disk, directory, store: filesystemStore({ directory }), scope, number };
        const outputs: Output[] = [];
        const call = async (bytes: number) => {
          const output = await callTool(on, outputOf(count.calls++, bytes));
          outputs.push(output);
          count[output.outcome]++;
          return output.outcome;
        };

        for (let kept = 0; kept < fault.keptBefore; kept++) await call(smallest);
        await fault.begin?.(on);
        try {
          for (let calls = 0, failed = 0; failed < failures && calls < mostCalls; calls++) {
            const bytes = smallest + ((count.calls * 104_729) % (largest - smallest));
            failed = (await call(bytes)) === 'kept' ? 0 : failed + 1;
          }
          count.silent += await countIncomplete(outputs, on);
          count.leftBehind += await countLeftBehind(outputs, on);
        } finally {
          // Always undone, because a process without write access could not unmount its disk.
          await fault.end(on);
        }
        if (failures > failuresWithoutRest) await delay(restMs);
        if ((await call(smallest)) === 'kept' && (await countIncomplete(outputs.slice(-1), on)) === 0)
          count.keptAgain++;
      },
    );
  });
}

interface Output {
  /** The output of the tool, as one value. */
  whole: unknown;
  delivered: unknown;
  outcome: 'kept' | 'told' | 'silent' | 'failed';
}

/** Lets a model call a tool that returns this output. */
async function callTool({ store }: StoreOnDisk, { whole, given }: { whole: unknown; given: unknown }): Promise<Output> {
  const { output: delivered, error, sent } = await deliveredOutput(given, { store, scope, onTruncate: () => {} });
  if (error !== undefined) return { whole, delivered, outcome: 'failed' };
  if (!isTruncatedOutput(delivered)) return { whole, delivered, outcome: 'silent' };
  if (delivered.data.truncation.full_output_path !== null) return { whole, delivered, outcome: 'kept' };
  const isTold = String(sent.value).includes('was not saved and cannot be retrieved');
  return { whole, delivered, outcome: isTold ? 'told' : 'silent' };
}

/** A text, a value or a stream. */
function outputOf(call: number, bytes: number): { whole: unknown; given: unknown } {
  if (call % 3 === 1) {
    const whole = records(bytes);
    return { whole, given: whole };
  }
  const whole = log(bytes, { columns: 80 });
  return { whole, given: call % 3 === 0 ? whole : new Blob([whole]).stream() };
}

/** How many outputs with a path are incomplete. */
async function countIncomplete(outputs: readonly Output[], on: StoreOnDisk): Promise<number> {
  const kept = outputs.filter(({ outcome }) => outcome === 'kept');
  const areComplete = await Promise.all(kept.map((output) => isComplete(output, on)));
  return areComplete.filter((isWhole) => !isWhole).length;
}

async function isComplete({ whole, delivered }: Output, { store }: StoreOnDisk): Promise<boolean> {
  try {
    const kept = await keptOf(delivered, { store, scope });
    return isDeepStrictEqual(typeof whole === 'string' ? kept : JSON.parse(kept), whole);
  } catch {
    // An output that has a path but cannot be read counts as a silent cut.
    return false;
  }
}

/** Files in the folder of the scope that are neither a saved output nor its side-car. */
async function countLeftBehind(outputs: readonly Output[], { directory }: StoreOnDisk): Promise<number> {
  const kept = outputs.flatMap(({ delivered }) => {
    const path = isTruncatedOutput(delivered) ? delivered.data.truncation.full_output_path : null;
    const name = path === null ? undefined : artifactNameOf(path);
    return name === undefined ? [] : [name, infoKey(name)];
  });
  const names = (await unlessMissing(readdir(join(directory, scope)))) ?? [];
  return names.filter((name) => !kept.includes(name)).length;
}
