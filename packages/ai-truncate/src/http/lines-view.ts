import type { LineWindow } from '../artifacts/artifacts.ts';
import { numberParameter, type ViewRequest } from './artifact-address.ts';
import { invalidParameter } from './http-refusal.ts';
import { type HttpAnswer, jsonAnswer } from './response-headers.ts';

/**
 * The answer to `…/<name>/lines`. A line is cut if `shownBytes` is less than `bytes`. `nextLine` is the start of the next
 * window. If `start` is past the end, there are no lines, only their number.
 */
export type ArtifactLinesAnswer = LineWindow;

const DEFAULT_LINES = 200;
const MAX_LINES = 1000;
/** The limit for one line: more than a screen shows, but small enough for hundreds of lines in one answer. */
const MAX_LINE_BYTES = 4096;
/** The limit for all lines of one answer. Escaping makes a byte at most six bytes, so the answer stays below a megabyte. */
const MAX_BYTES = 150_000;

export async function linesView({ artifacts, name, parameters, signal }: ViewRequest): Promise<HttpAnswer> {
  const count = numberParameter(parameters, 'count', { max: MAX_LINES, fallback: DEFAULT_LINES });
  const expected = 'the number of a line: 1 for the first, -1 for the last';
  const start = numberParameter(parameters, 'start', { min: -Number.MAX_SAFE_INTEGER, fallback: 1, expected });
  if (start === 0) throw invalidParameter('start', { value: '0', expected });
  const limits = { maxBytes: MAX_BYTES, maxLineBytes: MAX_LINE_BYTES };
  const answer: ArtifactLinesAnswer = await artifacts.readLines(name, { start, count, ...limits, abortSignal: signal });
  return jsonAnswer(answer);
}
