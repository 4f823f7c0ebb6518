import { ArtifactTooLargeError } from '../artifacts/artifacts.ts';
import type { SaveOutcome } from '../artifacts/save-output.ts';
import { now } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { notify } from '../options.ts';
import type { PreviewKeep } from '../preview/limits.ts';

/** What happened to an output that was too large: what a log, a trace or a bill needs to know of it. */
export interface TruncationEvent {
  /**
   * Where it was cut: in a wrapped tool, by `truncateOutput`, or on its way to a provider by the middleware, which cuts the same
   * result again with each request.
   */
  entrance: 'tool' | 'output' | 'middleware';
  toolName: string;
  toolCallId: string;
  reason: 'lines' | 'bytes' | 'chars';
  /** Of the whole output. */
  lines: number;
  /** Of the whole output as it is kept: a value is kept indented, and would have been sent without that white space. */
  bytes: number;
  /** Of the preview. */
  keptLines: number;
  keptBytes: number;
  /** UTF-8 bytes of all that the model reads in its place, notice and hint included; files aside. */
  sentBytes: number;
  /** By how much less that is, from 0 to 1: 0.91 when a tenth or so is left. What readers show later is not taken off. */
  reduction: number;
  /** From the tool's finished output to the preview, the wait for the store included. */
  durationMs: number;
  /** Where the full output is; `null` when it was not kept. */
  path: string | null;
  /** Why it was not kept: what the store, or the function that finds the scope, failed with. */
  error?: unknown;
  /** Why the `keep` function gave no preview, so that both ends are shown: what it threw, or that it took too long. */
  keepError?: unknown;
}

/**
 * One call that ended: of a tool whose outputs are bounded, or of a reader. Without the outputs within the limits nobody knows how
 * many are truncated, and without the readers nobody knows what that saved.
 */
export type OutputEvent =
  | { kind: 'tool'; toolName: string; toolCallId: string }
  | {
      kind: 'reader';
      toolName: string;
      toolCallId: string;
      /** UTF-8 bytes of what the model reads of the answer. */
      sentBytes: number;
    };

/** The fields of an event from which the others follow. */
export type TruncationFacts = Omit<TruncationEvent, 'reduction' | 'durationMs'> & { endedAt: number };

export function toTruncationEvent({ endedAt, ...facts }: TruncationFacts): TruncationEvent {
  const { bytes, sentBytes } = facts;
  // The words around a small output can weigh more than what they leave out.
  const reduction = bytes > sentBytes ? 1 - sentBytes / bytes : 0;
  return { ...facts, reduction, durationMs: now() - endedAt };
}

/** What an event says about a truncated output, without its call. */
export type TruncatedFacts = Pick<
  TruncationEvent,
  'reason' | 'lines' | 'bytes' | 'keptLines' | 'keptBytes' | 'sentBytes' | 'path' | 'keepError'
> & { outcome: SaveOutcome };

/** The part of a `Delivery` that an event needs. */
interface NotifiedCall extends Pick<TruncationEvent, 'entrance' | 'toolName' | 'toolCallId'> {
  startedAt: number;
  endedAt?: number;
  limits: { keep: PreviewKeep };
  keeping: { store: object; onTruncate?: (event: TruncationEvent) => void };
  abortSignal: AbortSignal | undefined;
}

/** Notifies the application of a truncated output, and warns about what an application without a listener would never learn. */
export function notifyTruncation(call: NotifiedCall, { outcome, ...facts }: TruncatedFacts): void {
  const { entrance, toolName, toolCallId, keeping, abortSignal, startedAt, endedAt = startedAt, limits } = call;
  const { store, onTruncate } = keeping;
  if (typeof limits.keep === 'function' && facts.keepError !== undefined && !abortSignal?.aborted) {
    warnOnce(limits.keep, { kind: 'keep', error: facts.keepError });
  }
  if (!onTruncate && outcome.status === 'failed' && !isExpected(outcome.error, abortSignal)) {
    const kind = InvalidOptionError.isInstance(outcome.error) ? 'options' : 'store';
    warnOnce(store, { kind, error: outcome.error });
  }
  const event = toTruncationEvent({ entrance, toolName, toolCallId, ...facts, endedAt });
  notify(onTruncate, outcome.status === 'saved' ? event : { ...event, error: outcome.error });
}

/** The caller left, or set the limit. */
function isExpected(error: unknown, abortSignal: AbortSignal | undefined): boolean {
  return abortSignal?.aborted === true || ArtifactTooLargeError.isInstance(error);
}

const NOT_KEPT =
  'ai-truncate: the full output of a tool was not kept. `onTruncate` would be told of each; this is said once.';
const WARNINGS = {
  options: NOT_KEPT,
  store: NOT_KEPT,
  // A `keep` that always fails would otherwise look like one that always answers `undefined`.
  keep:
    'ai-truncate: a `keep` function failed, so both ends of the output are shown. `onTruncate` receives each failure as ' +
    '`keepError`; this warning is printed once.',
} as const;

/** The kinds of warnings that were printed for a store or a `keep` function. */
const warnedOf = new WeakMap<object, Set<string>>();

function warnOnce(subject: object, { kind, error }: { kind: keyof typeof WARNINGS; error: unknown }): void {
  const warned = warnedOf.get(subject) ?? new Set();
  if (warned.has(kind)) return;
  warnedOf.set(subject, warned.add(kind));
  console.warn(WARNINGS[kind], error);
}
