import { boundedMemory } from './bounded-memory.ts';
import { hostileNames } from './hostile-names.ts';
import type { LabPromise } from './lab-promise.ts';
import { manyAtOnce } from './many-at-once.ts';

/** What is promised, in the order of docs/figures.md; by the names that `pnpm lab <name>` takes. */
export const promises: Readonly<Record<string, LabPromise>> = {
  'hostile-names': hostileNames,
  'bounded-memory': boundedMemory,
  'many-at-once': manyAtOnce,
};
