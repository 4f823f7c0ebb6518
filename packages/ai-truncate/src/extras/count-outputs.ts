import type { OutputEvent, TruncationEvent } from '../delivery/events.ts';

/** What came together since the counter was made. */
export interface OutputCounts {
  /** Calls of tools that ended, whatever the size of their output. */
  outputs: number;
  /** Of those, the ones that were too large. */
  truncated: number;
  /** The share of these, from 0 to 1: near 0 it rarely helps, and where it is high the limits or the tools should be looked at. */
  truncationRate: number;
  /** Of the truncated ones, those that were not kept. */
  notSaved: number;
  /** Bytes of the truncated outputs, and of what the model reads in their place. */
  originalBytes: number;
  sentBytes: number;
  /** Answers of readers, and what the model reads of them. */
  readerCalls: number;
  readerBytes: number;
  /** What is saved after both, once for each output. Below 0 where readers showed more than was left out. */
  savedBytes: number;
}

/** Listeners for `truncateToolOutputs` and `truncateOutput`, and what they heard of. */
export interface OutputCounter {
  onOutput: (event: OutputEvent) => void;
  onTruncate: (event: TruncationEvent) => void;
  counts(): OutputCounts;
}

/**
 * Counts all outputs, those that were truncated, and what readers showed of these afterwards: so that the truncation rate can be
 * watched, and savings are told with what they cost. Nothing but numbers is kept, however long it counts.
 *
 * What the middleware cuts is not counted: it cuts the same result with each request again.
 *
 * @example
 * const { counts, ...listeners } = countOutputs();
 * const tools = truncateToolOutputs({ readServerLogs }, { store, scope: chatId, ...listeners });
 */
export function countOutputs(): OutputCounter {
  const bytes = { originalBytes: 0, sentBytes: 0, readerBytes: 0 };
  const sums = { outputs: 0, truncated: 0, notSaved: 0, readerCalls: 0, ...bytes };
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
      if (event.path === null) sums.notSaved++;
      sums.originalBytes += event.bytes;
      sums.sentBytes += event.sentBytes;
    },
    counts() {
      const { outputs, truncated, originalBytes, sentBytes, readerBytes } = sums;
      const truncationRate = outputs === 0 ? 0 : truncated / outputs;
      return { ...sums, truncationRate, savedBytes: originalBytes - sentBytes - readerBytes };
    },
  };
}
