import { boundedMemory } from './bounded-memory.ts';
import { brokenStores } from './broken-stores.ts';
import { foreignScopes } from './foreign-scopes.ts';
import { fullDisk } from './full-disk.ts';
import { hostileNames } from './hostile-names.ts';
import type { LabPromise } from './lab-promise.ts';
import { manyAtOnce } from './many-at-once.ts';
import { neverBlocked } from './never-blocked.ts';
import { nothingLost } from './nothing-lost.ts';
import { previewBudget } from './preview-budget.ts';
import { properties } from './properties.ts';
import { queries } from './queries.ts';
import { redaction } from './redaction.ts';
import { soak } from './soak.ts';
import { sweeping } from './sweeping.ts';

/** All promises, in the order of docs/figures.md, with their names for `pnpm lab <name>`. */
export const promises: Readonly<Record<string, LabPromise>> = {
  'nothing-lost': nothingLost,
  'full-disk': fullDisk,
  'broken-stores': brokenStores,
  'foreign-scopes': foreignScopes,
  'hostile-names': hostileNames,
  'never-blocked': neverBlocked,
  'bounded-memory': boundedMemory,
  queries,
  'many-at-once': manyAtOnce,
  sweeping,
  'preview-budget': previewBudget,
  properties,
  redaction,
  soak,
};
