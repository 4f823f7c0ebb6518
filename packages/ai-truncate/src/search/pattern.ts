import { RE2JS } from 're2js';
import { inTurn } from '../pace.ts';
import { shortened } from '../text/utf.ts';
import { isTooLarge, MAX_PATTERN_LENGTH, MAX_PROGRAM_SIZE } from './pattern-size.ts';
import { literalsOf, namesNewline, requiredLiteralOf, unsupportedIn, withUnicodeEscapes } from './pattern-syntax.ts';

export interface SearchPatternOptions {
  /** Every sign stands for itself. @default false */
  literal?: boolean;
  /** @default false */
  ignoreCase?: boolean;
}

/** A pattern that is safe to search for. */
export interface SearchPattern {
  /** The texts of which it stands for any, if it is that: found without an engine. */
  literals?: SearchLiterals;
  /** A text that is in every match, if one is known: a line without it needs no engine. */
  required?: SearchLiterals;
  /** How many characters may be searched in one step: one call on as many stays below 15 ms, whatever the pattern. */
  window: number;
  test(text: string): boolean;
  /** Where the first match that starts at `from` or behind it starts and ends. */
  find(text: string, from: number): { start: number; end: number } | undefined;
}

export type CompiledPattern = { ok: true; pattern: SearchPattern } | { ok: false; message: string };

/** At the start of an expression: all of it is meant. */
const ANY_CASE = '(?i)';
const SMALL_PROGRAM_SIZE = 256;
const LARGE_WINDOW = 4096;
const SMALL_WINDOW = 1024;

/**
 * Compiles what a model wants to search for, as RE2: no pattern takes exponential time. What RE2 cannot do, and what would
 * take too long, is a message for the model and never an exception.
 */
export function compileSearchPattern(source: string, options: SearchPatternOptions = {}): CompiledPattern {
  const { literal: isLiteral = false, ignoreCase = false } = options;
  if (typeof source !== 'string') return refusal(patternWords.notText);
  if (source === '') return refusal(patternWords.empty);
  if (source.length > MAX_PATTERN_LENGTH) return refusal(patternWords.tooLong(source.length, MAX_PATTERN_LENGTH));
  if (isLiteral ? source.includes('\n') : namesNewline(source)) return refusal(patternWords.newline);
  if (!isLiteral && source.startsWith(ANY_CASE) && source !== ANY_CASE) {
    return compileSearchPattern(source.slice(ANY_CASE.length), { ignoreCase: true });
  }
  const texts = isLiteral ? [source] : literalsOf(source);
  const literals = texts && searchLiterals({ texts, ignoreCase });
  if (literals) return { ok: true, pattern: literalPattern(literals) };
  if (!isLiteral && isTooLarge(source)) return refusal(patternWords.tooLarge);
  const required = isLiteral ? undefined : requiredLiteralOf(source);
  return compileExpression(isLiteral ? RE2JS.quote(source) : withUnicodeEscapes(source), {
    flags: ignoreCase ? RE2JS.CASE_INSENSITIVE : 0,
    required: required === undefined ? undefined : searchLiterals({ texts: [required], ignoreCase }),
  });
}

/** The same when it is its turn: to compile a pattern takes up to 10 ms, and many may be asked for at once. */
export function compileInTurn(source: string, options?: SearchPatternOptions): Promise<CompiledPattern> {
  return inTurn(() => compileSearchPattern(source, options));
}

interface ExpressionOptions {
  flags: number;
  required: SearchLiterals | undefined;
}

