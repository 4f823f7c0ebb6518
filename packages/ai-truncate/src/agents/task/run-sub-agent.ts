import { anySignal, now, settledWithin, untilAborted } from '../../deadlines.ts';
import { withoutUndefined } from '../../options.ts';
import { inTurn } from '../../pace.ts';
import { isAsyncIterable } from '../../protocol/guards.ts';
import { startAgentDeadline } from './failure.ts';
import {
  isResult,
  type SubAgent,
  type SubAgentCall,
  type SubAgentCost,
  type SubAgentProgress,
  type SubAgentResult,
  toSubAgentValue,
} from './sub-agent.ts';

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
  const { abortSignal } = call;
  const timeout = startAgentDeadline(agent.timeoutMs ?? TIMEOUT_MS);
  const signal = anySignal([abortSignal, timeout.signal]);
  const source = open(agent, prompt, { ...call, abortSignal: signal });
  let last: SubAgentProgress | undefined;
  let isShown = true;
  let freeAt = 0;
  try {
    let next = source.next();
    while (true) {
      const arrived = await (isShown ? next : settledWithin(freeAt - now(), next));
      if (arrived) {
        // A generator may also return its result.
        if (arrived.done && arrived.value === undefined) break;
        const value = toSubAgentValue(arrived.value);
        if (isResult(value)) {
          yield value;
          return;
        }
        last = value;
        isShown = false;
        // Also of progress that comes too fast to be shown: it tells the cost.
        onProgress?.(last);
        next = source.next();
      }
      if (last && !isShown && now() >= freeAt) {
        isShown = true;
        freeAt = now() + PROGRESS_EVERY_MS;
        yield last;
      }
    }
    yield toSubAgentValue({ error: undefined, ...costSoFar(last) });
  } catch (error) {
    abortSignal.throwIfAborted();
    yield toSubAgentValue({ error: timeout.signal.aborted ? timeout.signal.reason : error, ...costSoFar(last) });
  } finally {
    timeout.clear();
    source.close();
  }
}

/** What it has cost until it told of itself for the last time. */
export function costSoFar(progress: SubAgentProgress | undefined): SubAgentCost {
  const { usage, step, bytesRead } = progress ?? {};
  return withoutUndefined({ usage, steps: step, bytesRead });
}

/** Starts the agent at the first `next`, and asks it for each step when it is the agent's turn, at its depth. */
function open(agent: SubAgent, prompt: string, call: SubAgentCall) {
  const { abortSignal, depth } = call;
  let iterator: AsyncIterator<unknown, unknown> | undefined;
  let isOver = false;

  async function step(): Promise<IteratorResult<unknown, unknown>> {
    if (isOver) return { done: true, value: undefined };
    abortSignal.throwIfAborted();
    try {
      iterator ??= iteratorOf(agent.run(prompt, call));
      const result = await iterator.next();
      isOver = result.done === true;
      return result;
    } catch (error) {
      isOver = true;
      throw error;
    }
  }

  return {
    /** Rejects with the reason of the signal as soon as that aborts. */
    next(): Promise<IteratorResult<unknown, unknown>> {
      // In turn, because an agent that never waits would hold the event loop.
      const arriving = untilAborted(
        inTurn(() => runAtDepth(depth, step)),
        abortSignal,
      );
      // While the last progress is shown, nobody listens to what comes next, which may be a failure.
      arriving.catch(() => {});
      return arriving;
    },
    /** Leaves the agent. Not waited for, because an agent that hangs ends with its signal. */
    close(): void {
      if (isOver) return;
      isOver = true;
      runAtDepth(depth, async () => iterator?.return?.(undefined)).catch(() => {});
    },
  };
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
