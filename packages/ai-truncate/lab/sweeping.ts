import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { parseKey } from '../src/artifacts/artifact-name.ts';
import { DAY_MS, sweepArtifacts } from '../src/artifacts/sweep-artifacts.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { thousands } from '../src/text/utf.ts';
import { plantForeignThings } from './foreign-things.ts';
import type { LabPromise, LabTrial } from './lab-promise.ts';
import type { SweepingReports } from './sweeping-worker.ts';

const script = join(import.meta.dirname, 'sweeping-worker.ts');
/** The time for its start and its last round, in addition to the given time. */
const graceMs = 60_000;

const manyProcesses: LabTrial = {
  name: 'two sweepers, two writers and two readers, each in its own process',
  target: '0 fresh lost, 0 foreign touched, 0 torn reads, 0 files of expired artifacts left',
  async run(size) {
    if (process.platform === 'win32')
      return { status: 'skipped', reason: 'plants named pipes and links, which Windows does not have' };
    const seconds = { full: 60, small: 3 }[size];
    return inTemporaryDirectory(async (home) => {
      const directory = join(home, 'store');
      const foreign = plantForeignThings({ store: directory, outside: join(home, 'outside'), scope: 'chat-0' });
      const before = foreign.look();
      const { sweepers, writers, readers } = await runWorkers({ directory, milliseconds: seconds * 1000 });
      const store = filesystemStore({ directory });
      await sweepAll(store);
      const expiredLeft = await countExpired(store);
      const after = foreign.look();
      const touched = before.filter((line, index) => line !== after[index]).length;

      const passes = sum(sweepers, ({ passes }) => passes);
      const deleted = sum(sweepers, ({ deleted }) => deleted);
      const fresh = sum(writers, ({ fresh }) => fresh);
      const lost = sum(writers, ({ lost }) => lost);
      const expired = sum(writers, ({ expired }) => expired);
      const reads = sum(readers, ({ reads }) => reads);
      const gone = sum(readers, ({ gone }) => gone);
      const torn = sum(readers, ({ torn }) => torn);
      const isMet = lost + touched + torn + expiredLeft === 0 && Math.min(passes, deleted, expired, reads) > 0;
      return {
        status: isMet ? 'met' : 'missed',
        how:
          `filesystemStore, ${seconds} s, ${thousands(passes)} passes of the sweepers, which asked for ${thousands(deleted)} deletes while the others worked, both for some; ` +
          `${thousands(gone)} reads met a deletion`,
        measured:
          `${lost} lost of ${thousands(fresh)} fresh, ${touched} touched of ${before.length} foreign, ` +
          `${torn} torn of ${thousands(reads)} reads, ${expiredLeft} files left of ${thousands(expired)} expired`,
      };
    });
  },
};

/**
 * Expired artifacts are deleted, fresh artifacts stay, and foreign files are not changed, whatever other processes do at the
 * same time.
 */
export const sweeping: LabPromise = {
  promise: 'A sweep deletes expired artifacts and nothing else',
  trials: [manyProcesses],
};

interface WorkerOptions {
  directory: string;
  milliseconds: number;
}

async function runWorkers(options: WorkerOptions) {
  const sweepers = [runWorker('sweeper', options), runWorker('sweeper', options)];
  const writers = [runWorker('writer', options), runWorker('writer', options)];
  const readers = [runWorker('reader', options), runWorker('reader', options)];
  // All have ended before a failure is reported, because the others need the store until then.
  await Promise.allSettled([...sweepers, ...writers, ...readers]);
  return {
    sweepers: await Promise.all(sweepers),
    writers: await Promise.all(writers),
    readers: await Promise.all(readers),
  };
}

async function runWorker<Role extends keyof SweepingReports>(
  role: Role,
  { directory, milliseconds }: WorkerOptions,
): Promise<SweepingReports[Role]> {
  const child = fork(script, [role, directory, String(milliseconds)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    timeout: milliseconds + graceMs,
  });
  let report: SweepingReports[Role] | undefined;
  child.on('message', (message) => {
    report = message as SweepingReports[Role];
  });
  const [code, signal] = await once(child, 'close');
  if (!report) throw new Error(`A ${role} ended without a report: ${signal ?? `exit code ${code}`}.`);
  return report;
}

async function sweepAll(store: ArtifactStore): Promise<void> {
  let after: string | undefined;
  do ({ next: after } = await sweepArtifacts(store, after ? { after } : {}));
  while (after);
}

/** Files of expired artifacts, including halves of artifacts. */
async function countExpired(store: ArtifactStore): Promise<number> {
  let expired = 0;
  for await (const { key } of store.list('')) {
    const parsed = parseKey(key);
    if (parsed && (parsed.parts.createdAt?.getTime() ?? 0) < Date.now() - DAY_MS) expired++;
  }
  return expired;
}

function sum<T>(all: readonly T[], toNumber: (each: T) => number): number {
  return all.reduce((total, each) => total + toNumber(each), 0);
}
