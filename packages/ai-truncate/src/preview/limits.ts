import { requireOption, requireWholeNumber } from '../options.ts';
import { byteLength, countLines } from '../text/utf.ts';

/** What a `keep` function is given: both ends of the output and its true size, never the whole. */
export interface KeepInput {
  /** The beginning of the output. */
  head: string;
  /** The end of the output. */
  tail: string;
  /** Lines of the whole output. */
  lines: number;
  /** UTF-8 bytes of the whole output. */
  bytes: number;
  /** `String.length` of the whole output. */
  chars: number;
  /** What the answer may weigh; more is cut. */
  maxBytes: number;
  abortSignal: AbortSignal | undefined;
}

/**
 * A preview of one's own: an excerpt, a summary, anything of at most `maxBytes`. Both ends are shown where it answers `undefined`,
 * throws, or takes longer than 30 seconds.
 */
export interface KeepFunction {
  (input: KeepInput): string | undefined | PromiseLike<string | undefined>;
  /** Its answer stands for the whole output: the notice says that a summary is shown. */
  readonly kind?: 'summary';
  /** How much it wants to be given of either end, in characters; at most a million. @default twice `previewBytes` */
  readonly windowChars?: number;
}

/**
 * Which part of a too large output the model sees.
 *
 * - `auto`: a smaller JSON document for JSON; both ends and the salient lines between them for other text.
 * - `head`, `tail`: whole lines from the start or the end.
 * - `ends`: both ends.
 */
export type PreviewKeep = 'auto' | 'head' | 'tail' | 'ends' | KeepFunction;

/** When an output is too large, and what is shown of one that is. Whichever limit is hit first counts. */
export interface TruncationLimits {
  /** @default 2000 */
  maxLines?: number;
  /** UTF-8 bytes; at least 1,024. @default 51200 */
  maxBytes?: number;
  /** UTF-16 units (`String.length`); at least 256. @default no limit */
  maxChars?: number;
  /**
   * Bytes that the model reads for one output, notice and hint included; at least 1,024, at most `maxBytes` and
   * at most 1,048,576 (1 MiB).
   * @default 16384, or `maxBytes` when that is smaller
   */
  previewBytes?: number;
  /** @default 'auto' */
  keep?: PreviewKeep;
}

/** Marks a function that makes a `keep`, with the call that is right: to forget the call would otherwise go unnoticed. */
export const MAKES_KEEP: unique symbol = Symbol.for('ai-truncate.makes-keep');

/** The names of all limits. */
export const LIMITS: readonly (keyof TruncationLimits)[] = ['maxLines', 'maxBytes', 'maxChars', 'previewBytes', 'keep'];

/** Limits in force: checked, and nothing left open. */
export interface ResolvedLimits {
  maxLines: number;
  maxBytes: number;
  maxChars: number;
  previewBytes: number;
  keep: PreviewKeep;
}

/** What holds when nothing is said; `previewBytes` then is the smaller of 16384 and `maxBytes`, and `maxChars` is off. */
export const defaultLimits: Readonly<{ maxLines: number; maxBytes: number; keep: 'auto' }> = Object.freeze({
  maxLines: 2000,
  maxBytes: 50 * 1024,
  keep: 'auto',
});

const DEFAULT_PREVIEW_BYTES = 16 * 1024;

/** Below this, notice, hint and frame would leave no room for the output itself. */
export const MIN_BYTES = 1024;
export const MIN_CHARS = 256;
/** A line of each end and the gap between them. */
export const MIN_LINES_OF_ENDS = 3;
/** More than the context of any model has room for; and each character of a preview may take a microsecond to make visible. */
export const MAX_PREVIEW_BYTES: number = 1024 * 1024;

/**
 * Checks limits and fills in the defaults.
 * @param at where the limits stand, for the error: `perTool.grep.` names `perTool.grep.maxLines`.
 */
export function resolveLimits(limits: TruncationLimits, at = ''): ResolvedLimits {
  const {
    maxLines = defaultLimits.maxLines,
    maxBytes = defaultLimits.maxBytes,
    maxChars = Number.POSITIVE_INFINITY,
    previewBytes = Math.min(DEFAULT_PREVIEW_BYTES, maxBytes),
    keep = defaultLimits.keep,
  } = limits;
  requireKeep(`${at}keep`, keep);
  requireWholeNumber(
    `${at}maxLines`,
    keep === 'ends'
      ? { value: maxLines, min: MIN_LINES_OF_ENDS, because: "with `keep: 'ends'`" }
      : { value: maxLines, min: 1 },
  );
  requireWholeNumber(`${at}maxBytes`, { value: maxBytes, min: MIN_BYTES });
  if (maxChars !== Number.POSITIVE_INFINITY) requireWholeNumber(`${at}maxChars`, { value: maxChars, min: MIN_CHARS });
  requireWholeNumber(`${at}previewBytes`, {
    value: previewBytes,
    min: MIN_BYTES,
    ...(maxBytes <= MAX_PREVIEW_BYTES ? { max: maxBytes, maxName: `${at}maxBytes` } : { max: MAX_PREVIEW_BYTES }),
  });
  return { maxLines, maxBytes, maxChars, previewBytes, keep };
}

const KEEPS = ['auto', 'head', 'tail', 'ends'] as const;

function requireKeep(option: string, value: unknown): asserts value is PreviewKeep {
  const call: unknown = typeof value === 'function' ? Reflect.get(value, MAKES_KEEP) : undefined;
  requireOption(call === undefined, { option, value, expected: `the result of a call: \`keep: ${String(call)}\`` });
  const isKnown = typeof value === 'function' || KEEPS.includes(value as never);
  requireOption(isKnown, { option, value, expected: "'auto', 'head', 'tail', 'ends' or a function" });
}

/** Which limit an output of this size is over; of several, the one that costs most. */
export function exceededLimit(
  limits: ResolvedLimits,
  size: { lines: number; bytes: number; chars: number },
): 'lines' | 'bytes' | 'chars' | undefined {
  if (size.bytes > limits.maxBytes) return 'bytes';
  if (size.lines > limits.maxLines) return 'lines';
  return size.chars > limits.maxChars ? 'chars' : undefined;
}

/** Which limit a text is over; `undefined` when it is within all of them. */
export function exceededByText(text: string, limits: ResolvedLimits): 'lines' | 'bytes' | 'chars' | undefined {
  // A character weighs at least a byte: what is certainly too large need not be counted.
  if (text.length > limits.maxBytes) return 'bytes';
  return exceededLimit(limits, { lines: countLines(text), bytes: byteLength(text), chars: text.length });
}
