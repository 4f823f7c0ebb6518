import { isRecord } from '../../protocol/guards.ts';
import { firstChars } from '../../text/utf.ts';
import { INVISIBLE_CHARACTERS, withVisibleSequences } from '../../text/visible-text.ts';

/** A quote from an artifact, and the lines where it is said to be. */
export interface EvidenceClaim {
  /** The path of an artifact. */
  path: string;
  /** Counted from 1. */
  startLine: number;
  endLine: number;
  /** The text of these lines, word for word. */
  quote: string;
}

/**
 * A claim after its check. When it is verified, everything in it comes from the artifact: the path, the true lines, and the quote as
 * readers show it. Otherwise everything in it comes from the model, with hidden characters made visible.
 */
export interface Evidence extends EvidenceClaim {
  /** Whether the quote is in the artifact. The lines are then the true ones, even when the claim named others. */
  verified: boolean;
  /** The quote was not looked up, because the store failed or the time was up. It may be in the artifact. */
  unchecked?: true;
}

/** The evidence that was checked here. An object from a sub-agent of an application could claim to be checked. */
const lookedUp = new WeakSet<object>();

export function markLookedUp(evidence: Evidence): Evidence {
  lookedUp.add(evidence);
  return evidence;
}

export function wasLookedUp(evidence: object): evidence is Evidence {
  return lookedUp.has(evidence);
}

/** A claim with a path, lines and a quote of usable length. */
export interface UsableClaim extends EvidenceClaim {
  /** The quote was longer, so it may end within a word. */
  isCut: boolean;
}

/** The most characters of a quote. */
export const MAX_QUOTE_CHARS = 500;
/** The most characters of a path. No artifact has a longer one. */
const MAX_PATH_CHARS = 1024;
const MAX_SHOWN_PATH = 200;

/**
 * The claim in a value, if there is a usable one. Models write `start_line` and `end_line`, as the schema of their tool names them.
 * They also write numbers as text, leave out the last line, or swap the two.
 */
export function toClaim(value: unknown): UsableClaim | undefined {
  if (!isRecord(value)) return undefined;
  const { path, quote, startLine = value.start_line, endLine = value.end_line } = value;
  if (typeof path !== 'string' || typeof quote !== 'string' || path === '') return undefined;
  // Without this, nothing would be left of a long quote that begins with megabytes of blanks.
  const said = quote.trimStart();
  if (said === '') return undefined;
  const first = lineOf(startLine) ?? lineOf(endLine) ?? 1;
  const last = lineOf(endLine) ?? first;
  return {
    path: firstChars(path, MAX_PATH_CHARS),
    startLine: Math.min(first, last),
    endLine: Math.max(first, last),
    quote: firstChars(said, MAX_QUOTE_CHARS),
    isCut: said.length > MAX_QUOTE_CHARS,
  };
}

function lineOf(value: unknown): number | undefined {
  const line = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return Number.isSafeInteger(line) && (line as number) >= 1 ? (line as number) : undefined;
}

/** Whether an artifact can have this path. A line feed in a path could forge a row of evidence that looks verified. */
export function isPath(path: string): boolean {
  return !HIDDEN_IN_PATH.test(path);
}

const HIDDEN_IN_PATH = new RegExp(`[\\t\\n]|${INVISIBLE_CHARACTERS}`, 'u');

/** The claim as a UI may show it when its quote was not found: hidden characters become visible, and none is dropped. */
export function unverified({ path, startLine, endLine, quote }: EvidenceClaim): Evidence {
  const shown = withVisibleSequences(path).replace(/[\t\n]/g, (each) => (each === '\n' ? '␊' : '␉'));
  return {
    path: firstChars(shown, MAX_SHOWN_PATH),
    startLine,
    endLine,
    quote: firstChars(withVisibleSequences(quote), MAX_QUOTE_CHARS),
    verified: false,
  };
}
