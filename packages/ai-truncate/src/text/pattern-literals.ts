import { type PatternToken, patternTokens } from './pattern-syntax.ts';

// The texts in an expression. V8 finds a choice of texts ten times as fast as RE2JS runs an expression, and safely: without
// repeats, there is nothing to go back for.

/** Texts that are found without the engine for expressions, in time that hardly depends on the texts. */
export interface SearchLiterals {
  texts: readonly string[];
  /** The first of the texts at `from` or after it. */
  find(text: string, from: number): { start: number; end: number } | undefined;
  /** The end of that text; -1 if there is none. It is three times as fast, because V8 creates no object for it. */
  findEnd(text: string, from: number): number;
  isIn(text: string): boolean;
}

export interface LiteralOptions {
  ignoreCase: boolean;
}

/** The texts in an expression, as far as they are known. */
export interface PatternLiterals {
  /** A match is one of these texts, and nothing else is a match. */
  exact?: SearchLiterals;
  /** Each match contains one of these texts. */
  required?: SearchLiterals;
}

/** The total length of the texts is limited, because hostile text makes V8 compare every one at each character. */
const MAX_LITERAL_CHARS = 100;
const MAX_LITERALS = 8;
/** V8 and RE2JS agree about upper and lower case in ASCII, whatever version of Unicode they know. */
const ASCII = /^[ -~]*$/;
const UNFIT = /[\r\n]|\p{Surrogate}/u;
const WORD_BORDER = '\\b';

/** One text without changes. `undefined` if only the engine for expressions can find it. */
export function literalsOfText(text: string, { ignoreCase }: LiteralOptions): SearchLiterals | undefined {
  return ignoreCase && !ASCII.test(text) ? undefined : searchLiterals([text], { ignoreCase });
}

/** The texts in an expression. An expression with any sign that is not understood has no known texts. */
export function literalsOfPattern(source: string, options: LiteralOptions): PatternLiterals {
  const tokens = [...patternTokens(source)];
  const isAtWord = (token: PatternToken | undefined): boolean => token?.text === WORD_BORDER;
  const inner = tokens.slice(isAtWord(tokens[0]) ? 1 : 0, isAtWord(tokens.at(-1)) ? -1 : undefined);
  const parsed = parse(inner, options);
  if (!parsed) return {};
  // In `\bfoo|bar\b` each border belongs to one alternative only.
  const isBordered = inner.length < tokens.length;
  const exact =
    parsed.texts && !(isBordered && parsed.isChoice)
      ? searchLiterals(parsed.texts, {
          ...options,
          before: isAtWord(tokens[0]) ? WORD_BORDER : '',
          after: isAtWord(tokens.at(-1)) ? WORD_BORDER : '',
        })
      : undefined;
  const required = exact ?? searchLiterals(parsed.texts ?? parsed.required ?? [], options);
  return { ...(exact && { exact }), ...(required && { required }) };
}

interface BorderedOptions extends LiteralOptions {
  before?: string;
  after?: string;
}

function searchLiterals(
  texts: readonly string[],
  { ignoreCase, before = '', after = '' }: BorderedOptions,
): SearchLiterals | undefined {
  if (!isFew(texts) || shortest(texts) === 0 || UNFIT.test(texts.join(''))) return undefined;
  const choice = texts.map((text) => Array.from(text, (sign) => signSource(sign, ignoreCase)).join('')).join('|');
  // The flag `i` would disagree with RE2 about two letters, and with the flag `u` about `\b`.
  const expression = new RegExp(`${before}(?:${choice})${after}`, 'g');
  return {
    texts,
    find(text, from) {
      expression.lastIndex = from;
      const match = expression.exec(text);
      return match ? { start: match.index, end: match.index + match[0].length } : undefined;
    },
    findEnd(text, from) {
      expression.lastIndex = from;
      return expression.test(text) ? expression.lastIndex : -1;
    },
    isIn(text) {
      expression.lastIndex = 0;
      return expression.test(text);
    },
  };
}

function isFew(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.length <= MAX_LITERALS && texts.join('').length <= MAX_LITERAL_CHARS;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}

/** The letters whose other case is ASCII: the sign for kelvin, and the long s. */
const ODD_CASES: Record<string, string> = { k: '\\u212a', s: '\\u017f' };

function signSource(sign: string, ignoreCase: boolean): string {
  const lower = sign.toLowerCase();
  if (ignoreCase && /[a-z]/.test(lower)) return `[${lower}${lower.toUpperCase()}${ODD_CASES[lower] ?? ''}]`;
  return sign.replace(/[$()*+\-./?[\\\]^{|}]/, '\\$&');
}

/** A part of an expression. */
interface Part {
  /** The part stands for any of these texts, in order of preference, and for nothing else. */
  texts?: string[] | undefined;
  /** Each match of the part contains one of these texts. */
  required?: string[] | undefined;
  /** The part matches no character, like `^`. */
  isPlace?: true;
  isChoice?: true;
}

interface Repeat {
  isOptional: boolean;
  /** For `?`, the texts with and without the part, in order of preference. */
  once?: (texts: string[]) => string[];
}

