import { describe, expect, test } from 'vitest';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { runSubAgent } from './run-sub-agent.ts';
import type { SubAgent, SubAgentProgress, SubAgentResult } from './sub-agent.ts';

function start(
  run: () => unknown,
  abortSignal: AbortSignal = new AbortController().signal,
): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  const agent = { description: 'Does things.', run } as SubAgent;
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
  return runSubAgent(agent, 'Find out why.', { artifacts, abortSignal, depth: 1 });
}

async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (last of values);
  return last;
}

describe('the generator of an agent', () => {
  test('is closed after it yielded its result', async () => {
    let isClosed = false;
    const values = start(async function* () {
      try {
        yield { conclusion: 'Done.' };
        yield { phase: 'working' };
      } finally {
        isClosed = true;
      }
    });
    expect(await lastOf(values)).toMatchObject({ conclusion: 'Done.' });
    expect(isClosed).toBe(true);
  });

  test('is closed when the caller leaves, and its failure to close is ignored', async () => {
    let isClosed = false;
    const iterator = {
      next: async () => ({ done: false, value: { phase: 'working' } }),
      return: async () => {
        isClosed = true;
        throw new Error('cannot be closed');
      },
    };
    const values = start(() => ({ [Symbol.asyncIterator]: () => iterator }));
    await values.next();
    await values.return(undefined);
    expect(isClosed).toBe(true);
  });

  test('is never started after an abort', async () => {
    let isStarted = false;
    const run = () => {
      isStarted = true;
    };
    await expect(start(run, AbortSignal.abort(new Error('gone'))).next()).rejects.toThrow('gone');
    expect(isStarted).toBe(false);
  });

  test('does not block the event loop, even when it never waits', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const values = start(async function* () {
      for (let step = 0; step < 20_000; step++) yield { phase: 'working', step };
      yield { conclusion: 'Done.' };
    });
    await lastOf(values);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });
});

test('an agent that returns progress instead of a result fails', async () => {
  const last = await lastOf(start(async () => ({ phase: 'working', step: 2 })));
  expect(last).toMatchObject({ conclusion: '', error: { code: 'AGENT_NO_ANSWER' }, steps: 2 });
});
