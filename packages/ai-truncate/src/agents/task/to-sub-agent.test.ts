import type { LanguageModelUsage } from 'ai';
import { describe, expect, test } from 'vitest';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { isResult } from './sub-agent.ts';
import { type CallableAgent, toSubAgent } from './to-sub-agent.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

type Call = Parameters<CallableAgent['generate']>[0];

const tokens = (count: number): LanguageModelUsage => ({
  inputTokens: count,
  inputTokenDetails: { noCacheTokens: count, cacheReadTokens: 0, cacheWriteTokens: 0 },
  outputTokens: count,
  outputTokenDetails: { textTokens: count, reasoningTokens: 0 },
  totalTokens: 2 * count,
});

/** All values of a run of an agent that does this. */
async function run(generate: CallableAgent['generate'], { abortSignal = new AbortController().signal } = {}) {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
  const agent = toSubAgent({ generate }, { description: 'Does things.' });
  const values = await collect(
    agent.run('Find out why.', { artifacts, abortSignal, depth: 1 }) as AsyncIterable<object>,
  );
  return { result: values.find((value) => isResult(value as never)), progress: values.slice(0, -1) };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const step = (usage: LanguageModelUsage, ...outputs: unknown[]): Parameters<Call['onStepEnd']>[0] => ({
  usage,
  toolResults: outputs.map((output) => ({ output })),
});

describe('an agent as a sub-agent', () => {
  test('receives the prompt as the message of a user', async () => {
    let messages: unknown;
    await run(async (call) => {
      messages = call.messages;
      return { text: 'Done.', finishReason: 'stop' };
    });
    expect(messages).toEqual([{ role: 'user', content: 'Find out why.' }]);
  });

  test('returns its text, without blanks around it', async () => {
    const { result } = await run(async () => ({ text: ' Done.\n', finishReason: 'stop' }));
    expect(result).toEqual({ conclusion: 'Done.', steps: 0 });
  });

  test('reports its steps and tools, with the usage so far', async () => {
    const { progress, result } = await run(async (call) => {
      call.onStepStart();
      await nextTurn();
      call.onToolExecutionStart({ toolCall: { toolName: 'grep' } });
      await nextTurn();
      call.onStepEnd(step(tokens(10)));
      await nextTurn();
      call.onStepStart();
      await nextTurn();
      call.onStepEnd(step(tokens(5)));
      await nextTurn();
      return { text: 'Done.', finishReason: 'stop' };
    });
    expect(progress).toEqual([
      { phase: 'thinking', step: 1 },
      { phase: 'working', step: 1, tool: 'grep' },
      { phase: 'thinking', step: 1, usage: tokens(10) },
      { phase: 'thinking', step: 2, usage: tokens(10) },
      { phase: 'thinking', step: 2, usage: tokens(15) },
    ]);
    expect(result).toMatchObject({ conclusion: 'Done.', steps: 2, usage: { inputTokens: 15, totalTokens: 30 } });
  });

  test('adds the usage of tasks that it gave to other agents', async () => {
    const task = { data: { agent: 'explore', usage: { input_tokens: 700, output_tokens: 1, total_tokens: 701 } } };
    const { result } = await run(async (call) => {
      call.onStepEnd(step(tokens(10), task, 'an ordinary output', { data: { usage: { input_tokens: 5 } } }));
      return { text: 'Done.', finishReason: 'stop' };
    });
    expect(result).toMatchObject({ usage: { inputTokens: 710, outputTokens: 11, totalTokens: 721 } });
  });

  test.each(['length', 'tool-calls', 'content-filter', 'other'])(
    'is incomplete if it ended because of %s',
    async (finishReason) => {
      const { result } = await run(async () => ({ text: 'Part.', finishReason }));
      expect(result).toMatchObject({ conclusion: 'Part.', incomplete: 'It stopped before it was done.' });
    },
  );

  test('fails without a text, and with its cost', async () => {
    const { result } = await run(async (call) => {
      call.onStepEnd(step(tokens(10)));
      return { text: ' ', finishReason: 'stop' };
    });
    expect(result).toMatchObject({ conclusion: '', steps: 1, usage: tokens(10), error: { code: 'AGENT_NO_ANSWER' } });
  });

  test('fails with its own error, and with its cost', async () => {
    const error = new Error('no credit');
    const { result } = await run(async (call) => {
      call.onStepEnd(step(tokens(10)));
      throw error;
    });
    expect(result).toEqual({ conclusion: '', steps: 1, usage: tokens(10), error });
  });

  test('rejects with the reason of an abort, not with its own error', async () => {
    const controller = new AbortController();
    const running = run(
      async ({ abortSignal }) => {
        controller.abort(new Error('left'));
        expect(abortSignal.aborted).toBe(true);
        throw new Error('aborted in another way');
      },
      { abortSignal: controller.signal },
    );
    await expect(running).rejects.toThrow('left');
  });
});

describe('its options', () => {
  const agent: CallableAgent = { generate: async () => ({ text: 'Done.', finishReason: 'stop' }) };

  test('describe it', () => {
    const about = { description: 'Browses.', useWhen: 'a page has to be seen.', timeoutMs: 5 };
    expect(toSubAgent(agent, about)).toEqual({ ...about, run: expect.any(Function) });
    expect(Object.keys(toSubAgent(agent, { description: 'x', useWhen: undefined }))).toEqual(['description', 'run']);
  });

  test.each<[string, unknown, unknown]>([
    ['agent', undefined, { description: 'x' }],
    ['agent', { run() {} }, { description: 'x' }],
    ['description', agent, {}],
    ['timeoutMs', agent, { description: 'x', timeoutMs: 0 }],
    ['descripton', agent, { descripton: 'x' }],
  ])('are refused if %s is wrong', (option, given, options) => {
    expect(() => toSubAgent(given as never, options as never)).toThrow(expect.objectContaining({ option }));
  });

  test('must be an object', () => {
    expect(() => toSubAgent(agent, undefined as never)).toThrow('an object with a `description`');
  });
});
