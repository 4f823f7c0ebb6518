// One trial, in the process that `trial-process.ts` made for it: node lab/run-trial.ts <promise> <trial> <size>
import type { TrialSize } from './lab-promise.ts';
import { promises } from './promises.ts';

const [, , promise = '', trial = '', size] = process.argv;
const found = promises[promise]?.trials.find(({ name }) => name === trial);
if (!found || !process.send)
  throw new Error(`No trial "${trial}" of "${promise}", or no parent process for the outcome.`);
// The parent process has ended.
process.once('disconnect', () => process.exit(1));
const outcome = await found.run(size as TrialSize);
// Open handles of a trial must not keep its process alive, but the outcome must be sent first.
process.send(outcome, () => process.exit());
