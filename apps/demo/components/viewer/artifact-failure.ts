/** Why something of an artifact could not be had, in words for a person. */
export class ArtifactFailure extends Error {
  /** `gone` does not come back, `offline` and `server` may, `busy` will, `refused` needs another question. */
  readonly kind: 'gone' | 'offline' | 'server' | 'busy' | 'refused';
  /** When it may be asked for again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ArtifactFailure['kind'], message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'ArtifactFailure';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What a response that is no success says of the artifact with this name. */
export async function failureOf(response: Response, name: string): Promise<ArtifactFailure> {
  if (response.status === 404) {
    // Most outputs are there: these words come when one is not.
    const { expiryWords } = await import('../artifact-expiry');
    const retentionDays = Number(response.headers.get('retention-days') ?? Number.NaN);
    const expiry = expiryWords(name, { retentionDays, now: Date.now() });
    return new ArtifactFailure(
      'gone',
      `This output is not here. ${expiry ?? 'It belongs to another chat, or was deleted.'}`,
    );
  }
  const said = await response
    .json()
    .then((body: { error?: { message?: unknown } }) => body.error?.message)
    // A proxy answers in HTML; then the status has to do.
    .catch(() => undefined);
  // A visitor does not know the parameters of the route.
  const message =
    typeof said === 'string'
      ? said.replace(/^`\w{1,20}`: /, '').slice(0, 300)
      : `The server answered with ${response.status}.`;
  if (response.status === 429) {
    const seconds = Number(response.headers.get('retry-after')) || DEFAULT_WAIT_SECONDS;
    return new ArtifactFailure('busy', `${message} Try again in ${seconds} s.`, seconds);
  }
  return new ArtifactFailure(response.status < 500 ? 'refused' : 'server', message);
}

const DEFAULT_WAIT_SECONDS = 5;

/** What `fetch` threw. An abort stays what it is: nobody waits for the answer. */
export function failureOfFetch(error: unknown): unknown {
  if (error instanceof ArtifactFailure || isAbort(error)) return error;
  return new ArtifactFailure('offline', 'The server cannot be reached.');
}

/** Whether this is the end that somebody asked for. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
