import type { LabPromise } from './lab-promise.ts';
import { everyCallFails } from './nothing-lost-faults.ts';
import { randomKills } from './nothing-lost-kills.ts';
import { powerCuts } from './nothing-lost-power-cuts.ts';

/**
 * Values that a store on a disk has acknowledged are complete, whatever happens; other values leave nothing that looks
 * complete.
 */
export const nothingLost: LabPromise = {
  promise: 'No acknowledged value is lost',
  trials: [randomKills, ...everyCallFails, powerCuts],
};
