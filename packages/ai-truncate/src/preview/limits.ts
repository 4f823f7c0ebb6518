import { requireOption, requireOptionalWholeNumber, requireWholeNumber } from '../options.ts';
import { compileLineMarks, type LineMarks } from '../text/line-marks.ts';
import { byteLength, countLines } from '../text/utf.ts';

/** An important line, in one of the ends or between them. */
export interface MarkedLine {
  /** Counted from 1. */
  line: number;
  /** The beginning of the line, at most 4,096 characters. */
  text: string;
  /**
   * Why it matters: the question asks for it (`focused`), it reports an error, a failure, an exit status or a total, or the option
   * `salient` names it (`salient`), or its pattern occurs once or twice (`rare`).
   */
  mark: 'focused' | 'salient' | 'rare';
}

/** The input of a `keep` function: both ends of the output, its true size and the important lines, but never the whole output. */
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
  toolName: string;
  /** The arguments of the call. */
  input: unknown;
  /** The first 4,000 characters of the last user message; absent if it is not known. */
  question?: string;
  /** In the order of the output. */
  marked: readonly MarkedLine[];
  /** The limit of the returned preview, in UTF-8 bytes. A longer preview is cut. */
  maxBytes: number;
  abortSignal: AbortSignal | undefined;
}

/**
 * A custom preview of at most `maxBytes`, such as an excerpt or a summary. Both ends are shown if the function returns
 * `undefined`, throws, or takes longer than 30 seconds.
 */
export interface KeepFunction {
  (input: KeepInput): string | undefined | PromiseLike<string | undefined>;
  /** The preview describes the whole output, and the notice says that a summary is shown. */
  readonly kind?: 'summary';
  /** The characters of each end that the function receives, at most a million. @default twice `previewBytes` */
  readonly windowChars?: number;
}

/**
 * The part of an output over the limits that the model sees.
 *
 * - `auto`: a smaller JSON document for JSON, and for other text both ends with the important lines between them.
 * - `head`, `tail`: whole lines from the start or the end.
 * - `ends`: both ends.
 */
export type PreviewKeep = 'auto' | 'head' | 'tail' | 'ends' | KeepFunction;

/** The size from which an output is truncated, and the size of its preview. The limit that is hit first decides. */
export interface TruncationLimits {
  /** Lines: at least 1, or 3 with `keep: 'ends'`. `false` for no limit. @default 2000 */
  maxLines?: number | false | undefined;
  /**
   * UTF-8 bytes: at least 1,024. With `false`, outputs are truncated for their bytes only if they are over 16 MiB. @default 51200
   */
  maxBytes?: number | false | undefined;
  /** UTF-16 units (`String.length`): at least 256. `false` for no limit. @default false */
  maxChars?: number | false | undefined;
  /**
   * UTF-8 bytes of the whole text that the model sees for one output, including notice and hint: 1,024 to 1,048,576 (1 MiB). A
   * preview never has more than `maxBytes`.
   * @default 16384
   */
  previewBytes?: number | undefined;
  /** The same limit in UTF-16 units, in place of `previewBytes`: 1,024 to 1,048,576. */
  previewChars?: number | undefined;
  /** @default 'auto' */
  keep?: PreviewKeep | undefined;
  /**
   * Words, or patterns in RE2 syntax, that mark lines as important, in addition to errors, failures, exit status and totals. At
   * most 32. They ignore case unless they contain `(?-i:…)`.
   * @default none
   */
  salient?: readonly string[] | undefined;
}

/**
 * Marks a function that returns a `keep` function, with the correct call. Without this mark, an omitted call would not be
 * noticed.
 */
export const MAKES_KEEP: unique symbol = Symbol.for('ai-truncate.makes-keep');

/** The names of all limits. */
export const LIMITS: readonly (keyof TruncationLimits)[] = [
  ...(['maxLines', 'maxBytes', 'maxChars', 'previewBytes', 'previewChars', 'keep', 'salient'] as const),
];

/** Complete and checked limits. */
export interface ResolvedLimits {
  /** {@link NO_LIMIT} if it is switched off. */
  maxLines: number;
  maxBytes: number;
  maxChars: number;
  previewBytes: number;
  previewChars: number;
  keep: PreviewKeep;
  /** The compiled `salient`. */
  marks?: LineMarks | undefined;
}

const DEFAULT_MAX_LINES = 2000;
const DEFAULT_MAX_BYTES = 50 * 1024;
const DEFAULT_PREVIEW_BYTES = 16 * 1024;

/** The limits of `truncateText`, and of outputs when no limit is set. */
export const defaultLimits: Readonly<{ maxLines: number; maxBytes: number }> = Object.freeze({
  maxLines: DEFAULT_MAX_LINES,
  maxBytes: DEFAULT_MAX_BYTES,
});

/**
 * The setting of the requirement documents: the first 2,000 lines or 50 KiB of an output, in a preview that fills the limit.
 *
 * @example
 * const tools = truncateToolOutputs({ readServerLogs }, { store, scope: chatId, ...unifiedLimits });
 */
export const unifiedLimits: Readonly<{ maxLines: number; maxBytes: number; keep: 'head'; previewBytes: number }> =
  Object.freeze({ ...defaultLimits, keep: 'head', previewBytes: DEFAULT_MAX_BYTES });

