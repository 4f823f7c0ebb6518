import type { LineMarks } from './line-marks.ts';
import { detach } from './utf.ts';
import { withoutEscapeSequences } from './visible-text.ts';

/** How severe a line is, the most severe first. `marked`: a line that the application marks as important. */
export const severities = ['fatal', 'marked', 'error', 'summary', 'warning'] as const;
export type Severity = (typeof severities)[number];

export interface SalientLine<PLACE = unknown> {
  /** Counted from 1. */
  line: number;
  /** The beginning of the line, raw, at most {@link SALIENT_LENGTH} characters. */
  text: string;
  severity: Severity;
  /** The number of lines that are equal except for numbers, ids and times. This line is the first of them. */
  count: number;
  lastLine: number;
  /** The place of the line, as passed to `add`. */
  place?: PLACE | undefined;
}

/** Sorts by severity, then the rarest first, then the earliest first. */
export function compareSalience(a: SalientLine, b: SalientLine): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity) || a.count - b.count || a.line - b.line;
}

/** Only this many characters of a line are inspected, because a line states its subject early. */
export const SALIENT_REACH = 1024;
/** This many characters of a line are stored, so that a record is complete. */
export const SALIENT_LENGTH = 4096;

/**
 * A line without any of these words is not salient. Fast rather than exact: the list is what the engine still searches at
 * more than 1 GB/s (some further words, `refused` or `killed`, cost half of that), and no alternative can match a line feed.
 */
const WORDS =
  'error|exception|fail|fatal|panic|traceback|assert|warn|severe|critical|exit (?:code|status)|exited with|aborted|segfault|emerg|summary|passed';
const SALIENT_WORDS = new RegExp(WORDS, 'i');
const NEXT_SALIENT_WORD = new RegExp(WORDS, 'gi');

/** One less than the end of the next salient word at or after `from`; infinity if there is none. */
export function nextSalientWord(text: string, from: number): number {
  NEXT_SALIENT_WORD.lastIndex = from;
  return NEXT_SALIENT_WORD.test(text) ? NEXT_SALIENT_WORD.lastIndex - 1 : Number.POSITIVE_INFINITY;
}

/** How many of the first and how many of the last different lines of one severity are stored. */
const KEPT_AT_EACH_END = 48;
const REMEMBERED_NOISE = 1024;

/** Collects the important lines in bounded memory. Lines with the same text are counted. */
export interface SalientLines<PLACE = unknown> {
  /**
   * Adds a line that may contain a salient word.
   * @param start at most {@link SALIENT_LENGTH} characters of the line.
   */
  consider(line: number, start: string, place?: PLACE): void;
  /** Adds a complete line that contains a salient word in its first {@link SALIENT_REACH} characters. */
  add(line: number, start: string, place?: PLACE): void;
  finish(): SalientLine<PLACE>[];
}

/** @param marks The lines that the application marks as important, in addition to the built-in words. */
export function createSalientLines<PLACE = unknown>(marks?: LineMarks): SalientLines<PLACE> {
  const first: SalientLine<PLACE>[][] = severities.map(() => []);
  const last: { print: number; entry: SalientLine<PLACE> }[][] = severities.map(() => []);
  const byPrint = new Map<number, SalientLine<PLACE>>();
  const noise = new Set<number>();

  function consider(line: number, start: string, place?: PLACE): void {
    const text = start.slice(0, SALIENT_REACH);
    if (marks?.test(text.endsWith('\r') ? text.slice(0, -1) : text)) mark(line, start, place);
    else if (SALIENT_WORDS.test(text)) add(line, start, place);
  }

  /**
   * Patterns of the application may distinguish lines that differ only in a number, so a marked line is never skipped as noise.
   */
  function mark(line: number, start: string, place?: PLACE): void {
    const print = -fingerprint(start.slice(0, SALIENT_REACH));
    if (!isKnown(print, line)) keep('marked', { print, entry: { ...entryOf('marked', { line, start }), place } });
  }

  function isKnown(print: number, line: number): boolean {
    const known = byPrint.get(print);
    if (!known) return false;
    known.count++;
    known.lastLine = line;
    return true;
  }

  function add(line: number, start: string, place?: PLACE): void {
    const text = start.slice(0, SALIENT_REACH);
    const print = fingerprint(text);
    if (isKnown(print, line) || noise.has(print)) return;
    const severity = severityOf(text);
    if (severity === undefined) {
      if (noise.size === REMEMBERED_NOISE) noise.clear();
      noise.add(print);
      return;
    }
    keep(severity, { print, entry: { ...entryOf(severity, { line, start }), place } });
  }

  /** The first lines, because causes come early, and the last lines, because the end of a run shows its result. */
  function keep(severity: Severity, found: { print: number; entry: SalientLine<PLACE> }): void {
    const early = first[severities.indexOf(severity)] ?? [];
    const late = last[severities.indexOf(severity)] ?? [];
    byPrint.set(found.print, found.entry);
    if (early.length < KEPT_AT_EACH_END) {
      early.push(found.entry);
      return;
    }
    late.push(found);
    const dropped = late.length > KEPT_AT_EACH_END ? late.shift() : undefined;
    if (dropped) byPrint.delete(dropped.print);
  }

  return {
    consider,
    add,
    finish: () => [...first.flat(), ...last.flat().map(({ entry }) => entry)].sort((a, b) => a.line - b.line),
  };
}

