import { PREVIEW_TAG } from '../../text/frame.ts';
import { bytePieces, codePointStart, countNewlineBytes, countNewlines } from '../../text/utf.ts';
import { endOutsideSequence, escapeSequencesIn, MAX_CUT_SEQUENCE, visibleText } from '../../text/visible-text.ts';
import { REACH_CHARS } from './quote-pattern.ts';

/** A part of an artifact in which quotes are searched. */
export interface QuotedText {
  /** As it is stored, without the carriage returns of line ends. */
  raw: string;
  /** The same as readers show it, in NFC. Line feeds are where they were. */
  shown: string;
  /** The number of the line in which it begins. */
  firstLine: number;
  /** Whether it begins where a line begins, and ends where a line ends. */
  isBegun: boolean;
  isEnded: boolean;
}

/** What it costs to show a text is paid once, and only if a quote may be in it. */
export function quotedText(stored: string, place: Omit<QuotedText, 'raw' | 'shown'>): QuotedText {
  // A sequence that is cut off would be shown as text, and a quote could begin or end inside it.
  const whole = place.isEnded ? stored : stored.slice(0, endOutsideSequence(stored));
  const raw = whole.includes('\r') ? whole.replace(/\r(?=\n|$)/g, '') : whole;
  let shown: string | undefined;
  return {
    ...place,
    raw,
    get shown() {
      shown ??= PLAIN.test(raw) && !FRAMED.test(raw) ? raw : visibleText(raw).normalize('NFC');
      return shown;
    },
  };
}

/** Most texts: nothing in them is shown otherwise, but for what could pass for our own frames. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;
const FRAMED = new RegExp(`${PREVIEW_TAG}|not shown|times, last in line`, 'i');

/** What is decoded at a time. */
const PIECE_BYTES = 16 * 1024;
/** A text is shown in one step, so much more than that would make a long turn of the event loop. */
const MIN_TEXT_CHARS = 60 * 1024;
/** Repeated at the start of the next text: twice what a quote can have, because colours take room too, and a cut sequence. */
const OVERLAP_CHARS = 2 * REACH_CHARS + MAX_CUT_SEQUENCE;

/** The text of an artifact in parts that overlap, so that nothing short is cut in all of them. */
export async function* quotedTexts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<QuotedText> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let stored = '';
  let [firstLine, lastLine] = [1, 1];
  let isBegun = true;
  for await (const chunk of chunks) {
    for (const bytes of bytePieces(chunk, PIECE_BYTES)) {
      stored += decoder.decode(bytes, { stream: true });
      // Bytes are counted in a fifth of the time.
      lastLine += countNewlineBytes(bytes, { from: 0, to: bytes.length });
      if (stored.length < MIN_TEXT_CHARS) continue;
      yield quotedText(stored, { firstLine, isBegun, isEnded: false });
      stored = stored.slice(startOutsideSequence(stored, codePointStart(stored, stored.length - OVERLAP_CHARS)));
      firstLine = lastLine - countNewlines(stored, { from: 0, to: stored.length });
      isBegun = false;
    }
  }
  yield quotedText(stored + decoder.decode(), { firstLine, isBegun, isEnded: true });
}

/** The same place, or the start of the sequence around it: the rest of one would be shown as text. */
function startOutsideSequence(text: string, at: number): number {
  const from = Math.max(0, at - MAX_CUT_SEQUENCE);
  const around = escapeSequencesIn(text.slice(from, at + MAX_CUT_SEQUENCE)).find(
    ({ start, end }) => from + start < at && at < from + end,
  );
  return around ? from + around.start : at;
}
