import type { QuotedLine, QuoteWording } from './quote-wordings.ts';

/**
 * An expression for a wording of a quote: white space stands for any other, a line break too, and nothing else may differ. JSON
 * may be laid out anew: there is as much white space as one likes beside its punctuation, none that was not there elsewhere.
 *
 * With `marksLines` it matches at one place only, and of each line that had a number, a group tells where it begins.
 */
export function quotePattern(
  { lines, isExact }: QuoteWording,
  { marksLines = false }: { marksLines?: boolean } = {},
): RegExp {
  if (isExact) return new RegExp(escaped(lines.map(({ text }) => text).join('\n')), 'gu');
  const json = lines.map(({ text }) => jsonTokens(text));
  const isJson = json.every((tokens) => tokens !== undefined) && lines.some(({ text }) => JSON_SIGNS.test(text));
  const parts = lines.flatMap((line, index) => partsOf(line, isJson ? json[index] : undefined));
  const source = parts.map(({ source: part, isLoose, group }, index) => {
    const previous = parts[index - 1];
    const gap = previous === undefined ? '' : isLoose || previous.isLoose ? '\\s*' : '\\s+';
    return gap + (marksLines ? group : '') + part;
  });
  return new RegExp(source.join(''), marksLines ? 'duy' : 'gu');
}

interface Part {
  source: string;
  /** White space beside it means nothing. */
  isLoose: boolean;
  group: '()' | '';
}

function partsOf({ text, number }: QuotedLine, tokens: readonly string[] | undefined): Part[] {
  const parts = tokens ?? text.split(/\s+/).filter(Boolean);
  return parts.map((part, index) => ({
    source: part.split(/\s+/).map(escaped).join('\\s+'),
    isLoose: tokens !== undefined && PUNCTUATION.test(part),
    group: number !== undefined && index === 0 ? '()' : '',
  }));
}

/** A line as tokens of JSON; nothing, if it has any other. */
function jsonTokens(line: string): string[] | undefined {
  const tokens: string[] = [];
  const text = line.trim();
  for (let at = 0; at < text.length; ) {
    JSON_TOKEN.lastIndex = at;
    const token = JSON_TOKEN.exec(text)?.[1];
    if (token === undefined) return undefined;
    tokens.push(token);
    at = JSON_TOKEN.lastIndex;
  }
  return tokens;
}

/** The last text may have lost its end. */
const JSON_TOKEN = /\s*([{}[\]:,]|"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*|true|false|null)/uy;
/** Without one of these it is two numbers, or a time of day. */
const JSON_SIGNS = /["{}[\]]/;
const PUNCTUATION = /^[{}[\]:,]$/;

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
