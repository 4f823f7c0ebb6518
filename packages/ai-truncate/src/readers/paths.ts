import { artifactName, isArtifactId } from '../artifacts/artifact-name.ts';
import type { Artifacts, ReadOptions } from '../artifacts/artifacts.ts';
import type { ToolResponseError } from '../protocol/tool-response.ts';
import { readerErrors } from './reader-words.ts';
import { ReaderRefusal } from './refusals.ts';

const MAX_PATH_CHARS = 1024;
const OUTSIDE: ToolResponseError = { code: 'ACCESS_DENIED', message: readerErrors.outside };

/** The path that a model means. Throws a `ReaderRefusal` for a path that cannot be one of a saved output. */
export function requirePath(given: unknown): string {
  const path = meantPath(given);
  const objection = objectionTo(path);
  if (objection) throw new ReaderRefusal({ ...objection, next: readerErrors.usePath });
  return path as string;
}

/** Without the blanks around a path and the `./` before it, which models copy or add. */
function meantPath(path: unknown): unknown {
  return typeof path === 'string' ? path.trim().replace(/^(?:\.\/+)+/, '') : path;
}

/** Why a path that a model gave names no artifact. */
function objectionTo(path: unknown): ToolResponseError | undefined {
  if (typeof path !== 'string') return { code: 'INVALID_PARAM', message: readerErrors.pathNoText };
  if (path === '') return { code: 'INVALID_PARAM', message: readerErrors.pathEmpty };
  if (path.length > MAX_PATH_CHARS) return { code: 'INVALID_PARAM', message: readerErrors.pathTooLong };
  if (path.includes('\0')) return { code: 'INVALID_PARAM', message: readerErrors.pathNul };
  const leavesFolder = decoded(path).split('/').includes('..');
  // One letter is a drive of Windows.
  return leavesFolder || /^[a-z][a-z0-9+.-]+:/i.test(path) ? OUTSIDE : undefined;
}

/** The whole path for the random part of a name, which each further read would look up again. */
export async function resolvePath(artifacts: Artifacts, path: string, options: ReadOptions): Promise<string> {
  return isArtifactId(path) ? (await artifacts.info(path, options)).path : path;
}

/**
 * Why there is no artifact for a path in this scope. An artifact of another scope reads like one that does not exist. `folder`
 * is called only where it makes a difference, because it costs a listing.
 */
export async function objectionToMissing(
  given: unknown,
  folder: () => Promise<string | undefined>,
): Promise<ToolResponseError> {
  const meant = meantPath(given);
  const path = typeof meant === 'string' ? meant : '';
  const isName = artifactName(path) !== undefined || isArtifactId(path);
  const isAbsolute = /^(\/|[a-z]:|~)/i.test(decoded(path));
  const shown = isName && !isAbsolute ? undefined : await folder();
  const wanted = `${path.replace(/^\.\//, '').replace(/\/+$/, '')}/`;
  if (!isName && shown?.startsWith(wanted)) return { code: 'IS_DIRECTORY', message: readerErrors.directory };
  // A store outside of the working directory shows absolute paths.
  if (isAbsolute && (shown === undefined || folderOf(path) !== shown)) return OUTSIDE;
  return { code: 'NOT_FOUND', message: readerErrors.notFound };
}

/** The folder in the paths of this scope; `undefined` without artifacts, or when the store cannot list. */
export async function shownFolder(artifacts: Artifacts, { abortSignal }: ReadOptions): Promise<string | undefined> {
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
