import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type DemoServer, startDemo } from '../../../e2e/tests/demo-server.ts';
import { MEGABYTE } from '../bench/inputs.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import type { VisitTally } from './demo-visitor.ts';
import { visitDemo, visitEach } from './demo-visits.ts';
import type { LabPromise, LabTrial, TrialOutcome, TrialSize } from './lab-promise.ts';
import { openDescriptors, residentMegabytes, tellsHoldings } from './process-holdings.ts';

interface SoakSize {
  atOnce: number;
  /** The length of each half. */
  seconds: number;
  /** The rest after each half, so that garbage is gone. It is collected every 2 s. */
  restSeconds: number;
  logMegabytes: number;
  leastVisitMs: number;
  /** With fewer answers, the server would have had nothing to do. */
  leastAnswers: number;
  /** With fewer of these, no user would have left early. */
  leastLeft: number;
  /** The most growth of a server's memory at rest, from the end of the first half to the end of the second. */
  mostGrowth: number;
}

const sizes: Record<TrialSize, SoakSize> = {
  full: {
    atOnce: 50,
    seconds: 150,
    restSeconds: 10,
    logMegabytes: 40,
    leastVisitMs: 25_000,
    leastAnswers: 100,
    leastLeft: 50,
    mostGrowth: 1.1,
  },
  small: {
    atOnce: 4,
    seconds: 4,
    restSeconds: 3,
    logMegabytes: 4,
    leastVisitMs: 0,
    leastAnswers: 1,
    leastLeft: 1,
    mostGrowth: 1.5,
  },
};

const demoFolder = join(import.meta.dirname, '../../../apps/demo');
const mostOutOfTime = 0.1;
const sampleMs = 500;
/** Closed connections and abandoned answers need a moment to end. */
const settleMs = 2_000;
const mostSettleMs = 30_000;

const chats: LabTrial = {
  name: 'the built demo, many chats at once',
  target:
    '0 errors of users and of the server, 0 refused, enough answers, enough users that leave, at most a tenth of them out of time; memory at rest after the second half at most 10 % over that after the first; 0 files and 0 descriptors left',
  async run(size) {
    const reason = await lacks(sizes[size]);
    if (reason !== undefined) return { status: 'skipped', reason };
    return inTemporaryDirectory((directory) => soakIn(directory, sizes[size]));
  },
};

/** After hours of users that come and leave, a server has the same memory as after minutes. */
export const soak: LabPromise = {
  promise: 'A busy server releases everything that is over',
  trials: [chats],
  prepare() {
    // An earlier build may be of other sources.
    execFileSync('pnpm', ['exec', 'turbo', 'run', 'build', '--filter=demo...', '--output-logs=errors-only'], {
      cwd: join(import.meta.dirname, '../../..'),
      stdio: 'inherit',
    });
  },
};

async function lacks({ atOnce, logMegabytes }: SoakSize): Promise<string | undefined> {
  if (!tellsHoldings) return 'only Linux reports the memory of a process';
  if (!existsSync(join(demoFolder, '.next/BUILD_ID'))) return 'the demo is not built: run `pnpm build`';
  // An answer that is requested again leaves the output of the first one until its chat is deleted.
  const megabytes = 2 * atOnce * logMegabytes;
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize > megabytes * MEGABYTE
    ? undefined
    : `the temporary directory does not have ${megabytes} MB of free space`;
}

