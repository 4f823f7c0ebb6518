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
