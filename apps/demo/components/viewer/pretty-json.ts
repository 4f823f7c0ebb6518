/** A text above this is not laid out: nobody reads it whole, and it would be many times as long. */
export const maxPrettyBytes = 1024 * 1024;
const maxPrettyCharacters = 4 * 1024 * 1024;
/** Deeper levels are not indented further: of a million brackets, spaces would make a trillion. */
const maxIndent = 40;

/**
 * JSON with a line for each value, or undefined when it is not JSON. It is laid out as it was written: no number loses a digit,
 * no key that stands twice disappears.
 */
export function prettyJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  const pieces: string[] = [];
  let length = 0;
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(Math.min(depth, maxIndent))}`;
  let before = '';
  // Valid JSON closes its strings. The last quote is optional so that the pattern takes linear time on any text.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth--;
    const isEmpty = isEnd && (before === '{' || before === '[');
    const lead =
      (isEnd && !isEmpty) || ((before === '{' || before === '[' || before === ',') && !isEnd) ? newLine() : '';
    const piece = `${lead}${token === ':' ? ': ' : token}`;
    if (token === '{' || token === '[') depth++;
    pieces.push(piece);
    length += piece.length;
    if (length > maxPrettyCharacters) return `${pieces.join('')}\n…`;
    before = token;
  }
  return pieces.join('');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Whatever it is, it is shown as the text that it is.
    return false;
  }
}
