import type { Artifacts } from '../artifacts/artifacts.ts';
import { positionAt, type Region, textRegions } from '../artifacts/text-regions.ts';
import { pace } from '../pace.ts';
import { codePointStart } from '../text/utf.ts';
import type { StoredPiece } from './text-window.ts';

export interface WantedCharacter {
  /** Both counted from 1. */
  line: number;
  character: number;
  abortSignal?: AbortSignal | undefined;
}

/**
 * What a line has from a character on, at least some thousand characters or up to its end; `undefined` when it has fewer.
 * Where a character is in bytes nobody knows, so the line is read up to there, in bounded memory; a cursor spares that.
 */
export async function readFromCharacter(
  artifacts: Artifacts,
  path: string,
  { line, character, abortSignal }: WantedCharacter,
): Promise<StoredPiece | undefined> {
  const byte = await startOfLine(artifacts, path, { line, abortSignal });
  if (byte === undefined) return undefined;
  const stream = await artifacts.readStream(path, { start: byte, abortSignal });
  const regions = textRegions(stream, { byte, leadBytes: 0, character: 0 });
  for await (const region of pace(regions, { abortSignal })) {
    const { text, from, to } = region;
    const index = codePointStart(text, from + character - 1 - region.character);
    const newline = text.indexOf('\n', from);
    if (newline !== -1 && index >= newline)
      return index === newline && character === 1 ? pieceAt(region, { index, line }) : undefined;
    if (index < to || (region.isLast && character === 1)) return pieceAt(region, { index, line });
  }
  return undefined;
}

function pieceAt(region: Region, { index, line }: { index: number; line: number }): StoredPiece {
  const { text, isLast } = region;
  const newline = text.indexOf('\n', index);
  const end = newline === -1 ? text.length : newline;
  const start = positionAt(region, { index, line });
  return {
    line,
    character: start.character,
    text: text.slice(index, end),
    isEnd: newline !== -1 || isLast,
    byte: start.byte,
    endByte: positionAt(region, { index: end, line }).byte,
    isLast: newline === -1 && isLast,
  };
}

/** The first starts at the first byte: that much is known without asking. */
async function startOfLine(
  artifacts: Artifacts,
  path: string,
  { line, abortSignal }: Pick<WantedCharacter, 'line' | 'abortSignal'>,
): Promise<number | undefined> {
  if (line === 1) return 0;
  const { lines } = await artifacts.readLines(path, { start: line, count: 1, maxBytes: 1, abortSignal });
  return lines[0]?.start;
}
