/** A part of an expression, as far as this file distinguishes them. */
export interface PatternToken {
  /**
   * `escape`: a backslash and the escaped character. `class`: the whole `[…]`. `quote`: the whole `\Q…\E`. `plain`: one
   * character.
   */
  kind: 'escape' | 'class' | 'quote' | 'plain';
  text: string;
}

/** In a class, a bracket at the first place is literal: `[]a]`, `[^]a]`. No token needs backtracking. */
const TOKEN =
  /(?<quote>\\Q.*?(?:\\E|$))|(?<escape>\\.?)|(?<class>\[\^?\]?(?:\[:.*?:\]|\\.|[^\]\\])*\]?)|(?<plain>.)/gsu;

/** Splits an expression of at most a few hundred characters into tokens. */
export function* patternTokens(source: string): Generator<PatternToken> {
  for (const { 0: text, groups } of source.matchAll(TOKEN)) {
    const kind = (['quote', 'escape', 'class'] as const).find((each) => groups?.[each] !== undefined) ?? 'plain';
    yield { kind, text };
  }
}

/** Whether it requires a line break. A line break as one of many characters of a class is harmless. */
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

/** The first construct that exists in other engines but not in RE2. */
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
