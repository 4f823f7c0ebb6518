import { type Deadline, startDeadline } from '../../deadlines.ts';
import { AiTruncateError } from '../../errors.ts';
import { isRecord } from '../../protocol/guards.ts';
import type { ToolErrorCode } from '../../protocol/tool-response.ts';
import { shortened } from '../../text/utf.ts';
import type { TaskEvent } from './options.ts';
import { quoted, taskWords } from './task-words.ts';

/** The time limit of an agent. Our own and not the SDK's, whose timeouts cannot be told from those of a provider. */
export function startAgentDeadline(
  timeoutMs: number,
  options: { abortSignal?: AbortSignal; isNeeded?: () => boolean },
): Deadline {
  const toReason = () => new AiTruncateError(taskWords.timedOut(timeoutMs), { code: 'AGENT_TIMEOUT' });
  return startDeadline(timeoutMs, { ...options, toReason });
}

const MAX_NAME_CHARS = 60;
const MAX_MESSAGE_CHARS = 300;

/** Why a sub-agent failed, in words that are safe to show to a model and in a UI. */
export interface AgentFailure {
  /** For errors that are not ours, only the name and the status, because their messages hold addresses and parts of requests. */
  reason: string;
  code: ToolErrorCode;
  /** The HTTP status that a provider answered with. */
  status?: number | undefined;
  /** The reason is a message of ours, about agents. */
  isOwn?: boolean;
}

/** An error may be anything, also something whose members throw when they are read. */
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
  // Of ours the message too, but that of an option: it shows the value.
  const isOwn = AiTruncateError.isInstance(error) && code !== 'INVALID_OPTION';
  // The error that the SDK throws after several attempts describes the last one.
  const cause = isRecord(error.lastError) ? error.lastError : error;
  const name =
    typeof cause.name === 'string' && /^\w+$/.test(cause.name) ? shortened(cause.name, MAX_NAME_CHARS) : 'Error';
  const status = typeof cause.statusCode === 'number' ? cause.statusCode : undefined;
  const isTimeout = code === 'AGENT_TIMEOUT' || name === 'TimeoutError';
  return {
    // In quotation marks: an application throws such errors too, and a message can hold the path that a model made up.
    reason: isOwn ? quoted(shortened(String(message), MAX_MESSAGE_CHARS)) : taskWords.failure(name, status),
    code: isTimeout ? 'TIMEOUT' : code === 'ARTIFACT_NOT_FOUND' ? 'NOT_FOUND' : 'EXECUTION_ERROR',
    status,
    isOwn,
  };
}

const MAX_WARNED_CHARS = 500;

/** An application that does not listen would never learn why its agent fails: the model is told the name of the error alone. */
export function warnOfFailure(): (event: TaskEvent) => void {
  let hasWarned = false;
  return ({ agent, status, result: { error } }) => {
    if (status !== 'error' || hasWarned) return;
    hasWarned = true;
    // Not the error itself: one of a provider holds the request, and with it what the agent read.
    const { reason, isOwn } = toAgentFailure(error);
    const message = !isOwn && isRecord(error) && typeof error.message === 'string' ? error.message : '';
    const why = `${reason} ${shortened(message, MAX_WARNED_CHARS)}`.trim();
    console.warn(
      `ai-truncate: the sub-agent "${agent}" failed: ${why} \`onTask\` would be told of each; this is said once.`,
    );
  };
}
