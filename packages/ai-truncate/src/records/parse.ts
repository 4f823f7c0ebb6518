import { hasLongInteger, readExactly } from './exact.ts';
import { RecordError } from './record-error.ts';

/** Reading exactly is ten times slower than `JSON.parse`: more would be a long step. */
const MAX_EXACT_CHARS = 512 * 1024;

export interface RecordText {
  count: number;
  hasEscapedKey: boolean;
}

/**
 * The records of a text that has `count` of them between commas. One that is larger than 512 KB is refused for a key with
 * an escape, as its name could be wrong, and its integers beyond 2^53 are what `JSON.parse` makes of them.
 */
export function parseRecords(text: string, { count, hasEscapedKey }: RecordText): unknown[] {
  // Brackets around a giant would be a copy of it.
  const records = count === 1 ? [JSON.parse(text)] : (JSON.parse(`[${text}]`) as unknown[]);
  const isLong = text.length > MAX_EXACT_CHARS;
  if (hasEscapedKey && isLong)
    throw new RecordError('too large', 'A record of more than 512 KB has a key with an escape: it cannot be read.');
  const needsCare = hasEscapedKey || (!isLong && hasLongInteger(text));
  return needsCare ? (readExactly(`[${text}]`) as unknown[]) : records;
}

export interface BrokenRecord {
  /** Counted from 0. */
  index: number;
  /** Lines before it. */
  lines: number;
  /** The byte at which it starts. */
  place: number;
  reason: string;
}

const MAX_REASON = 160;

/** Which of some records between commas the parser refuses: they are walked once more, one by one. */
export function findBroken(bytes: Uint8Array): BrokenRecord {
  let broken: BrokenRecord = { index: 0, lines: 0, place: 0, reason: 'a bracket is missing' };
  let index = 0;
  for (const { start, end, lines } of eachRecord(bytes)) {
    try {
      JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      broken = { index, lines, place: start, reason: reason.slice(0, MAX_REASON) };
      break;
    }
    index++;
  }
  return broken;
}

function* eachRecord(bytes: Uint8Array): Generator<{ start: number; end: number; lines: number }> {
  let depth = 0;
  let isInString = false;
  let start = 0;
  let lines = 0;
  let linesBefore = 0;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0x2c;
    if (isInString && at < bytes.length) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) isInString = false;
    } else if (byte === 0x22) isInString = true;
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x0a) lines++;
    else if (byte === 0x2c && (depth <= 0 || at === bytes.length)) {
      yield { start: start + spacesAt(bytes, start), end: at, lines: linesBefore + spaceLines(bytes, start) };
      lines++;
      start = at + 1;
      linesBefore = lines;
    }
  }
}

function spacesAt(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at - from;
}

/** Blank lines before a record. */
function spaceLines(bytes: Uint8Array, from: number): number {
  return bytes.subarray(from, from + spacesAt(bytes, from)).filter((byte) => byte === 0x0a).length;
}
