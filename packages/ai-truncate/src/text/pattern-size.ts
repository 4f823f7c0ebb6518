import { patternTokens } from './pattern-syntax.ts';

// Limits the size of regular expressions. Most of the larger ones are refused by an estimate, before the engine sees them,
// because the engine builds the whole program before its size can be read.

/** Compiling is not linear: a megabyte of pattern takes a second. */
export const MAX_PATTERN_LENGTH = 512;
/** The engine's time is proportional to characters times instructions, about 10 ns each, so it needs a limit too. */
export const MAX_PROGRAM_SIZE = 1000;
/** Compiling takes 2 µs per instruction. Above the size limit, because the engine merges shared beginnings of a choice. */
const MAX_ESTIMATED_SIZE = 5 * MAX_PROGRAM_SIZE;
/** Each Unicode class takes up to 0.1 ms to look up, even if it is repeated or inside another class. */
const MAX_UNICODE_CLASSES = 50;

/** Whether an expression would take too long to compile or to search for. */
export function isTooLarge(source: string): boolean {
  const unicodeClasses = source.match(/\\p/gi)?.length ?? 0;
  return unicodeClasses > MAX_UNICODE_CLASSES || estimatedProgramSize(source) > MAX_ESTIMATED_SIZE;
}

const CAPTURE_SIZE = 2;
/** `?P<name>` and `{1000,1000}` are shorter. The engine refuses larger counts. */
const LONGEST_SIGNS = 64;
const GROUP_START = /^\((?:\?[\w<-]*[:>]?)?/;
const REPEAT = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/;
const UNICODE_CLASS_NAME = /^(?:\{\^?\w*\}|\w)/;
/** Signs that match no character. */
const PLACE = /^(?:[$^]|\\[AbBzZ])$/;

/** A part of an expression, with as many instructions as the engine makes of it. */
interface Piece {
  size: number;
  /** Whether it is one character. The engine merges neighboring characters of a choice into one class. */
  isCharacter: boolean;
}

/** A group in brackets, while its pieces are collected. */
interface OpenGroup {
  alternatives: Piece[][];
  ownSize: number;
}

/**
 * The approximate number of instructions that the engine needs for an expression, rarely too low. The engine repeats a part as
 * often as its counts multiply to, so a short expression can take a tenth of a second to compile.
 */
export function estimatedProgramSize(source: string): number {
  const tokens = [...patternTokens(source)];
  const outer: OpenGroup[] = [];
  let group: OpenGroup = { alternatives: [[]], ownSize: 0 };
  const append = (size: number, isCharacter = false): void => {
    group.alternatives.at(-1)?.push({ size, isCharacter });
  };
  const close = (): void => {
    const size = sizeOf(group);
    group = outer.pop() ?? { alternatives: [[]], ownSize: 0 };
    append(size);
  };
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'plain', text: '' };
    const ahead = signsAt(tokens, at);
    const [start] = GROUP_START.exec(ahead) ?? [];
    const repeat = REPEAT.exec(ahead);
    if (start !== undefined) {
      outer.push(group);
      group = { alternatives: [[]], ownSize: start.endsWith(':') ? 0 : CAPTURE_SIZE };
      at += start.length - 1;
    } else if (ahead.startsWith(')')) close();
    else if (ahead.startsWith('|')) group.alternatives.push([]);
    else if (repeat) {
      append(repeatedSize(group.alternatives.at(-1)?.pop()?.size ?? 0, repeat));
      at += repeat[0].length - 1;
    } else if (PLACE.test(text)) append(1);
    else if (kind === 'quote') for (const _ of text.replace(/^\\Q|\\E$/g, '')) append(1, true);
    else {
      append(1, true);
      if (/^\\p$/i.test(text)) at += UNICODE_CLASS_NAME.exec(signsAt(tokens, at + 1))?.[0].length ?? 0;
    }
  }
  // An expression with an open group is invalid, but its size is still estimated.
  while (outer.length > 0) close();
  return sizeOf(group);
}

/** The plain signs from a place on, as one text. Any other token ends it. */
function signsAt(tokens: readonly { kind: string; text: string }[], at: number): string {
  const ahead = tokens.slice(at, at + LONGEST_SIGNS);
  const end = ahead.findIndex(({ kind }) => kind !== 'plain');
  return ahead
    .slice(0, end === -1 ? undefined : end)
    .map(({ text }) => text)
    .join('');
}

function sizeOf({ alternatives, ownSize }: OpenGroup): number {
  const isCharacter = alternatives.map((pieces) => pieces.length === 1 && pieces[0]?.isCharacter === true);
  const choice = alternatives.filter((_, at) => !(isCharacter[at] && isCharacter[at - 1]));
  const sizes = choice.map((pieces) => pieces.reduce((sum, { size }) => sum + size, 0));
  if (sizes.length === 1) return ownSize + (sizes[0] ?? 0);
  // An empty alternative is an instruction too.
  return sizes.reduce((sum, size) => sum + Math.max(1, size), ownSize + sizes.length - 1);
}

/** `*`, `+` and `?` cost the same. */
function repeatedSize(size: number, [sign, least, comma, most]: RegExpExecArray): number {
  // Repeating an empty expression costs nothing.
  if (size === 0) return 0;
  if (sign.length === 1) return size + 1;
  const min = Number(least);
  if (comma === ',' && most === '') return size * Math.max(1, min) + 1;
  return size * min + (most ? Math.max(0, Number(most) - min) * (size + 1) : 0);
}