/** More lines than any output has. It is finite, because limits are added and divided. */
export const NO_LIMIT: number = Number.MAX_SAFE_INTEGER;
/** A larger output fits into no context, and delivering it would block the process. */
const MAX_UNLIMITED_BYTES = 16 * 1024 * 1024;
/** With a smaller limit, notice, hint and frame would leave no room for the output itself. */
export const MIN_BYTES = 1024;
export const MIN_CHARS = 256;
/** A line of each end, and the gap between them. */
export const MIN_LINES_OF_ENDS = 3;
/** More than fits into the context of any model. Also, it can take a microsecond per character to make a preview visible. */
export const MAX_PREVIEW_BYTES: number = 1024 * 1024;
/** The most UTF-8 bytes of a UTF-16 unit. */
export const MAX_BYTES_PER_CHAR = 3;

/**
 * Checks limits and fills in the defaults.
 * @param at The place of the limits for errors: `perTool.grep.` results in `perTool.grep.maxLines`.
 */
export function resolveLimits(limits: TruncationLimits, at = ''): ResolvedLimits {
  const {
    maxLines = DEFAULT_MAX_LINES,
    maxBytes = DEFAULT_MAX_BYTES,
    maxChars = false,
    keep = 'auto',
    salient,
  } = limits;
  requireKeep(`${at}keep`, keep);
  const isLimited = maxLines !== false || maxBytes !== false || maxChars !== false;
  const expected = 'a number if `maxLines` and `maxChars` are `false`, because an output needs a limit';
  requireOption(isLimited, { option: `${at}maxBytes`, value: maxBytes, expected });
  requireLimit(
    `${at}maxLines`,
    keep === 'ends'
      ? { value: maxLines, min: MIN_LINES_OF_ENDS, because: "with `keep: 'ends'`" }
      : { value: maxLines, min: 1 },
  );
  requireLimit(`${at}maxBytes`, { value: maxBytes, min: MIN_BYTES });
  requireLimit(`${at}maxChars`, { value: maxChars, min: MIN_CHARS });
  const marks = compileLineMarks(`${at}salient`, salient);
  const maxBytesInForce = maxBytes === false ? MAX_UNLIMITED_BYTES : maxBytes;
  return {
    maxLines: maxLines === false ? NO_LIMIT : maxLines,
    maxBytes: maxBytesInForce,
    maxChars: maxChars === false ? Number.POSITIVE_INFINITY : maxChars,
    ...resolvePreview(limits, { at, maxBytes: maxBytesInForce }),
    keep,
    ...(marks && { marks }),
  };
}

function requireLimit(option: string, range: { value: unknown; min: number; because?: string }): void {
  if (range.value !== false) requireWholeNumber(option, range);
}

function resolvePreview(
  { previewBytes, previewChars }: TruncationLimits,
  { at, maxBytes }: { at: string; maxBytes: number },
): Pick<ResolvedLimits, 'previewBytes' | 'previewChars'> {
  const range = { min: MIN_BYTES, max: MAX_PREVIEW_BYTES };
  requireOptionalWholeNumber(`${at}previewBytes`, { value: previewBytes, ...range });
  requireOptionalWholeNumber(`${at}previewChars`, { value: previewChars, ...range });
  const isOne = previewBytes === undefined || previewChars === undefined;
  const expected = 'left out if `previewBytes` is set, because both limit the preview';
  requireOption(isOne, { option: `${at}previewChars`, value: previewChars, expected });
  const bytesOfChars = previewChars && Math.min(previewChars * MAX_BYTES_PER_CHAR, MAX_PREVIEW_BYTES);
  return {
    previewBytes: Math.min(previewBytes ?? bytesOfChars ?? DEFAULT_PREVIEW_BYTES, maxBytes),
    previewChars: previewChars ?? Number.POSITIVE_INFINITY,
  };
}

/** Whether a text is within the budget of a preview. */
export function fitsPreview(text: string, { previewBytes, previewChars }: ResolvedLimits): boolean {
  // A character has at least one byte, so a text that is certainly too large need not be counted.
  return text.length <= Math.min(previewBytes, previewChars) && byteLength(text) <= previewBytes;
}

const KEEPS = ['auto', 'head', 'tail', 'ends'] as const;

function requireKeep(option: string, value: unknown): asserts value is PreviewKeep {
  const call: unknown = typeof value === 'function' ? Reflect.get(value, MAKES_KEEP) : undefined;
  requireOption(call === undefined, { option, value, expected: `the result of a call: \`keep: ${String(call)}\`` });
  const isKnown = typeof value === 'function' || KEEPS.includes(value as never);
  requireOption(isKnown, { option, value, expected: "'auto', 'head', 'tail', 'ends' or a function" });
}

/**
 * The limit that an output of this size exceeds; `undefined` if it is within the limits. If it exceeds several, bytes are
 * reported first.
 */
export function exceededLimit(
  limits: ResolvedLimits,
  size: { lines: number; bytes: number; chars: number },
): 'lines' | 'bytes' | 'chars' | undefined {
  if (size.bytes > limits.maxBytes) return 'bytes';
  if (size.lines > limits.maxLines) return 'lines';
  return size.chars > limits.maxChars ? 'chars' : undefined;
}

/** The limit that a text exceeds; `undefined` if it is within the limits. */
export function exceededByText(text: string, limits: ResolvedLimits): 'lines' | 'bytes' | 'chars' | undefined {
  // A character has at least one byte, so a text that is certainly too large need not be counted.
  if (text.length > limits.maxBytes) return 'bytes';
  return exceededLimit(limits, { lines: countLines(text), bytes: byteLength(text), chars: text.length });
}
