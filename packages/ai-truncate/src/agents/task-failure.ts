import { AiTruncateError } from '../errors.ts';
import { boundedText } from '../protocol/bounded-text.ts';
import { isRecord } from '../protocol/is-record.ts';
import { taskWords } from './task-words.ts';

const MAX_NAME_CHARS = 60;

/**
 * Why a sub-agent failed, as a model and a page may know it. Of other people's errors the name and the status alone: their
 * messages hold addresses and parts of requests.
 */
export function reasonOf(error: unknown): string {
  const { own, name, status } = factsOf(error);
  return own ?? taskWords.failure(name, status);
}

/** Whether it took too long. */
export function isTimeout(error: unknown): boolean {
  const { name, code } = factsOf(error);
  return code === 'AGENT_TIMEOUT' || name === 'TimeoutError';
}

/** The HTTP status that a provider answered with. */
export function statusOf(error: unknown): number | undefined {
  return factsOf(error).status;
}

interface ErrorFacts {
  /** A message of ours, about agents. */
  own?: string | undefined;
  name: string;
  code?: unknown;
  status?: number | undefined;
}

/** An error may be anything, also something whose members throw when they are read. */
function factsOf(error: unknown): ErrorFacts {
  try {
    if (!isRecord(error)) return { name: 'Error' };
    const { code } = error;
    const isOwn = AiTruncateError.isInstance(error) && (code === 'AGENT_TIMEOUT' || code === 'AGENT_NO_ANSWER');
    // What the SDK gave up after several tries tells of the last one.
    const cause = isRecord(error.lastError) ? error.lastError : error;
    const { name, statusCode } = cause;
    return {
      own: isOwn ? String(error.message) : undefined,
      name: typeof name === 'string' && /^\w+$/.test(name) ? boundedText(name, MAX_NAME_CHARS) : 'Error',
      code,
      status: typeof statusCode === 'number' ? statusCode : undefined,
    };
  } catch {
    return { name: 'Error' };
  }
}
