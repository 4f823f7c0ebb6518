import { join } from 'node:path';
import type { LabPromise, LabTrial, TrialOutcome, TrialSize } from './lab-promise.ts';
import { processAnswer } from './process-answer.ts';
import type { QueryCost } from './query-peak-memory.ts';

const script = join(import.meta.dirname, 'query-peak-memory.ts');
// The young generation of V8 grows to 100 MB with code that makes many short-lived strings. With 8 MB, the memory of the query
// becomes visible.
const flags = ['--max-semi-space-size=8', '--max-old-space-size=64'];
const MOST_QUERY_MS = 120_000;
const MOST_MEGABYTES = 64;
/** The promise is 50 ms, and V8's garbage collector adds some. Work in a single step would take hundreds. */
const MOST_TURN_MS = 80;
const INPUT_MEGABYTES: Record<TrialSize, number> = { full: 200, small: 100 };
const SMALL_CASES = 2;

const shapes: LabTrial = {
  name: 'JSON, NDJSON and CSV, under a heap of 64 MB',
  target: `at most ${MOST_MEGABYTES} MB extra, no turn over ${MOST_TURN_MS} ms`,
  run: (size) =>
    measureAll(size, {
      mostMegabytes: MOST_MEGABYTES,
      cases: [
        'filter and group JSON',
        'sort CSV with line breaks in quotes',
        'medians of a dictionary',
        'groups by items of lists',
        'filter and group NDJSON',
        'filter and group CSV',
        'sort JSON',
        'a group for each record',
        'contains in text of JSON',
        'contains in text of NDJSON',
        'contains in text of CSV',
        'lists of 300,000 texts',
        'lists of 300,000 texts, searched 20 times',
        'lists of 300,000 dates, searched for a day',
        'integers beyond 2^53',
        'keys with escapes',
      ],
    }),
};

const giants: LabTrial = {
  name: 'records of megabytes, under a heap of 64 MB',
  target: `no turn over ${MOST_TURN_MS} ms`,
  run: (size) =>
    measureAll(size, {
      // A record is parsed as a whole, so its bytes, its text and its value are in memory together.
      mostMegabytes: Number.POSITIVE_INFINITY,
      cases: ['records of 7 MB', 'records of 900,000 numbers', 'records of 24,000 keys'],
    }),
};

/** A query over a large artifact needs little memory, even while a server does other work. */
export const queries: LabPromise = {
  promise: 'Queries need little memory and never block the event loop',
  trials: [shapes, giants],
};

async function measureAll(
  size: TrialSize,
  { cases, mostMegabytes }: { cases: readonly string[]; mostMegabytes: number },
): Promise<TrialOutcome> {
  const inputMegabytes = INPUT_MEGABYTES[size];
  const chosen = size === 'full' ? cases : cases.slice(0, SMALL_CASES);
  const costs: QueryCost[] = [];
  for (const name of chosen) {
    const told = await processAnswer({ script, args: [name, String(inputMegabytes)], mostMs: MOST_QUERY_MS, flags });
    if (!('answer' in told)) return { status: 'missed', how: `${name}: ${told.ended}`, measured: told.errors };
    costs.push(told.answer as QueryCost);
  }
  if (costs.some(({ megabytes }) => megabytes === undefined))
    return { status: 'skipped', reason: 'only Linux reports the peak memory of a process' };
  const extra = Math.max(...costs.map(({ megabytes = 0 }) => megabytes));
  const longestMs = Math.max(...costs.map((cost) => cost.longestMs));
  return {
    status: extra <= mostMegabytes && longestMs <= MOST_TURN_MS ? 'met' : 'missed',
    how: `${chosen.length} queries over ${inputMegabytes} MB each (${chosen.join('; ')}), each in its own process, a young generation of at most 24 MB; peak RSS`,
    measured: `at most ${extra.toFixed(0)} MB extra, longest turn ${longestMs.toFixed(0)} ms`,
  };
}
