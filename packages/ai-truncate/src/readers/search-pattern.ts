import { RE2JS } from 're2js';
import { literalsOf, namesNewline, unsupportedIn, withUnicodeEscapes } from './search-pattern-tokens.ts';
import { patternWords } from './search-pattern-words.ts';

export interface SearchPatternOptions {
  /** Every sign stands for itself. @default false */
  literal?: boolean;
  /** @default false */
  ignoreCase?: boolean;
}

/** A pattern that is safe to search for. */
export interface SearchPattern {
  /** The texts of which it stands for any, if it is that: found without an engine. None holds a line break of any kind. */
  literals?: readonly string[];
  /** How many characters may be searched in one step: one call on as many stays below 15 ms, whatever the pattern. */
  window: number;
  test(text: string): boolean;
  /** Where the first match that starts at `from` or behind it starts and ends. */
  find(text: string, from: number): { start: number; end: number } | undefined;
}

export type CompiledPattern = { ok: true; pattern: SearchPattern } | { ok: false; message: string };

/** Compiling is not linear either: a megabyte of pattern takes a second. */
const MAX_PATTERN_LENGTH = 512;
/** The engine takes time in proportion to characters times instructions, about 10 ns each: linear is not yet bounded. */
const MAX_PROGRAM_SIZE = 1000;
const SMALL_PROGRAM_SIZE = 256;
const LARGE_WINDOW = 4096;
const SMALL_WINDOW = 1024;
const MAX_LITERAL_LENGTH = 100;
const MAX_LITERALS = 8;

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
  const literals = isLiteral ? [source] : literalsOf(source);
  if (literals && !ignoreCase && isCheap(literals)) return { ok: true, pattern: literalPattern(literals) };
  const expression = isLiteral ? RE2JS.quote(source) : withUnicodeEscapes(source);
  return compileExpression(expression, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
}

/** Looking for a text takes time in proportion to its length too, if it is made for that. */
function isCheap(literals: readonly string[]): boolean {
  const text = literals.join('');
  return text.length <= MAX_LITERAL_LENGTH && literals.length <= MAX_LITERALS && !text.includes('\r');
}

function compileExpression(expression: string, flags: number): CompiledPattern {
  let program: RE2JS;
  try {
    program = RE2JS.compile(expression, flags);
  } catch (error) {
    return refusal(whyNot(expression, error));
  }
  const size = program.programSize();
  if (size > MAX_PROGRAM_SIZE) return refusal(patternWords.tooLarge);
  return { ok: true, pattern: expressionPattern(program, size) };
}

function expressionPattern(program: RE2JS, size: number): SearchPattern {
  return {
    window: size <= SMALL_PROGRAM_SIZE ? LARGE_WINDOW : SMALL_WINDOW,
    test: (text) => program.test(text),
    find(text, from) {
      const matcher = program.matcher(text);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}

function literalPattern(literals: readonly string[]): SearchPattern {
  return {
    literals,
    window: LARGE_WINDOW,
    test: (text) => literals.some((literal) => text.includes(literal)),
    find(text, from) {
      const found = literals
        .map((literal) => ({ start: text.indexOf(literal, from), length: literal.length }))
        .filter(({ start }) => start !== -1)
        .sort((one, other) => one.start - other.start);
      const [first] = found;
      return first && { start: first.start, end: first.start + first.length };
    },
  };
}

function whyNot(source: string, error: unknown): string {
  const unsupported = unsupportedIn(source);
  if (unsupported?.kind === 'look-around') return patternWords.lookAround(unsupported.found);
  if (unsupported?.kind === 'back-reference') return patternWords.backReference(unsupported.found);
  if (unsupported?.kind === 'possessive') return patternWords.possessive(unsupported.found);
  const detail = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error);
  return TOO_LARGE.test(detail) ? patternWords.tooLarge : patternWords.syntax(shortened(detail));
}

/** What the engine itself refuses to build. */
const TOO_LARGE = /^(invalid repeat count|expression too large|expression nests too deeply)/;

/** A message repeats the pattern, which can be half a kilobyte. */
function shortened(detail: string): string {
  return detail.length > 160 ? `${detail.slice(0, 160)}…` : detail;
}

function refusal(message: string): CompiledPattern {
  return { ok: false, message };
}
