import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { thousands } from '../src/text/utf.ts';
import type { NamesReport } from './hostile-names-worker.ts';
import type { LabPromise, LabTrial, TrialOutcome } from './lab-promise.ts';

const names: LabTrial = {
  name: 'hostile tool names, call ids and scopes',
  target: '0 escapes, 0 reserved names, 0 ambiguous, 0 too long, 0 collisions, 0 owners merged',
  async run(size) {
    const count = { full: 10_000_000, small: 50_000 }[size];
    const threads = Math.min(availableParallelism(), 8);
    const reports = await Promise.all(
      Array.from({ length: threads }, (_, seed) => reportOf({ seed, count: Math.ceil(count / threads) })),
    );
    return judgeNames(reports);
  },
};

const links: LabTrial = {
  name: 'links swapped into the place of a file and of its folder while both are read',
  target: '0 leaks, 0 other errors; looking first leaks, at full size',
  async run(size) {
    return inTemporaryDirectory((directory) =>
      raceWithLinks(directory, {
        tries: { full: 1_000_000, small: 5000 }[size],
        // With few attempts, the moment may not be hit.
        leastCompared: { full: 1, small: 0 }[size],
      }),
    );
  },
};

/** This library decides where an artifact is saved, whatever names others choose and whatever links they plant. */
export const hostileNames: LabPromise = {
  promise: 'No name and no link leads out of the store',
  trials: [names, links],
};

async function reportOf(workerData: { seed: number; count: number }): Promise<NamesReport> {
  const worker = new Worker(new URL('./hostile-names-worker.ts', import.meta.url), { workerData });
  const [report] = (await once(worker, 'message')) as [NamesReport];
  return report;
}

function judgeNames(reports: NamesReport[]): TrialOutcome {
  const sum = (kind: 'escapes' | 'reserved' | 'ambiguous' | 'tooLong') =>
    reports.reduce((total, report) => total + report[kind], 0);
  const ids = distinct(reports.map((report) => report.ids));
  const scopes = distinct(reports.map((report) => report.scopes));
  const scopeKeys = distinct(reports.map((report) => report.scopeKeys));
  const wrong = [sum('escapes'), sum('reserved'), sum('ambiguous'), sum('tooLong')];
  const collisions = ids.all - ids.distinct;
  // A scope always has one key, so there are as many keys as scopes, unless two scopes share a key.
  const merged = scopes.distinct - scopeKeys.distinct;
  const [escapes, reserved, ambiguous, tooLong] = wrong;
  const example = reports.find((report) => report.example)?.example;
  return {
    status: [...wrong, collisions, merged].every((count) => count === 0) ? 'met' : 'missed',
    how: `${thousands(ids.all)} generated calls of ${thousands(scopes.distinct)} scopes, by seed: path pieces, devices, escapes, lone surrogates, any code units; the random parts must differ on a disk without case or normal forms`,
    measured: `${escapes} escapes, ${reserved} reserved names, ${ambiguous} ambiguous, ${tooLong} too long, ${collisions} collisions, ${merged} owners merged${example ? `; ${example}` : ''}`,
  };
}

function distinct(parts: BigUint64Array[]): { all: number; distinct: number } {
  const all = new BigUint64Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  all.sort();
  let count = 0;
  for (let index = 0; index < all.length; index++) if (index === 0 || all[index] !== all[index - 1]) count++;
  return { all: all.length, distinct: count };
}

const keys = ['folder/a.txt', 'folder/b.txt', 'folder/a.txt', 'folder/b.txt'];
/** A file belongs to the store, is a link, or does not exist at that moment. A torn text or another error is a fault. */
const expectedOutcomes = ['ours', 'UNSAFE_FILE', 'nothing', 'ENOENT'];
/** The share of attempts for the way that checks first and then opens. It shows that the race is real. */
const COMPARED_SHARE = 20;

interface LinkRace {
  tries: number;
  /** The fewest leaks of the way that checks first. */
  leastCompared: number;
}

async function raceWithLinks(directory: string, { tries, leastCompared }: LinkRace): Promise<TrialOutcome> {
  const root = join(directory, 'store');
  const outside = join(directory, 'outside');
  mkdirSync(outside);
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(outside, name), 'secret');
  const store = filesystemStore({ directory: root });
  for (const key of new Set(keys)) await store.put(key, ours(), { contentType: 'text/plain' });
  const swapper = new Worker(new URL('./link-swapper.ts', import.meta.url), { workerData: { root, outside } });
  await once(swapper, 'message');

  const seen = await readAgainAndAgain(tries, async (key) => {
    const stream = await store.get(key);
    return stream ? new Response(stream).text() : 'nothing';
  });
  const compared = await readAgainAndAgain(Math.ceil(tries / COMPARED_SHARE), async (key) => {
    const path = await realpath(join(root, key));
    return path.startsWith(`${root}/`) ? readFile(path, 'utf8') : 'refused';
  });
  await swapper.terminate();

  const leaks = seen.get('secret') ?? 0;
  const [read, refused] = [seen.get('ours') ?? 0, seen.get('UNSAFE_FILE') ?? 0];
  const leaksCompared = compared.get('secret') ?? 0;
  const others = [...seen].filter(([outcome]) => !expectedOutcomes.includes(outcome));
  return {
    // A race that is always won, or always lost, proves nothing.
    status: leaks + others.length === 0 && read > 0 && refused > 0 && leaksCompared >= leastCompared ? 'met' : 'missed',
    how: `${thousands(tries)} reads of filesystemStore, 4 at a time, against a thread that swaps; also ${thousands(Math.ceil(tries / COMPARED_SHARE))} reads that check the real path and then open it`,
    measured: `${leaks} leaks; ${thousands(read)} read, ${thousands(refused)} refused as a link, the rest missing at that moment${others.map(([outcome, count]) => `, ${count} times ${outcome.slice(0, 100)}`).join('')}. Looking first leaked ${thousands(leaksCompared)} times`,
  };
}

async function* ours(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode('ours');
}

/** The results of many reads: their texts, and the codes of their errors. */
async function readAgainAndAgain(tries: number, read: (key: string) => Promise<string>): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  let left = tries;
  async function lane(key: string): Promise<void> {
    while (left-- > 0) {
      const outcome = await read(key).catch((error: { code?: string }) => String(error.code ?? error));
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
  }
  await Promise.all(keys.map(lane));
  return seen;
}