async function soakIn(directory: string, size: SoakSize): Promise<TrialOutcome> {
  const demo = await startDemoIn(directory, size);
  try {
    const [warmUp, tally] = [emptyTally(), emptyTally()];
    // Memory that a server allocates at its first requests and holds from then on does not come from chats.
    await visitEach({ url: demo.url, tally: warmUp });
    const descriptorsBefore = await fewestDescriptors(demo, { enough: 0, withinMs: settleMs });
    const before = await megabytesAfter(demo, { ...size, tally });
    const after = await megabytesAfter(demo, { ...size, tally });
    const descriptors = await fewestDescriptors(demo, { enough: descriptorsBefore, withinMs: mostSettleMs });
    const files = await filesLeft(directory);
    const errors = [...warmUp.errors, ...tally.errors];
    const serverWords = saidSinceReady(demo.output());
    const isMet =
      errors.length + tally.unkept + warmUp.unkept + tally.limited + warmUp.limited + files.length === 0 &&
      serverWords.length === 0 &&
      tally.answers >= size.leastAnswers &&
      tally.left >= size.leastLeft &&
      tally.outOfTime <= tally.answers * mostOutOfTime &&
      descriptors <= descriptorsBefore &&
      after <= before * size.mostGrowth;
    const [firstError] = errors;
    return {
      status: isMet ? 'met' : 'missed',
      how: `${size.atOnce} users at once for twice ${size.seconds} s, a rest after each, offline model, a log of ${size.logMegabytes} MB; they read, leave, reload, ask again, allow, deny and delete: ${tally.chats} chats, ${tally.answers} answers read to their end, ${tally.left} left in the middle, ${tally.over} when all users left; garbage collected every 2 s; RSS`,
      measured: [
        `${errors.length} errors${firstError ? ` (${firstError.slice(0, 300)})` : ''}, ${serverWords === '' ? 'none' : `"${serverWords.slice(0, 300)}"`} of the server, ${tally.limited} refused by limits, ${tally.unkept} outputs not saved, ${tally.outOfTime} searches out of time`,
        `${before.toFixed(0)} MB, then ${after.toFixed(0)} MB`,
        `${files.length} files left${files[0] ? ` (${files[0]})` : ''}, ${descriptorsBefore} descriptors, then ${descriptors}`,
      ].join('; '),
    };
  } finally {
    await demo.stop();
  }
}

function emptyTally(): VisitTally {
  return { chats: 0, answers: 0, left: 0, over: 0, limited: 0, unkept: 0, outOfTime: 0, errors: [] };
}

/** The demo, with all its files in this directory. */
async function startDemoIn(directory: string, { logMegabytes }: SoakSize): Promise<DemoServer> {
  const temporary = join(directory, 'tmp');
  await mkdir(temporary);
  // The folder in which the demo finds the documentation that it searches.
  await symlink(join(demoFolder, 'node_modules'), join(directory, 'node_modules'));
  const collector = pathToFileURL(join(import.meta.dirname, 'collect-garbage.ts'));
  const variables = {
    DEMO_LOG_MB: String(logMegabytes),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    TMPDIR: temporary,
    NODE_OPTIONS: `--expose-gc --disable-warning=ExperimentalWarning --import ${collector}`,
  };
  return startDemo(variables, { workingDirectory: directory });
}

/** The memory of the server after users have come and gone for this time, and all have left. */
async function megabytesAfter(
  { url, processId }: DemoServer,
  { atOnce, seconds, restSeconds, leastVisitMs, tally }: SoakSize & { tally: VisitTally },
): Promise<number> {
  await visitDemo({ url, atOnce, leastVisitMs, tally, over: AbortSignal.timeout(seconds * 1000) });
  const endsAt = performance.now() + restSeconds * 1000;
  let least = Number.POSITIVE_INFINITY;
  while (performance.now() < endsAt) {
    least = Math.min(least, residentMegabytes(processId));
    await setTimeout(sampleMs);
  }
  return least;
}

async function fewestDescriptors(
  { processId }: DemoServer,
  { enough, withinMs }: { enough: number; withinMs: number },
): Promise<number> {
  const endsAt = performance.now() + withinMs;
  let fewest = openDescriptors(processId);
  while (fewest > enough && performance.now() < endsAt) {
    await setTimeout(sampleMs);
    fewest = Math.min(fewest, openDescriptors(processId));
  }
  return fewest;
}

/** Files that belong to no chat: the marks of the store itself, and one log for each of the three services. */
const filesOfStore = new Set(['.data/tool-output/.gitignore', '.data/tool-output/.last-sweep']);
const sharedLogs = '.data/tool-output/shared-logs/';
const MOST_SHARED_LOGS = 3;

/** Files that belong to chats, although every chat is deleted. */
async function filesLeft(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1))
    .filter((path) => !filesOfStore.has(path));
  const logs = paths.filter((path) => path.startsWith(sharedLogs));
  return [...paths.filter((path) => !path.startsWith(sharedLogs)), ...logs.slice(MOST_SHARED_LOGS)];
}

/** The messages of the server after Next.js has started. A healthy server prints nothing. */
function saidSinceReady(output: string): string {
  const [, ...lines] = output.replace(/^.*Ready in/s, '').split('\n');
  return lines
    .filter((line) => !line.includes('✓'))
    .join('\n')
    .trim();
}
