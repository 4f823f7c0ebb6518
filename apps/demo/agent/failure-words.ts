import { APICallError, RetryError } from 'ai';
import { TruncatedToolError } from 'ai-truncate';
import { RequestError } from '../lib/request-error';

/** The text of the UI for a failed answer. The error goes only to the log of the server, because it may contain private data. */
export function failureWords(error: unknown): string {
  if (TruncatedToolError.isInstance(error)) return error.message;
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  if (!APICallError.isInstance(cause)) return 'The answer failed. Try again.';
  if (cause.statusCode === 401 || cause.statusCode === 403) {
    return 'The model provider refused the key of this server. The operator has to check OPENAI_API_KEY.';
  }
  if (cause.statusCode === 429) return 'The model has too many requests now. Wait a minute, then try again.';
  if (cause.statusCode === undefined) return 'The model could not be reached. Try again.';
  return `The model answered with an error (${cause.statusCode}). Try again.`;
}

/** The error that the UI shows if an answer was not completely saved in its chat. */
export function unsavedWords(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return 'This answer could not be saved and will be missing when you open this chat again. Try again.';
}
