import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { progressRun, type WorkWithProgress } from './progress-run.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const done: SubAgentResult = { conclusion: 'Done.' };
const step = (number: number): SubAgentProgress => ({ phase: 'reading', step: number });
const { signal: never } = new AbortController();

afterEach(() => {
  vi.useRealTimers();
});

/** Work whose steps the test decides. */
function controlled() {
  let resolve: (result: SubAgentResult) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<SubAgentResult>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  let call: Parameters<WorkWithProgress>[0] | undefined;
  const work: WorkWithProgress = (given) => {
    call = given;
    return promise;
  };
  return { work, resolve, reject, call: () => call, report: (number: number) => call?.onProgress(step(number)) };
}

describe('a run with progress', () => {
  test('ends with the result, after each progress that the loop was waiting for', async () => {
    const { work, report, resolve } = controlled();
    const run = progressRun(work, { abortSignal: never });
    const first = run.next();
    report(1);
    expect(await first).toEqual({ done: false, value: step(1) });
    const second = run.next();
    report(2);
    expect(await second).toEqual({ done: false, value: step(2) });
    const last = run.next();
    resolve(done);
    expect(await last).toEqual({ done: false, value: done });
    expect((await run.next()).done).toBe(true);
  });

  test('has only the latest progress for a loop that is slower', async () => {
    const { work, report, resolve } = controlled();
    const run = progressRun(work, { abortSignal: never });
    const first = run.next();
    for (const number of [1, 2, 3]) report(number);
    expect((await first).value).toEqual(step(3));
    for (const number of [4, 5]) report(number);
    expect((await run.next()).value).toEqual(step(5));
    report(6);
    resolve(done);
    await nextTurn();
    expect((await run.next()).value).toEqual(done);
  });

  test('does not begin before its loop', async () => {
    const { work, call } = controlled();
    const run = progressRun(work, { abortSignal: never });
    await nextTurn();
    expect(call()).toBeUndefined();
    await run.return(undefined);
    expect(call()).toBeUndefined();
  });

  test('may have no progress at all', async () => {
    expect(await collect(progressRun(async () => done, { abortSignal: never }))).toEqual([done]);
  });

  test('rejects with the error of the work, after its progress', async () => {
    const { work, report, reject } = controlled();
    const run = progressRun(work, { abortSignal: never });
    const first = run.next();
    report(1);
    await first;
    const second = run.next();
    reject(new Error('broken'));
    await expect(second).rejects.toThrow('broken');
  });

  test('shows each progress for a time, unless the work ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { work, report, resolve } = controlled();
    const run = progressRun(work, { abortSignal: never, everyMs: 250 });
    const first = run.next();
    report(1);
    await first;
    let shown: unknown;
    const second = run.next().then(({ value }) => {
      shown = value;
    });
    report(2);
    await vi.advanceTimersByTimeAsync(249);
    expect(shown).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await second;
    expect(shown).toEqual(step(2));
    const third = run.next();
    report(3);
    resolve(done);
    expect((await third).value).toEqual(done);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the signal of the work', () => {
  test('aborts with the signal of the caller, for its reason', async () => {
    const controller = new AbortController();
    const { work, call } = controlled();
    void progressRun(work, { abortSignal: controller.signal }).next();
    const reason = new Error('left');
    controller.abort(reason);
    expect(call()?.abortSignal.reason).toBe(reason);
  });

  test('aborts when the loop is left, and a later failure is not unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { work, call, report, reject } = controlled();
    const run = progressRun(work, { abortSignal: never });
    const first = run.next();
    report(1);
    await first;
    expect(call()?.abortSignal.aborted).toBe(false);
    await run.return(undefined);
    expect(call()?.abortSignal.aborted).toBe(true);
    reject(new Error('left'));
    await nextTurn();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
