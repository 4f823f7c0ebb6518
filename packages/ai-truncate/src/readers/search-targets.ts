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
  return `${idOf(path)}:${formatPosition(position)}`;
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

function requirePaths(paths: readonly string[]): string[] {
  const isList = Array.isArray(paths) && paths.length > 0 && paths.length <= MAX_ARTIFACTS;
  if (isList && paths.every((path) => typeof path === 'string')) return [...new Set(paths)];
  throw new InvalidOptionError({ option: 'paths', value: paths, expected: `a list of 1 to ${MAX_ARTIFACTS} paths` });
}
