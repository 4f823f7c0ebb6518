import { InvalidOptionError } from '../errors.ts';
import { parsePosition } from '../windows/place.ts';
import { type ReadWindowResult, readWindow } from '../windows/read-window.ts';
import { isReadable } from '../windows/text-regions.ts';
import { numberParameter, textParameter, type ViewRequest } from './artifact-address.ts';
import { type HttpRefusal, invalidParameter, notText } from './http-refusal.ts';
import { type HttpAnswer, jsonAnswer } from './response-headers.ts';

/** The answer to `…/<name>/chars`: a part of one line. Its text is empty when the line, or the artifact, has no such place. */
export interface ArtifactCharsAnswer {
  /** Counted from 1. */
  line: number;
  /** The first character, counted from 1: one less than asked for when that would split a code point. */
  start: number;
  text: string;
  /** Whether the line ends with it. */
  isEnd: boolean;
  totalLines: number;
  /** As `at`, the characters behind it, without looking for them anew; absent when the line ends. */
  next?: string;
}

const DEFAULT_CHARACTERS = 2000;
const MAX_CHARACTERS = 5000;
/** What a character takes at most when it is shown by its code. */
const SHOWN_LENGTH = 10;
/** For the number of the line. */
const LABEL_LENGTH = 200;

export async function charsView({ artifacts, name, parameters, signal }: ViewRequest): Promise<HttpAnswer> {
  const at = textParameter(parameters, 'at');
  const place = at === undefined ? namedPlace(parameters) : cursorPlace(at);
  const expected = `a whole number from 1 to ${MAX_CHARACTERS}`;
  const count =
    numberParameter(parameters, { name: 'count', min: 1, max: MAX_CHARACTERS, expected }) ?? DEFAULT_CHARACTERS;
  const { line, start } = place;
  try {
    const window = await readWindow(artifacts, name, {
      ...(at === undefined ? { chars: { line, start } } : { cursor: at }),
      limit: 1,
      maxChars: count * SHOWN_LENGTH + LABEL_LENGTH,
      maxFirstChars: count,
      abortSignal: signal,
    });
    return jsonAnswer(toAnswer(window, place));
  } catch (error) {
    if (InvalidOptionError.isInstance(error) && error.option === 'cursor') throw placeRefusal(at);
    throw error;
  }
}

interface Place {
  line: number;
  start: number;
}

function namedPlace(parameters: URLSearchParams): Place {
  const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER };
  const line = numberParameter(parameters, { ...bounds, name: 'line', expected: 'the number of a line, from 1' });
  const start = numberParameter(parameters, {
    ...bounds,
    name: 'start',
    expected: 'the number of a character, from 1',
  });
  return { line: line ?? 1, start: start ?? 1 };
}

function cursorPlace(at: string): Place {
  const position = parsePosition(at);
  if (!position) throw placeRefusal(at);
  return { line: position.line, start: position.character };
}

function placeRefusal(value: unknown): HttpRefusal {
  const expected = '`next` of an answer before, or `at` of a match of this artifact';
  return invalidParameter({ name: 'at', value, expected });
}

function toAnswer({ pieces, totalLines, next, kind }: ReadWindowResult, { line, start }: Place): ArtifactCharsAnswer {
  if (!isReadable(kind)) throw notText(kind);
  const [piece] = pieces;
  if (!piece) return { line, start, text: '', isEnd: true, totalLines };
  const { character, text, isEnd } = piece;
  return { line, start: character, text, isEnd, totalLines, ...(!isEnd && next !== undefined && { next }) };
}
