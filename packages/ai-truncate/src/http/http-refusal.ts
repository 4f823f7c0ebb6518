import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { toolErrorOf } from '../protocol/error-codes.ts';
import type { ToolErrorCode } from '../protocol/tool-response.ts';

/** What went wrong, for a program: a code of the tool response protocol where one fits. */
export type ArtifactErrorCode =
  | Exclude<ToolErrorCode, 'PERMISSION_DENIED' | 'CONFLICT' | 'IS_DIRECTORY'>
  | 'METHOD_NOT_ALLOWED'
  | 'PRECONDITION_FAILED'
  | 'RANGE_NOT_SATISFIABLE';

/** The body of every answer above 399, and the last line of a search that broke off. */
export interface ArtifactErrorAnswer {
  error: { code: ArtifactErrorCode; message: string };
}

interface HttpRefusalOptions {
  status: number;
  code: ArtifactErrorCode;
  message: string;
  headers?: Record<string, string>;
  /** What failed on the server, for its log alone. */
  cause?: unknown;
}

/** Why a request gets no artifact. Its message is made for the client; no other error's message ever leaves the server. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly code: ArtifactErrorCode;
  readonly headers: Record<string, string>;

  constructor(options: HttpRefusalOptions) {
    super(options.message, { cause: options.cause });
    this.name = 'HttpRefusal';
    this.status = options.status;
    this.code = options.code;
    this.headers = options.headers ?? {};
  }
}

/** The same for what is missing, another owner's, or no name at all: nobody learns which. */
export function notFound(): HttpRefusal {
  return new HttpRefusal({ status: 404, code: 'NOT_FOUND', message: httpWords.notFound });
}

/** A parameter of the address that cannot be used. */
export function invalidParameter(parameter: { name: string; value: unknown; expected: string }): HttpRefusal {
  const { name: option, value, expected } = parameter;
  const { message } = new InvalidOptionError({ option, value, expected });
  return new HttpRefusal({ status: 400, code: 'INVALID_PARAM', message });
}

/** Bytes that have neither lines to search nor characters to show. */
export function notText(kind: string): HttpRefusal {
  return new HttpRefusal({ status: 422, code: 'BINARY_FILE', message: httpWords.noText(kind) });
}

/** What the client is told of a failure. Only of our own refusals the words: those of others name places of the server. */
export function refusalOf(cause: unknown): HttpRefusal {
  if (cause instanceof HttpRefusal) return cause;
  if (ArtifactNotFoundError.isInstance(cause)) return notFound();
  const { code } = toolErrorOf(cause);
  if (code === 'TIMEOUT') return tooSlow(cause);
  if (code !== 'EXECUTION_ERROR') return internalError(cause);
  return new HttpRefusal({ status: 503, code: 'EXECUTION_ERROR', message: httpWords.storeFailed, cause });
}

/** The store, or the way through a huge line, took longer than a client should wait. */
export function tooSlow(cause: unknown): HttpRefusal {
  return new HttpRefusal({ status: 504, code: 'TIMEOUT', message: httpWords.tooSlow, cause });
}

/** Nothing that a client, or a store that works again, could do better. */
export function internalError(cause: unknown): HttpRefusal {
  return new HttpRefusal({ status: 500, code: 'INTERNAL_ERROR', message: httpWords.internalError, cause });
}

/** What a page, and who wrote it, reads when an artifact is not given. Nothing here tells what the server or another owner has. */
export const httpWords = {
  notFound:
    'There is no such artifact here: it was deleted, it expired, or the address is not exactly the one that was given.',
  methodNotAllowed: 'Artifacts are only read here: use GET or HEAD.',
  crossSite: 'Artifacts are only given to pages of this site.',
  parameterTwice: 'given at most once',
  oneRange: (bytes: number): string =>
    `\`Range\` must be one range within the ${bytes} bytes of this artifact: \`bytes=0-99\`, \`bytes=100-\` or \`bytes=-100\`.`,
  noSearchBack:
    'A search has no parameter `before`, because it only goes forward. To search from a line on, use `from` with its number.',
  preconditionFailed: 'The artifact is not the one that `If-Match` names.',
  noText: (kind: string): string =>
    `This artifact is no text (${kind}), so it has no characters and cannot be searched. Download it with \`/raw\`.`,
  tooSlow: 'The answer took too long. Ask for less, or try again.',
  storeFailed: 'The artifact could not be read now. Try again.',
  internalError: 'The artifact could not be given. What went wrong is in the log of the server.',
} as const;
