import { compileInTurn, type SearchPattern } from '../search/pattern.ts';
import { numberParameter, textParameter, wordParameter } from './address-parameters.ts';
import { grepPlaceOf, positionOf } from './grep-place.ts';
import { searchStream } from './grep-stream.ts';
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
  const pattern = await patternOf(parameters);
  const place = grepPlaceOf(parameters);
  const expected = `a whole number from 1 to ${MAX_MATCHES}`;
  const maxMatches =
    numberParameter(parameters, { name: 'max', min: 1, max: MAX_MATCHES, expected }) ?? DEFAULT_MATCHES;
  const { bytes: totalBytes } = await artifacts.info(name, { abortSignal });
  const start = await positionOf(place, { artifacts, name, totalBytes, abortSignal });
  return {
    status: 200,
    // Proxies that gather an answer before they hand it on: nginx does.
    headers: { ...untransformed, 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' },
    body: () => searchStream(view, { pattern, start, place, maxMatches, totalBytes }),
  };
}

async function patternOf(parameters: URLSearchParams): Promise<SearchPattern> {
  const literal = wordParameter(parameters, { name: 'mode', words: ['literal', 'regex'] }) === 'literal';
  const ignoreCase = wordParameter(parameters, { name: 'case', words: ['sensitive', 'ignore'] }) === 'ignore';
  const compiled = await compileInTurn(textParameter(parameters, 'q') ?? '', { literal, ignoreCase });
  if (compiled.ok) return compiled.pattern;
  throw new HttpRefusal({ status: 400, code: 'INVALID_PARAM', message: `\`q\`: ${compiled.message}` });
}
