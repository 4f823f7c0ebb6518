import { artifactName, isArtifactId } from '../artifacts/artifact-name.ts';
import type { Artifacts, ReadOptions } from '../artifacts/artifacts.ts';
import type { ToolResponseError } from '../protocol/tool-response.ts';
import { readerErrors } from './reader-words.ts';
import { ReaderRefusal } from './refusals.ts';

const MAX_PATH_CHARS = 1024;
const OUTSIDE: ToolResponseError = { code: 'ACCESS_DENIED', message: readerErrors.outside };

/** The path that a model means. Throws a `ReaderRefusal` for a path that cannot be one of a saved output. */
export function requirePath(given: unknown): string {
  // Models copy or add blanks and `./`.
  const path = typeof given === 'string' ? given.trim().replace(/^(?:\.\/+)+/, '') : '';
  const next = readerErrors.usePath;
  if (path === '' || path.length > MAX_PATH_CHARS || path.includes('\0'))
    throw new ReaderRefusal({ code: 'INVALID_PARAM', message: readerErrors.noPath, next });
  const leavesFolder = decoded(path).split('/').includes('..');
  // One letter is a drive of Windows.
  if (leavesFolder || /^[a-z][a-z0-9+.-]+:/i.test(path)) throw new ReaderRefusal({ ...OUTSIDE, next });
  return path;
}

/** The whole path for the random part of a name, which each further read would look up again. */
export async function resolvePath(artifacts: Artifacts, path: string, options: ReadOptions): Promise<string> {
  return isArtifactId(path) ? (await artifacts.info(path, options)).path : path;
}

/** Why there is no artifact for a path in this scope. An artifact of another scope reads like one that does not exist. */
export function objectionToMissing(path: string): ToolResponseError {
  // A store outside of the working directory shows absolute paths.
  const isElsewhere = /^(\/|[a-z]:|~)/i.test(decoded(path.trim())) && artifactName(path) === undefined;
  return isElsewhere ? OUTSIDE : { code: 'NOT_FOUND', message: readerErrors.notFound };
}

function decoded(path: string): string {
  return path.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '/').replaceAll('\\', '/');
}
