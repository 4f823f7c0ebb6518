import { detach } from './utf.ts';
import { withoutEscapeSequences } from './visible-text.ts';

/** How much a line says about what went wrong, the loudest first. */
export const severities = ['fatal', 'error', 'summary', 'warning'] as const;
export type Severity = (typeof severities)[number];

export interface SalientLine {
  /** Counts from 1. */
  line: number;
  /** The beginning of the line, raw, at most {@link SALIENT_LENGTH} characters. */
  text: string;
  severity: Severity;
  /** Lines that say the same but for numbers, ids and times; this one is the first. */
  count: number;
  lastLine: number;
}

/** Sorts the loudest first, of those the rarest, of those the earliest. */
export function compareSalience(a: SalientLine, b: SalientLine): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity) || a.count - b.count || a.line - b.line;
}

/** Characters of a line that are looked at: what a line is about, it says early. */
export const SALIENT_REACH = 1024;
/** Characters of a line that are kept, so that a record is whole. */
export const SALIENT_LENGTH = 4096;

/**
 * A line without any of these words is not salient. Fast rather than exact: the list is what the engine still searches at
 * more than 1 GB/s (some further words, `refused` or `killed`, cost half of that), and no alternative can match a line feed.
 */
const WORDS =
  'error|exception|fail|fatal|panic|traceback|assert|warn|severe|critical|exit (?:code|status)|exited with|aborted|segfault|emerg|summary|passed';
const SALIENT_WORDS = new RegExp(WORDS, 'i');
const NEXT_SALIENT_WORD = new RegExp(WORDS, 'gi');

/** Where the next salient word at or after `from` ends, less one; infinity when there is none. */
export function nextSalientWord(text: string, from: number): number {
  NEXT_SALIENT_WORD.lastIndex = from;
  return NEXT_SALIENT_WORD.test(text) ? NEXT_SALIENT_WORD.lastIndex - 1 : Number.POSITIVE_INFINITY;
}

/** Of the different lines of one severity, how many of the first and how many of the last are kept. */
const KEPT_AT_EACH_END = 48;
const REMEMBERED_NOISE = 1024;

/** Collects the lines that matter, the same text once with its count, in bounded memory. */
export interface SalientLines {
  /**
   * A line that may hold a salient word.
   * @param start at most {@link SALIENT_LENGTH} characters of the line.
   */
  consider(line: number, start: string): void;
  /** A line that does hold one, whole, in its first {@link SALIENT_REACH} characters. */
  add(line: number, start: string): void;
  finish(): SalientLine[];
}

export function createSalientLines(): SalientLines {
  const first: SalientLine[][] = severities.map(() => []);
  const last: { print: number; entry: SalientLine }[][] = severities.map(() => []);
  const byPrint = new Map<number, SalientLine>();
  const noise = new Set<number>();

  function consider(line: number, start: string): void {
    if (SALIENT_WORDS.test(start.slice(0, SALIENT_REACH))) add(line, start);
  }

  function add(line: number, start: string): void {
    const text = start.slice(0, SALIENT_REACH);
    const print = fingerprint(text);
    const known = byPrint.get(print);
    if (known) {
      known.count++;
      known.lastLine = line;
      return;
    }
    if (noise.has(print)) return;
    const severity = severityOf(text);
    if (severity === undefined) {
      if (noise.size === REMEMBERED_NOISE) noise.clear();
      noise.add(print);
      return;
    }
    keep(severity, { print, entry: { line, text: detach(start), severity, count: 1, lastLine: line } });
  }

  /** The first ones, because causes come early; the last ones, because the end of a run tells how it went. */
  function keep(severity: Severity, found: { print: number; entry: SalientLine }): void {
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

const FATAL =
  /\b(?:fatal|panic(?:ked)?|segfault|segmentation fault|core dumped|out of memory|oom.?kill\w*|emerg(?:ency)?|uncaught|unhandled|traceback)\b|^F\d{4} /i;
const ERROR = /error|exception|fail(?!over|safe)|\bsevere\b|\bcritical\b|assert(?:ion)?\b|\baborted\b|\bsegfault/i;
const WARNING = /\bwarn(?:ing|ings|ed)?\b/i;
const EXIT = /\bexit(?:ed)?(?: with)?(?: code| status)[\s:=]{0,3}(-?\d+)/i;
const SUMMARY =
  /\bsummary\b|(?<![-:.\d])\d+ (?:tests? |specs? |files? |suites? )?(?:passed|failed|passing|failing|errors|warnings)\b|\b1 (?:error|warning)\b|\bpassed\s?[:=]\s?\d/i;
/** Says that there was none. */
const NONE =
  /\b(?:no|0|zero|without(?: any)?) (?:\w+ )?(?:errors?|exceptions?|failures?|failed|warnings?)\b|\b(?:errors?|exceptions?|failures?|fail(?:ed)?|warnings?)["']?\s{0,2}[:=]\s{0,2}["']?(?:0(?![.\d])|null|none|false|no\b|""|''|\[\])/gi;
/** The log's own word that this line is not about a failure. */
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
 * A number that is the same for lines that differ only in numbers, ids and times: words count, a run of ASCII letters and
 * digits that holds a digit counts as one sign, whatever it is; but none is not some (`0 failed`, `exit code 0`). 53 bits
 * of two hashes, so that no two lines of one output meet by chance.
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
