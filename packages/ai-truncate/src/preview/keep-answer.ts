import { withTimeout } from '../deadlines.ts';
import type { TextScan } from '../text/text-scan.ts';
import type { KeepFunction, MarkedLine } from './limits.ts';
import type { CutLimits } from './truncate-text.ts';

/** The call whose output is previewed. */
export interface KeepCall {
  /** The room for the preview alone. */
  room: CutLimits;
  toolName: string;
  input: unknown;
  question?: (() => string | undefined) | undefined;
  abortSignal?: AbortSignal | undefined;
}

/** Enough time for a function that asks a model. */
const KEEP_TIMEOUT_MS = 30_000;

/** The important lines, without repetitions, in the order of the output. */
function markedLinesOf({ focused, salientLines, patterns }: TextScan): MarkedLine[] {
  const marked = new Map<number, MarkedLine>();
  const add = (mark: MarkedLine['mark'], lines: readonly { line: number; text: string }[]) => {
    for (const { line, text } of lines) if (!marked.has(line)) marked.set(line, { line, text, mark });
  };
  add('focused', focused);
  add('salient', salientLines);
  add('rare', patterns.rareLines);
  return [...marked.values()].sort((one, other) => one.line - other.line);
}

/** The preview that a `keep` function returns; `undefined` if it returns none. */
export async function answerOf(
  keep: KeepFunction,
  scan: TextScan,
  { room, toolName, input, question: ask, abortSignal }: KeepCall,
): Promise<string | undefined> {
  const { head, tail, lines, bytes, chars } = scan;
  const marked = markedLinesOf(scan);
  const question = ask?.();
  // The preview is usually in the same script as the output, so this many bytes fit into `maxChars`.
  const { maxChars = Number.POSITIVE_INFINITY } = room;
  const maxBytes = Math.min(room.maxBytes, Math.ceil((maxChars * bytes) / chars));
  const about = { toolName, input, ...(question !== undefined && { question }) };
  const work = () => keep({ head, tail, lines, bytes, chars, ...about, marked, maxBytes, abortSignal });
  const answer: unknown = await withTimeout(KEEP_TIMEOUT_MS, { work, abortSignal, what: '`keep`' });
  if (answer === undefined || typeof answer === 'string') return answer;
  throw new TypeError('`keep` returned something other than a string');
}
