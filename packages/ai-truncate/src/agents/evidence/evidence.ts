import { isRecord } from '../../protocol/guards.ts';
import { firstChars } from '../../text/utf.ts';
import { INVISIBLE_CHARACTERS, withVisibleSequences } from '../../text/visible-text.ts';

/** A place and a quote that a model claims. The keys are those of an envelope, because a claim is part of one. */
export interface EvidenceClaim {
  /** The path of an artifact. */
  path: string;
  /** Counted from 1. */
  start_line: number;
  end_line: number;
  /** What stands there, word for word. */
  quote: string;
}

/**
 * A claim that was looked up. Of one that is verified all is the artifact's own: `path`, the true lines, and as `quote` the text
 * that stands there, as readers show it. Of any other all is what the model said, with nothing hidden in it.
 */
export interface Evidence extends EvidenceClaim {
  /** Whether the quote stands in the artifact. The lines are then the true ones, wherever the claim said it was. */
  verified: boolean;
  /** That it is not verified proves nothing: the store failed, or there was no time to look everywhere. */
  unchecked?: true;
}

/** What was looked up here: a sub-agent of an application could say so of anything. */
const lookedUp = new WeakSet<object>();

export function markLookedUp(evidence: Evidence): Evidence {
  lookedUp.add(evidence);
  return evidence;
}

export function wasLookedUp(evidence: object): evidence is Evidence {
  return lookedUp.has(evidence);
}

/** A claim as far as it can be used. */
export interface UsableClaim extends EvidenceClaim {
  /** The quote went on: what is left of it may end within a word. */
  isCut: boolean;
}

/** Of a quote, whoever said it. */
export const MAX_QUOTE_CHARS = 500;
/** No path of an artifact is longer. */
const MAX_PATH_CHARS = 1024;
const MAX_SHOWN_PATH = 200;

/** What a model says, as far as it can be used: models write numbers as texts, leave out the last line, or swap the two. */
export function toClaim(value: unknown): UsableClaim | undefined {
  if (!isRecord(value)) return undefined;
  const { path, quote } = value;
  if (typeof path !== 'string' || typeof quote !== 'string' || path === '') return undefined;
  // Blank at its beginning, a quote of megabytes would be trimmed to nothing by its cut.
  const said = quote.trimStart();
  if (said === '') return undefined;
  const first = lineOf(value.start_line) ?? lineOf(value.end_line) ?? 1;
  const last = lineOf(value.end_line) ?? first;
  return {
    path: firstChars(path, MAX_PATH_CHARS),
    start_line: Math.min(first, last),
    end_line: Math.max(first, last),
    quote: firstChars(said, MAX_QUOTE_CHARS),
    isCut: said.length > MAX_QUOTE_CHARS,
  };
}

function lineOf(value: unknown): number | undefined {
  const line = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return Number.isSafeInteger(line) && (line as number) >= 1 ? (line as number) : undefined;
}

/** Whether there can be such an artifact. A line feed in a path could forge a row of evidence that looks verified. */
export function isPath(path: string): boolean {
  return !HIDDEN_IN_PATH.test(path);
}

const HIDDEN_IN_PATH = new RegExp(`[\\t\\n]|${INVISIBLE_CHARACTERS}`, 'u');

/** The claim as a page may show it when its quote was not found: nothing in it is hidden, and nothing of it is left out. */
export function unverified({ path, start_line, end_line, quote }: EvidenceClaim): Evidence {
  const shown = withVisibleSequences(path).replace(/[\t\n]/g, (each) => (each === '\n' ? '␊' : '␉'));
  return {
    path: firstChars(shown, MAX_SHOWN_PATH),
    start_line,
    end_line,
    quote: firstChars(withVisibleSequences(quote), MAX_QUOTE_CHARS),
    verified: false,
  };
}
