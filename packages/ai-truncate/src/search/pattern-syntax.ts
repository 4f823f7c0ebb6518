/** A part of an expression, as far as it matters here. */
interface PatternToken {
  /** `escape`: a backslash and what it escapes. `class`: all of `[…]`. `quote`: all of `\Q…\E`. `plain`: one character. */
  kind: 'escape' | 'class' | 'quote' | 'plain';
  text: string;
}

/** Takes an expression apart by hand: a regular expression over what a model wrote could itself be made to backtrack. */
function* patternTokens(source: string): Generator<PatternToken> {
  for (let at = 0; at < source.length; ) {
    const { kind, end } = tokenAt(source, at);
    yield { kind, text: source.slice(at, end) };
    at = end;
  }
}

function tokenAt(source: string, at: number): { kind: PatternToken['kind']; end: number } {
  if (source.startsWith('\\Q', at)) return { kind: 'quote', end: endAfter(source, '\\E', at + 2) };
  if (source[at] === '\\') return { kind: 'escape', end: at + 1 + lengthOfCharacter(source, at + 1) };
  if (source[at] === '[') return { kind: 'class', end: endOfClass(source, at) };
  return { kind: 'plain', end: at + lengthOfCharacter(source, at) };
}

function endAfter(source: string, text: string, from: number): number {
  const found = source.indexOf(text, from);
  return found === -1 ? source.length : found + text.length;
}

/** A bracket in the first place stands for itself: `[]a]`, `[^]a]`. */
function endOfClass(source: string, at: number): number {
  let end = at + 1;
  if (source[end] === '^') end++;
  if (source[end] === ']') end++;
  while (end < source.length && source[end] !== ']') {
    if (source.startsWith('[:', end)) end = endAfter(source, ':]', end + 2);
    else end += source[end] === '\\' ? 2 : 1;
  }
  return Math.min(end + 1, source.length);
}

function lengthOfCharacter(source: string, at: number): number {
  return String.fromCodePoint(source.codePointAt(at) ?? 0).length;
}

const SPECIAL = '^$.|?*+()[]{}';

/** The texts of which an expression stands for any: `foo`, `(foo|bar)`; `undefined` when it is no mere choice of texts. */
export function literalsOf(source: string): string[] | undefined {
  const [, inGroup = source] = ONE_GROUP.exec(source) ?? [];
  const texts = [''];
  for (const token of patternTokens(inGroup)) {
    const text = literalOf(token);
    if (text !== undefined) texts.push((texts.pop() ?? '') + text);
    else if (token.kind === 'plain' && token.text === '|') texts.push('');
    else return undefined;
  }
  return texts.includes('') ? undefined : texts;
}

const ONE_GROUP = /^\((?:\?:)?([^()]*)\)$/;

/**
 * The longest text that stands in every match of an expression. `undefined` where none is seen at once: where there is a group,
 * a choice, or an escape that may stand for anything.
 */
export function requiredLiteralOf(source: string): string | undefined {
  const runs = [''];
  let isInRepeat = false;
  for (const token of patternTokens(source)) {
    const sign = token.kind === 'plain' ? token.text : '';
    const text = literalOf(token);
    // A brace that opens no repeat stands for itself, and what follows may be anything.
    if (isInRepeat && !/^[0-9,}]$/.test(sign)) return undefined;
    if (isInRepeat) isInRepeat = sign !== '}';
    else if (text !== undefined) runs.push((runs.pop() ?? '') + text);
    else if (isOneOrNoCharacter(token) || sign === '+') runs.push('');
    else if (sign !== '' && '*?{'.includes(sign)) {
      // What it repeats may be there not once.
      runs.push(withoutLastCharacter(runs.pop() ?? ''), '');
      isInRepeat = sign === '{';
    } else return undefined;
  }
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one));
  return longest === '' ? undefined : longest;
}

function isOneOrNoCharacter({ kind, text }: PatternToken): boolean {
  return kind === 'class' || (kind === 'plain' && '.^$'.includes(text)) || /^\\[dDwWsSbB]$/.test(text);
}

function withoutLastCharacter(text: string): string {
  return [...text].slice(0, -1).join('');
}

