import { APICallError, RetryError } from 'ai';
import { TruncatedToolError } from 'ai-truncate';
import { RequestError } from '../lib/request-error';

/** What the page says of an answer that failed. The error itself goes to the log of the server only: it may hold anything. */
export function failureWords(error: unknown): string {
  if (TruncatedToolError.isInstance(error)) return error.message;
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  if (!APICallError.isInstance(cause)) return 'The answer failed. Try again.';
  if (cause.statusCode === 401 || cause.statusCode === 403) {
    return 'The model refused the key of this server. Whoever runs it has to check OPENAI_API_KEY.';
  }
  if (cause.statusCode === 429) return 'The model takes no more requests for now. Wait a minute, then try again.';
  if (cause.statusCode === undefined) return 'The model could not be reached. Try again.';
  return `The model answered with an error (${cause.statusCode}). Try again.`;
}

/** The error that the page shows when an answer could not be written to the log of its chat, or only in part. */
export function unsavedWords(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return 'This answer could not be saved and will be missing when you open this chat again. Try again.';
}
