import { AiTruncateError } from '../errors.ts';

/** Something lies where a file of the store should, or the way to it was changed. It was neither read nor written. */
export function unsafeFile(path: string, cause?: unknown): AiTruncateError {
  return new AiTruncateError(`\`${path}\` is not a file that this store wrote: look at what it is, and delete it.`, {
    code: 'UNSAFE_FILE',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A directory that others can read, change or exchange. Nothing was written to it. */
export function unsafeDirectory(path: string, problem: string): AiTruncateError {
  return new AiTruncateError(
    `\`${path}\` ${problem}: set \`directory\` to one that only this process's user can write.`,
    { code: 'UNSAFE_DIRECTORY' },
  );
}