/** `undefined` for an expression that is wrong, or has a sign that this parser does not know. */
function parse(tokens: readonly PatternToken[], { ignoreCase }: LiteralOptions): Part | undefined {
  let at = 0;
  let isKnown = true;
  const part = choice();
  return isKnown && at === tokens.length ? part : undefined;

  function sign(): string {
    const token = tokens[at];
    return token?.kind === 'plain' ? token.text : '';
  }

  function giveUp(): Part {
    isKnown = false;
    at = tokens.length;
    return {};
  }

  function choice(): Part {
    const parts = [sequence()];
    while (sign() === '|') {
      at++;
      parts.push(sequence());
    }
    const [first = {}] = parts;
    if (parts.length === 1) return first;
    const texts = parts.map((each) => each.texts);
    const required = parts.map((each) => each.texts ?? each.required);
    return { texts: union(texts), required: union(required), isChoice: true };
  }

  function sequence(): Part {
    let run = [''];
    let isExact = true;
    let required: string[] | undefined;
    const cut = (next = ['']): void => {
      required = better(required, run);
      run = next;
      isExact = false;
    };
    while (at < tokens.length && sign() !== '|' && sign() !== ')') {
      const { texts, required: inner, isPlace } = one();
      const repeat = repetition();
      if (isPlace) {
        if (repeat) return giveUp();
        isExact = false;
        continue;
      }
      const joined = texts && product(run, repeat?.once?.(texts) ?? texts);
      if (joined && (!repeat || repeat.once)) run = joined;
      else if (repeat?.isOptional) cut();
      else if (joined) {
        run = joined;
        cut(texts);
      } else {
        cut();
        required = better(required, texts ?? inner);
      }
    }
    return isExact ? { texts: run } : { required: better(required, run) };
  }

  function one(): Part {
    const token = tokens[at++];
    if (!token) return giveUp();
    const { kind, text } = token;
    if (kind === 'plain' && text === '(') return group();
    const literal = literalOf(token);
    if (literal !== undefined) return ignoreCase && !ASCII.test(literal) ? {} : { texts: [literal] };
    if (kind === 'plain' && '^$'.includes(text)) return { isPlace: true };
    if (kind === 'plain' && text === '.') return {};
    if (/^\\[AbBz]$/.test(text)) return { isPlace: true };
    if (/^\\[dDwWsS]$/.test(text)) return {};
    const [, few] = FEW_SIGNS.exec(text) ?? [];
    if (kind === 'class') return few === undefined ? {} : { texts: [...few] };
    return giveUp();
  }

  function group(): Part {
    if (sign() === '?') {
      at++;
      if (sign() !== ':') return giveUp();
      at++;
    }
    const inner = choice();
    if (sign() !== ')') return giveUp();
    at++;
    return inner;
  }

  function repetition(): Repeat | undefined {
    let repeat: Repeat | undefined;
    const first = sign();
    if (first !== '' && '*+?'.includes(first)) {
      at++;
      repeat = { isOptional: first !== '+' };
    } else if (first === '{') {
      const end = tokens.findIndex(({ text }, index) => index > at && text === '}');
      const counts = tokens.slice(at, end + 1).map(({ text }) => text);
      const [, least] = COUNTS.exec(counts.join('')) ?? [];
      if (least === undefined) {
        giveUp();
        return undefined;
      }
      at = end + 1;
      repeat = { isOptional: Number(least) === 0 };
    } else return undefined;
    const isLazy = sign() === '?';
    if (isLazy) at++;
    if (first === '?') repeat.once = (texts) => (isLazy ? ['', ...texts] : [...texts, '']);
    // RE2 refuses a repeat of a repeat.
    if (sign() !== '' && '*+?{'.includes(sign())) giveUp();
    return repeat;
  }
}

/** A class of a few letters, like `[Ee]`, is a choice of texts. */
const FEW_SIGNS = /^\[([\w ]{1,4})\]$/;
const COUNTS = /^\{(\d+)(?:,\d*)?\}$/;
const SPECIAL = '^$.|?*+()[]{}';

/** Signs of ASCII stand for themselves after a backslash; `\d`, `\b` and the like do not. */
function literalOf({ kind, text }: PatternToken): string | undefined {
  if (kind === 'plain') return SPECIAL.includes(text) ? undefined : text;
  return kind === 'escape' && /^\\[!-/:-@[-`{-~]$/.test(text) ? text.slice(1) : undefined;
}

function union(sets: readonly (string[] | undefined)[]): string[] | undefined {
  const all: string[] = [];
  for (const set of sets) {
    if (!set) return undefined;
    all.push(...set);
  }
  return isFew(all) ? all : undefined;
}

/** Each text of the one set with each of the other after it. `undefined` if that is too many. */
function product(first: readonly string[], second: readonly string[]): string[] | undefined {
  if (first.length * second.length > MAX_LITERALS) return undefined;
  const all = first.flatMap((start) => second.map((end) => start + end));
  return isFew(all) ? all : undefined;
}

/** The set that fewer lines contain, as far as lengths and numbers tell. */
function better(one: string[] | undefined, other: string[] | undefined): string[] | undefined {
  if (!other || shortest(other) === 0) return one;
  if (!one) return other;
  const difference = shortest(other) - shortest(one) || one.length - other.length;
  return difference > 0 ? other : one;
}
