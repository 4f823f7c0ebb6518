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
 * Runs a sub-agent and yields its bounded progress, at most four times a second and always the latest, then its result. A failure
 * is a result too, and so is a timeout. Rejects only when the caller aborts, and then does not wait for the agent.
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
      // In turns, because an agent that never waits would block the event loop.
      const turn = inTurn(() => runAtDepth(depth, step));
      const { done, value } = await untilAborted(turn, signal);
      // A generator may also return its result.
      if (done && value === undefined) throw noAnswer(taskWords.noAnswer);
      const said = toSubAgentValue(value);
      if (isResult(said)) return said;
      last = said;
      // Progress that arrives too fast to be shown still reports the cost.
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

/** The cost of an agent until its latest progress. */
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

/** A sub-agent may call another sub-agent, which may call no further one. */
export const MAX_TASK_DEPTH = 2;

/** The members of `AsyncLocalStorage` that are used. */
interface Storage {
  getStore(): number | undefined;
  run<Result>(depth: number, work: () => Result): Result;
}

/**
 * Holds the depth of the running code, however it was called. A model cannot change the depth. The class is looked up at run time, as
 * the SDK does it, because browsers lack it. There, every call counts as a call of the main agent.
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

/** 0 in the main agent, 1 in a sub-agent that it called. */
export function currentDepth(): number {
  return storage?.getStore() ?? 0;
}

/** Runs work, and everything that it starts, at this depth. */
function runAtDepth<Result>(depth: number, work: () => Result): Result {
  return storage ? storage.run(depth, work) : work();
}