function compileExpression(expression: string, { flags, required }: ExpressionOptions): CompiledPattern {
  let program: RE2JS;
  try {
    program = RE2JS.compile(expression, flags);
  } catch (error) {
    return refusal(whyNot(expression, error));
  }
  const size = program.programSize();
  if (size > MAX_PROGRAM_SIZE) return refusal(patternWords.tooLarge);
  const isPossible = required ? literalTester(required) : () => true;
  const pattern: SearchPattern = {
    window: size <= SMALL_PROGRAM_SIZE ? LARGE_WINDOW : SMALL_WINDOW,
    test: (text) => isPossible(text) && program.test(text),
    find(text, from) {
      const matcher = program.matcher(text);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
  return { ok: true, pattern: { ...pattern, ...(required && { required }) } };
}

function literalPattern(literals: SearchLiterals): SearchPattern {
  return {
    literals,
    window: LARGE_WINDOW,
    test: literalTester(literals),
    find: (text, from) => findLiteral(text, { literals, from }),
  };
}

function whyNot(source: string, error: unknown): string {
  const unsupported = unsupportedIn(source);
  if (unsupported) return patternWords[unsupported.kind](unsupported.found);
  const detail = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error);
  return TOO_LARGE.test(detail) ? patternWords.tooLarge : patternWords.syntax(shortened(detail, MAX_DETAIL_CHARS));
}

/** A message repeats the pattern, which can be half a kilobyte. */
const MAX_DETAIL_CHARS = 160;
/** What the engine itself refuses to build. */
const TOO_LARGE = /^(invalid repeat count|expression too large|expression nests too deeply)/;

function refusal(message: string): CompiledPattern {
  return { ok: false, message };
}

/** Texts that are looked for without the engine of expressions, in time that hardly depends on what they are. */
export interface SearchLiterals {
  /** None holds a line break of any kind. */
  texts: readonly string[];
  ignoreCase: boolean;
}

const MAX_LITERAL_CHARS = 100;
const MAX_LITERALS = 8;
/** Of these, both engines hold the same to be the same letter, whatever version of Unicode they know. */
const ASCII = /^[ -~]*$/;

/** The literals, if they may be searched for without the engine: only short ones, because a hostile text makes long ones slow. */
function searchLiterals(literals: SearchLiterals): SearchLiterals | undefined {
  const { texts, ignoreCase } = literals;
  const all = texts.join('');
  const isUnfit =
    all.length > MAX_LITERAL_CHARS || texts.length > MAX_LITERALS || texts.includes('') || /[\r\n]/.test(all);
  return isUnfit || (ignoreCase && !ASCII.test(all)) ? undefined : literals;
}

/** Where the next of them is, at or behind an index that never goes back; infinite when there is none. */
export function createLiteralFinder(text: string, literals: SearchLiterals): (from: number) => number {
  const finders = literals.ignoreCase
    ? [expressionFinder(text, literals)]
    : literals.texts.map((each) => (from: number) => text.indexOf(each, from));
  const places = finders.map(() => -1);
  return (from) => {
    for (const [at, find] of finders.entries()) {
      if ((places[at] ?? 0) >= from) continue;
      const found = find(from);
      places[at] = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return Math.min(...places);
  };
}

function expressionFinder(text: string, literals: SearchLiterals): (from: number) => number {
  const expression = expressionOf(literals);
  return (from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? -1;
  };
}

/** Whether a text has one of them. */
export function literalTester(literals: SearchLiterals): (text: string) => boolean {
  if (!literals.ignoreCase) return (text) => literals.texts.some((each) => text.includes(each));
  const expression = expressionOf(literals);
  return (text) => text.search(expression) !== -1;
}

/** Where the first of them at or behind `from` starts and ends. */
export function findLiteral(
  text: string,
  { literals, from }: { literals: SearchLiterals; from: number },
): { start: number; end: number } | undefined {
  const expression = expressionOf(literals);
  expression.lastIndex = from;
  const match = expression.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

/** For the engine of JavaScript, which is safe with a mere choice of texts: there is nothing to go back for. */
function expressionOf({ texts, ignoreCase }: SearchLiterals): RegExp {
  const choice = texts.map((each) => each.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|');
  return new RegExp(choice, ignoreCase ? 'giu' : 'g');
}

/** What a model reads when its pattern cannot be searched for: what is wrong, and what to write in its place. */
const patternWords = {
  empty: 'The pattern is empty. Give a word or an expression in RE2 syntax.',
  notText: 'The pattern must be a string: a word or an expression in RE2 syntax.',
  tooLong: (length: number, max: number): string =>
    `The pattern has ${length} characters, at most ${max} are searched for. Search for its rarest part, or do several searches.`,
  tooLarge:
    'The pattern is too large: its repeats multiply to more than can be searched in time. Use smaller counts, or `*` and `+`, which cost nothing.',
  newline:
    'Lines are searched one by one, so a line break is never found. Search for a part that stands in one line, with context lines to see those around it.',
  lookAround: (found: string): string =>
    `RE2 has no look-around (\`${found}\`). Search for the text itself without it, e.g. \`foo(?=bar)\` as \`foobar\`, and read the context lines; to leave lines out, search for what the wanted ones have.`,
  backReference: (found: string): string =>
    `RE2 has no back-references (\`${found}\`). Write the repeated text out, or search for the first half and compare in the lines that are found.`,
  possessive: (found: string): string =>
    `RE2 has no atomic groups or possessive repeats (\`${found}\`). Leave the extra sign out: RE2 never backtracks.`,
  syntax: (detail: string): string =>
    `The pattern is no RE2 expression: ${detail}. Escape signs that stand for themselves with \`\\\`, or search for it literally.`,
};
