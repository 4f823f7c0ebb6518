import { artifactName, isArtifactId, parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { formatPosition, parsePosition, type TextPosition } from '../artifacts/text-regions.ts';
import { InvalidOptionError } from '../errors.ts';
import { withCheck, withoutCheck } from './cursor-check.ts';

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
const LONGEST_CURSOR = 100;

/** Those that were named, each once, or the newest 100 of the scope; with a cursor those that are left. */
export async function searchTargets(artifacts: Artifacts, options: SearchTargetsOptions): Promise<SearchTargets> {
  const { paths, cursor, signal } = options;
  const all = paths === undefined ? await newest(artifacts, signal) : await requirePaths(artifacts, { paths, signal });
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
  const id = idOf(path);
  return `${id}:${withCheck(id, place)}`;
}

/** The place alone, of a cursor of this artifact; without an artifact it is one of any. */
export function placeOf(path: string, cursor: string): string {
  const id = /^[^:]{16}(?=:)/.exec(cursor)?.[0];
  const isHere = id === undefined || id === idOf(path);
  const checked = id === undefined ? cursor : cursor.slice(id.length + 1);
  const place = isHere ? withoutCheck(idOf(path), checked.slice(0, LONGEST_CURSOR)) : undefined;
  if (place !== undefined) return place;
  throw cursorError(cursor, 'the cursor of an answer about this artifact, as it was given');
}

function parseCursor(cursor: string): { id: string; start: TextPosition } {
  const colon = typeof cursor === 'string' ? cursor.slice(0, LONGEST_CURSOR).indexOf(':') : -1;
  const id = colon === -1 ? '' : cursor.slice(0, colon);
  const start = colon === -1 ? undefined : parsePosition(withoutCheck(id, cursor.slice(colon + 1, LONGEST_CURSOR)));
  if (!start) throw cursorError(cursor, 'the cursor of an answer before, as it was given');
  return { id, start };
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

/**
 * An artifact has several names: its path, the name of its file, its random part. Where some of one list have the same random
 * part, what they lead to is looked up: files of one name in two folders are two.
 */
async function once(
  artifacts: Artifacts,
  { paths, signal }: { paths: readonly string[]; signal: AbortSignal },
): Promise<string[]> {
  const groups = new Map<string, string[]>();
  for (const path of new Set(paths)) {
    const key = idOf(path) || path;
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  const distinct: string[] = [];
  for (const names of groups.values()) distinct.push(...(await differentOnes(artifacts, { names, signal })));
  return distinct;
}

/** What is there comes first: a cursor, which has no folder, is one of it. */
async function differentOnes(
  artifacts: Artifacts,
  { names, signal: abortSignal }: { names: readonly string[]; signal: AbortSignal },
): Promise<string[]> {
  if (names.length < 2) return [...names];
  const found = new Map<string, string>();
  const others: string[] = [];
  for (const name of names) {
    try {
      const { path } = await artifacts.info(name, { abortSignal });
      if (!found.has(path)) found.set(path, name);
    } catch {
      abortSignal.throwIfAborted();
      // The search of it says why.
      others.push(name);
    }
  }
  return [...found.values(), ...others];
}

async function requirePaths(
  artifacts: Artifacts,
  { paths, signal }: { paths: readonly string[]; signal: AbortSignal },
): Promise<string[]> {
  const isList = Array.isArray(paths) && paths.length > 0 && paths.length <= MAX_ARTIFACTS;
  if (isList && paths.every((path) => typeof path === 'string')) return once(artifacts, { paths, signal });
  throw new InvalidOptionError({ option: 'paths', value: paths, expected: `a list of 1 to ${MAX_ARTIFACTS} paths` });
}
