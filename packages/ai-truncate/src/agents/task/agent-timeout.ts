import { AiTruncateError } from '../../errors.ts';
import { taskWords } from './task-words.ts';

/**
 * A signal that aborts when an agent has taken too long, unless `isNeeded` says then that it need not. Our own and not the SDK's,
 * whose timeouts cannot be told from those of a provider.
 */
export function startAgentTimeout(
  timeoutMs: number,
  { isNeeded = () => true }: { isNeeded?: () => boolean } = {},
): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const reason = new AiTruncateError(taskWords.timedOut(timeoutMs), { code: 'AGENT_TIMEOUT' });
  const timer = setTimeout(() => isNeeded() && controller.abort(reason), timeoutMs);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
