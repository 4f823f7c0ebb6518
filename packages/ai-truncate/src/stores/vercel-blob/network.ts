import { AiTruncateError } from '../../errors.ts';

/** A failure of the network as an error of ours; every other error as it is. */
export function toBlobError(error: unknown, verb: string): unknown {
  return isNetworkFailure(error) ? new StoreUnreachableError(verb, error) : error;
}

/** By name and words: in a sandbox it is not always the class that this file sees, and every other `TypeError` is a defect. */
function isNetworkFailure(error: unknown): error is Error {
  return (
    error instanceof Error &&
    error.name === 'TypeError' &&
    /^(?:fetch failed|failed to fetch|terminated)$|network/i.test(error.message)
  );
}

/** There is no way to the service, or the connection broke. `fetch` tells why in causes of causes only. */
class StoreUnreachableError extends AiTruncateError {
  constructor(verb: string, cause: Error) {
    super(
      `The Blob store could not be reached with \`${verb}\`, or the connection broke: ${toReason(cause)}. ` +
        'Check the network and try again.',
      { code: 'STORE_UNREACHABLE', cause },
    );
    this.name = 'StoreUnreachableError';
  }
}

/** Errors can be their own cause, by a detour too. */
const MAX_DEPTH = 10;

/** The innermost reason, with its code: `connect ECONNREFUSED 127.0.0.1:80`. */
function toReason(error: Error): string {
  let innermost = error;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    // One host with several addresses fails once for each, and the error of all has no message.
    const inner: unknown = innermost.cause ?? (innermost instanceof AggregateError ? innermost.errors[0] : undefined);
    if (!(inner instanceof Error)) break;
    innermost = inner;
  }
  const { message } = innermost;
  const code = 'code' in innermost ? String(innermost.code) : '';
  return message.includes(code) ? message : `${code} ${message}`.trim();
}
