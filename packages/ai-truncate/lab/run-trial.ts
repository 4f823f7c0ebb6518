// One trial, in the process that `trial-process.ts` made for it: node lab/run-trial.ts <promise> <trial> <size>
import type { TrialSize } from './lab-promise.ts';
import { promises } from './promises.ts';

const [, , promise = '', trial = '', size] = process.argv;
const found = promises[promise]?.trials.find(({ name }) => name === trial);
if (!found || !process.send) throw new Error(`No trial "${trial}" of "${promise}", or nobody to tell the outcome to.`);
// Who would be told has ended.
process.once('disconnect', () => process.exit(1));
const outcome = await found.run(size as TrialSize);
// What a trial left open must not keep its process alive, and the outcome must be on its way before that ends.
process.send(outcome, () => process.exit());
