import { AiTruncateError } from '../../errors.ts';

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

/** A directory that was there, with things in it that no store wrote. They were left as they are. */
export function holdsOtherFiles(path: string, name: string): AiTruncateError {
  return new AiTruncateError(
    `\`${path}\` holds other files (e.g. \`${name}\`): set \`directory\` to one of its own. If a store did write them, ` +
      'put a `.gitignore` with the line `*` into it.',
    { code: 'UNSAFE_DIRECTORY' },
  );
}

/** Something removed the file that a value was written to. Nothing is stored under its key. */
export function lostTemporary(path: string, cause: unknown): AiTruncateError {
  return new AiTruncateError(
    `\`${path}\` was removed before its value was whole: look what else deletes there, and save the value again.`,
    { code: 'INCOMPLETE_WRITE', cause },
  );
}
