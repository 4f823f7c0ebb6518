/** Why something of an artifact could not be had, in words for a person. */
export class ArtifactFailure extends Error {
  /** `gone` does not come back, `offline` and `server` may, `refused` needs another question. */
  readonly kind: 'gone' | 'offline' | 'server' | 'refused';

  constructor(kind: ArtifactFailure['kind'], message: string) {
    super(message);
    this.name = 'ArtifactFailure';
    this.kind = kind;
  }
}

/** What a response that is no success says. */
export async function failureOf(response: Response): Promise<ArtifactFailure> {
  if (response.status === 404) {
    return new ArtifactFailure('gone', 'This output is no longer here: its time is over, or its chat was deleted.');
  }
  const said = await response
    .json()
    .then((body: { error?: { message?: unknown } }) => body.error?.message)
    // A proxy answers in HTML; then the status has to do.
    .catch(() => undefined);
  const message = typeof said === 'string' ? said.slice(0, 300) : `The server answered with ${response.status}.`;
  return new ArtifactFailure(response.status < 500 ? 'refused' : 'server', message);
}

/** What `fetch` threw. An abort stays what it is: nobody waits for the answer. */
export function failureOfFetch(error: unknown): unknown {
  if (error instanceof ArtifactFailure || isAbort(error)) return error;
  return new ArtifactFailure('offline', 'The server cannot be reached.');
}

/** Whether this is the end that somebody asked for. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
