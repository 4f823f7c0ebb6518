import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';
import { gapRow } from '../text/gap-words.ts';
import { byteLength, codePointStart, countLines, detach, endOfFirstBytes, startOfLastBytes } from '../text/utf.ts';
import { defaultLimits } from './limits.ts';

export interface TruncateTextOptions {
  /** At least 1, with `ends` 3. @default 2000 */
  maxLines?: number;
  /** UTF-8 bytes; at least 5, with `ends` 256. @default 51200 */
  maxBytes?: number;
  /**
   * `head` and `tail` keep whole lines and are exact parts of the text. `ends` gives 40 % of the bytes and half of the
   * lines to each end, with a row between them that says how much is missing; a line may be cut inside there.
   * @default 'head'
   */
  keep?: 'head' | 'tail' | 'ends';
}

/** Either the text itself, or what was kept of it with all counts. */
export type TruncatedText =
  | { truncated: false; content: string }
  | {
      truncated: true;
      content: string;
      keep: 'head' | 'tail' | 'ends';
      /** The limit that was hit. */
      reason: 'lines' | 'bytes';
      originalLines: number;
      originalBytes: number;
      originalChars: number;
      /** Lines and bytes of the text that stand in `content`, the gap row not counted. */
      keptLines: number;
      keptBytes: number;
      maxLines: number;
      maxBytes: number;
    };

/**
 * Cuts a text to a number of lines and bytes, whichever is hit first. Nothing is stored: for tools, and for text that is
 * no tool output.
 *
 * A line is what `split('\n')` gives. `head` and `tail` keep whole lines only; when not even one fits, it is cut inside, at a
 * code point. A large line after a short one is not: `header` and a line over the limit give `header`. Previews of tool
 * outputs differ here, because they fill their budget.
 *
 * @example
 * const result = truncateText(log, { maxLines: 500, keep: 'tail' });
 * if (result.truncated) console.log(`${result.keptLines} of ${result.originalLines} lines`);
 */
export function truncateText(text: string, options: TruncateTextOptions = {}): TruncatedText {
  if (typeof text !== 'string') throw new InvalidOptionError({ option: 'text', value: text, expected: 'a string' });
  const { maxLines = defaultLimits.maxLines, maxBytes = defaultLimits.maxBytes, keep = 'head' } = options;
  if (!['head', 'tail', 'ends'].includes(keep)) {
    throw new InvalidOptionError({ option: 'keep', value: keep, expected: "'head', 'tail' or 'ends'" });
  }
  const [minLines, minBytes] = keep === 'ends' ? [MIN_ENDS_LINES, MIN_ENDS_BYTES] : [1, MIN_BYTES];
  requireWholeNumber('maxLines', {
    value: maxLines,
    min: minLines,
    because: keep === 'ends' ? "with `keep: 'ends'`" : undefined,
  });
  requireWholeNumber('maxBytes', {
    value: maxBytes,
    min: minBytes,
    because: keep === 'ends' ? "with `keep: 'ends'`" : undefined,
  });
  const originalLines = countLines(text);
  const originalBytes = byteLength(text);
  if (originalLines <= maxLines && originalBytes <= maxBytes) return { truncated: false, content: text };

  const counts = { originalLines, originalBytes, originalChars: text.length, maxLines, maxBytes };
  if (keep === 'ends') return { truncated: true, keep, ...truncateEnds(text, counts), ...counts };
  const cut = keep === 'head' ? cutHead(text, { maxLines, maxBytes }) : cutTail(text, { maxLines, maxBytes });
  const content = detach(text.slice(cut.start, cut.end));
  return { truncated: true, content, keep, reason: cut.hit, keptLines: cut.lines, keptBytes: cut.bytes, ...counts };
}

/** The longest code point and a line feed before or behind it: something can always be kept. */
const MIN_BYTES = 5;
/** Room for the gap row, and for something of each end. */
const MIN_ENDS_BYTES = 256;
/** A line of each end and the gap between them. */
export const MIN_ENDS_LINES = 3;

/** The row between both ends and the line feeds around it. */
const GAP_BYTES = 200;

/**
 * The limits for each end of a preview that shows both: 40 % of the bytes, half of the lines without the gap row. Where
 * `maxChars` is the smaller limit, it is 40 % of the characters, and half of the bytes, so that any script has room for them.
 */
