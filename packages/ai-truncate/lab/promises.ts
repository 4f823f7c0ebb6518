import { boundedMemory } from './bounded-memory.ts';
import type { LabPromise } from './lab-promise.ts';

/** What is promised, in the order of docs/figures.md; by the names that `pnpm lab <name>` takes. */
export const promises: Readonly<Record<string, LabPromise>> = {
  'bounded-memory': boundedMemory,
};
