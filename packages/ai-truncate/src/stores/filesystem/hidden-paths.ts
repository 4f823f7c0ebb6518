import { basename, isAbsolute, relative, sep } from 'node:path';
import { AiTruncateError } from '../../errors.ts';
import type { CheckedVerbs } from '../artifact-store.ts';
import { isInsideProject, type Place } from './root.ts';

/** Changes an error before the caller of a store receives it. */
export type ErrorChange = (error: unknown) => unknown;

/** The members of a Node error that contain a path, alone or in a text. */
const PATH_MEMBERS = ['path', 'dest'] as const;
const TEXT_MEMBERS = ['message', 'stack'] as const;
/** A path in the quotes of a message. */
const QUOTED = /(['"`])((?:\/|[a-z]:[\\/])[^'"`\n]*)\1/gi;

/**
 * Replaces absolute paths of this machine in errors of a store, because errors reach logs, events and the model. A path in the
 * store is shown from the directory of the store, and any other path is reduced to its last part. Errors of the application do not change.
 */
export function hiddenPaths({ directory, workingDirectory }: Place): ErrorChange {
  const isInside = isInsideProject(directory, workingDirectory);
  const shownDirectory = isInside ? relative(workingDirectory, directory) : basename(directory);

  function shown(path: string): string {
    const isOfStore = path === directory || path.startsWith(directory + sep);
    return isOfStore ? shownDirectory + path.slice(directory.length) : basename(path);
  }

  return function hide(error) {
    if (!AiTruncateError.isInstance(error) && !isSystemError(error)) return error;
    const replace = (member: string, change: (text: string) => string) => {
      const text: unknown = Reflect.get(error, member);
      if (typeof text !== 'string') return;
      Object.defineProperty(error, member, { value: change(text), configurable: true, writable: true });
    };
    for (const member of PATH_MEMBERS) replace(member, (path) => (isAbsolute(path) ? shown(path) : path));
    for (const member of TEXT_MEMBERS) {
      replace(member, (text) => text.replace(QUOTED, (_, quote: string, path: string) => quote + shown(path) + quote));
    }
    if (error.cause !== undefined) hide(error.cause);
    return error;
  };
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** The same methods, with errors that were changed. The stream of `get` changes its own errors. */
export function withChangedErrors(verbs: CheckedVerbs, change: ErrorChange): CheckedVerbs {
  async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw change(error);
    }
  }

  const { claimSweep } = verbs;
  return {
    ...verbs,
    put: (...call) => guard(() => verbs.put(...call)),
    get: (...call) => guard(() => verbs.get(...call)),
    head: (...call) => guard(() => verbs.head(...call)),
    delete: (...call) => guard(() => verbs.delete(...call)),
    async *list(...call) {
      try {
        yield* verbs.list(...call);
      } catch (error) {
        throw change(error);
      }
    },
    ...(claimSweep && { claimSweep: (everyMs: number) => guard(() => claimSweep(everyMs)) }),
  };
}
