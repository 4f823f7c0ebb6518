/** A part of an expression, as far as it matters here. */
export interface PatternToken {
  /** `escape`: a backslash and what it escapes. `class`: all of `[…]`. `quote`: all of `\Q…\E`. `plain`: one character. */
  kind: 'escape' | 'class' | 'quote' | 'plain';
  text: string;
}

/** In a class, a bracket in the first place is literal: `[]a]`, `[^]a]`. No token needs backtracking. */
const TOKEN =
  /(?<quote>\\Q.*?(?:\\E|$))|(?<escape>\\.?)|(?<class>\[\^?\]?(?:\[:.*?:\]|\\.|[^\]\\])*\]?)|(?<plain>.)/gsu;

/** Splits an expression of at most a few hundred characters into tokens. */
export function* patternTokens(source: string): Generator<PatternToken> {
  for (const { 0: text, groups } of source.matchAll(TOKEN)) {
    const kind = (['quote', 'escape', 'class'] as const).find((each) => groups?.[each] !== undefined) ?? 'plain';
    yield { kind, text };
  }
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
  return source.replace(ESCAPE, (found: string, four?: string, braced?: string) => {
    const code = four ?? braced;
    return code === undefined ? found : `\\x{${code}}`;
  });
}

const ESCAPE = /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|.)/gis;

/** The first construct that expressions of other engines have and RE2 has not. */
export function unsupportedIn(
  source: string,
): { kind: 'lookAround' | 'backReference' | 'possessive'; found: string } | undefined {
  const signs = Array.from(patternTokens(source), ({ kind, text }) =>
    kind === 'plain' || /^\\[1-9k]$/.test(text) ? text : ' ',
  );
  const [found] = UNSUPPORTED.exec(signs.join('')) ?? [];
  if (found === undefined) return undefined;
  if (found.startsWith('\\') || found === '(?P=') return { kind: 'backReference', found };
  return { kind: found === '(?>' || found.endsWith('+') ? 'possessive' : 'lookAround', found };
}

const UNSUPPORTED = /\\[1-9k]|\(\?(?:<?[=!]|P=|>)|[*+?}]\+/;
