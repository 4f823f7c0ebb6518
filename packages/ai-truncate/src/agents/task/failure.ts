import { type Deadline, startDeadline } from '../../deadlines.ts';
import { AiTruncateError } from '../../errors.ts';
import { isRecord } from '../../protocol/guards.ts';
import type { ToolErrorCode } from '../../protocol/tool-response.ts';
import { shortened } from '../../text/utf.ts';
import type { TaskEvent } from './options.ts';
import { quoted, taskWords } from './task-words.ts';

/** The time limit of an agent. Our own and not the SDK's, whose timeouts cannot be told from those of a provider. */
export function startAgentDeadline(timeoutMs: number, options: { isNeeded?: () => boolean } = {}): Deadline {
  const toReason = () => new AiTruncateError(taskWords.timedOut(timeoutMs), { code: 'AGENT_TIMEOUT' });
  return startDeadline(timeoutMs, { ...options, toReason });
}

const MAX_NAME_CHARS = 60;
const MAX_MESSAGE_CHARS = 300;

/**
 * Why a sub-agent failed, as a model and a page may know it. Of other people's errors the name and the status alone: their
 * messages hold addresses and parts of requests.
 */
export function reasonOf(error: unknown): string {
  const { own, name, status } = factsOf(error);
  return own ?? taskWords.failure(name, status);
}

/** The code of the answer. */
export function codeOf(error: unknown): ToolErrorCode {
  const { name, code } = factsOf(error);
  if (code === 'AGENT_TIMEOUT' || name === 'TimeoutError') return 'TIMEOUT';
  return code === 'ARTIFACT_NOT_FOUND' ? 'NOT_FOUND' : 'EXECUTION_ERROR';
}

/** The HTTP status that a provider answered with. */
export function statusOf(error: unknown): number | undefined {
  return factsOf(error).status;
}

/** An error may be anything, also something whose members throw when they are read. `own` is a message of ours, about agents. */
function factsOf(error: unknown): { own?: string; name: string; code?: unknown; status?: number } {
  try {
    if (!isRecord(error)) return { name: 'Error' };
    const { code } = error;
    // Of ours the message too, but that of an option: it shows the value.
    const isOwn = AiTruncateError.isInstance(error) && code !== 'INVALID_OPTION';
    // What the SDK gave up after several tries tells of the last one.
    const cause = isRecord(error.lastError) ? error.lastError : error;
    const { name, statusCode } = cause;
    return {
      // In quotation marks: an application throws such errors too, and a message can hold the path that a model made up.
      own: isOwn ? quoted(shortened(String(error.message), MAX_MESSAGE_CHARS)) : undefined,
      name: typeof name === 'string' && /^\w+$/.test(name) ? shortened(name, MAX_NAME_CHARS) : 'Error',
      code,
      status: typeof statusCode === 'number' ? statusCode : undefined,
    };
  } catch {
    return { name: 'Error' };
  }
}

const MAX_WARNED_CHARS = 500;

/** An application that does not listen would never learn why its agent fails: the model is told the name of the error alone. */
export function warnOfFailure(): (event: TaskEvent) => void {
  let hasWarned = false;
  return ({ agent, status, result: { error } }) => {
    if (status !== 'error' || hasWarned) return;
    hasWarned = true;
    // Not the error itself: one of a provider holds the request, and with it what the agent read.
    const message = !factsOf(error).own && isRecord(error) && typeof error.message === 'string' ? error.message : '';
    const why = [reasonOf(error), shortened(message, MAX_WARNED_CHARS)].filter(Boolean).join(' ');
    console.warn(
      `ai-truncate: the sub-agent "${agent}" failed: ${why} \`onTask\` would be told of each; this is said once.`,
    );
  };
}
