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

/** The same, if they can be looked for so: that takes time in proportion to the length of a text, if it is made for that. */
export function searchLiterals(literals: SearchLiterals): SearchLiterals | undefined {
  const { texts, ignoreCase } = literals;
  const all = texts.join('');
  const isUnfit = all.length > MAX_LENGTH || texts.length > MAX_TEXTS || texts.includes('') || /[\r\n]/.test(all);
  return isUnfit || (ignoreCase && !ASCII.test(all)) ? undefined : literals;
}

/** Where the next of them is, at or behind an index that never goes back; infinite when there is none. */
export function createLiteralFinder(text: string, literals: SearchLiterals): (from: number) => number {
  const finders = literals.ignoreCase
    ? [expressionFinder(text, literals)]
    : literals.texts.map((each) => (from: number) => text.indexOf(each, from));
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

function expressionFinder(text: string, literals: SearchLiterals): (from: number) => number {
  const expression = expressionOf(literals);
  return (from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? -1;
  };
}

/** Whether a text has one of them. */
export function literalTester(literals: SearchLiterals): (text: string) => boolean {
  if (!literals.ignoreCase) return (text) => literals.texts.some((each) => text.includes(each));
  const expression = expressionOf(literals);
  return (text) => text.search(expression) !== -1;
}

/** Where the first of them at or behind `from` starts and ends. */
export function findLiteral(
  text: string,
  { literals, from }: { literals: SearchLiterals; from: number },
): { start: number; end: number } | undefined {
  const expression = expressionOf(literals);
  expression.lastIndex = from;
  const match = expression.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

/** For the engine of JavaScript, which is safe with a mere choice of texts: there is nothing to go back for. */
function expressionOf({ texts, ignoreCase }: SearchLiterals): RegExp {
  const choice = texts.map((each) => each.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|');
  return new RegExp(choice, ignoreCase ? 'giu' : 'g');
}