function entryOf(severity: Severity, { line, start }: { line: number; start: string }): Omit<SalientLine, 'place'> {
  return { line, text: detach(start), severity, count: 1, lastLine: line };
}

const FATAL =
  /\b(?:fatal|panic(?:ked)?|segfault|segmentation fault|core dumped|out of memory|oom.?kill\w*|emerg(?:ency)?|uncaught|unhandled|traceback)\b|^F\d{4} /i;
const ERROR = /error|exception|fail(?!over|safe)|\bsevere\b|\bcritical\b|assert(?:ion)?\b|\baborted\b|\bsegfault/i;
const WARNING = /\bwarn(?:ing|ings|ed)?\b/i;
const EXIT = /\bexit(?:ed)?(?: with)?(?: code| status)[\s:=]{0,3}(-?\d+)/i;
const SUMMARY =
  /\bsummary\b|(?<![-:.\d])\d+ (?:tests? |specs? |files? |suites? )?(?:passed|failed|passing|failing|errors|warnings)\b|\b1 (?:error|warning)\b|\bpassed\s?[:=]\s?\d/i;
/** Matches words that say that there was no failure. */
const NONE =
  /\b(?:no|0|zero|without(?: any)?) (?:\w+ )?(?:errors?|exceptions?|failures?|failed|warnings?)\b|\b(?:errors?|exceptions?|failures?|fail(?:ed)?|warnings?)["']?\s{0,2}[:=]\s{0,2}["']?(?:0(?![.\d])|null|none|false|no\b|""|''|\[\])/gi;
/** The level that the log itself gives to a line that is not about a failure. */
const CALM_LEVEL =
  /\b(?:INFO|DEBUG|TRACE|NOTICE)\b|\[(?:info|debug|trace|notice)\]|\blevel=["']?(?:info|debug|trace|notice)|"(?:level|severity)":\s?(?:"(?:info|debug|trace|notice)"|[123]0\b)/;

function severityOf(raw: string): Severity | undefined {
  const text = withoutEscapeSequences(raw);
  const claims = text.replace(NONE, '');
  const exit = EXIT.exec(text);
  const isCalm = CALM_LEVEL.test(text.slice(0, 160));
  if (FATAL.test(claims)) return isCalm ? 'error' : 'fatal';
  if (exit && Number(exit[1]) !== 0) return 'error';
  if (SUMMARY.test(text)) return 'summary';
  if (ERROR.test(claims)) return isCalm ? 'warning' : 'error';
  if (exit) return 'summary';
  return WARNING.test(claims) && !isCalm ? 'warning' : undefined;
}

const DAYS_AND_MONTHS = 'mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec';
const TIME_WORDS = new Set(DAYS_AND_MONTHS.split(' ').map(hashOf));

/**
 * A number that is the same for lines that differ only in numbers, ids and times. Words count. A run of ASCII letters and
 * digits that contains a digit counts as one sign of any value. But zero differs from other numbers (`0 failed`, `exit code
 * 0`). It has 53 bits of two hashes, so that two different lines of one output never collide by chance.
 */
function fingerprint(text: string): number {
  let low = 0x1e3779b9;
  let high = 0x25ebca6b;
  let word = 0;
  let wordHigh = 0;
  let length = 0;
  let hasDigit = false;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 0;
    const isDigit = code >= 48 && code <= 57;
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    if (isDigit || isLetter) {
      hasDigit ||= isDigit;
      const letter = isLetter ? code | 32 : code;
      word = mix(word, letter);
      wordHigh = mixHigh(wordHigh, letter);
      length++;
      continue;
    }
    if (length > 0) {
      const isNone = length === 1 && word === ZERO;
      const isSome = hasDigit || (length === 3 && TIME_WORDS.has(word));
      low = mix(low, isNone ? 2 : isSome ? 1 : word);
      high = mixHigh(high, isNone ? 2 : isSome ? 1 : wordHigh);
      word = wordHigh = length = 0;
      hasDigit = false;
    }
    low = mix(low, code);
    high = mixHigh(high, code);
  }
  return (low >>> 0) * 0x200000 + (high >>> 11);
}

const ZERO = hashOf('0');

function hashOf(word: string): number {
  let hash = 0;
  for (let index = 0; index < word.length; index++) hash = mix(hash, word.charCodeAt(index));
  return hash;
}

function mix(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x01000193);
  return mixed ^ (mixed >>> 15);
}

function mixHigh(hash: number, code: number): number {
  const mixed = Math.imul(hash + code + 1, 0x5bd1e995);
  return mixed ^ (mixed >>> 13);
}
