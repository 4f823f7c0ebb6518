import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileFaultShim, faultEnvironment } from '../fixtures/fault-shim.ts';
import { inLanes } from './in-lanes.ts';
import type { WriteReport } from './nothing-lost-writer.ts';
import { runWriter } from './writer-process.ts';

/** Two values that were written into a new store, one after the other, while one system call failed. */
export interface FailedCall {
  /** The directory of the store. */
  directory: string;
  way: string;
  /** Its number among all calls that the two values need. */
  at: number;
  /** The reports of the writer before its process ended. */
  reports: WriteReport[];
  isKilled: boolean;
}

export interface FailingCalls {
  /** The folder for all files. */
  home: string;
  mode: 'kill' | 'eio' | 'enospc';
  /** 1 for every call, 5 for every fifth. */
  step: number;
}

/** The store closes this directory to others, which takes an additional call. */
const openToOthers = 'put into a directory that others may read';
const ways = ['put', 'put from a source that rests', openToOthers, 'save'];

/** Makes every call of each way to write fail, one at a time. */
export async function failEveryCall({ home, mode, step }: FailingCalls): Promise<FailedCall[]> {
  const shim = compileFaultShim(home);
  const failed: FailedCall[] = [];
  for (const way of ways) {
    const directory = join(home, way);
    mkdirSync(directory);
    const prepare = (at: number) => way === openToOthers && mkdirSync(join(directory, String(at)), { mode: 0o755 });
    // Node compiles once for all these short processes. Compiling would be most of their work.
    const compiled = { NODE_COMPILE_CACHE: join(home, 'compiled') };
    const environment = { ...faultEnvironment({ shim, directory, mode }), ...compiled };
    const run = (faults: number[]) => runWriter({ directory, way, faults, environment });
    prepare(0);
    const calls = (await run([0])).errors.filter((line) => /^\d+ \w+$/.test(line)).length;
    if (calls === 0) throw new Error(`No system call of "${way}" was seen, so the faults do not reach the writer.`);
    const numbers = Array.from({ length: Math.ceil(calls / step) }, (_, index) => 1 + index * step);
    numbers.forEach(prepare);
    const add = (at: number, { reports, signal }: Awaited<ReturnType<typeof run>>) =>
      failed.push({
        directory: join(directory, String(at)),
        way,
        at,
        reports: reports.filter((report) => report.at === at),
        isKilled: signal === 'SIGKILL',
      });
    if (mode === 'kill') {
      await inLanes(numbers, async (at) => void add(at, await run([at])));
    } else {
      const all = await run([1, calls, step]);
      for (const at of numbers) add(at, all);
    }
  }
  return failed;
}
