import { InvalidOptionError, requireWholeNumber } from '../errors.ts';
import { byteLength, endOfFirstBytes, startOfLastBytes } from './byte-length.ts';
import { detach } from './detach-text.ts';
import { defaultLimits } from './truncation-limits.ts';
import { gapRow } from './truncation-notice.ts';

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
 * A line is what `split('\n')` gives. Whole lines are kept; only when not even one fits is it cut inside, at a code point.
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

/** What each end may have of a preview that shows both: 40 % of the bytes, half of the lines but for the gap's. */
export function endsLimits({ maxLines, maxBytes }: CutLimits): { head: CutLimits; tail: CutLimits } {
  const bytes = Math.floor((maxBytes - GAP_BYTES) * 0.4);
  const lines = Math.floor((maxLines - 1) / 2);
  const head = { maxLines: lines, maxBytes: bytes, splitsLine: true };
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

/** What `split('\n')` would give, without the pieces. */
export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

export interface CutLimits {
  maxLines: number;
  maxBytes: number;
  /** Go on inside the line that did not fit when whole lines would leave most of the room empty. */
  splitsLine?: boolean;
}

/** A part of a text: offsets, and what it weighs. */
export interface Cut {
  start: number;
  end: number;
  lines: number;
  bytes: number;
  /** What ended the cut; `lines` also when the whole text fitted. */
  hit: 'lines' | 'bytes';
}

/** Whole lines from the start, newlines counted, until a limit is hit. */
export function cutHead(text: string, limits: CutLimits): Cut {
  const { maxLines, maxBytes } = limits;
  const cut: Cut = { start: 0, end: 0, lines: 0, bytes: 0, hit: 'lines' };
  for (let start = 0; cut.lines < maxLines && start <= text.length; start = cut.end + 1) {
    const newline = cut.lines > 0 ? 1 : 0;
    const room = maxBytes - cut.bytes - newline;
    // A line that goes on beyond `room` characters has more than `room` bytes: no need to look for its end.
    const offset = text.slice(start, start + room + 1).indexOf('\n');
    const end = offset === -1 ? text.length : start + offset;
    const bytes = end - start > room ? Number.POSITIVE_INFINITY : byteLength(text.slice(start, end));
    if (bytes > room) {
      cut.hit = 'bytes';
      return isPoor(cut, limits) ? extendIntoNextLine(text, { cut, maxBytes }) : cut;
    }
    cut.lines++;
    cut.bytes += bytes + newline;
    cut.end = end;
  }
  return cut;
}

/** Whole lines from the end, newlines counted, until a limit is hit. */
export function cutTail(text: string, limits: CutLimits): Cut {
  const { maxLines, maxBytes } = limits;
  const cut: Cut = { start: text.length, end: text.length, lines: 0, bytes: 0, hit: 'lines' };
  for (let end = text.length; cut.lines < maxLines && end >= 0; end = cut.start - 1) {
    const newline = cut.lines > 0 ? 1 : 0;
    const room = maxBytes - cut.bytes - newline;
    const windowStart = Math.max(0, end - room - 1);
    const offset = room < 0 ? -1 : text.slice(windowStart, end).lastIndexOf('\n');
    const start = windowStart + offset + 1;
    const isWholeLine = room >= 0 && (offset !== -1 || windowStart === 0);
    const bytes = isWholeLine ? byteLength(text.slice(start, end)) : Number.POSITIVE_INFINITY;
    if (bytes > room) {
      cut.hit = 'bytes';
      return isPoor(cut, limits) ? extendIntoPreviousLine(text, { cut, maxBytes }) : cut;
    }
    cut.lines++;
    cut.bytes += bytes + newline;
    cut.start = start;
  }
  return cut;
}

/** Nothing but empty lines; or, where lines may be split, less than half of what there is room for. */
function isPoor(cut: Cut, { maxBytes, splitsLine }: CutLimits): boolean {
  const isBlank = cut.end - cut.start === Math.max(0, cut.lines - 1);
  return isBlank || (splitsLine === true && cut.bytes < maxBytes / 2);
}

/** Goes on inside the line that did not fit: a preview is never empty, and a giant line is no reason for a small one. */
function extendIntoNextLine(text: string, { cut, maxBytes }: { cut: Cut; maxBytes: number }): Cut {
  const newline = cut.lines > 0 ? 1 : 0;
  const from = cut.end + newline;
  const room = maxBytes - cut.bytes - newline;
  if (room <= 0 || from >= text.length) return cut;
  const length = endOfFirstBytes(text.slice(from, from + room + 1), room);
  if (length === 0) return cut;
  const bytes = cut.bytes + newline + byteLength(text.slice(from, from + length));
  return { ...cut, end: from + length, lines: cut.lines + 1, bytes };
}

function extendIntoPreviousLine(text: string, { cut, maxBytes }: { cut: Cut; maxBytes: number }): Cut {
  const newline = cut.lines > 0 ? 1 : 0;
  const to = cut.start - newline;
  const room = maxBytes - cut.bytes - newline;
  if (room <= 0 || to <= 0) return cut;
  const window = text.slice(Math.max(0, to - room - 1), to);
  const length = window.length - startOfLastBytes(window, room);
  if (length === 0) return cut;
  const bytes = cut.bytes + newline + byteLength(text.slice(to - length, to));
  return { ...cut, start: to - length, lines: cut.lines + 1, bytes };
}
