import { byteLength } from './byte-length.ts';
import { countLines } from './truncate-text.ts';
import { exceededLimit, type ResolvedLimits } from './truncation-limits.ts';

/** What a tool may give back that arrives piece by piece: a web stream or a Node `Readable`. */
export type OutputStream = AsyncIterable<string | Uint8Array>;

/** Whether an output is a stream, whose text is yet to come. An async iterable alone is none: it may be a value. */
export function isOutputStream(output: unknown): output is OutputStream {
  if (typeof output !== 'object' || output === null) return false;
  try {
    const { getReader, pipe } = output as { getReader?: unknown; pipe?: unknown };
    return typeof getReader === 'function' || (typeof pipe === 'function' && Symbol.asyncIterator in output);
  } catch {
    // What cannot even be looked at is a value, and is told in place.
    return false;
  }
}

/** Which limit a text is over; `undefined` when it is within all of them. */
export function exceededByText(text: string, limits: ResolvedLimits): 'lines' | 'bytes' | 'chars' | undefined {
  // A character weighs at least a byte: what is certainly too large need not be counted.
  if (text.length > limits.maxBytes) return 'bytes';
  return exceededLimit(limits, { lines: countLines(text), bytes: byteLength(text), chars: text.length });
}
