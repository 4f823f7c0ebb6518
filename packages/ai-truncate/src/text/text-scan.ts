import {
  createSalientLines,
  nextSalientWord,
  SALIENT_LENGTH,
  SALIENT_REACH,
  type SalientLine,
} from './salient-lines.ts';
import { byteLength, detach, isHighSurrogate, isLowSurrogate } from './utf.ts';

/** What one pass over an output learns; bounded, however large the output is. */
export interface TextScan {
  /** What `split('\n')` would give: a closing newline opens one more, empty, line. */
  lines: number;
  /** UTF-8 bytes. */
  bytes: number;
  /** `String.length`. */
  chars: number;
  /** The first characters, as many as were asked for. */
  head: string;
  /** The last characters, as many as were asked for. */
  tail: string;
  /** In order; empty unless they were asked for. */
  salientLines: SalientLine[];
}

export interface TextScanOptions {
  headChars: number;
  tailChars: number;
  findsSalientLines: boolean;
}

export interface TextScanner {
  /** How the text is cut into chunks changes nothing. */
  push(chunk: string): void;
  /** Once, after the last chunk. */
  finish(): TextScan;
}

/** Counts, keeps both ends and finds the lines that matter: one pass, no copy, no slice per line. */
export function createTextScan({ headChars, tailChars, findsSalientLines }: TextScanOptions): TextScanner {
  const salient = findsSalientLines ? createSalientLines() : undefined;
  let newlines = 0;
  let bytes = 0;
  let chars = 0;
  let head = '';
  let tail = '';
  /** The line that the last chunk left open, as much of its beginning as is looked at. */
  let openStart = '';
  /** The first half of a pair whose second half comes with the next chunk. */
  let heldBack = '';

  function push(chunk: string): void {
    if (chunk === '') return;
    const text = heldBack + chunk;
    heldBack = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    scan(heldBack === '' ? text : text.slice(0, -1));
  }

  function scan(text: string): void {
    if (text === '') return;
    chars += text.length;
    bytes += byteLength(text);
    if (head.length < headChars) head += text.slice(0, headChars - head.length);
    tail = text.length >= tailChars ? text : tail + text;
    // Cut only now and then: every cut copies.
    if (tail.length > 4 * tailChars) tail = tail.slice(tail.length - tailChars);
    scanLines(text);
  }

  function scanLines(text: string): void {
    let from = text.indexOf('\n') + 1;
    if (from === 0) {
      growOpenLine(text);
      return;
    }
    growOpenLine(text.slice(0, from - 1));
    closeLine();
    // Locals, because this loop runs once a line and the engine keeps what closures share in memory.
    let count = newlines;
    let hit = salient ? nextSalientWord(text, from) : Number.POSITIVE_INFINITY;
    while (true) {
      const to = text.indexOf('\n', from);
      if (to === -1) break;
      count++;
      if (hit < to) {
        if (hit < from + SALIENT_REACH) salient?.add(count, text.slice(from, Math.min(to, from + SALIENT_LENGTH)));
        hit = nextSalientWord(text, to + 1);
      }
      from = to + 1;
    }
    newlines = count;
    growOpenLine(text.slice(from));
  }

  function growOpenLine(text: string): void {
    if (salient && openStart.length < SALIENT_LENGTH) openStart += text.slice(0, SALIENT_LENGTH - openStart.length);
  }

  function closeLine(): void {
    newlines++;
    if (openStart !== '') salient?.consider(newlines, openStart);
    openStart = '';
  }

  function finish(): TextScan {
    scan(heldBack);
    heldBack = '';
    closeLine();
    return {
      lines: newlines,
      bytes,
      chars,
      head: detach(withoutSplitEnd(head)),
      tail: detach(withoutSplitStart(tail.slice(Math.max(0, tail.length - tailChars)))),
      salientLines: salient?.finish() ?? [],
    };
  }

  /** The window's edge may have split a pair; the text itself may end in half of one, which is its own business. */
  const withoutSplitEnd = (text: string) =>
    chars > text.length && isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
  const withoutSplitStart = (text: string) =>
    chars > text.length && isLowSurrogate(text.charCodeAt(0)) ? text.slice(1) : text;

  return { push, finish };
}
