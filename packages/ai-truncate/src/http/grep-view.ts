import type { Artifacts } from '../artifacts/artifacts.ts';
import { compileSearchPattern, type SearchPattern } from '../readers/search-pattern.ts';
import { findLineStart } from '../readers/text-window-place.ts';
import { parsePosition, type TextPosition } from '../readers/text-window-position.ts';
import { numberParameter, textParameter, wordParameter } from './address-parameters.ts';
import { placeRefusal, searchStream } from './grep-stream.ts';
import { type HttpAnswer, untransformed } from './http-answer.ts';
import { HttpRefusal } from './http-refusal.ts';
import type { ViewRequest } from './view-request.ts';

const DEFAULT_MATCHES = 500;
const MAX_MATCHES = 1000;

/**
 * Where something is: NDJSON, written while the artifact is searched. A match is sent at once, how far the search has come
 * four times a second, and at the end why it ended and where to go on.
 */
export async function grepView(view: ViewRequest): Promise<HttpAnswer> {
  const { artifacts, name, parameters, signal: abortSignal } = view;
  const pattern = patternOf(parameters);
  const from = textParameter(parameters, 'from') ?? '1';
  const place = parsePlace(from);
  const expected = `a whole number from 1 to ${MAX_MATCHES}`;
  const maxMatches =
    numberParameter(parameters, { name: 'max', min: 1, max: MAX_MATCHES, expected }) ?? DEFAULT_MATCHES;
  const { bytes: totalBytes } = await artifacts.info(name, { abortSignal });
  const start = typeof place === 'number' ? await lineStart(artifacts, name, { line: place, abortSignal }) : place;
  return {
    status: 200,
    // Proxies that gather an answer before they hand it on: nginx does.
    headers: { ...untransformed, 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' },
    body: () => searchStream(view, { pattern, start, from, maxMatches, totalBytes }),
  };
}

function patternOf(parameters: URLSearchParams): SearchPattern {
  const literal = wordParameter(parameters, { name: 'mode', words: ['literal', 'regex'] }) === 'literal';
  const ignoreCase = wordParameter(parameters, { name: 'case', words: ['sensitive', 'ignore'] }) === 'ignore';
  const compiled = compileSearchPattern(textParameter(parameters, 'q') ?? '', { literal, ignoreCase });
  if (compiled.ok) return compiled.pattern;
  throw new HttpRefusal({ status: 400, code: 'INVALID_PARAM', message: `\`q\`: ${compiled.message}` });
}

/** The number of a line, or a place that an answer gave. */
function parsePlace(from: string): number | TextPosition {
  const line = /^[1-9]\d{0,15}$/.test(from) ? Number(from) : Number.NaN;
  const place = Number.isSafeInteger(line) ? line : parsePosition(from);
  if (place === undefined) throw placeRefusal(from);
  return place;
}

async function lineStart(
  artifacts: Artifacts,
  name: string,
  wanted: { line: number; abortSignal: AbortSignal },
): Promise<TextPosition> {
  const { line } = wanted;
  if (line === 1) return { line, character: 1, byte: 0 };
  const found = await findLineStart(artifacts, name, wanted);
  if (!found) throw placeRefusal(String(line));
  return { line, character: 1, byte: found.lineStart };
}
