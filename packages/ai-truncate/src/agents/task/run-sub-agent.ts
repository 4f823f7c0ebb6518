import { untilAborted } from '../../deadlines.ts';
import { withoutUndefined } from '../../options.ts';
import { inTurn } from '../../pace.ts';
import { isAsyncIterable } from '../../protocol/guards.ts';
import { startAgentDeadline } from './failure.ts';
import { progressRun } from './progress-run.ts';
import {
  isResult,
  noAnswer,
  type SubAgent,
  type SubAgentCall,
  type SubAgentCost,
  type SubAgentProgress,
  type SubAgentResult,
  toSubAgentValue,
} from './sub-agent.ts';
import { taskWords } from './task-words.ts';

const TIMEOUT_MS = 600_000;
/** At most four a second, because each progress is sent to the UI. */
const PROGRESS_EVERY_MS = 250;

/**
 * A sub-agent at work, whatever its author's code does: its progress bounded and at most four times a second, always the latest, then
 * at once one result. A failure is a result too, also that of an agent that never ends. Rejects only when the caller aborts, and
 * then does not wait for the agent.
 */
export async function* runSubAgent(
  agent: SubAgent,
  prompt: string,
  { onProgress, ...call }: SubAgentCall & { onProgress?: (progress: SubAgentProgress) => void },
): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  const { abortSignal, depth } = call;
  const { signal, end } = startAgentDeadline(agent.timeoutMs ?? TIMEOUT_MS, { abortSignal });
  let iterator: AsyncIterator<unknown, unknown> | undefined;
  let last: SubAgentProgress | undefined;

  async function step(): Promise<IteratorResult<unknown, unknown>> {
    signal.throwIfAborted();
    iterator ??= iteratorOf(agent.run(prompt, { ...call, abortSignal: signal }));
    return iterator.next();
  }
  async function follow(show: (progress: SubAgentProgress) => void): Promise<SubAgentResult> {
    while (true) {
      // In turn, because an agent that never waits would hold the event loop.
      const turn = inTurn(() => runAtDepth(depth, step));
      const { done, value } = await untilAborted(turn, signal);
      // A generator may also return its result.
      if (done && value === undefined) throw noAnswer(taskWords.noAnswer);
      const said = toSubAgentValue(value);
      if (isResult(said)) return said;
      last = said;
      // Also of progress that comes too fast to be shown: it tells the cost.
      onProgress?.(said);
      if (done) throw noAnswer(taskWords.noAnswer);
      show(said);
    }
  }

  try {
    yield* progressRun((work) => follow(work.onProgress), { abortSignal: signal, everyMs: PROGRESS_EVERY_MS });
  } catch (error) {
    abortSignal.throwIfAborted();
    yield toSubAgentValue({ error: signal.aborted ? signal.reason : error, ...costSoFar(last) });
  } finally {
    // The agent's remaining work ends with its signal. It is not awaited, because it may hang.
    end();
    runAtDepth(depth, async () => iterator?.return?.(undefined)).catch(() => {});
  }
}

/** What it has cost until it told of itself for the last time. */
export function costSoFar(progress: SubAgentProgress | undefined): SubAgentCost {
  const { usage, step, bytesRead } = progress ?? {};
  return withoutUndefined({ usage, steps: step, bytesRead });
}

function iteratorOf(running: unknown): AsyncIterator<unknown, unknown> {
  return isAsyncIterable(running) ? running[Symbol.asyncIterator]() : once(running);
}

async function* once(result: unknown): AsyncGenerator<unknown> {
  yield result;
}

/** An agent that is called may call another one; that one may not. */
export const MAX_TASK_DEPTH = 2;

/** The members of `AsyncLocalStorage` that are used. */
interface Storage {
  getStore(): number | undefined;
  run<Result>(depth: number, work: () => Result): Result;
}

/**
 * How deep the running code is, whoever called it and however: neither a model nor a signal that the SDK joins with another can
 * lose it. Asked for at run time, as the SDK does: browsers have none, and there every call counts as one of the main agent.
 */
const storage = createStorage();

function createStorage(): Storage | undefined {
  const { AsyncLocalStorage, process } = globalThis as {
    AsyncLocalStorage?: new () => Storage;
    process?: { getBuiltinModule?: (name: string) => { AsyncLocalStorage: new () => Storage } | undefined };
  };
  const Found = AsyncLocalStorage ?? process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  return Found && new Found();
}

/** 0 in the main agent, 1 in one that it called. */
export function currentDepth(): number {
  return storage?.getStore() ?? 0;
}

/** Runs work, and all that comes of it, at this depth. */
function runAtDepth<Result>(depth: number, work: () => Result): Result {
  return storage ? storage.run(depth, work) : work();
}
