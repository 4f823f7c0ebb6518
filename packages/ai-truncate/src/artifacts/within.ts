import { AiTruncateError } from '../errors.ts';

/**
 * The result of work, unless it takes too long or the signal aborts; when that is so already, it is not begun. What is given up
 * may still fail later: nobody listens, and that is no unhandled rejection.
 */
export async function within<Result>(
  milliseconds: number,
  {
    work,
    abortSignal,
    what,
  }: { work: () => Result | PromiseLike<Result>; abortSignal?: AbortSignal | undefined; what: string },
): Promise<Result> {
  abortSignal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = () => {};
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AiTruncateError(`${what} did not answer within ${milliseconds} ms.`, { code: 'STORE_TIMEOUT' }));
    }, milliseconds);
    onAbort = () => reject(abortSignal?.reason);
    abortSignal?.addEventListener('abort', onAbort, { once: true });
  });
  // Work that throws at once never comes to the race.
  over.catch(() => {});
  try {
    return await Promise.race([work(), over]);
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', onAbort);
  }
}
