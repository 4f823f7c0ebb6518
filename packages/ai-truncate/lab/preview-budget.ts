import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { thousands } from '../src/text/utf.ts';
import { OUTPUTS_PER_LARGE } from './fuzzed-limits.ts';
import type { LabPromise, LabTrial } from './lab-promise.ts';
import type { FuzzTally } from './preview-budget-worker.ts';

/** One in twenty outputs is read by three readers. A query is refused if the output has no records. */
const OUTPUTS_PER_LEAST_ANSWER = 20;

const fuzz: LabTrial = {
  name: 'fuzzed outputs through every path',
  target: `0 over budget, 0 with a hidden character, 0 with a lone surrogate, 0 JSON that does not parse, 0 changed by a chat log, 0 saved with other bytes, 0 thrown`,
  async run(size) {
    const count = { full: 1_000_000, small: 3000 }[size];
    const threads = Math.min(availableParallelism(), 8);
    const tallies = await Promise.all(
      Array.from({ length: threads }, (_, index) => tallyOf({ seed: 2026 + index, count: Math.ceil(count / threads) })),
    );
    const sum = (numberOf: (tally: FuzzTally) => number) =>
      tallies.reduce((total, tally) => total + numberOf(tally), 0);
    const kinds = Object.keys(tallies[0]?.faults ?? {}) as (keyof FuzzTally['faults'])[];
    const faults = kinds.map((fault) => ({ fault, times: sum((tally) => tally.faults[fault]) }));
    const [replaced, large] = [sum((tally) => tally.replaced), sum((tally) => tally.large)];
    const values = sum(({ parsed }) => parsed.values);
    const texts = sum(({ parsed }) => parsed.texts);
    const records = sum(({ parsed }) => parsed.records);
    const answers = sum(({ read }) => read.answers);
    const isMet =
      faults.every(({ times }) => times === 0) &&
      replaced > count / 3 &&
      large > count / OUTPUTS_PER_LARGE / 2 &&
      Math.min(values, texts, records) > count / 1000 &&
      answers > count / OUTPUTS_PER_LEAST_ANSWER;
    const first = tallies.find((tally) => tally.first)?.first;
    return {
      status: isMet ? 'met' : 'missed',
      how: `${thousands(count)} outputs over and under random limits, by seed, one in ${thousands(OUTPUTS_PER_LARGE)} of up to 2 MB under the default limits or with the largest possible previews; through every way of an output to a model (truncateOutput, returned, yielded, streamed as text, as bytes, as both and as bytes that are not text, from a buffer that is used again and again, thrown, its own parts, the middleware), truncateText and the readers`,
      measured: `${faults.map(({ fault, times }) => `${times} ${fault}`).join(', ')}; ${thousands(replaced + large)} were replaced, ${thousands(large)} of them large; ${thousands(values)} previews of values, ${thousands(texts)} of JSON texts and ${thousands(records)} of NDJSON parsed, ${thousands(answers)} answers of readers${first ? `; first: ${first}` : ''}`,
    };
  },
};

async function tallyOf(workerData: { seed: number; count: number }): Promise<FuzzTally> {
  const worker = new Worker(new URL('./preview-budget-worker.ts', import.meta.url), { workerData });
  const [tally] = (await once(worker, 'message')) as [FuzzTally];
  return tally;
}

/** The preview for the model, the UI and the log is bounded, complete and harmless, whatever the output is. */
export const previewBudget: LabPromise = {
  promise: 'Never over budget',
  trials: [fuzz],
};
