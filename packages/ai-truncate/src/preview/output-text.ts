import { byteLength, countLines } from '../text/utf.ts';
import { exceededLimit, type ResolvedLimits } from './truncation-limits.ts';

/** What a tool may give back that arrives piece by piece: a web stream or a Node `Readable`. */
export type OutputStream = AsyncIterable<string | Uint8Array>;

/** Whether an output is a stream, whose text is yet to come. An async iterable alone is none: it may be a value. */
export function isOutputStream(output: unknown): output is OutputStream {
  if (typeof output !== 'object' || output === null) return false;
  try {
    return isWebStream(output) || isNodeStream(output);
  } catch {
    // What cannot even be looked at is a value, and is told in place.
    return false;
  }
}

/** Checks all members, because an object with only `getReader` is a value, and `instanceof` fails for a stream of another realm. */
function isWebStream(output: object): boolean {
  const { getReader, cancel, tee, locked } = output as Partial<
    Record<'getReader' | 'cancel' | 'tee' | 'locked', unknown>
  >;
  return [getReader, cancel, tee].every(isFunction) && typeof locked === 'boolean';
}

function isNodeStream(output: object): boolean {
  const { pipe, on, [Symbol.asyncIterator]: iterator } = output as Record<string | symbol, unknown>;
  return [pipe, on, iterator].every(isFunction);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/** Which limit a text is over; `undefined` when it is within all of them. */
export function exceededByText(text: string, limits: ResolvedLimits): 'lines' | 'bytes' | 'chars' | undefined {
  // A character weighs at least a byte: what is certainly too large need not be counted.
  if (text.length > limits.maxBytes) return 'bytes';
  return exceededLimit(limits, { lines: countLines(text), bytes: byteLength(text), chars: text.length });
}
