import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { toolErrorOf } from '../protocol/error-codes.ts';
import type { ToolErrorCode } from '../protocol/tool-response.ts';
import { type ContentKind, isReadable } from '../windows/text-regions.ts';

/** The error code for programs. It is a code of the tool response protocol if one fits. */
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

/** The body of every answer with a status above 399, and the last line of a search that broke off. */
export interface ArtifactErrorAnswer {
  error: { code: ArtifactErrorCode; message: string };
}

/**
 * The reason why a request gets no artifact. Its message is written for the client. Messages of other errors never leave the
 * server.
 */
export class HttpRefusal extends Error {
  readonly code: ArtifactErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  /** `cause` is the failure on the server. It is only for the log. */
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

/**
 * The same for a missing artifact, an artifact of another owner and an invalid name, so that a client cannot distinguish them.
 */
export function notFound(): HttpRefusal {
  return new HttpRefusal('NOT_FOUND', { message: httpWords.notFound });
}

/** A parameter of the address that is not valid. */
export function invalidParameter(option: string, options: { value: unknown; expected: string }): HttpRefusal {
  return new HttpRefusal('INVALID_PARAM', { message: new InvalidOptionError({ option, ...options }).message });
}

/** Throws for bytes that cannot be searched or shown as text. */
export function requireText(kind: ContentKind): void {
  if (!isReadable(kind)) throw new HttpRefusal('BINARY_FILE', { message: httpWords.noText(kind) });
}

/**
 * The answer of the client to a failure. Only messages of `HttpRefusal` are used, because other messages can name places on the
 * server.
 */
export function refusalOf(cause: unknown): HttpRefusal {
  if (cause instanceof HttpRefusal) return cause;
  if (ArtifactNotFoundError.isInstance(cause)) return notFound();
  const { code } = toolErrorOf(cause);
  if (code === 'TIMEOUT') return tooSlow(cause);
  if (code !== 'EXECUTION_ERROR') return internalError(cause);
  return new HttpRefusal('EXECUTION_ERROR', { message: httpWords.storeFailed, cause });
}

/** The store, or the search through a huge line, took longer than a client should wait. */
export function tooSlow(cause: unknown): HttpRefusal {
  return new HttpRefusal('TIMEOUT', { message: httpWords.tooSlow, cause });
}

/** A failure that neither the client nor another attempt can repair. */
export function internalError(cause: unknown): HttpRefusal {
  return new HttpRefusal('INTERNAL_ERROR', { message: httpWords.internalError, cause });
}

/**
 * The texts that users and developers see when an artifact is not served. They reveal nothing about the server or other owners.
 */
export const httpWords = {
  notFound: 'There is no such artifact here: it was deleted, it expired, or the address is wrong.',
  methodNotAllowed: 'Artifacts are read-only here: use GET or HEAD.',
  crossSite: 'Artifacts are only served to pages of this site.',
  oneRange: (bytes: number): string =>
    `\`Range\` must be a single range within the ${bytes} bytes of this artifact: \`bytes=0-99\`, \`bytes=100-\` or \`bytes=-100\`.`,
  noText: (kind: string): string =>
    `This artifact is not text (${kind}), so it has no characters and cannot be searched. Download it with \`/raw\`.`,
  tooSlow: 'The answer took too long. Request less, or try again.',
  storeFailed: 'The artifact could not be read. Try again.',
  internalError: 'The artifact could not be served. See the log of the server.',
} as const;
