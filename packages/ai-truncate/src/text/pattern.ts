import { RE2JS } from 're2js';
import { inTurn } from '../pace.ts';
import { literalsOfPattern, literalsOfText, type SearchLiterals } from './pattern-literals.ts';
import { isTooLarge, MAX_PATTERN_LENGTH, MAX_PROGRAM_SIZE } from './pattern-size.ts';
import { namesNewline, unsupportedIn, withUnicodeEscapes } from './pattern-syntax.ts';
import { shortened } from './utf.ts';

export interface SearchPatternOptions {
  /** Treats every sign as literal. @default false */
  literal?: boolean;
  /** @default false */
  ignoreCase?: boolean;
}

/** A pattern that is safe to search for. */
export interface SearchPattern {
  /** The texts that match, if the pattern is only a choice of texts, which are found without the engine. */
  literals?: SearchLiterals;
  /** Texts of which each match contains at least one, if any are known. A line without them needs no engine. */
  required?: SearchLiterals;
  /**
   * How many characters may be searched in one step. One call with this many characters takes less than 15 ms, whatever the
   * pattern.
   */
  window: number;
  test(text: string): boolean;
  /**
   * Whether one of several lines may match; `false` means that none does. Lines end with `\n`. Absent for a pattern that is faster
   * line by line, or has other places than lines.
   */
  testLines?(lines: string): boolean;
  /** The start and end of the first match that starts at `from` or after it. */
  find(text: string, from: number): { start: number; end: number } | undefined;
}

export type CompiledPattern = { ok: true; pattern: SearchPattern } | { ok: false; message: string };

/** At the start of an expression, it applies to the whole expression. */
const ANY_CASE = '(?i)';
const SMALL_PROGRAM_SIZE = 256;
const LARGE_WINDOW = 4096;
const SMALL_WINDOW = 1024;

/**
 * Compiles a pattern from a model as RE2, so that no pattern takes exponential time. Unsupported or expensive patterns result
 * in a message for the model and never in an exception.
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
  const { exact, required } = isLiteral
    ? { exact: literalsOfText(source, { ignoreCase }) }
    : literalsOfPattern(source, { ignoreCase });
  if (exact) return { ok: true, pattern: literalPattern(exact) };
  if (!isLiteral && isTooLarge(source)) return refusal(patternWords.tooLarge);
  return compileExpression(isLiteral ? RE2JS.quote(source) : withUnicodeEscapes(source), {
    flags: ignoreCase ? RE2JS.CASE_INSENSITIVE : 0,
    required,
  });
}

/** The same when its turn comes, because compiling a pattern takes up to 10 ms, and many may be requested at once. */
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
  const pattern: SearchPattern = {
    window: size <= SMALL_PROGRAM_SIZE ? LARGE_WINDOW : SMALL_WINDOW,
    test: (text) => program.test(text),
    find(text, from) {
      const matcher = program.matcher(text);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
  if (required) pattern.required = required;
  if (!TESTED_BY_LINE.test(expression)) {
    let lines: RE2JS | undefined;
    pattern.testLines = (text) => {
      lines ??= RE2JS.compile(expression, flags | RE2JS.MULTILINE);
      return lines.test(text);
    };
  }
  return { ok: true, pattern };
}

/**
 * With the flag MULTILINE, `^` and `$` match in each line as they do in the line alone. `\A`, `\z` and groups without the flag do
 * not. A pattern that starts with `^` is faster line by line, because RE2JS sees at once that a line does not match.
 */
const TESTED_BY_LINE = /^\^|\\[Az]|\(\?\w*-/;

function literalPattern(literals: SearchLiterals): SearchPattern {
  return {
    literals,
    window: LARGE_WINDOW,
    test: literals.isIn,
    testLines: literals.isIn,
    find: literals.find,
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
/** Patterns that the engine itself refuses to build. */
const TOO_LARGE = /^(invalid repeat count|expression too large|expression nests too deeply)/;

function refusal(message: string): CompiledPattern {
  return { ok: false, message };
}

/** The messages that the model sees if its pattern cannot be used: the problem, and an alternative. */
const patternWords = {
  empty: 'The pattern is empty. Give a word or an expression in RE2 syntax.',
  notText: 'The pattern must be a string: a word or an expression in RE2 syntax.',
  tooLong: (length: number, max: number): string =>
    `The pattern has ${length} characters, but at most ${max} are supported. Search for its rarest part, or search several times.`,
  tooLarge:
    'The pattern is too large: its repeats multiply to more than can be searched in time. Use smaller counts, or `*` and `+`, which cost nothing.',
  newline:
    'Lines are searched one by one, so a line break is never found. Search for a part that is in one line, with context lines to see the lines around it.',
  lookAround: (found: string): string =>
    `RE2 has no look-around (\`${found}\`). Search for the text itself without it, e.g. \`foo(?=bar)\` as \`foobar\`, and read the context lines; to exclude lines, search for text that only the wanted lines contain.`,
  backReference: (found: string): string =>
    `RE2 has no back-references (\`${found}\`). Write out the repeated text, or search for the first half and compare the matching lines.`,
  possessive: (found: string): string =>
    `RE2 has no atomic groups or possessive repeats (\`${found}\`). Leave out the extra sign, because RE2 never backtracks.`,
  syntax: (detail: string): string =>
    `The pattern is not an RE2 expression: ${detail}. Escape literal signs with \`\\\`, or search for it literally.`,
};
