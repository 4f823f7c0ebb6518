import { shortened } from '../text/utf.ts';
import { isRecord, isText } from './guards.ts';
import { happenedByDefault } from './response-words.ts';
import { type ToolErrorCode, type ToolResponseError, toolErrorCodes } from './tool-response.ts';

const MAX_MESSAGE = 500;

/** Codes of errors of the operating system or of this package, by the code of the protocol. */
const SOURCES: Partial<Record<ToolErrorCode, readonly string[]>> = {
  NOT_FOUND: ['ENOENT', 'ENOTDIR', 'ARTIFACT_NOT_FOUND'],
  PERMISSION_DENIED: ['EACCES', 'EPERM'],
  IS_DIRECTORY: ['EISDIR'],
  TIMEOUT: ['ETIMEDOUT', 'STORE_TIMEOUT', 'SEARCH_TIMEOUT'],
  EXECUTION_ERROR: [
    ...['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EROFS', 'EMFILE', 'ENFILE', 'EBUSY', 'EEXIST'],
    ...['ENOTEMPTY', 'ELOOP', 'ENAMETOOLONG', 'EXDEV', 'ENOMEM', 'EAGAIN', 'EPIPE'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
    ...['STORE_FULL', 'STORE_UNREACHABLE', 'STORE_RESTING', 'STORE_ANSWER'],
    ...['INCOMPLETE_READ', 'INCOMPLETE_WRITE', 'ARTIFACT_INFO_BROKEN', 'ARTIFACT_UNREADABLE'],
  ],
};

/** The code of the protocol for each code that an error can have. */
const KNOWN_CODES: ReadonlyMap<string, ToolErrorCode> = new Map(
  toolErrorCodes.flatMap((code) => [code, ...(SOURCES[code] ?? [])].map((source) => [source, code] as const)),
);

/**
 * A thrown value as the `error` of an envelope. An unknown code becomes `INTERNAL_ERROR`, never "not found". The message has at
 * most 500 characters. Never throws, because it is used in a `catch` block.
 *
 * @example
 * failure({ ...toolErrorOf(error), next: 'Check the path.', input, startedAt });
 */
export function toolErrorOf(error: unknown): ToolResponseError {
  const { code, name, message } = factsOf(error);
  const known = typeof code === 'string' ? KNOWN_CODES.get(code) : undefined;
  return {
    code: known ?? (name === 'TimeoutError' ? 'TIMEOUT' : 'INTERNAL_ERROR'),
    message: shortened([message, name].find(isText) ?? 'Something unknown was thrown.', MAX_MESSAGE),
  };
}

/** The same for an error that is only a text, such as `error: "Error: …"` of older tools. */
function toolErrorOfText(text: string): ToolResponseError {
  // `Error: ENOENT: no such file` and `TIMEOUT: …` start with a code.
  const code = /^(?:\w*(?:Error|Exception): )?([A-Z_]{3,}):/.exec(text)?.[1];
  return toolErrorOf({ code, message: text });
}

/** An error may be any value, including an object whose members throw. */
function factsOf(error: unknown): { code?: unknown; name?: unknown; message?: unknown } {
  if (typeof error !== 'object' || error === null) return { message: error };
  try {
    const { code, name, message } = error as Record<string, unknown>;
    return { code, name, message };
  } catch {
    return {};
  }
}

/**
 * The `error` of an older tool in any form: a text, an object, `true`, or `undefined` if only the status reported it. `lost` is
 * the part that does not fit into `{ code, message }`, for `data`.
 */
export function errorOfMember(
  given: unknown,
  beside: Record<string, unknown>,
): { error: ToolResponseError; lost: Record<string, unknown> } {
  if (typeof given === 'string') {
    const error = toolErrorOfText(given);
    return { error, lost: error.message === given ? {} : { error_message: given } };
  }
  if (given instanceof Error) return { error: toolErrorOf(given), lost: {} };
  const { code, message } = isRecord(given) ? given : beside;
  const words = [message, beside.message, beside.text].find(isText) ?? happenedByDefault.error;
  const known = toolErrorOf({ code, message: words });
  // The tool's own code says more than `INTERNAL_ERROR`.
  const error = known.code === 'INTERNAL_ERROR' && isText(code) ? { ...known, code } : known;
  const isTold = given === undefined || given === true || (isRecord(given) && isAllIn(given, error));
  return { error, lost: isTold ? {} : { error_details: given } };
}

function isAllIn(given: Record<string, unknown>, error: object): boolean {
  return Object.entries(given).every(([name, value]) => (error as Record<string, unknown>)[name] === value);
}
