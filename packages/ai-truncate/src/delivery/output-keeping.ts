import type { Scope } from '../artifacts/resolve-scope.ts';
import { MAX_RETENTION_DAYS } from '../artifacts/sweep-artifacts.ts';
import { requireSweepOptions, type SweepBesideSaves } from '../artifacts/sweep-beside-saves.ts';
import { LONGEST_TIMER_MS } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';
import { isRecord } from '../protocol/guards.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { requireStore } from '../stores/artifact-store.ts';
import type { OutputEvent } from './output-event.ts';
import type { TruncationEvent } from './truncation-event.ts';

/** How full outputs are kept, and who is told. The same for one output and for a set of tools. */
export interface OutputKeeping extends SweepBesideSaves {
  /** Where full outputs are kept. Create it once per process. */
  store: ArtifactStore;
  /**
   * Who owns the output: a string, or a function that finds the owner of the running request. From the server's own
   * knowledge, never from a model or a client. One that fails or finds nobody keeps nothing.
   */
  scope: Scope;
  /** What is larger is not kept. @default 1073741824 (1 GiB) */
  maxArtifactBytes?: number;
  /** How long a finished output waits for the store, and how long the store may stand still while a stream flows. @default 10000 */
  saveTimeoutMs?: number;
  /** For how many days full outputs are promised to stay. @default 7 */
  retentionDays?: number;
  /** Told of each output that was truncated. What it throws or rejects with is dropped. */
  onTruncate?: (event: TruncationEvent) => void;
  /** Told of each output, also of those within the limits, and of what readers show. What it throws or rejects with is dropped. */
  onOutput?: (event: OutputEvent) => void;
}

/** Throws for what could not work, also when no output is ever too large and nothing would come of it. */
export function requireOutputKeeping(options: OutputKeeping): void {
  if (!isRecord(options)) {
    throw new InvalidOptionError({ option: 'options', value: options, expected: 'an object with `store` and `scope`' });
  }
  const { store, scope, maxArtifactBytes, saveTimeoutMs, retentionDays, onTruncate, onOutput } = options;
  requireStore(store);
  if (typeof scope !== 'string' && typeof scope !== 'function') {
    throw new InvalidOptionError({ option: 'scope', value: scope, expected: 'a string, or a function that finds one' });
  }
  if (maxArtifactBytes !== undefined) requireWholeNumber('maxArtifactBytes', { value: maxArtifactBytes, min: 1 });
  if (saveTimeoutMs !== undefined) {
    requireWholeNumber('saveTimeoutMs', { value: saveTimeoutMs, min: 1, max: LONGEST_TIMER_MS });
  }
  if (retentionDays !== undefined) {
    requireWholeNumber('retentionDays', { value: retentionDays, min: 1, max: MAX_RETENTION_DAYS });
  }
  requireSweepOptions(options);
  for (const [option, value] of Object.entries({ onTruncate, onOutput })) {
    if (value === undefined || typeof value === 'function') continue;
    throw new InvalidOptionError({ option, value, expected: 'a function' });
  }
}
