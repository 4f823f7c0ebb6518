/** Why a request is refused, in codes that the page has an action for. */
export type RequestErrorCode =
  | 'bad_request'
  | 'cross_site'
  | 'unknown_chat'
  | 'unknown_artifact'
  | 'busy'
  | 'not_waiting'
  | 'chat_full'
  | 'too_large'
  | 'too_many_requests'
  | 'storage_full'
  | 'internal';

const answers: Record<RequestErrorCode, { status: number; action: string }> = {
  bad_request: { status: 400, action: 'reload' },
  cross_site: { status: 403, action: 'reload' },
  unknown_chat: { status: 404, action: 'start-again' },
  unknown_artifact: { status: 404, action: 'start-again' },
  busy: { status: 409, action: 'wait' },
  not_waiting: { status: 409, action: 'reload' },
  chat_full: { status: 409, action: 'start-again' },
  too_large: { status: 413, action: 'shorten' },
  too_many_requests: { status: 429, action: 'wait' },
  storage_full: { status: 507, action: 'wait' },
  internal: { status: 500, action: 'retry' },
};

/** A request that is refused. Its message is for the visitor: what is wrong, and what to do. */
export class RequestError extends Error {
  readonly code: RequestErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RequestErrorCode, message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    const { retryAfterSeconds, ...errorOptions } = options;
    super(message, errorOptions);
    this.name = 'RequestError';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Runs a route; what it throws becomes `{ error: { code, message, action } }` with the right status. */
export async function answerErrors(route: () => Promise<Response>): Promise<Response> {
  try {
    return await route();
  } catch (error) {
    if (error instanceof RequestError) return toErrorResponse(error);
    // Unforeseen: the details are for the log of the server, not for whoever asked.
    console.error(error);
    return toErrorResponse(new RequestError('internal', 'Something went wrong on the server. Try again.'));
  }
}

/** The answer that says so. */
export function toErrorResponse({ code, message, retryAfterSeconds }: RequestError): Response {
  const { status, action } = answers[code];
  const headers = {
    'cache-control': 'no-store',
    ...(retryAfterSeconds && { 'retry-after': String(retryAfterSeconds) }),
  };
  return Response.json({ error: { code, message, action } }, { status, headers });
}
