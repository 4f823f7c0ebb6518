import { finished, inTurn, inTurns, type Steps } from '../pace.ts';

/** The number of replaced secrets of each kind. */
export type RedactedCounts = Record<string, number>;

/** A secret in a text. */
export interface Span {
  start: number;
  end: number;
  kind: string;
}

/** Finds the secrets of some patterns. */
export interface SpanFinder {
  /**
   * Adds the secrets that start between `from` and `to`, in ascending order. Returns the place where the search continues. A secret
   * may end after `to`, and may have up to {@link CONTEXT_CHARS} characters before its start.
   */
  find(text: string, range: { from: number; to: number }, spans: Span[]): Steps<number>;
}

/** Compiled patterns. */
export interface Redactor {
  readonly finders: readonly SpanFinder[];
  readonly replacements: ReadonlyMap<string, string>;
  /** Some patterns come from the application. They may match only at the start of a text. */
  readonly hasOwnPatterns: boolean;
}

/** The longest match, in UTF-16 units. A longer one is replaced in pieces of this length. */
export const MAX_MATCH_CHARS: number = 16 * 1024;
/** The text before a place that a pattern may read, or that belongs to a secret with its start at the place. */
export const CONTEXT_CHARS = 64;
/** The text that one step searches. The blocks of a text do not depend on its chunks. */
export const BLOCK_CHARS: number = 64 * 1024;
/** How much text patterns of the application search in one turn, because for each match they may read the rest of the text. */
export const OWN_QUICK_CHARS = 2048;
const LOOKAHEAD_CHARS = MAX_MATCH_CHARS + CONTEXT_CHARS;

/** The options of one redaction. */
export interface RedactionOptions {
  /** Counts what is replaced. */
  counts?: RedactedCounts;
  /** A prefix of the text, such as the key of a value. Secrets may start in it. It is not part of the result. */
  context?: string;
}

/**
 * A text without secrets. It is the same text if it contains no secret. A secret that spans several lines is replaced line by line, so
 * that line numbers do not change.
 */
export async function redactText(text: string, redactor: Redactor, options: RedactionOptions = {}): Promise<string> {
  const steps = redactInSteps(text, redactor, options);
  return text.length <= (redactor.hasOwnPatterns ? OWN_QUICK_CHARS : BLOCK_CHARS)
    ? inTurn(() => finished(steps))
    : inTurns(steps);
}

/** The same in steps. */
export function* redactInSteps(text: string, redactor: Redactor, options: RedactionOptions = {}): Steps<string> {
  const { counts = {}, context = '' } = options;
  const redaction = new Redaction(redactor, { counts, skip: context.length });
  const parts = [yield* redaction.push(context + text), yield* redaction.finish()];
  return redaction.hasReplaced ? parts.join('') : text;
}

/** Redacts a text that arrives in chunks. It holds back up to {@link BLOCK_CHARS} and {@link MAX_MATCH_CHARS}. */
export class Redaction {
  readonly #redactor: Redactor;
  readonly #counts: RedactedCounts;
  /** The text that is still needed, and its place in the whole text. */
  #text = '';
  #start = 0;
  /** The next block. */
  #block = 0;
  /** The text up to here was written. */
  #written: number;
  /** The text before {@link #written} ends with a replaced secret. */
  #isReplaced = false;
  /** The place at which each finder continues. */
  readonly #resumes: number[];
  hasReplaced = false;

  constructor(redactor: Redactor, { counts, skip = 0 }: { counts: RedactedCounts; skip?: number }) {
    this.#redactor = redactor;
    this.#counts = counts;
    this.#written = skip;
    this.#resumes = redactor.finders.map(() => 0);
  }

  /** Adds a chunk, and returns the redacted text that is complete. */
  *push(chunk: string): Steps<string> {
    this.#text = this.#text === '' ? chunk : this.#text + chunk;
    let done = '';
    // Waits for more text than a block can read, because the end of the text is not known yet.
    while (this.#start + this.#text.length > this.#block + BLOCK_CHARS + LOOKAHEAD_CHARS) {
      done += yield* this.#redactBlock();
      yield;
    }
    this.#forget();
    return done;
  }

  /** The rest, at the end of the text. */
  *finish(): Steps<string> {
    let done = '';
    const end = this.#start + this.#text.length;
    while (this.#block < end) {
      done += yield* this.#redactBlock();
      yield;
    }
    return done + this.#copyTo(end);
  }

  /** Keeps the text before the next block that patterns may read. */
  #forget(): void {
    const first = Math.min(this.#block - CONTEXT_CHARS, this.#written);
    if (first - this.#start < BLOCK_CHARS) return;
    this.#text = this.#text.slice(first - this.#start);
    this.#start = first;
  }

  *#redactBlock(): Steps<string> {
    const from = this.#block;
    const to = from + BLOCK_CHARS;
    const windowStart = Math.max(0, from - CONTEXT_CHARS);
    const window = this.#text.slice(windowStart - this.#start, to + LOOKAHEAD_CHARS - this.#start);
    const spans: Span[] = [];
    for (const [index, finder] of this.#redactor.finders.entries()) {
      const resume = Math.max(from, this.#resumes[index] ?? 0);
      if (resume >= to) continue;
      const range = { from: resume - windowStart, to: Math.min(to - windowStart, window.length) };
      this.#resumes[index] = windowStart + (yield* finder.find(window, range, spans));
    }
    spans.sort((one, other) => one.start - other.start);
    let done = '';
    for (const { start, end, kind } of spans) done += this.#replace(windowStart + start, windowStart + end, kind);
    this.#block = to;
    // A secret whose start is in the next block may have its first characters in this one.
    return done + this.#copyTo(Math.min(to, this.#start + this.#text.length) - CONTEXT_CHARS);
  }

  /** The text up to a place, unchanged. */
  #copyTo(end: number): string {
    if (end <= this.#written) return '';
    const copied = this.#text.slice(this.#written - this.#start, end - this.#start);
    this.#written = end;
    this.#isReplaced = false;
    return copied;
  }

  #replace(start: number, end: number, kind: string): string {
    if (end <= this.#written) return '';
    const replacement = this.#redactor.replacements.get(kind) ?? '';
    const secret = this.#text.slice(Math.max(start, this.#written) - this.#start, end - this.#start);
    // A text that was redacted before stays as it is.
    if (secret === replacement) return '';
    // Overlapping secrets are one, with one replacement in each line.
    const isSameSecret = start < this.#written && this.#isReplaced;
    const before = this.#copyTo(start);
    if (!isSameSecret) this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    this.hasReplaced = true;
    this.#written = end;
    this.#isReplaced = true;
    const lines = secret.split('\n').map((line, index) => {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      const isWritten = index === 0 && isSameSecret;
      return (text === '' || isWritten ? '' : replacement) + line.slice(text.length);
    });
    return before + lines.join('\n');
  }
}
