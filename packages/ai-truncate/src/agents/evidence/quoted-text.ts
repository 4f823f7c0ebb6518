import { endOutsideSequence, PREVIEW_TAG, visibleText } from '../../text/visible-text.ts';

/** A part of an artifact in which quotes are looked for. */
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

/** A text of an artifact, in which quotes can be looked for. What it costs to show it is paid once, and only if one may be there. */
export function quotedText(stored: string, place: Omit<QuotedText, 'raw' | 'shown'>): QuotedText {
  // A sequence that is cut off would be shown as text, and a quote could begin or end inside it.
  const whole = place.isEnded ? stored : stored.slice(0, endOutsideSequence(stored));
  const raw = whole.replace(/\r(?=\n|$)/g, '');
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
