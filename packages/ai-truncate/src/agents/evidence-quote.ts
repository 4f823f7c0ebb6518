import { visibleText } from '../truncation/visible-text.ts';

/** Where a quote lies in some lines: their indexes. */
export interface QuotePlace {
  first: number;
  last: number;
}

/** The ways in which a quote may stand for what it quotes: word for word, then as a reader shows it and without white space. */
const FORMS: readonly { of: (text: string) => string; separator: string }[] = [
  { of: (text) => text.replace(/\r$/, ''), separator: '\n' },
  { of: (text) => withoutSpace(visibleText(text)), separator: '' },
];

/** Where a quote stands in these lines; with several places, at the one nearest to the line that was named. */
export function placeOfQuote(
  lines: readonly string[],
  { quote, near }: { quote: string; near: number },
): QuotePlace | undefined {
  for (const form of FORMS) {
    const texts = lines.map(form.of);
    for (const wording of wordings(quote)) {
      const wanted = wording.map(form.of).join(form.separator);
      if (wanted === '') continue;
      const place = nearestPlace(texts, { wanted, separator: form.separator, near });
      if (place) return place;
    }
  }
  return undefined;
}

/** The quote as it is, and without what a reader puts in front of a line: its number, or the number of a match. */
export function wordings(quote: string): string[][] {
  const lines = quote.trim().split('\n');
  const bare = lines.map((line) => line.replace(LINE_NUMBER, ''));
  return bare.every((line, index) => line === lines[index]) ? [lines] : [lines, bare];
}

const LINE_NUMBER = /^\s*\d{1,15}(?::\d{1,15})?(?: \(cursor [^)\s]{1,80}\))?: ?/;

/** Letters of the quote, in whatever layout. */
export function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The beginning of a text, exactly: with an ellipsis it would not be a quote. Never half a surrogate pair. */
export function beginningOfText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

function nearestPlace(
  texts: readonly string[],
  { wanted, separator, near }: { wanted: string; separator: string; near: number },
): QuotePlace | undefined {
  const starts: number[] = [];
  let length = 0;
  for (const text of texts) {
    starts.push(length);
    length += text.length + separator.length;
  }
  const all = texts.join(separator);
  let best: QuotePlace | undefined;
  for (let at = all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + wanted.length)) {
    const first = lineAt(starts, at);
    if (best && Math.abs(best.first - near) <= Math.abs(first - near)) break;
    best = { first, last: lineAt(starts, at + wanted.length - 1) };
  }
  return best;
}

/** The last line that starts at or before a place. Of lines that have become empty, none has any of the quote. */
function lineAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
