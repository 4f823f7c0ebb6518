import type { Artifacts } from '../artifacts/artifacts.ts';
import { parsePosition, type TextPosition } from '../artifacts/text-regions.ts';
import { textParameter } from './address-parameters.ts';
import { type HttpRefusal, invalidParameter } from './http-refusal.ts';
import { httpWords } from './http-words.ts';

/** Where a search begins, as the client wrote it: `from` it goes on, `before` it goes back. */
export interface GrepPlace {
  parameter: 'from' | 'before';
  value: string;
}

/** From the first line on, unless the address says otherwise. */
export function grepPlaceOf(parameters: URLSearchParams): GrepPlace {
  const [from, before] = [textParameter(parameters, 'from'), textParameter(parameters, 'before')];
  if (before === undefined) return { parameter: 'from', value: from ?? '1' };
  if (from === undefined) return { parameter: 'before', value: before };
  throw invalidParameter({ name: 'before', value: before, expected: httpWords.oneDirection });
}

/** Where in the artifact that is: the number of a line, or a place that an answer gave. */
export async function positionOf(
  place: GrepPlace,
  artifact: { artifacts: Artifacts; name: string; totalBytes: number; abortSignal: AbortSignal },
): Promise<TextPosition> {
  const { parameter, value } = place;
  const line = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(line)) return (await startOfLine(line, { ...artifact, parameter })) ?? refuse(place);
  const position = parsePosition(value);
  // A search forwards looks at its place itself.
  if (position && (parameter === 'from' || (await isInItsLine(position, artifact)))) return position;
  return refuse(place);
}

interface Looked {
  artifacts: Artifacts;
  name: string;
  abortSignal: AbortSignal;
}

/** Before the line behind the last one stands all. */
async function startOfLine(
  line: number,
  looked: Looked & { totalBytes: number; parameter: GrepPlace['parameter'] },
): Promise<TextPosition | undefined> {
  if (line === 1) return { line, character: 1, byte: 0 };
  const { found, totalLines } = await lookAt(line, looked);
  if (found) return { line, character: 1, byte: found.start };
  const isEnd = looked.parameter === 'before' && line === totalLines + 1;
  return isEnd ? { line, character: 1, byte: looked.totalBytes } : undefined;
}

async function isInItsLine({ line, character, byte }: TextPosition, looked: Looked): Promise<boolean> {
  const { found } = await lookAt(line, looked);
  if (!found) return false;
  const size = byte - found.start;
  return size >= character - 1 && size <= found.bytes;
}

async function lookAt(line: number, { artifacts, name, abortSignal }: Looked) {
  const { lines, totalLines } = await artifacts.readLines(name, { start: line, count: 1, maxBytes: 1, abortSignal });
  return { found: lines[0], totalLines };
}

function refuse(place: GrepPlace): never {
  throw grepPlaceRefusal(place);
}

/** A line that is not there, or a place of something else. */
export function grepPlaceRefusal({ parameter: name, value }: GrepPlace): HttpRefusal {
  const expected = 'the number of a line of this artifact, or `next` of a search in it';
  return invalidParameter({ name, value, expected });
}