export function endsLimits({
  maxLines,
  maxBytes,
  maxChars = Number.POSITIVE_INFINITY,
  splitsLine = 'half-empty',
}: CutLimits): { head: CutLimits; tail: CutLimits } {
  const bytes = Math.floor((maxBytes - GAP_BYTES) * (maxChars < maxBytes ? 0.5 : 0.4));
  const chars = Math.floor((maxChars - GAP_BYTES) * 0.4);
  const lines = Math.floor((maxLines - 1) / 2);
  const head = { maxLines: lines, maxBytes: bytes, maxChars: chars, splitsLine };
  return { head, tail: { ...head, maxLines: maxLines - 1 - lines } };
}

function truncateEnds(
  text: string,
  counts: CutLimits & { originalLines: number },
): { content: string; reason: 'lines' | 'bytes'; keptLines: number; keptBytes: number } {
  const limits = endsLimits(counts);
  const head = cutHead(text, limits.head);
  const tail = cutTail(text, limits.tail);
  const firstOfTail = counts.originalLines - tail.lines + 1;
  const gap = gapRow({
    lines: Math.max(0, firstOfTail - head.lines - 1),
    from: head.lines + 1,
    chars: tail.start - head.end,
    restOf: text[head.end] === '\n' ? undefined : head.lines,
    startOf: text[tail.start - 1] === '\n' ? undefined : firstOfTail,
  });
  const content = [text.slice(0, head.end), gap, text.slice(tail.start)].join('\n');
  const keptLines = Math.min(head.lines + tail.lines, counts.originalLines);
  const reason = head.hit === 'bytes' || tail.hit === 'bytes' ? 'bytes' : 'lines';
  return { content, reason, keptLines, keptBytes: head.bytes + tail.bytes };
}

export interface CutLimits {
  maxLines: number;
  maxBytes: number;
  /** UTF-16 units. @default no limit */
  maxChars?: number | undefined;
  /**
   * When to go on inside the line that did not fit: when it is larger than all of the room (`giant`), when whole lines leave
   * half of the room empty, or a twentieth. Without it only when not even one line fits, as in the algorithm of `truncateText`.
   */
  splitsLine?: 'giant' | 'half-empty' | 'not-full' | undefined;
  /** What a giant line is larger than. @default the limits */
  giant?: Pick<CutLimits, 'maxBytes' | 'maxChars'> | undefined;
}

/** A part of a text: offsets, and what it weighs. */
export interface Cut {
  start: number;
  end: number;
  lines: number;
  bytes: number;
  /** What ended the cut: `bytes` also for characters, `lines` also when the whole text fitted. */
  hit: 'lines' | 'bytes';
}

/** Whole lines from the start, newlines counted, until a limit is hit. */
export function cutHead(text: string, limits: CutLimits): Cut {
  const { giant = limits } = limits;
  const cut: Cut = { start: 0, end: 0, lines: 0, bytes: 0, hit: 'lines' };
  for (let start = 0; cut.lines < limits.maxLines && start <= text.length; start = cut.end + 1) {
    const room = roomLeft(cut, limits);
    const line = firstLine(text.slice(start), room.chars);
    const bytes = line.length > room.chars ? Number.POSITIVE_INFINITY : byteLength(line);
    if (bytes > room.bytes) {
      cut.hit = 'bytes';
      const isGiant = isOver(firstLine(text.slice(start), maxCharsOf(giant)), giant);
      return splitsNext(cut, { limits, isGiant }) ? extendIntoNextLine(text, { cut, limits }) : cut;
    }
    cut.bytes += bytes + (cut.lines > 0 ? 1 : 0);
    cut.lines++;
    cut.end = start + line.length;
  }
  return cut;
}

