/** Texts that are looked for without the engine of expressions, in time that hardly depends on what they are. */
export interface SearchLiterals {
  /** None holds a line break of any kind. */
  texts: readonly string[];
  ignoreCase: boolean;
}

const MAX_LENGTH = 100;
const MAX_TEXTS = 8;
/** Of these, both engines hold the same to be the same letter, whatever version of Unicode they know. */
const ASCII = /^[ -~]*$/;

/** Whether they can be: looking for a text takes time in proportion to its length too, if it is made for that. */
export function areSearchLiterals({ texts, ignoreCase }: SearchLiterals): boolean {
  const all = texts.join('');
  if (all.length > MAX_LENGTH || texts.length > MAX_TEXTS || texts.includes('') || /[\r\n]/.test(all)) return false;
  return !ignoreCase || ASCII.test(all);
}

/** Where the next of them is, at or behind an index that never goes back; infinite when there is none. */
export function createLiteralFinder(text: string, { texts, ignoreCase }: SearchLiterals): (from: number) => number {
  const finders = ignoreCase
    ? [anyCaseFinder(text, texts)]
    : texts.map((each) => (from: number) => text.indexOf(each, from));
  const places = finders.map(() => -1);
  return (from) => {
    for (const [at, find] of finders.entries()) {
      if ((places[at] ?? 0) >= from) continue;
      const found = find(from);
      places[at] = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return Math.min(...places);
  };
}

/** Where the first of them at or behind `from` starts and ends. */
export function findLiteral(
  text: string,
  { literals: { texts, ignoreCase }, from }: { literals: SearchLiterals; from: number },
): { start: number; end: number } | undefined {
  if (ignoreCase) {
    const expression = anyCase(texts);
    expression.lastIndex = from;
    const match = expression.exec(text);
    return match ? { start: match.index, end: match.index + match[0].length } : undefined;
  }
  const found = texts
    .map((each) => ({ start: text.indexOf(each, from), length: each.length }))
    .filter(({ start }) => start !== -1)
    .sort((one, other) => one.start - other.start);
  const [first] = found;
  return first && { start: first.start, end: first.start + first.length };
}

function anyCaseFinder(text: string, texts: readonly string[]): (from: number) => number {
  const expression = anyCase(texts);
  return (from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? -1;
  };
}

/** For the engine of JavaScript, which is safe with a mere choice of texts: there is nothing to go back for. */
function anyCase(texts: readonly string[]): RegExp {
  return new RegExp(texts.map((each) => each.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|'), 'giu');
}
