import type { SalientLine } from './salient-lines.ts';
import { tellingLines } from './telling-lines.ts';
import { detach, firstChars } from './utf.ts';
import { Words } from './words.ts';

/** A line whose pattern occurs once or twice, while the rest of the output repeats. */
export interface RareLine {
  /** Counted from 1. */
  line: number;
  text: string;
  count: number;
  lastLine: number;
}

/** A pattern, the first line that has it, and the number of its lines. */
export type CountedPattern = RareLine;

/** The patterns of all lines, which are their texts without numbers, ids, paths and quoted strings. */
export interface LinePatterns {
  rareLines: RareLine[];
  /** The most frequent patterns, in descending order; empty if most lines differ. */
  frequent: { print: number; pattern: string; count: number }[];
  /** Lines with a rare pattern that state a total or report a problem, even if too many lines are rare to count as rare. */
  tellingLines: SalientLine[];
}

/** Counts the patterns of lines while an output arrives, in bounded memory. */
export class PatternCounter {
  readonly #patterns = new Map<number, CountedPattern>();
  readonly #print = new PatternPrint();
  #lines = 0;
  #fresh: CountedPattern[] = [];
  #isFull = false;
  #tellingLines: SalientLine[] = [];

  /** There are too many different lines, so no line is rare. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Starts a line. */
  start(text: string, from: number): void {
    this.#print.start(text, from);
  }

  /** The next word of the line. */
  read(words: Words): void {
    this.#print.read(words);
  }

  /** Ends the line. Returns its pattern, unless there are too many. */
  endLine({
    text,
    from,
    to,
    line,
  }: {
    text: string;
    from: number;
    to: number;
    line: number;
  }): CountedPattern | undefined {
    const print = this.#print.end();
    const known = this.#patterns.get(print);
    if (known) {
      this.repeat(known, line);
      return known;
    }
    this.#lines = line;
    if (this.#patterns.size === MAX_PATTERNS) {
      this.#isFull = true;
      this.#tellingLines = tellingLines(rareOf(this.#patterns));
      this.#patterns.clear();
      this.#fresh.length = 0;
      return undefined;
    }
    const pattern = { line, lastLine: line, count: 1, text: text.slice(from, Math.min(to, from + PATTERN_TEXT_CHARS)) };
    this.#patterns.set(print, pattern);
    this.#fresh.push(pattern);
    return pattern;
  }

  /** Counts another line with the same pattern. */
  repeat(pattern: CountedPattern, line: number): void {
    this.#lines = line;
    pattern.count++;
    pattern.lastLine = line;
  }

