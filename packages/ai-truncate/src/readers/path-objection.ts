import { artifactName, isArtifactId } from '../artifacts/artifact-name.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import type { ToolErrorCode } from '../protocol/tool-response.ts';
import { readerErrors } from './reader-words.ts';

/** Why a path that a model gave names no artifact. */
export interface PathObjection {
  code: ToolErrorCode;
  message: string;
}

const MAX_PATH_CHARS = 1024;
const OUTSIDE: PathObjection = { code: 'ACCESS_DENIED', message: readerErrors.outside };

/** What can be told of a path before anything is looked up. */
export function objectionToPath(path: unknown): PathObjection | undefined {
  if (typeof path !== 'string') return { code: 'INVALID_PARAM', message: readerErrors.pathNoText };
  if (path === '') return { code: 'INVALID_PARAM', message: readerErrors.pathEmpty };
  if (path.length > MAX_PATH_CHARS) return { code: 'INVALID_PARAM', message: readerErrors.pathTooLong };
  if (path.includes('\0')) return { code: 'INVALID_PARAM', message: readerErrors.pathNul };
  const leavesFolder = decoded(path).split('/').includes('..');
  // One letter is a drive of Windows.
  return leavesFolder || /^[a-z][a-z0-9+.-]+:/i.test(path) ? OUTSIDE : undefined;
}

/**
 * What a path is that names no artifact of this scope. What another scope has reads like what nobody has. `folder` is asked
 * only where it makes a difference: it costs a listing.
 */
export async function objectionToMissing(
  path: string,
  folder: () => Promise<string | undefined>,
): Promise<PathObjection> {
  const isName = artifactName(path) !== undefined || isArtifactId(path);
  const isAbsolute = /^(\/|[a-z]:|~)/i.test(decoded(path));
  const shown = isName && !isAbsolute ? undefined : await folder();
  const wanted = `${path.replace(/^\.\//, '').replace(/\/+$/, '')}/`;
  if (!isName && shown?.startsWith(wanted)) return { code: 'IS_DIRECTORY', message: readerErrors.directory };
  // A store outside of the working directory shows absolute paths.
  if (isAbsolute && (shown === undefined || folderOf(path) !== shown)) return OUTSIDE;
  return { code: 'NOT_FOUND', message: readerErrors.notFound };
}

/** The folder in the paths of this scope; unknown where there are none, or the store does not say. */
export async function shownFolder(
  artifacts: Artifacts,
  { abortSignal }: { abortSignal: AbortSignal | undefined },
): Promise<string | undefined> {
  try {
    for await (const { path } of artifacts.list({ abortSignal })) return folderOf(path);
  } catch {
    abortSignal?.throwIfAborted();
  }
  return undefined;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function decoded(path: string): string {
  return path.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '/').replaceAll('\\', '/');
}