/** Signs of ASCII stand for themselves behind a backslash; `\d`, `\b` and the like do not. */
function literalOf({ kind, text }: PatternToken): string | undefined {
  if (kind === 'plain') return SPECIAL.includes(text) ? undefined : text;
  return kind === 'escape' && /^\\[!-/:-@[-`{-~]$/.test(text) ? text.slice(1) : undefined;
}

/** Whether it asks for a line break; as one of many characters of a class that is harmless. */
export function namesNewline(source: string): boolean {
  for (const { kind, text } of patternTokens(source)) {
    if (text === '\n' || text === '\\n' || (kind === 'quote' && text.includes('\n'))) return true;
  }
  return false;
}

/** `\u00e9` and `\u{e9}`, which models know from JavaScript, are `\x{e9}` in RE2. */
export function withUnicodeEscapes(source: string): string {
  let text = '';
  for (let at = 0; at < source.length; ) {
    const [found, four, braced] = UNICODE_ESCAPE.exec(source.slice(at, at + 10)) ?? [];
    const code = four ?? braced;
    if (code !== undefined) text += `\\x{${code}}`;
    const plain = source.slice(at, at + (source[at] === '\\' ? 2 : 1));
    if (code === undefined) text += plain;
    at += (found ?? plain).length;
  }
  return text;
}

const UNICODE_ESCAPE = /^\\u(?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})/i;

/** The first construct that expressions of other engines have and RE2 has not. */
export function unsupportedIn(
  source: string,
): { kind: 'lookAround' | 'backReference' | 'possessive'; found: string } | undefined {
  const tokens = [...patternTokens(source)];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'escape' && /^\\[1-9k]$/.test(text)) return { kind: 'backReference', found: text };
    if (kind !== 'plain') continue;
    const ahead = tokens
      .slice(at, at + 4)
      .map((token) => token.text)
      .join('');
    const [group] = /^\(\?(?:<?[=!]|P=|>)/.exec(ahead) ?? [];
    if (group === '(?P=') return { kind: 'backReference', found: group };
    if (group === '(?>') return { kind: 'possessive', found: group };
    if (group) return { kind: 'lookAround', found: group };
    if (/^[*+?}]\+/.test(ahead)) return { kind: 'possessive', found: ahead.slice(0, 2) };
  }
  return undefined;
}

/** `?P<name>` and `{1000,1000}` are shorter. The engine refuses larger counts. */
const LONGEST_SIGNS = 64;
const CAPTURE_SIZE = 2;

/** A part of an expression, with as many instructions as the engine makes of it. */
interface Piece {
  size: number;
  /** Of what is one character or a fixed number of them: the engine writes it once where alternatives begin with the same. */
  text?: string;
  /** Of what stands between brackets that capture nothing: the engine leaves such brackets out. */
  inner?: Piece[];
  /** Of a choice that the engine could not make shorter. */
  alternatives?: Piece[][];
}

/** A part of an expression between brackets, while its pieces are gathered. */
interface OpenGroup {
  alternatives: Piece[][];
  isCapture: boolean;
  flags: string;
}

/**
 * About how many instructions the engine needs for an expression, and rarely fewer than it really makes. The engine repeats a
 * part as often as its counts multiply to, so a short expression can take a tenth of a second to compile.
 */
export function estimatedProgramSize(source: string): number {
  const tokens = Array.from(patternTokens(source), ({ kind, text }) => ({ text, sign: kind === 'plain' ? text : '' }));
  const outer: OpenGroup[] = [];
  let group: OpenGroup = { alternatives: [[]], isCapture: false, flags: '' };
  const append = (...pieces: Piece[]): void => void group.alternatives.at(-1)?.push(...pieces);
  const takeLast = (): Piece => group.alternatives.at(-1)?.pop() ?? { size: 0 };
  const close = (): void => {
    const piece = pieceOf(group);
    group = outer.pop() ?? { ...group, alternatives: [[]] };
    append(piece);
  };
  for (let at = 0; at < tokens.length; at++) {
    const { text = '', sign = '' } = tokens[at] ?? {};
    const repeat = sign === '{' ? repeatAt(tokens, at) : undefined;
    if (sign === '(') {
      const [prefix = ''] = /^\?[\w<-]*[:>]?/.exec(signsAt(tokens, at + 1)) ?? [];
      outer.push(group);
      const isCapture = !prefix.endsWith(':');
      group = { alternatives: [[]], isCapture, flags: group.flags + (isCapture ? '' : prefix.slice(1, -1)) };
      at += prefix.length;
    } else if (sign === ')') close();
    else if (sign === '|') group.alternatives.push([]);
    else if (repeat) {
      at = repeat.end;
      append(repeated(takeLast(), repeat));
    } else if (sign !== '' && '*+?'.includes(sign)) append(repeated(takeLast(), ANY_COUNT));
    else if (/^(?:[$^]|\\[AbBzZ])$/.test(text)) append({ size: 1 });
    else {
      const name = /^\\p$/i.test(text) ? (/^(?:\{\^?\w*\}|\w)/.exec(signsAt(tokens, at + 1))?.[0] ?? '') : '';
      at += name.length;
      const characters = text.startsWith('\\Q') ? [...text.replace(/^\\Q|\\E$/g, '')] : [text + name];
      append(...characters.map((character) => ({ size: 1, text: group.flags + character })));
    }
  }
  // What was never closed is no expression; it is measured all the same.
  while (outer.length > 0) close();
  return pieceOf(group).size;
}

/** Plain signs from a place on, as one text; anything else ends it. */
function signsAt(tokens: readonly { sign: string }[], at: number): string {
  const signs = tokens.slice(at, at + LONGEST_SIGNS).map(({ sign }) => sign);
  const end = signs.indexOf('');
  return signs.slice(0, end === -1 ? undefined : end).join('');
}

function pieceOf({ alternatives, isCapture }: OpenGroup): Piece {
  const inner = factored(alternatives.flatMap(withoutBrackets));
  return isCapture ? { size: sizeOf(inner) + CAPTURE_SIZE } : { size: sizeOf(inner), inner };
}

function withoutBrackets(pieces: readonly Piece[]): Piece[][] {
  const plain = pieces.flatMap((piece) => piece.inner ?? piece);
  return (plain.length === 1 && plain[0]?.alternatives) || [plain];
}

/** A choice as the engine writes it: what neighbours begin with stands there once, and neighbours of one character are a class. */
function factored(alternatives: readonly Piece[][]): Piece[] {
  const runs: Piece[][] = [];
  for (let from = 0, to = 0; from < alternatives.length; from = to) {
    const whole = alternatives[from] ?? [];
    const begins = (pieces: readonly Piece[] | undefined, at: number) =>
      whole[at]?.text !== undefined && pieces?.[at]?.text === whole[at].text;
    const isSame = (pieces: readonly Piece[] | undefined) =>
      begins(pieces, 0) || whole.length + (pieces?.length ?? 1) === 0;
    for (to = from + 1; isSame(alternatives[to]); ) to++;
    const neighbours = alternatives.slice(from, to);
    let shared = 0;
    while (to - from > 1 && neighbours.every((pieces) => begins(pieces, shared))) shared++;
    const rests = neighbours.map((pieces) => pieces.slice(shared));
    const isDone = rests.length === 1 || rests.every(({ length }) => length === 0);
    const run = [...whole.slice(0, shared), ...(isDone ? (rests[0] ?? []) : factored(rests))];
    const before = runs.at(-1);
    if (before && isCharacter(before) && isCharacter(run)) {
      runs[runs.length - 1] = [{ size: 1, text: `${before[0]?.text}|${run[0]?.text}` }];
    } else runs.push(run);
  }
  const [only, ...others] = runs;
  if (only && others.length === 0) return only;
  // An alternative without anything is an instruction too.
  const size = runs.reduce((sum, run) => sum + Math.max(1, sizeOf(run)), others.length);
  return [{ size, alternatives: runs }];
}

function isCharacter([first, ...others]: readonly Piece[]): boolean {
  return first?.text !== undefined && first.size === 1 && others.length === 0;
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { size }) => sum + size, 0);
}

/** `*`, `+` and `?` cost the same. */
const ANY_COUNT: Pick<Repeat, 'min' | 'optional' | 'isOpen'> = { min: 1, optional: 0, isOpen: true };

interface Repeat {
  min: number;
  optional: number;
  /** A loop over its last copy. */
  isOpen: boolean;
  end: number;
}

function repeated(piece: Piece, { min, optional, isOpen }: Pick<Repeat, 'min' | 'optional' | 'isOpen'>): Piece {
  // Nothing, as often as you like, is nothing, but not to be left out.
  if (piece.size === 0) return { size: 0 };
  const size = piece.size * min + optional * (piece.size + 1) + (isOpen ? 1 : 0);
  const { text } = piece.inner?.length === 1 ? (piece.inner[0] ?? piece) : piece;
  return optional > 0 || isOpen || text === undefined ? { size } : { size, text: `${text}{${min}}` };
}

function repeatAt(tokens: readonly { sign: string }[], at: number): Repeat | undefined {
  const [found, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(signsAt(tokens, at)) ?? [];
  if (found === undefined) return undefined;
  const isOpen = comma === ',' && most === '';
  const min = isOpen ? Math.max(1, Number(least)) : Number(least);
  return { min, optional: most ? Math.max(0, Number(most) - min) : 0, isOpen, end: at + found.length - 1 };
}
