import { LONGEST_TIMER_MS } from '../deadlines.ts';
import { requireOption, requireOptionalWholeNumber, requireOptions } from '../options.ts';
import { type ArtifactStore, requireStore } from '../stores/artifact-store.ts';
import type { Artifacts } from './artifacts.ts';
import { resolveScope, type Scope } from './resolve-scope.ts';
import { requireSaveLimits, type ScopedArtifactsOptions, scopedArtifacts } from './scoped-artifacts.ts';

/** The names of all {@link StorageOptions}. */
export const STORAGE_OPTIONS: readonly string[] = [
  ...['store', 'scope', 'maxArtifactBytes', 'saveTimeoutMs', 'retentionDays', 'sweep', 'onSweep'],
];

/** Options for saving full outputs: the store, the owner and the retention. */
export interface StorageOptions extends Omit<ScopedArtifactsOptions, 'scope'> {
  /** The place of full outputs. Create it once per process. */
  store: ArtifactStore;
  /**
   * The owner of the output: a string, or a function that finds the owner of the running request. Determine it on the server,
   * never from a model or a client. If the function fails or finds no owner, nothing is saved.
   */
  scope: Scope;
  /** How long a finished output waits for the store, and how long the store may hang while a stream flows. @default 10000 */
  saveTimeoutMs?: number | undefined;
}

/**
 * Throws for invalid options, even if no output is ever large enough for them to matter.
 * @param known The names of all options of the caller.
 */
export function requireStorageOptions(options: StorageOptions, known: Parameters<typeof requireOptions>[1]): void {
  requireOptions(options, { expected: 'an object with `store` and `scope`', ...known });
  const { store, scope, saveTimeoutMs } = options;
  requireStore(store);
  const isScope = typeof scope === 'string' || typeof scope === 'function';
  const expected = 'a non-empty string that names the owner, or a function that finds one';
  requireOption(isScope && scope !== '', { option: 'scope', value: scope, expected });
  requireOptionalWholeNumber('saveTimeoutMs', { value: saveTimeoutMs, min: 1, max: LONGEST_TIMER_MS });
  requireSaveLimits(options);
}

export interface OpenArtifactsOptions extends StorageOptions {
  abortSignal?: AbortSignal | undefined;
}

/** The artifacts of the owner of the running call. Rejects when no owner is found. */
export async function openArtifacts(options: OpenArtifactsOptions): Promise<Artifacts> {
  const { store, maxArtifactBytes, retentionDays, sweep, onSweep } = options;
  const scope = await resolveScope(options);
  return scopedArtifacts(store, { scope, maxArtifactBytes, retentionDays, sweep, onSweep });
}
