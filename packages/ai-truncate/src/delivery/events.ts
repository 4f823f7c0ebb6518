/** A truncated output, with the facts for a log, a trace or a bill. */
export interface TruncationEvent {
  /**
   * The place of the truncation: in a wrapped tool, by `truncateOutput`, or on its way to a provider by the middleware, which
   * cuts the same result again with each request.
   */
  entrance: 'tool' | 'output' | 'middleware';
  toolName: string;
  toolCallId: string;
  reason: 'lines' | 'bytes' | 'chars';
  /** Lines of the whole output. */
  lines: number;
  /** Bytes of the whole output as it is saved. A value is saved indented, and would have been sent without that white space. */
  bytes: number;
  /** Lines of the preview. */
  previewLines: number;
  previewBytes: number;
  /** UTF-8 bytes of the whole text that the model sees instead, including notice and hint, but without files. */
  sentBytes: number;
  /** The reduction from 0 to 1: 0.91 if about a tenth is left. Text that readers show later is not subtracted. */
  reduction: number;
  /** The time from the tool's finished output to the preview, including the wait for the store. */
  durationMs: number;
  /** The words of the question that chose lines or items of the preview. Absent if they chose nothing. */
  focus?: readonly string[];
  /** The path of the full output; `null` if it was not saved. */
  path: string | null;
  /** Nothing was saved, because the tool has the option `save: false`. */
  notSavedByChoice?: true;
  /** How many secrets of each kind were replaced. Absent if there were none. */
  redacted?: Readonly<Record<string, number>>;
  /** The reason why it was not saved: the error of the store, or of the function that finds the scope. */
  error?: unknown;
  /** The reason why the `keep` function returned no preview, so that both ends are shown: its error, or a timeout. */
  keepError?: unknown;
}

/**
 * One finished call of a tool with bounded outputs, or of a reader. Outputs within the limits are included to compute the share
 * of truncated outputs, and readers to compute the savings.
 */
export type OutputEvent =
  | {
      kind: 'tool';
      toolName: string;
      toolCallId: string;
      /** How many secrets of each kind were replaced. Absent if there were none. */
      redacted?: Readonly<Record<string, number>>;
    }
  | {
      kind: 'reader';
      toolName: string;
      toolCallId: string;
      /** UTF-8 bytes of the answer that the model sees. */
      sentBytes: number;
    };
