import { requireOption, requireOptions, requireWholeNumber } from '../options.ts';
import { type Gap, gapRow } from '../text/frame.ts';
import { byteLength, codePointStart, countLines, detach, endOfFirstBytes, startOfLastBytes } from '../text/utf.ts';
import { defaultLimits } from './limits.ts';

export interface TruncateTextOptions {
  /** The most lines: at least 1, with `ends` at least 3. @default 2000 */
  maxLines?: number | undefined;
  /** The most UTF-8 bytes: at least 5, with `ends` at least 256. @default 51200 */
  maxBytes?: number | undefined;
  /**
   * `head` and `tail` contain whole lines and are exact parts of the text. `ends` divides the limits between both ends, 40 % of
   * the bytes and half of the lines each, with a row between them that says how much is missing. With `ends`, a line may be
   * cut.
   * @default 'head'
   */
  keep?: 'head' | 'tail' | 'ends' | undefined;
}

/** Either the text itself, or its shown part with all counts. */
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
      /** Lines and bytes of the text in `content`, without the gap row. */
      keptLines: number;
      keptBytes: number;
      maxLines: number;
      maxBytes: number;
    };

/**
 * Cuts a text to a number of lines and bytes, whichever is hit first. It saves nothing. Use it in tools, and for text that is
 * not a tool output.
 *
 * A line is an item of `split('\n')`. `head` and `tail` contain only whole lines; if not even one line fits, it is cut at a
 * code point. A large line after a short one is not cut: `header` and a line over the limit become `header`. Previews of tool
 * outputs differ here, because they fill their budget.
 *
 * @example
 * const result = truncateText(log, { maxLines: 500, keep: 'tail' });
 * if (result.truncated) console.log(`${result.keptLines} of ${result.originalLines} lines`);
 */
export function truncateText(text: string, options: TruncateTextOptions = {}): TruncatedText {
  requireOption(typeof text === 'string', { option: 'text', value: text, expected: 'a string' });
  requireOptions(options, { known: ['maxLines', 'maxBytes', 'keep'] satisfies (keyof TruncateTextOptions)[] });
  const { maxLines = defaultLimits.maxLines, maxBytes = defaultLimits.maxBytes, keep = 'head' } = options;
  const isKnown = ['head', 'tail', 'ends'].includes(keep);
  requireOption(isKnown, { option: 'keep', value: keep, expected: "'head', 'tail' or 'ends'" });
  const isEnds = keep === 'ends';
  const because = isEnds ? "with `keep: 'ends'`" : undefined;
  requireWholeNumber('maxLines', { value: maxLines, min: isEnds ? MIN_ENDS_LINES : 1, because });
  requireWholeNumber('maxBytes', { value: maxBytes, min: isEnds ? MIN_ENDS_BYTES : MIN_BYTES, because });
  const originalLines = countLines(text);
  const originalBytes = byteLength(text);
  if (originalLines <= maxLines && originalBytes <= maxBytes) return { truncated: false, content: text };

  const counts = { originalLines, originalBytes, originalChars: text.length, maxLines, maxBytes };
  if (keep === 'ends') return { truncated: true, keep, ...truncateEnds(text, counts), ...counts };
  const cut = cutEnd(text, { end: keep, maxLines, maxBytes });
  const content = detach(text.slice(cut.start, cut.end));
  return { truncated: true, content, keep, reason: cut.hit, keptLines: cut.lines, keptBytes: cut.bytes, ...counts };
}

/** The longest code point and a line feed next to it, so that some text always fits. */
const MIN_BYTES = 5;
/** Room for the gap row, and for some text of each end. */
const MIN_ENDS_BYTES = 256;
/** A line of each end and the gap between them. */
export const MIN_ENDS_LINES = 3;

/** The row between both ends and the line feeds around it. */
const GAP_BYTES = 200;

/**
 * The limits for each end of a preview that shows both: 40 % of the bytes, and half of the lines without the gap row. If
 * `maxChars` is the smaller limit, 40 % of the characters and half of the bytes, so that any script has room for its
 * characters.
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
  const head = cutEnd(text, { ...limits.head, end: 'head' });
  const tail = cutEnd(text, { ...limits.tail, end: 'tail' });
  const gap = gapBetween(
    { lines: head.lines, chars: head.end, splitsLine: text[head.end] !== '\n' },
    {
      tail: { lines: tail.lines, chars: text.length - tail.start, splitsLine: text[tail.start - 1] !== '\n' },
      of: { lines: counts.originalLines, chars: text.length },
    },
  );
  const content = [text.slice(0, head.end), gapRow(gap), text.slice(tail.start)].join('\n');
  const keptLines = Math.min(head.lines + tail.lines, counts.originalLines);
  const reason = head.hit === 'bytes' || tail.hit === 'bytes' ? 'bytes' : 'lines';
  return { content, reason, keptLines, keptBytes: head.bytes + tail.bytes };
}

/** One end of a text that is shown. */
interface ShownEnd {
  lines: number;
  chars: number;
  /** Whether the cut divides a line. */
  splitsLine: boolean;
}

/** The gap between a beginning and an end. */
export function gapBetween(
  head: ShownEnd,
  { tail, of }: { tail: ShownEnd; of: { lines: number; chars: number } },
): Gap {
  const firstOfTail = of.lines - tail.lines + 1;
  return {
    lines: Math.max(0, firstOfTail - head.lines - 1),
    from: head.lines + 1,
    chars: of.chars - head.chars - tail.chars,
    restOf: head.splitsLine ? head.lines : undefined,
    startOf: tail.splitsLine ? firstOfTail : undefined,
  };
}