/** Whole lines from the end, newlines counted, until a limit is hit. */
export function cutTail(text: string, limits: CutLimits): Cut {
  const { giant = limits } = limits;
  const cut: Cut = { start: text.length, end: text.length, lines: 0, bytes: 0, hit: 'lines' };
  for (let end = text.length; cut.lines < limits.maxLines && end >= 0; end = cut.start - 1) {
    const room = roomLeft(cut, limits);
    const line = lastLine(text.slice(0, end), room.chars);
    const bytes = line.length > room.chars ? Number.POSITIVE_INFINITY : byteLength(line);
    if (bytes > room.bytes) {
      cut.hit = 'bytes';
      const isGiant = isOver(lastLine(text.slice(0, end), maxCharsOf(giant)), giant);
      return splitsNext(cut, { limits, isGiant }) ? extendIntoPreviousLine(text, { cut, limits }) : cut;
    }
    cut.bytes += bytes + (cut.lines > 0 ? 1 : 0);
    cut.lines++;
    cut.start = end - line.length;
  }
  return cut;
}

/** A character weighs at least a byte: a line of more characters than this is over the limits. */
function maxCharsOf({ maxBytes, maxChars = Number.POSITIVE_INFINITY }: NonNullable<CutLimits['giant']>): number {
  return Math.min(maxBytes, maxChars);
}

/** What the next line may have, the line feed before it taken off; negative when there is no room for that. */
function roomLeft(cut: Cut, limits: CutLimits): { bytes: number; chars: number } {
  const { maxBytes, maxChars = Number.POSITIVE_INFINITY } = limits;
  const newline = cut.lines > 0 ? 1 : 0;
  const bytes = maxBytes - cut.bytes - newline;
  return { bytes, chars: Math.min(bytes, maxChars - (cut.end - cut.start) - newline) };
}

/** The line at the start; when it has more than `maxChars` characters, one more than those. */
function firstLine(text: string, maxChars: number): string {
  const piece = text.slice(0, Math.max(0, maxChars) + 1);
  const end = piece.indexOf('\n');
  return end === -1 ? piece : piece.slice(0, end);
}

function lastLine(text: string, maxChars: number): string {
  const piece = text.slice(Math.max(0, text.length - Math.max(0, maxChars) - 1));
  return piece.slice(piece.lastIndexOf('\n') + 1);
}

function isOver(
  line: string,
  { maxBytes, maxChars = Number.POSITIVE_INFINITY }: NonNullable<CutLimits['giant']>,
): boolean {
  return line.length > maxChars || byteLength(line) > maxBytes;
}

/** A preview is never empty, and a giant line is no reason for a small one. */
function splitsNext(cut: Cut, { limits, isGiant }: { limits: CutLimits; isGiant: boolean }): boolean {
  const { maxBytes, maxChars = Number.POSITIVE_INFINITY, splitsLine } = limits;
  const chars = cut.end - cut.start;
  const isBlank = chars === Math.max(0, cut.lines - 1);
  if (isBlank || splitsLine === undefined) return isBlank;
  if (splitsLine === 'giant') return isGiant;
  return Math.max(cut.bytes / maxBytes, chars / maxChars) < (splitsLine === 'half-empty' ? 0.5 : 0.95);
}

function extendIntoNextLine(text: string, { cut, limits }: { cut: Cut; limits: CutLimits }): Cut {
  const newline = cut.lines > 0 ? 1 : 0;
  const from = cut.end + newline;
  const room = roomLeft(cut, limits);
  if (room.chars <= 0 || from >= text.length) return cut;
  const window = text.slice(from, from + room.chars + 1);
  const length = codePointStart(window, Math.min(endOfFirstBytes(window, room.bytes), room.chars));
  if (length === 0) return cut;
  const bytes = cut.bytes + newline + byteLength(window.slice(0, length));
  return { ...cut, end: from + length, lines: cut.lines + 1, bytes };
}

function extendIntoPreviousLine(text: string, { cut, limits }: { cut: Cut; limits: CutLimits }): Cut {
  const newline = cut.lines > 0 ? 1 : 0;
  const to = cut.start - newline;
  const room = roomLeft(cut, limits);
  if (room.chars <= 0 || to <= 0) return cut;
  const window = text.slice(Math.max(0, to - room.chars - 1), to);
  let start = Math.max(startOfLastBytes(window, room.bytes), window.length - room.chars);
  if (codePointStart(window, start) < start) start++;
  if (start === window.length) return cut;
  const bytes = cut.bytes + newline + byteLength(window.slice(start));
  return { ...cut, start: to - (window.length - start), lines: cut.lines + 1, bytes };
}
