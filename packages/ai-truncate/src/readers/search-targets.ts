import { artifactName, isArtifactId, parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { formatPosition, parsePosition, type TextPosition } from './text-window-position.ts';

export interface SearchTargetsOptions {
  /** @default all of the scope */
  paths?: readonly string[] | undefined;
  cursor?: string | undefined;
  signal: AbortSignal;
}

/** Artifacts to search, in this order; the first from somewhere in it. */
export interface SearchTargets {
  paths: string[];
  start?: TextPosition | undefined;
}

const MAX_ARTIFACTS = 100;

/** Those that were named, each once, or the newest 100 of the scope; with a cursor those that are left. */
export async function searchTargets(artifacts: Artifacts, options: SearchTargetsOptions): Promise<SearchTargets> {
  const { paths, cursor, signal } = options;
  const all = paths === undefined ? await newest(artifacts, signal) : requirePaths(paths);
  if (cursor === undefined) return { paths: all };
  const { id, start } = parseCursor(cursor);
  const at = all.findIndex((path) => idOf(path) === id);
  if (at === -1) throw cursorError(cursor, 'of an artifact that is searched here; search again without it');
  return { paths: all.slice(at), start };
}

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
  if (id === idOf(path)) return cursor.slice(id.length + 1);
  throw cursorError(cursor, 'the cursor of an answer about this artifact, as it was given');
}

function parseCursor(cursor: string): { id: string; start: TextPosition } {
  const colon = typeof cursor === 'string' ? cursor.slice(0, 100).indexOf(':') : -1;
  const start = colon === -1 ? undefined : parsePosition(cursor.slice(colon + 1));
  if (!start) throw cursorError(cursor, 'the cursor of an answer before, as it was given');
  return { id: cursor.slice(0, colon), start };
}

function cursorError(cursor: unknown, expected: string): InvalidOptionError {
  return new InvalidOptionError({ option: 'cursor', value: cursor, expected });
}

/** The random part of a name; of what is none, nothing that an artifact could have. */
function idOf(path: string): string {
  if (isArtifactId(path)) return path;
  return parseArtifactName(artifactName(path) ?? '')?.id ?? '';
}

async function newest(artifacts: Artifacts, abortSignal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of artifacts.list({ abortSignal })) {
    paths.push(path);
    if (paths.length === MAX_ARTIFACTS) break;
  }
  return paths;
}

/** An artifact has several names: its path, the name of its file, its random part. */
function once(paths: readonly string[]): string[] {
  const byId = new Map<string, string>();
  for (const path of paths) {
    const key = idOf(path) || path;
    if (!byId.has(key)) byId.set(key, path);
  }
  return [...byId.values()];
}

function requirePaths(paths: readonly string[]): string[] {
  const isList = Array.isArray(paths) && paths.length > 0 && paths.length <= MAX_ARTIFACTS;
  if (isList && paths.every((path) => typeof path === 'string')) return once(paths);
  throw new InvalidOptionError({ option: 'paths', value: paths, expected: `a list of 1 to ${MAX_ARTIFACTS} paths` });
}
