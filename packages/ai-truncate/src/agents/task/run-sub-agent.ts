import { anySignal } from '../../deadlines.ts';
import { isAsyncIterable } from '../../protocol/guards.ts';
import { atDepth } from './depth.ts';
import { startAgentDeadline } from './failure.ts';
import { pacedProgress } from './paced-progress.ts';
import { isResult, type SubAgent, type SubAgentCall, type SubAgentProgress, type SubAgentResult } from './sub-agent.ts';
import { toSubAgentValue } from './sub-agent-values.ts';

const TIMEOUT_MS = 600_000;

/**
 * A sub-agent at work, whatever its author's code does: its progress paced and bounded, then one result. A failure is a result
 * too, also that of an agent that never ends. Rejects only when the caller aborts.
 */
export async function* runSubAgent(
  agent: SubAgent,
  prompt: string,
  { onProgress, ...call }: SubAgentCall & { onProgress?: (progress: SubAgentProgress) => void },
): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  const { abortSignal, depth } = call;
  const timeout = startAgentDeadline(agent.timeoutMs ?? TIMEOUT_MS);
  const signal = anySignal([abortSignal, timeout.signal]);
  let last: SubAgentProgress | undefined;
  try {
    const remember = (progress: SubAgentProgress) => {
      last = progress;
      onProgress?.(progress);
    };
    const source = atDepth(depth, () => stepsOf(agent, prompt, { ...call, abortSignal: signal, onProgress: remember }));
    for await (const each of pacedProgress(source, { abortSignal: signal })) {
      yield each;
      if (isResult(each)) return;
    }
    yield toSubAgentValue({ error: undefined, ...costSoFar(last) });
  } catch (error) {
    abortSignal.throwIfAborted();
    yield toSubAgentValue({ error: timeout.signal.aborted ? timeout.signal.reason : error, ...costSoFar(last) });
  } finally {
    timeout.clear();
  }
}

/** What it has cost until it told of itself for the last time. */
export function costSoFar(
  progress: SubAgentProgress | undefined,
): Pick<SubAgentResult, 'usage' | 'steps' | 'bytesRead'> {
  const { usage, step, bytesRead } = progress ?? {};
  return {
    ...(usage && { usage }),
    ...(step !== undefined && { steps: step }),
    ...(bytesRead !== undefined && { bytesRead }),
  };
}

async function* stepsOf(
  agent: SubAgent,
  prompt: string,
  { onProgress, ...call }: SubAgentCall & { onProgress(progress: SubAgentProgress): void },
): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  const running: unknown = agent.run(prompt, call);
  if (!isAsyncIterable(running)) {
    yield toSubAgentValue(await running);
    return;
  }
  for await (const value of withReturned(running)) {
    const each = toSubAgentValue(value);
    // Also of what comes too fast to be shown: it tells the cost.
    if (!isResult(each)) onProgress(each);
    yield each;
  }
}

/** Who writes a generator may `return` its result as well as yield it: the loop of the language would drop that. */
async function* withReturned(source: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const returned: unknown = yield* source;
  if (returned !== undefined) yield returned;
}
