import { shortened } from '../text/utf.ts';
import type { ToolErrorCode, ToolResponseError } from './tool-response.ts';
import { toolErrorCodes } from './tool-response.ts';

const MAX_MESSAGE = 500;

/** By the code that an error carries: of the operating system, or of this package. */
const KNOWN_CODES: ReadonlyMap<string, ToolErrorCode> = new Map<string, ToolErrorCode>([
  ...toolErrorCodes.map((code) => [code, code] as const),
  ...each('NOT_FOUND', ['ENOENT', 'ENOTDIR', 'ARTIFACT_NOT_FOUND']),
  ...each('PERMISSION_DENIED', ['EACCES', 'EPERM']),
  ...each('IS_DIRECTORY', ['EISDIR']),
  ...each('TIMEOUT', ['ETIMEDOUT', 'STORE_TIMEOUT']),
  ...each('EXECUTION_ERROR', ['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EROFS', 'EMFILE', 'ENFILE', 'EBUSY', 'EEXIST']),
  ...each('EXECUTION_ERROR', ['ENOTEMPTY', 'ELOOP', 'ENAMETOOLONG', 'EXDEV', 'ENOMEM', 'EAGAIN', 'EPIPE']),
  ...each('EXECUTION_ERROR', ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']),
  ...each('EXECUTION_ERROR', ['STORE_FULL', 'STORE_UNREACHABLE', 'STORE_RESTING', 'STORE_ANSWER']),
  ...each('EXECUTION_ERROR', ['INCOMPLETE_READ', 'INCOMPLETE_WRITE', 'ARTIFACT_INFO_BROKEN']),
]);

/**
 * What was thrown, as the `error` of an envelope. A code that nobody knows is `INTERNAL_ERROR`, never "not found". The
 * message keeps at most 500 characters. Throws for nothing, since it stands in a `catch`.
 *
 * @example
 * failure({ ...toolErrorOf(error), next: 'Check the path.', input, startedAt });
 */
export function toolErrorOf(error: unknown): ToolResponseError {
  const { code, name, message } = factsOf(error);
  const known = typeof code === 'string' ? KNOWN_CODES.get(code) : undefined;
  return {
    code: known ?? (name === 'TimeoutError' ? 'TIMEOUT' : 'INTERNAL_ERROR'),
    message: shortened(firstText(message, name, 'Something unknown was thrown.'), MAX_MESSAGE),
  };
}

/** The same for an error that is only a text, such as the `error: "Error: …"` of old tools. */
export function toolErrorOfText(text: string): ToolResponseError {
  // `Error: ENOENT: no such file` and `TIMEOUT: …` begin with a code.
  const code = /^(?:\w*(?:Error|Exception): )?([A-Z_]{3,}):/.exec(text)?.[1];
  return toolErrorOf({ code, message: text });
}

/** An error may be anything, also something whose members throw when they are read. */
function factsOf(error: unknown): { code?: unknown; name?: unknown; message?: unknown } {
  if (typeof error !== 'object' || error === null) return { message: error };
  try {
    const { code, name, message } = error as Record<string, unknown>;
    return { code, name, message };
  } catch {
    return {};
  }
}

function firstText(...candidates: unknown[]): string {
  return candidates.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? '';
}

function each(code: ToolErrorCode, sources: readonly string[]): [string, ToolErrorCode][] {
  return sources.map((source) => [source, code]);
}
