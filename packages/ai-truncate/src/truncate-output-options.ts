import { requireStore } from './artifacts/require-store.ts';
import { MAX_RETENTION_DAYS } from './artifacts/sweep-artifacts.ts';
import { InvalidOptionError, requireWholeNumber } from './errors.ts';
import type { ArtifactStore } from './stores/artifact-store.ts';
import type { TruncationLimits } from './truncation/truncation-limits.ts';

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

export interface TruncateOutputOptions extends TruncationLimits {
  /** Where full outputs are kept. Create it once per process. */
  store: ArtifactStore;
  /**
   * Who owns the output: a string, or a function that finds the owner of the running request. From the server's own
   * knowledge, never from a model or a client. One that fails or finds nobody keeps nothing.
   */
  scope: string | (() => string | PromiseLike<string>);
  toolName: string;
  toolCallId: string;
  /** The names of the tools that the agent can call, for the hint. @default none */
  tools?: readonly string[];
  /** What the tool was asked, for the record. */
  input?: unknown;
  /** What is larger is not kept. @default 1073741824 (1 GiB) */
  maxArtifactBytes?: number;
  /** How long a finished output waits for the store, and how long the store may stand still while a stream flows. @default 10000 */
  saveTimeoutMs?: number;
  /** For how many days full outputs are promised to stay. @default 7 */
  retentionDays?: number;
  /** Ends a stream with the signal's reason. An output that is there already is truncated all the same, but not kept. */
  abortSignal?: AbortSignal | undefined;
  /** Told of each output that was truncated. What it throws or rejects with is dropped. */
  onTruncate?: (event: TruncationEvent) => void;
}

/** Throws for what could not work, also when this output is small and nothing would come of it. */
export function requireTruncateOutputOptions(options: TruncateOutputOptions): void {
  const { store, scope, toolName, toolCallId, tools = [], maxArtifactBytes, saveTimeoutMs, retentionDays } = options;
  requireStore(store);
  if (typeof scope !== 'string' && typeof scope !== 'function') {
    throw new InvalidOptionError({ option: 'scope', value: scope, expected: 'a string, or a function that finds one' });
  }
  for (const [option, value] of Object.entries({ toolName, toolCallId })) {
    if (typeof value !== 'string') throw new InvalidOptionError({ option, value, expected: 'a string' });
  }
  if (!Array.isArray(tools) || tools.some((name) => typeof name !== 'string')) {
    throw new InvalidOptionError({
      option: 'tools',
      value: tools,
      expected: 'the names of the tools, as in Object.keys(tools)',
    });
  }
  if (maxArtifactBytes !== undefined) requireWholeNumber('maxArtifactBytes', { value: maxArtifactBytes, min: 1 });
  if (saveTimeoutMs !== undefined)
    requireWholeNumber('saveTimeoutMs', { value: saveTimeoutMs, min: 1, max: 2 ** 31 - 1 });
  if (retentionDays !== undefined) {
    requireWholeNumber('retentionDays', { value: retentionDays, min: 1, max: MAX_RETENTION_DAYS });
  }
}
