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
  previewLines: number;
  previewBytes: number;
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
