import { type Deadline, startDeadline } from '../../deadlines.ts';
import { AiTruncateError } from '../../errors.ts';
import { isRecord } from '../../protocol/guards.ts';
import type { ToolErrorCode } from '../../protocol/tool-response.ts';
import { shortened } from '../../text/utf.ts';
import type { TaskEvent } from './options.ts';
import { quoted, taskWords } from './task-words.ts';

/** The time limit of an agent. It is not the SDK's, because a timeout of the SDK looks like a timeout of the provider. */
export function startAgentDeadline(
  timeoutMs: number,
  options: { abortSignal?: AbortSignal; isNeeded?: () => boolean },
): Deadline {
  const toReason = () => new AiTruncateError(taskWords.timedOut(timeoutMs), { code: 'AGENT_TIMEOUT' });
  return startDeadline(timeoutMs, { ...options, toReason });
}

const MAX_NAME_CHARS = 60;
const MAX_MESSAGE_CHARS = 300;

/** The reason why a sub-agent failed, in words that are safe for a model and a UI. */
export interface AgentFailure {
  /** Errors of other code contribute only a name and a status, because their messages contain addresses and parts of requests. */
  reason: string;
  code: ToolErrorCode;
  /** The HTTP status that a provider answered with. */
  status?: number | undefined;
  /** The reason is the message of an error of this library. */
  isOwn?: boolean;
}

/** The failure for any thrown value, even one whose members throw when they are read. */
export function toAgentFailure(error: unknown): AgentFailure {
  try {
    if (isRecord(error)) return failureOf(error);
  } catch {
    // The error cannot be read.
  }
  return { reason: taskWords.failure('Error', undefined), code: 'EXECUTION_ERROR' };
}

function failureOf(error: Record<string, unknown>): AgentFailure {
  const { code, message } = error;
  // The message of an option error shows a value, which may be secret.
  const isOwn = AiTruncateError.isInstance(error) && code !== 'INVALID_OPTION';
  // The error that the SDK throws after several attempts describes the last one.
  const cause = isRecord(error.lastError) ? error.lastError : error;
  const name =
    typeof cause.name === 'string' && /^\w+$/.test(cause.name) ? shortened(cause.name, MAX_NAME_CHARS) : 'Error';
  const status = typeof cause.statusCode === 'number' ? cause.statusCode : undefined;
  const isTimeout = code === 'AGENT_TIMEOUT' || name === 'TimeoutError';
  return {
    // In quotation marks, because applications throw such errors too, and a message can contain a path that a model made up.
    reason: isOwn ? quoted(shortened(String(message), MAX_MESSAGE_CHARS)) : taskWords.failure(name, status),
    code: isTimeout ? 'TIMEOUT' : code === 'ARTIFACT_NOT_FOUND' ? 'NOT_FOUND' : 'EXECUTION_ERROR',
    status,
    isOwn,
  };
}

const MAX_WARNED_CHARS = 500;

/** Warns an application without `onTask`, because the model sees only the name of the error. */
export function warnOfFailure(): (event: TaskEvent) => void {
  let hasWarned = false;
  return ({ agent, status, result: { error } }) => {
    if (status !== 'error' || hasWarned) return;
    hasWarned = true;
    // The error itself is not printed, because an error of a provider contains the request, and with it tool outputs.
    const { reason, isOwn } = toAgentFailure(error);
    const message = !isOwn && isRecord(error) && typeof error.message === 'string' ? error.message : '';
    const why = `${reason} ${shortened(message, MAX_WARNED_CHARS)}`.trim();
    console.warn(
      `ai-truncate: the sub-agent "${agent}" failed: ${why} \`onTask\` receives each failure; this warning is printed once.`,
    );
  };
}
