import type { ArtifactLine, LineWindow } from '../artifacts/artifacts.ts';
import { byteLength } from '../text/utf.ts';
import { numberParameter, type ViewRequest } from './artifact-address.ts';
import { invalidParameter } from './http-refusal.ts';
import { type HttpAnswer, jsonAnswer } from './response-headers.ts';

/**
 * The answer to `…/<name>/lines`. A line with `shownBytes` less than `bytes` is only begun; `nextLine` tells where the next
 * window starts. No lines, but their number, when `start` is behind the end.
 */
export type ArtifactLinesAnswer = LineWindow;

const DEFAULT_LINES = 200;
const MAX_LINES = 1000;
/** Of one line: more than a screen shows, little enough that hundreds of them make one answer. */
const MAX_LINE_BYTES = 4096;
/** Of the whole answer, however its text has to be escaped. */
const MAX_ANSWER_BYTES = 1_000_000;
/** For what stands around the lines. */
const FRAME_BYTES = 200;

export async function linesView({
  artifacts,
  name,
  parameters,
  signal: abortSignal,
}: ViewRequest): Promise<HttpAnswer> {
  const start = startOf(parameters);
  const expected = `a whole number from 1 to ${MAX_LINES}`;
  const count = numberParameter(parameters, { name: 'count', min: 1, max: MAX_LINES, expected }) ?? DEFAULT_LINES;
  const limits = { maxBytes: MAX_ANSWER_BYTES, maxLineBytes: MAX_LINE_BYTES };
  const window = await artifacts.readLines(name, { start, count, ...limits, abortSignal });
  const answer: ArtifactLinesAnswer = fitted(window);
  return jsonAnswer(answer);
}

function startOf(parameters: URLSearchParams): number {
  const [name, max] = ['start', Number.MAX_SAFE_INTEGER];
  const expected = 'the number of a line: 1 for the first, -1 for the last';
  const start = numberParameter(parameters, { name, min: -max, max, expected }) ?? 1;
  if (start === 0) throw invalidParameter({ name, value: '0', expected });
  return start;
}

/** As many lines as the answer has room for. One always fits: escaped, a byte takes at most six. */
function fitted(window: LineWindow): LineWindow {
  let bytes = FRAME_BYTES;
  const fits = (line: ArtifactLine): boolean => {
    bytes += byteLength(JSON.stringify(line)) + 1;
    return bytes <= MAX_ANSWER_BYTES;
  };
  const end = window.lines.findIndex((line) => !fits(line));
  if (end === -1) return window;
  const { lines, totalLines } = window;
  return { lines: lines.slice(0, end), totalLines, nextLine: lines[end]?.number ?? totalLines };
}
