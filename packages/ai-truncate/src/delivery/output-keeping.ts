import type { Scope } from '../artifacts/keep-output.ts';
import { requireStore } from '../artifacts/require-store.ts';
import { MAX_RETENTION_DAYS } from '../artifacts/sweep-artifacts.ts';
import { InvalidOptionError, requireWholeNumber } from '../errors.ts';
import { isRecord } from '../protocol/is-record.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';

/** What happened to an output that was too large. */
export interface TruncationEvent {
  toolName: string;
  toolCallId: string;
  reason: 'lines' | 'bytes' | 'chars';
  /** Of the whole output. */
  lines: number;
  bytes: number;
  /** Where the full output is; `null` when it was not kept. */
  path: string | null;
  /** Why it was not kept: what the store, or the function that finds the scope, failed with. */
  error?: unknown;
}

/** How full outputs are kept, and who is told. The same for one output and for a set of tools. */
export interface OutputKeeping {
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
}

/** Throws for what could not work, also when no output is ever too large and nothing would come of it. */
export function requireOutputKeeping(options: OutputKeeping): void {
  if (!isRecord(options)) {
    throw new InvalidOptionError({ option: 'options', value: options, expected: 'an object with `store` and `scope`' });
  }
  const { store, scope, maxArtifactBytes, saveTimeoutMs, retentionDays, onTruncate } = options;
  requireStore(store);
  if (typeof scope !== 'string' && typeof scope !== 'function') {
    throw new InvalidOptionError({ option: 'scope', value: scope, expected: 'a string, or a function that finds one' });
  }
  if (maxArtifactBytes !== undefined) requireWholeNumber('maxArtifactBytes', { value: maxArtifactBytes, min: 1 });
  if (saveTimeoutMs !== undefined) {
    requireWholeNumber('saveTimeoutMs', { value: saveTimeoutMs, min: 1, max: 2 ** 31 - 1 });
  }
  if (retentionDays !== undefined) {
    requireWholeNumber('retentionDays', { value: retentionDays, min: 1, max: MAX_RETENTION_DAYS });
  }
  if (onTruncate !== undefined && typeof onTruncate !== 'function') {
    throw new InvalidOptionError({ option: 'onTruncate', value: onTruncate, expected: 'a function' });
  }
}
