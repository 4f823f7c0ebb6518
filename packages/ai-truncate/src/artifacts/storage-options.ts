import { LONGEST_TIMER_MS, withTimeout } from '../deadlines.ts';
import { requireOption, requireOptionalWholeNumber } from '../options.ts';
import { isRecord } from '../protocol/guards.ts';
import { type ArtifactStore, requireStore } from '../stores/artifact-store.ts';
import type { Artifacts } from './artifacts.ts';
import { requireSaveLimits, type ScopedArtifactsOptions, scopedArtifacts } from './scoped-artifacts.ts';

/** How long a store may stand still while an output is saved. */
export const DEFAULT_SAVE_TIMEOUT_MS = 10_000;

/** The names of all {@link StorageOptions}. */
export const STORAGE_OPTIONS: readonly string[] = [
  ...['store', 'scope', 'maxArtifactBytes', 'saveTimeoutMs', 'retentionDays', 'sweep', 'onSweep'],
];

/** Who owns an output: known, or to be found. */
export type Scope = string | (() => string | null | undefined | PromiseLike<string | null | undefined>);

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

/** The owner of the running call. Rejects when none is found, so that nothing is saved or read for nobody. */
export async function resolveScope({
  scope,
  saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS,
  abortSignal,
}: Pick<OpenArtifactsOptions, 'scope' | 'saveTimeoutMs' | 'abortSignal'>): Promise<string> {
  abortSignal?.throwIfAborted();
  if (typeof scope === 'string') return scope;
  const found = await withTimeout(saveTimeoutMs, { work: () => scope(), abortSignal, what: '`scope`' });
  requireOption(found != null, { option: 'scope', value: found, expected: 'a string for this call' });
  return found;
}
