import { artifactName, isArtifactId, parseArtifactName } from '../artifacts/artifact-name.ts';
import { formatPosition, parsePosition, type TextPosition } from '../artifacts/text-regions.ts';
import { InvalidOptionError } from '../errors.ts';

const LONGEST_CURSOR = 100;

/** Where a search goes on, for a model to give back. */
export function formatCursor(path: string, position: TextPosition): string {
  return withId(path, formatPosition(position));
}

/** A place, and of which artifact it is one. */
export function withId(path: string, place: string): string {
  return `${idOf(path)}:${place}`;
}

/** The place alone, of a cursor of this artifact; without an artifact it is one of any. */
export function placeOf(path: string, cursor: string): string {
  const id = /^[^:]{16}(?=:)/.exec(cursor)?.[0];
  if (id === undefined) return cursor;
  if (id === idOf(path)) return cursor.slice(id.length + 1, LONGEST_CURSOR);
  throw cursorError(cursor, 'the cursor of an answer about this artifact, as it was given');
}

/** Of which artifact a cursor is, and the place in it. */
export function parseCursor(cursor: string): { id: string; start: TextPosition } {
  const colon = typeof cursor === 'string' ? cursor.slice(0, LONGEST_CURSOR).indexOf(':') : -1;
  const id = colon === -1 ? '' : cursor.slice(0, colon);
  const start = colon === -1 ? undefined : parsePosition(cursor.slice(colon + 1, LONGEST_CURSOR));
  if (!start) throw cursorError(cursor, 'the cursor of an answer before, as it was given');
  return { id, start };
}

export function cursorError(cursor: unknown, expected: string): InvalidOptionError {
  return new InvalidOptionError({ option: 'cursor', value: cursor, expected });
}

/** The random part of a name; of what is none, nothing that an artifact could have. */
export function idOf(path: string): string {
  if (isArtifactId(path)) return path;
  return parseArtifactName(artifactName(path) ?? '')?.id ?? '';
}