export interface CutLimits {
  maxLines: number;
  maxBytes: number;
  /** UTF-16 units. @default no limit */
  maxChars?: number | undefined;
  /**
   * When to continue inside the line that did not fit: if it is larger than the whole room (`giant`), or if whole lines leave
   * half or a twentieth of the room empty. By default, only if not even one line fits, as in the algorithm of `truncateText`.
   */
  splitsLine?: 'giant' | 'half-empty' | 'not-full' | undefined;
  /** A larger line is giant. @default the limits */
  giant?: Pick<CutLimits, 'maxBytes' | 'maxChars'> | undefined;
}

/** A part of a text: its offsets and its size. */
export interface Cut {
  start: number;
  end: number;
  lines: number;
  bytes: number;
  /** The limit that ended the cut: `bytes` also for characters, `lines` also if the whole text fitted. */
  hit: 'lines' | 'bytes';
}

type End = 'head' | 'tail';

/** Whole lines from one end, including newlines, until a limit is hit. */
export function cutEnd(text: string, { end, ...limits }: CutLimits & { end: End }): Cut {
  const { giant = limits } = limits;
  const kept: Kept = { chars: 0, lines: 0, bytes: 0 };
  let hit: Cut['hit'] = 'lines';
  while (hit === 'lines' && kept.lines < limits.maxLines && kept.chars + newlineOf(kept) <= text.length) {
    const newline = newlineOf(kept);
    const from = kept.chars + newline;
    const room = roomLeft(kept, limits);
    let line = lineAt(text, { end, from, maxChars: room.chars });
    let bytes = line.length > room.chars ? Number.POSITIVE_INFINITY : byteLength(line);
    if (bytes > room.bytes) {
      hit = 'bytes';
      const isGiant = isOver(lineAt(text, { end, from, maxChars: maxCharsOf(giant) }), giant);
      line = splitsNext(kept, { limits, isGiant }) ? partOf(line, { end, room }) : '';
      if (line === '') break;
      bytes = byteLength(line);
    }
    kept.bytes += bytes + newline;
    kept.chars = from + line.length;
    kept.lines++;
  }
  const { chars, lines, bytes } = kept;
  return {
    start: end === 'head' ? 0 : text.length - chars,
    end: end === 'head' ? chars : text.length,
    lines,
    bytes,
    hit,
  };
}

/** The part that was already taken from one end. */
interface Kept {
  chars: number;
  lines: number;
  bytes: number;
}

/** The line feed between the taken part and the next line. */
function newlineOf({ lines }: Kept): 0 | 1 {
  return lines > 0 ? 1 : 0;
}

/** A character has at least one byte, so a line of more characters than this is over the limits. */
function maxCharsOf({ maxBytes, maxChars = Number.POSITIVE_INFINITY }: NonNullable<CutLimits['giant']>): number {
  return Math.min(maxBytes, maxChars);
}

interface Room {
  bytes: number;
  chars: number;
}

/** The room for the next line, without the line feed before it; negative if there is no room for the line feed. */
function roomLeft(kept: Kept, { maxBytes, maxChars = Number.POSITIVE_INFINITY }: CutLimits): Room {
  const bytes = maxBytes - kept.bytes - newlineOf(kept);
  return { bytes, chars: Math.min(bytes, maxChars - kept.chars - newlineOf(kept)) };
}

/** The line that starts or ends `from` characters from one end, or `maxChars` + 1 characters of a longer line. */
function lineAt(text: string, { end, from, maxChars }: { end: End; from: number; maxChars: number }): string {
  const length = Math.max(0, maxChars) + 1;
  const to = text.length - from;
  const piece = end === 'head' ? text.slice(from, from + length) : text.slice(Math.max(0, to - length), to);
  if (end === 'tail') return piece.slice(piece.lastIndexOf('\n') + 1);
  const feed = piece.indexOf('\n');
  return feed === -1 ? piece : piece.slice(0, feed);
}

function isOver(
  line: string,
  { maxBytes, maxChars = Number.POSITIVE_INFINITY }: NonNullable<CutLimits['giant']>,
): boolean {
  return line.length > maxChars || byteLength(line) > maxBytes;
}

/** A preview is never empty, and a giant line must not make it small. */
function splitsNext(kept: Kept, { limits, isGiant }: { limits: CutLimits; isGiant: boolean }): boolean {
  const { maxBytes, maxChars = Number.POSITIVE_INFINITY, splitsLine } = limits;
  const isBlank = kept.chars === Math.max(0, kept.lines - 1);
  if (isBlank || splitsLine === undefined) return isBlank;
  if (splitsLine === 'giant') return isGiant;
  return Math.max(kept.bytes / maxBytes, kept.chars / maxChars) < (splitsLine === 'half-empty' ? 0.5 : 0.95);
}

/** As much of a line as there is room for, from the shown end. */
function partOf(line: string, { end, room }: { end: End; room: Room }): string {
  if (room.chars <= 0) return '';
  if (end === 'head')
    return line.slice(0, codePointStart(line, Math.min(endOfFirstBytes(line, room.bytes), room.chars)));
  const start = Math.max(startOfLastBytes(line, room.bytes), line.length - room.chars);
  return line.slice(codePointStart(line, start) < start ? start + 1 : start);
}
