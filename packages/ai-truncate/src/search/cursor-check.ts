import { formatPosition, parsePosition } from '../artifacts/text-regions.ts';

/** So many characters of a line take up to 64 KB: up to there a place is compared with what is stored. */
const COMPARED_CHARACTERS = 21_845;
const CHECK_LENGTH = 6;

/**
 * What a cursor has behind its place, where the place lies so deep in a line that counting up to it would cost a read of the
 * line for each page: a sum over the artifact and the place. A cursor with a slip of the pen in it, or of another artifact, is
 * told by it, as a wrong number of a card is. It guards no secret: who may read the artifact may read all of it.
 */
export function withCheck(id: string, place: string): string {
  const position = parsePosition(place);
  if (!position || position.character - 1 <= COMPARED_CHARACTERS) return place;
  return `${place}:${checkSum(`${id}:${formatPosition(position)}`)}`;
}

/** The place alone; `undefined` where what stands behind it is not of this artifact and place. */
export function withoutCheck(id: string, checked: string): string | undefined {
  const place = checked.split(':', 3).join(':');
  return withCheck(id, place) === checked ? place : undefined;
}

/** FNV-1a, twice, so that six characters of it are as good as random. */
function checkSum(text: string): string {
  let hash = 0x811c9dc5;
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(CHECK_LENGTH, '0').slice(-CHECK_LENGTH);
}
