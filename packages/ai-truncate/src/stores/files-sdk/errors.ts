/** What the store reads of a `FilesError`, and of the provider's own error inside it. */
interface ErrorDetails {
  code?: unknown;
  permanent?: unknown;
  aborted?: unknown;
  name?: unknown;
  Code?: unknown;
  status?: unknown;
  statusCode?: unknown;
  $metadata?: { httpStatusCode?: unknown };
  cause?: unknown;
}

const FIRST_PAUSE_MS = 100;
const MISSING_BUCKET = new Set<unknown>(['NoSuchBucket', 'ContainerNotFound']);

/** Whether the backend lacks the key. A missing bucket has the same code, but nothing of it may look like "not there". */
export function isMissing(error: unknown): boolean {
  const { code, cause } = detailsOf(error);
  const inner = detailsOf(cause);
  return code === 'NotFound' && ![inner.name, inner.code, inner.Code].some((word) => MISSING_BUCKET.has(word));
}

/** Whether the backend holds a value under the key already. */
export function isConflict(error: unknown): boolean {
  return detailsOf(error).code === 'Conflict';
}

/** Whether the backend said no: then it has stored nothing. */
export function isRefusal(error: unknown): boolean {
  const { code, permanent } = detailsOf(error);
  return code === 'Unauthorized' || code === 'ReadOnly' || permanent === true;
}

/** How long to pause before another attempt; `undefined` for what does not pass. */
export function toPauseMs(error: unknown, attempt: number): number | undefined {
  if (!isTransient(error)) return undefined;
  // Random, or all that failed at once come back at once.
  return FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
}

function isTransient(error: unknown): boolean {
  const { code, permanent, aborted, cause } = detailsOf(error);
  if (code !== 'Provider' || permanent === true || aborted === true) return false;
  const { $metadata, statusCode, status, code: causeCode } = detailsOf(cause);
  const httpStatus = [$metadata?.httpStatusCode, statusCode, status, causeCode].find(
    (value) => typeof value === 'number',
  );
  // Without a status the connection broke. 409 is how S3 says that two conditional writes met.
  return httpStatus === undefined || httpStatus >= 500 || [408, 409, 425, 429].includes(httpStatus);
}

function detailsOf(error: unknown): ErrorDetails {
  return typeof error === 'object' && error !== null ? error : {};
}
