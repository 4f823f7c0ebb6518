import { BLOCK_CHARS, type Span, type SpanFinder } from './redaction.ts';
import { WebTokens } from './web-tokens.ts';

/**
 * A format of secrets that this library knows. Its expression runs in V8, which has no time limit. So a test checks each
 * expression of the table: no repeat contains a repeat, and every repeat has an upper bound.
 */
export interface SecretRule {
  /** The texts at the start of each secret of this format, or the names before it. The search finds these texts first. */
  starts: readonly string[];
  /** Matches between the start and the secret, if the start is only a name. */
  before?: string;
  /** Matches the secret or, without `before`, the rest of it after its start. */
  rest: string;
  /** The number of characters of the secret before this start. @default 0 */
  back?: number;
  /**
   * Finds the end of the secret, for a format that no single expression describes. `from` is after the match of `rest`. Returns
   * `undefined` if there is no secret.
   */
  endOf?: (text: string, from: number) => number | undefined;
  /** The secret is a JSON Web Token. */
  isWebToken?: boolean;
}

/** A letter or digit before a start means a longer word and no secret, unless the character ends an escape such as `\n` or `%3D`. */
const ESCAPE = /(?:\\[nrtbf]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|%[0-9a-f]{2}|\[[\d;]{0,12}m)$/i;
const LONGEST_ESCAPE = 16;
/** Characters that can end an escape. */
const ESCAPE_END = /[\da-fA-Fnrtm]/;
const WORD = /[A-Za-z0-9]/;

function isStartOfWord(text: string, at: number): boolean {
  const last = text[at - 1];
  if (last === undefined || !WORD.test(last)) return true;
  return ESCAPE_END.test(last) && ESCAPE.test(text.slice(Math.max(0, at - LONGEST_ESCAPE), at));
}

/** Texts in place of a password in examples and templates. */
const PLACEHOLDER =
  /^(?:[$<{%*[(\\]|x{3}|\.{3}|(?:(?:your|my|the|some)[_-]?)?(?:pass(?:word|wd|phrase)?|pwd|pw|p|secret|token|key|redacted|abc|xyz|foo|bar|baz|123)$)/i;

interface CompiledRule {
  kind: string;
  start: string;
  expression: RegExp;
  isName: boolean;
  /** A name may end a longer word, and the hyphens of a private key belong to no word. */
  mayFollowWord: boolean;
  back: number;
  endOf: SecretRule['endOf'];
  isWebToken: boolean;
}

/** The number of characters of a start that the search compares. No start is shorter. */
const COMPARED_CHARS = 3;
const CODE_BITS = 7;
const PAIRS = 1 << (2 * CODE_BITS);
/** The first two characters of a start, and the second and third. */
const FIRST_PAIR = 1;
const SECOND_PAIR = 2;

/**
 * Searches for all rules at once: first for the beginnings of their starts, in a table of pairs of characters. A text without
 * secrets costs little more than one look at every second pair.
 */
export function createSecretFinder(rules: readonly { kind: string; rule: SecretRule }[]): SpanFinder {
  // Created only for an application with patterns. One is enough, because each search finishes its block before another one begins.
  if (codes.length === 0) codes = new Uint8Array(BLOCK_CHARS + 2 * COMPARED_CHARS);
  const pairs = new Uint8Array(PAIRS);
  const byBeginning = new Map<string, CompiledRule[]>();
  for (const { kind, rule } of rules) {
    for (const compiled of compile(kind, rule)) {
      const beginning = compiled.start.slice(0, COMPARED_CHARS);
      readCodes(beginning, 0, COMPARED_CHARS);
      for (const [at, place] of [FIRST_PAIR, SECOND_PAIR].entries())
        pairs[pairAt(at)] = (pairs[pairAt(at)] as number) | place;
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), compiled]);
    }
  }

  function spanAt(text: string, at: number, tokens: WebTokens): Span | undefined {
    const rulesHere = byBeginning.get(text.slice(at, at + COMPARED_CHARS)) ?? [];
    for (const { kind, start, expression, isName, mayFollowWord, back, endOf, isWebToken } of rulesHere) {
      if (at < back || !text.startsWith(start, at) || !(mayFollowWord || isStartOfWord(text, at - back))) continue;
      if (isWebToken) {
        const end = tokens.endOf(text, at);
        if (end !== undefined) return { start: at, end, kind };
        continue;
      }
      expression.lastIndex = at;
      const match = expression.exec(text);
      if (!match) continue;
      const from = isName ? at + (match[1]?.length ?? 0) : at - back;
      const end = endOf ? endOf(text, expression.lastIndex) : expression.lastIndex;
      if (end !== undefined && !(isName && PLACEHOLDER.test(text.slice(from, end)))) return { start: from, end, kind };
    }
    return undefined;
  }

  function hasPair(at: number, place: number): boolean {
    return ((pairs[pairAt(at)] as number) & place) !== 0;
  }

  return {
    // biome-ignore lint/correctness/useYield: a block takes less than a step.
    *find(text, { from, to }, spans) {
      readCodes(text, from, to);
      const tokens = new WebTokens();
      const count = to - from;
      // Each start covers two neighboring pairs, and one of them is looked at.
      for (let next = 0, at = 0; at <= count; at += 2) {
        const pair = pairs[pairAt(at)] as number;
        if (pair === 0) continue;
        const isBefore = (pair & SECOND_PAIR) !== 0 && at > next && hasPair(at - 1, FIRST_PAIR);
        const isHere = (pair & FIRST_PAIR) !== 0 && at < count && hasPair(at + 1, SECOND_PAIR);
        const span =
          (isBefore ? spanAt(text, from + at - 1, tokens) : undefined) ??
          (isHere ? spanAt(text, from + at, tokens) : undefined);
        if (!span) continue;
        spans.push(span);
        if (span.end >= to) return span.end;
        next = span.end - from;
        at = next - 2;
      }
      return to;
    },
  };
}

/** The characters of a block as numbers, because an array is read faster than a text. */
let codes = new Uint8Array();
const encoder = /* @__PURE__ */ new TextEncoder();
const ASCII = (1 << CODE_BITS) - 1;
/** For a shorter text, a call to the encoder takes longer than a loop. */
const LONG_CHARS = 64;

/** Reads the characters between `from` and `to`, and two more. Characters that are not ASCII become others. */
function readCodes(text: string, from: number, to: number): void {
  const part = text.slice(from, to + COMPARED_CHARS - 1);
  codes.fill(0, part.length, part.length + COMPARED_CHARS);
  // With room for one byte each, the encoder stops at the first character that needs more.
  const read = part.length < LONG_CHARS ? 0 : encoder.encodeInto(part, codes.subarray(0, part.length)).read;
  for (let at = read === part.length ? read : 0; at < part.length; at++) codes[at] = part.charCodeAt(at) & ASCII;
}

/** A pair of characters of the block as a place in the table. */
function pairAt(at: number): number {
  return ((codes[at] as number) << CODE_BITS) | (codes[at + 1] as number);
}

function compile(
  kind: string,
  { starts, before, rest, back = 0, endOf, isWebToken = false }: SecretRule,
): CompiledRule[] {
  return starts.map((start) => ({
    kind,
    start,
    // Sticky, so that an attempt looks only at its own place.
    expression: new RegExp(
      before === undefined ? escaped(start) + rest : `(${escaped(start)}${before})(?:${rest})`,
      'y',
    ),
    isName: before !== undefined,
    mayFollowWord: before !== undefined || (back === 0 && !WORD.test(start.charAt(0))),
    back,
    endOf,
    isWebToken,
  }));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
