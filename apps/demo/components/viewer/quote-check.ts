import type { LineRange } from '../line-address';
import { shownText } from '../text-segments';
import type { ArtifactSource } from './artifact-source';

/** More lines are no evidence; what an answer of the server has room for. */
const maxLines = 200;

/** Whether words stand at lines: `unknown` where a line is too long to be looked at whole. */
export type QuoteCheck = 'there' | 'missing' | 'unknown';

/** Looks whether a quote stands at its lines. White space, colours and cut ends do not count, as they did not for the agent. */
export async function quoteCheck(
  source: Pick<ArtifactSource, 'lines'>,
  { range, quote, signal }: { range: LineRange; quote: string; signal: AbortSignal },
): Promise<QuoteCheck> {
  const count = Math.min(maxLines, range.to - range.from + 1);
  const { lines } = await source.lines({ start: range.from, count, signal });
  const text = bare(lines.map(({ text }) => text).join('\n'));
  if (text.includes(bare(quote))) return 'there';
  const isWhole =
    lines.every(({ bytes, shownBytes }) => shownBytes >= bytes) && lines.length === range.to - range.from + 1;
  return isWhole || lines.length === 0 ? 'missing' : 'unknown';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\))/g;

/** The text without terminal sequences, which agents do not read, and without white space. Other hidden characters become codes. */
function bare(text: string): string {
  return shownText(text.replace(SEQUENCE, '')).replace(/\s+/g, '');
}