  /** Releases the memory of the chunk. */
  endChunk(): void {
    for (const pattern of this.#fresh) pattern.text = detach(pattern.text);
    this.#fresh.length = 0;
  }

  finish(): LinePatterns {
    const all = [...this.#patterns];
    const rare = rareOf(this.#patterns);
    const most = this.#lines * RARE_SHARE;
    const rareLines = apart(rare, { mostInBlock: most });
    const rareCount = rareLines.reduce((sum, { count }) => sum + count, 0);
    const frequent = all
      .filter(([, { count }]) => count > MAX_RARE)
      .sort(([, one], [, other]) => other.count - one.count || one.line - other.line)
      .slice(0, MAX_FREQUENT)
      .map(([print, { text, count }]) => ({ print, count, pattern: patternOf(text) }));
    return {
      rareLines: rareCount > most ? [] : rareLines,
      frequent,
      tellingLines: this.#isFull ? this.#tellingLines : tellingLines(rare),
    };
  }
}

function rareOf(patterns: ReadonlyMap<number, CountedPattern>): CountedPattern[] {
  return [...patterns.values()].filter(({ count, text }) => count <= MAX_RARE && text.trim() !== '');
}

/** Rare lines this close to each other form a block, such as the messages of a start, which its first line represents. */
const BLOCK_GAP = 5;
const MIN_BLOCK = 4;

function apart(lines: readonly RareLine[], { mostInBlock }: { mostInBlock: number }): RareLine[] {
  const blocks: RareLine[][] = [];
  for (const line of lines.toSorted((one, other) => one.line - other.line)) {
    const block = blocks.at(-1);
    const last = block?.at(-1);
    if (last && line.line - last.line <= BLOCK_GAP) block?.push(line);
    else blocks.push([line]);
  }
  return blocks.flatMap((block) => {
    if (block.length < MIN_BLOCK) return block;
    // A long block is a different kind of output, not an event.
    return block.length > Math.max(MIN_BLOCK, mostInBlock) ? [] : block.slice(0, 1);
  });
}

const MAX_PATTERNS = 8192;
/** The stored beginning of a line with a pattern. */
export const PATTERN_TEXT_CHARS = 300;
/** The characters of a line that form its pattern. */
export const PATTERN_CHARS = 256;
/** A pattern on more lines than this is not rare. */
const MAX_RARE = 2;
/** If more lines than this are rare, no line is rare. */
const RARE_SHARE = 0.01;
const MAX_FREQUENT = 64;

/** A number for the pattern of a line, computed word by word. */
class PatternPrint {
  #text = '';
  #from = 0;
  #end = 0;
  #quote = 0;
  #wasId = false;
  #low = 0;
  #high = 0;

  start(text: string, from: number): void {
    this.#text = text;
    this.#from = from;
    this.#end = from;
    this.#quote = 0;
    this.#wasId = false;
    this.#low = 0x1e3779b9;
    this.#high = 0x25ebca6b;
  }

  read({ start, end, spelling, hasDigit }: Words): void {
    if (start - this.#from >= PATTERN_CHARS) return;
    const isId = this.isId({ start, end, spelling, hasDigit });
    if (isId && this.#wasId) return;
    this.#wasId = isId;
    const sign = isId ? 1 : spelling;
    this.#low = Math.imul(this.#low ^ sign, 0x01000193);
    this.#low ^= this.#low >>> 15;
    this.#high = Math.imul(this.#high + sign + 1, 0x5bd1e995);
    this.#high ^= this.#high >>> 13;
  }

  /** Whether a word identifies something: it has a digit, or is part of a path or of a quoted string. */
  isId({ start, end, spelling, hasDigit }: Pick<Words, 'start' | 'end' | 'spelling' | 'hasDigit'>): boolean {
    const text = this.#text;
    const isJoined = this.#wasId && start === this.#end + 1 && isJoint(text.charCodeAt(this.#end));
    for (let at = this.#end; at < start; at++) {
      const code = text.charCodeAt(at);
      if (code === this.#quote) this.#quote = 0;
      else if (this.#quote === 0 && isQuote(code) && !(at > this.#from && at === this.#end && code === APOSTROPHE))
        this.#quote = code;
    }
    this.#end = end;
    if (hasDigit || isJoined || this.#quote !== 0) return true;
    return isSlash(text.charCodeAt(start - 1)) || isSlash(text.charCodeAt(end)) || TIME_WORDS.has(spelling);
  }

  /** 53 bits of two hashes, so that two patterns of one output never collide by chance. */
  end(): number {
    this.#text = '';
    return (this.#low >>> 0) * 0x200000 + (this.#high >>> 11);
  }
}

/** The spellings of days and months, because a log does not change its pattern on the next day. */
const TIME_WORDS: ReadonlySet<number> = spellingsOf(
  'Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
);

function spellingsOf(text: string): Set<number> {
  const spellings = new Set<number>();
  const words = new Words();
  words.read(text, { from: 0, to: text.length });
  while (words.next()) spellings.add(words.spelling);
  return spellings;
}

const APOSTROPHE = 0x27;

function isQuote(code: number): boolean {
  return code === 0x22 || code === APOSTROPHE || code === 0x60;
}

/** Joins the parts of an id, because some of them have no digit. */
function isJoint(code: number): boolean {
  return code === 0x2d || code === 0x2e || code === 0x5f;
}

function isSlash(code: number): boolean {
  return code === 0x2f || code === 0x5c;
}

/** The number for the pattern of a line. */
export function patternPrint(line: string): number {
  const print = new PatternPrint();
  const words = new Words();
  words.read(line, { from: 0, to: line.length });
  print.start(line, 0);
  while (words.next()) print.read(words);
  return print.end();
}

const MAX_PATTERN_CHARS = 80;

/** The pattern of a line in words, such as `INFO worker # ok`. */
function patternOf(line: string): string {
  const print = new PatternPrint();
  const words = new Words();
  const part = firstChars(line, PATTERN_CHARS);
  words.read(part, { from: 0, to: part.length });
  print.start(part, 0);
  let pattern = '';
  let at = 0;
  while (words.next()) {
    const between = part.slice(at, words.start);
    at = words.end;
    if (!print.isId(words)) pattern += between + part.slice(words.start, words.end);
    else pattern += /^\W?$/.test(between) && pattern.endsWith('#') ? '' : `${between}#`;
  }
  const whole = pattern + part.slice(at);
  return whole.length > MAX_PATTERN_CHARS ? `${firstChars(whole, MAX_PATTERN_CHARS)}…` : whole;
}
