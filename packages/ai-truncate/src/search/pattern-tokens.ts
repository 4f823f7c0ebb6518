/** A part of an expression, as far as it matters here. */
export interface PatternToken {
  /** `escape`: a backslash and what it escapes. `class`: all of `[…]`. `quote`: all of `\Q…\E`. `plain`: one character. */
  kind: 'escape' | 'class' | 'quote' | 'plain';
  text: string;
}

/** Takes an expression apart by hand: a regular expression over what a model wrote could itself be made to backtrack. */
export function* patternTokens(source: string): Generator<PatternToken> {
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
): { kind: 'look-around' | 'back-reference' | 'possessive'; found: string } | undefined {
  const tokens = [...patternTokens(source)];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'escape' && /^\\[1-9k]$/.test(text)) return { kind: 'back-reference', found: text };
    if (kind !== 'plain') continue;
    const ahead = tokens
      .slice(at, at + 4)
      .map((token) => token.text)
      .join('');
    const [group] = /^\(\?(?:<?[=!]|P=|>)/.exec(ahead) ?? [];
    if (group === '(?P=') return { kind: 'back-reference', found: group };
    if (group === '(?>') return { kind: 'possessive', found: group };
    if (group) return { kind: 'look-around', found: group };
    if (/^[*+?}]\+/.test(ahead)) return { kind: 'possessive', found: ahead.slice(0, 2) };
  }
  return undefined;
}
