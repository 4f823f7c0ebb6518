import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const mostRemembered = 1_000;
const tokensOfLines = new Map<string, number>();

/** Counts line by line, because the lines of a log repeat. It is exact except for white space around the end of a line. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (const line of text.split('\n')) tokens += tokensOfLine(`${line}\n`);
  return tokens;
}

function tokensOfLine(line: string): number {
  if (line.length > mostRemembered) return countTokens(line);
  const known = tokensOfLines.get(line) ?? countTokens(line);
  tokensOfLines.set(line, known);
  return known;
}
