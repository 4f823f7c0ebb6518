import { InvalidOptionError } from '../errors.ts';
import { parsePosition } from '../windows/place.ts';
import { type ReadWindowResult, readWindow } from '../windows/read-window.ts';
import { numberParameter, textParameter, type ViewRequest } from './artifact-address.ts';
import { invalidParameter, requireText } from './http-refusal.ts';
import { type HttpAnswer, jsonAnswer } from './response-headers.ts';

/** The answer to `…/<name>/chars`: a part of one line. Its text is empty if the line, or the artifact, ends before it. */
export interface ArtifactCharsAnswer {
  /** Counted from 1. */
  line: number;
  /** The first character, counted from 1. It is one less than requested if that would split a code point. */
  start: number;
  text: string;
  /** Whether the line ends with this part. */
  isEnd: boolean;
  totalLines: number;
  /** Use it as `at` to get the next characters without reading the line from its start. Absent if the line ends. */
  next?: string;
}

const DEFAULT_CHARACTERS = 2000;
const MAX_CHARACTERS = 5000;
/** The most characters that one invisible character becomes, because it is shown by its code. */
const SHOWN_LENGTH = 10;
/** Space for the number of the line. */
const LABEL_LENGTH = 200;

export async function charsView({ artifacts, name, parameters, signal }: ViewRequest): Promise<HttpAnswer> {
  const at = textParameter(parameters, 'at');
  const chars = {
    line: numberParameter(parameters, 'line', { fallback: 1, expected: 'the number of a line, from 1' }),
    start: numberParameter(parameters, 'start', { fallback: 1, expected: 'the number of a character, from 1' }),
  };
  const count = numberParameter(parameters, 'count', { max: MAX_CHARACTERS, fallback: DEFAULT_CHARACTERS });
  try {
    const window = await readWindow(artifacts, name, {
      ...(at === undefined ? { chars } : { cursor: at }),
      limit: 1,
      maxChars: count * SHOWN_LENGTH + LABEL_LENGTH,
      maxFirstChars: count,
      abortSignal: signal,
    });
    requireText(window.kind);
    const position = at === undefined ? undefined : parsePosition(at);
    return jsonAnswer(toAnswer(window, position ? { line: position.line, start: position.character } : chars));
  } catch (error) {
    if (!InvalidOptionError.isInstance(error) || error.option !== 'cursor') throw error;
    const expected = '`next` of an earlier answer, or `at` of a match in this artifact';
    throw invalidParameter('at', { value: at, expected });
  }
}

function toAnswer(
  { pieces, totalLines, next }: ReadWindowResult,
  asked: { line: number; start: number },
): ArtifactCharsAnswer {
  const [piece] = pieces;
  if (!piece) return { ...asked, text: '', isEnd: true, totalLines };
  const { line, character: start, text, isEnd } = piece;
  return { line, start, text, isEnd, totalLines, ...(!isEnd && next !== undefined && { next }) };
}
