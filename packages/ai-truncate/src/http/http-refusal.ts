import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { toolErrorOf } from '../protocol/error-codes.ts';
import type { ToolErrorCode } from '../protocol/tool-response.ts';
import { type ContentKind, isReadable } from '../windows/text-regions.ts';

/** What went wrong, for a program: a code of the tool response protocol where one fits. */
export type ArtifactErrorCode =
  | Exclude<ToolErrorCode, 'PERMISSION_DENIED' | 'CONFLICT' | 'IS_DIRECTORY'>
  | 'METHOD_NOT_ALLOWED'
  | 'RANGE_NOT_SATISFIABLE';

const statuses: Record<ArtifactErrorCode, number> = {
  INVALID_PARAM: 400,
  ACCESS_DENIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  RANGE_NOT_SATISFIABLE: 416,
  BINARY_FILE: 422,
  INTERNAL_ERROR: 500,
  EXECUTION_ERROR: 503,
  TIMEOUT: 504,
};

/** The body of every answer above 399, and the last line of a search that broke off. */
export interface ArtifactErrorAnswer {
  error: { code: ArtifactErrorCode; message: string };
}

/** Why a request gets no artifact. Its message is made for the client; no other error's message ever leaves the server. */
export class HttpRefusal extends Error {
  readonly code: ArtifactErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  /** `cause` is what failed on the server, for its log alone. */
  constructor(
    code: ArtifactErrorCode,
    options: { message: string; headers?: Record<string, string>; cause?: unknown },
  ) {
    super(options.message, { cause: options.cause });
    this.name = 'HttpRefusal';
    this.code = code;
    this.status = statuses[code];
    this.headers = options.headers ?? {};
  }
}

/** The same for what is missing, another owner's, or no name at all: nobody learns which. */
export function notFound(): HttpRefusal {
  return new HttpRefusal('NOT_FOUND', { message: httpWords.notFound });
}

/** A parameter of the address that cannot be used. */
export function invalidParameter(option: string, options: { value: unknown; expected: string }): HttpRefusal {
  return new HttpRefusal('INVALID_PARAM', { message: new InvalidOptionError({ option, ...options }).message });
}

/** Throws for bytes that have neither lines to search nor characters to show. */
export function requireText(kind: ContentKind): void {
  if (!isReadable(kind)) throw new HttpRefusal('BINARY_FILE', { message: httpWords.noText(kind) });
}

/** What the client is told of a failure. Only of our own refusals the words: those of others name places of the server. */
export function refusalOf(cause: unknown): HttpRefusal {
  if (cause instanceof HttpRefusal) return cause;
  if (ArtifactNotFoundError.isInstance(cause)) return notFound();
  const { code } = toolErrorOf(cause);
  if (code === 'TIMEOUT') return tooSlow(cause);
  if (code !== 'EXECUTION_ERROR') return internalError(cause);
  return new HttpRefusal('EXECUTION_ERROR', { message: httpWords.storeFailed, cause });
}

/** The store, or the way through a huge line, took longer than a client should wait. */
export function tooSlow(cause: unknown): HttpRefusal {
  return new HttpRefusal('TIMEOUT', { message: httpWords.tooSlow, cause });
}

/** Nothing that a client, or a store that works again, could do better. */
export function internalError(cause: unknown): HttpRefusal {
  return new HttpRefusal('INTERNAL_ERROR', { message: httpWords.internalError, cause });
}

/** What a page, and who wrote it, reads when an artifact is not given. Nothing here tells what the server or another owner has. */
export const httpWords = {
  notFound:
    'There is no such artifact here: it was deleted, it expired, or the address is not exactly the one that was given.',
  methodNotAllowed: 'Artifacts are only read here: use GET or HEAD.',
  crossSite: 'Artifacts are only given to pages of this site.',
  oneRange: (bytes: number): string =>
    `\`Range\` must be one range within the ${bytes} bytes of this artifact: \`bytes=0-99\`, \`bytes=100-\` or \`bytes=-100\`.`,
  noText: (kind: string): string =>
    `This artifact is no text (${kind}), so it has no characters and cannot be searched. Download it with \`/raw\`.`,
  tooSlow: 'The answer took too long. Ask for less, or try again.',
  storeFailed: 'The artifact could not be read now. Try again.',
  internalError: 'The artifact could not be given. What went wrong is in the log of the server.',
} as const;
