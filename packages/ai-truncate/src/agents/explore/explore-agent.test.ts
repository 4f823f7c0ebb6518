import { describe, expect, test, vi } from 'vitest';
import { actingModel } from '../../../fixtures/acting-model.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { isResult } from '../task/sub-agent.ts';
import { exploreAgent } from './explore-agent.ts';
import { exploreWords } from './explore-words.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
const model = actingModel(() => ({ toolName: 'report', input: { conclusion: 'All is well.', evidence: [] } }));

describe('the agent', () => {
  test('describes itself, and has 30 seconds more than its search', () => {
    const { description, useWhen } = exploreWords;
    expect(exploreAgent({ model })).toMatchObject({ description, useWhen, timeoutMs: 150_000 });
    expect(exploreAgent({ model, timeoutMs: 5000 }).timeoutMs).toBe(35_000);
  });

  test('yields progress, then its result', async () => {
    const call = { artifacts, abortSignal: new AbortController().signal, depth: 1 };
    const values = await collect(exploreAgent({ model }).run('Is all well?', call));
    expect(values.map(isResult)).toEqual([...Array(values.length - 1).fill(false), true]);
    expect(values.at(-1)).toMatchObject({ conclusion: 'All is well.', steps: 1 });
  });

  test('checks its options at once', () => {
    expect(() => exploreAgent({ model, maxSteps: 1 })).toThrow('`explore.maxSteps` must be');
  });

  test('is aborted when the caller leaves the loop', async () => {
    let signal: AbortSignal | undefined;
    const model = actingModel(({ abortSignal }) => {
      signal = abortSignal;
      return new Promise(() => {});
    });
    const agent = exploreAgent({ model });
    for await (const _ of agent.run('Why?', { artifacts, abortSignal: new AbortController().signal, depth: 1 })) {
      await vi.waitFor(() => expect(signal).toBeDefined());
      break;
    }
    expect(signal?.aborted).toBe(true);
  });
});
