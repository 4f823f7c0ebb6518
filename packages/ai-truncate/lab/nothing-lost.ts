import type { LabPromise } from './lab-promise.ts';
import { everyCallFails } from './nothing-lost-faults.ts';
import { randomKills } from './nothing-lost-kills.ts';
import { powerCuts } from './nothing-lost-power-cuts.ts';

/** What a store on a disk acknowledged is there, and whole, whatever happens; what it did not leaves nothing that looks whole. */
export const nothingLost: LabPromise = {
  promise: 'Nothing that was acknowledged is lost',
  trials: [randomKills, ...everyCallFails, powerCuts],
};
