import type { OutputEvent, TruncationEvent } from '../delivery/events.ts';

/** The counts since the counter was made. */
export interface OutputCounts {
  /** Finished tool calls with outputs of any size. */
  outputs: number;
  /** Outputs over the limits. */
  truncated: number;
  /**
   * The share of truncated outputs, from 0 to 1. If it is near 0, truncation rarely helps. If it is high, check the limits or
   * the tools.
   */
  truncationRate: number;
  /** Truncated outputs that were not saved, because the tool has `save: false` or because the save failed. */
  notSaved: { byChoice: number; failed: number };
  /** Bytes of the truncated outputs, and of their replacements that the model sees. */
  originalBytes: number;
  sentBytes: number;
  /** Calls of readers, and the bytes of their answers. */
  readerCalls: number;
  readerBytes: number;
  /** The bytes that both save together, counted once for each output. Negative if readers showed more than was left out. */
  savedBytes: number;
}

/** Listeners for `truncateToolOutputs` and `truncateOutput`, and their counts. */
export interface OutputCounter {
  onOutput: (event: OutputEvent) => void;
  onTruncate: (event: TruncationEvent) => void;
  counts(): OutputCounts;
}

/**
 * Counts all outputs, truncated outputs, and the bytes that readers showed afterwards, so that you can monitor the truncation
 * rate and the real savings. It stores only numbers, however long it counts.
 *
 * Results that the middleware cuts are not counted, because it cuts the same result again with each request.
 *
 * @example
 * const { counts, ...listeners } = countOutputs();
 * const tools = truncateToolOutputs({ readServerLogs }, { store, scope: chatId, ...listeners });
 */
export function countOutputs(): OutputCounter {
  const bytes = { originalBytes: 0, sentBytes: 0, readerBytes: 0 };
  const sums = { outputs: 0, truncated: 0, readerCalls: 0, ...bytes };
  const notSaved = { byChoice: 0, failed: 0 };
  return {
    onOutput(event) {
      if (event.kind === 'tool') {
        sums.outputs++;
        return;
      }
      sums.readerCalls++;
      sums.readerBytes += event.sentBytes;
    },
    onTruncate(event) {
      if (event.entrance === 'middleware') return;
      sums.truncated++;
      if (event.notSavedByChoice) notSaved.byChoice++;
      else if (event.path === null) notSaved.failed++;
      sums.originalBytes += event.bytes;
      sums.sentBytes += event.sentBytes;
    },
    counts() {
      const { outputs, truncated, originalBytes, sentBytes, readerBytes } = sums;
      const truncationRate = outputs === 0 ? 0 : truncated / outputs;
      return {
        ...sums,
        notSaved: { ...notSaved },
        truncationRate,
        savedBytes: originalBytes - sentBytes - readerBytes,
      };
    },
  };
}
