import { LONGEST_TIMER_MS } from '../deadlines.ts';
import { requireOption, requireOptionalWholeNumber } from '../options.ts';
import { isRecord } from '../protocol/guards.ts';
import { type ArtifactStore, requireStore } from '../stores/artifact-store.ts';
import type { Artifacts } from './artifacts.ts';
import { resolveScope, type Scope } from './resolve-scope.ts';
import { requireSaveLimits, type ScopedArtifactsOptions, scopedArtifacts } from './scoped-artifacts.ts';

/** The names of all {@link StorageOptions}. */
export const STORAGE_OPTIONS: readonly string[] = [
  ...['store', 'scope', 'maxArtifactBytes', 'saveTimeoutMs', 'retentionDays', 'sweep', 'onSweep'],
];

/** Where full outputs are saved, for whom and for how long. */
export interface StorageOptions extends Omit<ScopedArtifactsOptions, 'scope'> {
  /** Where full outputs are saved. Create it once per process. */
  store: ArtifactStore;
  /**
   * Who owns the output: a string, or a function that finds the owner of the running request. From the server's own
   * knowledge, never from a model or a client. One that fails or finds no owner saves nothing.
   */
  scope: Scope;
  /** How long a finished output waits for the store, and how long the store may stand still while a stream flows. @default 10000 */
  saveTimeoutMs?: number;
}

/** Throws for what could not work, also when no output is ever too large and nothing would come of it. */
export function requireStorageOptions(options: StorageOptions): void {
  const isObject = isRecord(options);
  requireOption(isObject, { option: 'options', value: options, expected: 'an object with `store` and `scope`' });
  const { store, scope, saveTimeoutMs } = options;
  requireStore(store);
  const isScope = typeof scope === 'string' || typeof scope === 'function';
  requireOption(isScope, { option: 'scope', value: scope, expected: 'a string, or a function that finds one' });
  requireOptionalWholeNumber('saveTimeoutMs', { value: saveTimeoutMs, min: 1, max: LONGEST_TIMER_MS });
  requireSaveLimits(options);
}

export interface OpenArtifactsOptions extends StorageOptions {
  abortSignal?: AbortSignal | undefined;
}

/** The artifacts of the owner of the running call. Rejects when no owner is found. */
export async function openArtifacts(options: OpenArtifactsOptions): Promise<Artifacts> {
  return scopedArtifacts(options.store, { ...options, scope: await resolveScope(options) });
}
