import { AiTruncateError } from '../errors.ts';
import { toolErrorOf } from '../protocol/error-codes.ts';
import type { ToolResponseError } from '../protocol/tool-response.ts';
import { readerErrors } from './reader-words.ts';

/** What a model is told of a store that failed: of other people's errors the code alone, for they name places of the server. */
export function storeFailure(error: unknown): ToolResponseError {
  const known = toolErrorOf(error);
  if (AiTruncateError.isInstance(error)) return known;
  const code = codeOf(error);
  // Without a code nobody knows whose mistake it was.
  const isUnknown = code === undefined && known.code === 'INTERNAL_ERROR';
  const message = isUnknown ? readerErrors.readerFailed(known.code) : readerErrors.storeFailed(code ?? known.code);
  return { code: known.code, message };
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : undefined;
}
