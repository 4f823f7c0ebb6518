import { createOpenAI } from '@ai-sdk/openai';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
  wrapLanguageModel,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { longestTurnOf } from '../../fixtures/longest-turn.ts';
import { log } from '../../fixtures/one-megabyte.ts';
import { openAiCalls, startOpenAiServer } from '../../fixtures/openai-server.ts';
import { scriptedModel, toolResultsSentTo } from '../../fixtures/scripted-model.ts';
import { sentThrough } from '../../fixtures/sent-results.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { truncateToolResultsMiddleware } from './truncate-tool-results-middleware.ts';

const PREVIEW_BYTES = 16_384;
const runs = {
  generateText: async (settings: Settings) => (await generateText(settings)).text,
  streamText: async (settings: Settings) => await streamText(settings).text,
};
type Settings = {
  model: LanguageModel;
  tools?: ToolSet;
  messages: ModelMessage[];
  stopWhen?: ReturnType<typeof isStepCount>;
};
type HowItRuns = keyof typeof runs;
const hows = Object.keys(runs) as HowItRuns[];

function guarded(calls: { toolName: string; input?: unknown }[] = []) {
  const model = scriptedModel(...calls);
  return { model, wrapped: wrapLanguageModel({ model, middleware: truncateToolResultsMiddleware() }) };
}

const question: ModelMessage = { role: 'user', content: 'Look.' };

describe.each(hows)('through %s, the model sees a bounded text of', (how) => {
  const run = runs[how];

  test('the output of a tool in the UI', async () => {
    const readClipboard = tool({ inputSchema: z.object({}), outputSchema: z.string() });
    const messages = chatOf({ type: 'tool-readClipboard', output: log });
    const { model, wrapped } = guarded();
    await run({
      model: wrapped,
      tools: { readClipboard },
      messages: await convertToModelMessages(messages, { tools: { readClipboard } }),
    });
    expectBounded(model, 'readClipboard succeeded');
  });

  test('an error that repeats an input over the limits', async () => {
    const search = tool({ inputSchema: z.object({ query: z.number() }), execute: () => 'found' });
    const { model, wrapped } = guarded([{ toolName: 'search', input: { query: log } }]);
    await run({ model: wrapped, tools: { search }, messages: [question], stopWhen: isStepCount(3) });
    expectBounded(model, 'search failed');
  });

  test('a chat from a database, with and without its tools', async () => {
    const readLogs = tool({ inputSchema: z.object({}), execute: () => log });
    for (const tools of [{ readLogs }, undefined]) {
      const { model, wrapped } = guarded();
      const history = await convertToModelMessages(chatOf({ type: 'tool-readLogs', output: log }), tools && { tools });
      await run({ model: wrapped, messages: history, ...(tools && { tools }) });
      expectBounded(model, 'readLogs succeeded');
    }
  });

  test('the output of a tool that was not wrapped', async () => {
    const readLogs = tool({ inputSchema: z.object({}), execute: () => ({ log }) });
    const { model, wrapped } = guarded([{ toolName: 'readLogs' }]);
    await run({ model: wrapped, tools: { readLogs }, messages: [question], stopWhen: isStepCount(3) });
    expectBounded(model, 'readLogs succeeded');
  });

  test('the output of a wrapped tool, unchanged after the first guard', async () => {
    const readLogs = tool({ inputSchema: z.object({}), execute: () => log });
    const tools = truncateToolOutputs({ readLogs }, { store: memoryStore(), scope: 'chat-1' });
    const { model, wrapped } = guarded([{ toolName: 'readLogs' }]);
    await run({ model: wrapped, tools, messages: [question], stopWhen: isStepCount(3) });
    expect(toolResultsSentTo(model)[0]?.output.value).toMatch(
      /Full output saved to: tool-output\/\S+\n<tool-output-preview>/,
    );
  });
});

describe('an envelope from a chat that was converted without its tools', () => {
  test('passes unchanged within the limits', async () => {
    const identity = { store: memoryStore(), scope: 'chat-1', toolName: 'readLogs', toolCallId: 'call_1' };
    const output = JSON.parse(JSON.stringify(await truncateOutput(log as unknown, identity))) as TruncatedOutput;
    const { model, wrapped } = guarded();
    await generateText({
      model: wrapped,
      messages: await convertToModelMessages(chatOf({ type: 'tool-readLogs', output })),
    });
    expect(toolResultsSentTo(model)[0]?.output).toEqual({ type: 'json', value: output });
  });
});

describe('the prompt cache', () => {
  test('holds: 30 results of 200 KB in 40 messages become the same bytes with each request, even as the chat continues', async () => {
    const history = longHistory();
    expect(history).toHaveLength(40);
    const prompts: string[] = [];
    for (const messages of [history, history, [...history, ...longHistory().slice(-4)]]) {
      const { model, wrapped } = guarded();
      await generateText({ model: wrapped, messages });
      prompts.push(JSON.stringify(model.doGenerateCalls[0]?.prompt));
    }
    expect(JSON.stringify(history).length).toBeGreaterThan(30 * 200_000);
    expect(prompts[0]?.length).toBeLessThan(30 * 40_000);
    expect(prompts[1] === prompts[0]).toBe(true);
    expect(prompts[2]?.startsWith(prompts[0]?.slice(0, -1) ?? '-')).toBe(true);
  });
});

describe('a result of any size', () => {
  test.each([
    [
      'a text of 100 MB',
      () => [{ type: 'text', value: Buffer.alloc(100e6, 'an unimportant log line\n').toString('latin1') }],
    ],
    ['a line of 100 MB', () => [{ type: 'text', value: Buffer.alloc(100e6, 'x').toString('latin1') }]],
    [
      'JSON of a million rows',
      () => [{ type: 'json', value: Array.from({ length: 1e6 }, (_, id) => ({ id, name: `row ${id}` })) }],
    ],
    [
      'content of 10,000 texts',
      () => [{ type: 'content', value: Array(10_000).fill({ type: 'text', text: 'x'.repeat(1000) }) }],
    ],
    ['3,000 results within the limits', () => Array(3000).fill({ type: 'text', value: 'line\n'.repeat(1500) })],
    ['3,000 results', () => Array(3000).fill({ type: 'text', value: 'line\n'.repeat(2500) })],
  ])('lets the event loop turn: %s', async (_, outputs) => {
    const given = outputs();
    const longest = await longestTurnOf(() => sentThrough(truncateToolResultsMiddleware(), given));
    // The promise is 50 ms. On a busy machine, V8's garbage collector takes additional time.
    expect(longest).toBeLessThan(80);
  });

  test('is abandoned when the request is aborted', async () => {
    const reason = new Error('left');
    const middleware = truncateToolResultsMiddleware();
    const prompt = [
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: '1', toolName: 'read', output: { type: 'text', value: log } }],
      },
    ];
    const params = { prompt, abortSignal: AbortSignal.abort(reason) } as never;
    await expect(middleware.transformParams?.({ type: 'generate', params, model: {} as never })).rejects.toBe(reason);
  });
});

describe('a tool whose output OpenAI checks', () => {
  const openai = createOpenAI({ apiKey: 'none' });

  test.each([
    [
      'shell',
      openAiCalls.shell,
      { output: [{ stdout: log, stderr: log, outcome: { type: 'exit', exitCode: 1 } }] },
      'shell_call_output',
    ],
  ] as const)('is shortened in its own form, because text would be refused: %s', async (name, call, output, type) => {
    const server = await startOpenAiServer(call);
    try {
      const model = createOpenAI({ baseURL: server.baseURL, apiKey: 'none' })('gpt-5-mini');
      const own = openai.tools[name]({ execute: async () => output as never });
      const result = await generateText({
        model: wrapLanguageModel({ model, middleware: truncateToolResultsMiddleware() }),
        tools: { shell: own } as ToolSet,
        prompt: 'go',
        stopWhen: isStepCount(3),
        maxRetries: 0,
      });
      expect(result.text).toBe('done');
      const { input } = JSON.parse(server.bodies.at(-1) ?? '') as { input: { type: string }[] };
      expect(input.at(-1)?.type).toBe(type);
      const sent = JSON.stringify(input.at(-1));
      expect(sent).toContain('The rest was not saved and cannot be retrieved.');
      expect(sent.length).toBeLessThan(3 * PREVIEW_BYTES);
    } finally {
      await server.close();
    }
  });

  test('has its JSON bounded as text if it belongs to another provider', async () => {
    const tools = [{ type: 'provider', id: 'anthropic.bash_20250124', name: 'bash', args: {} }];
    const outputs = [{ type: 'json', value: { stdout: log } }];
    const [sent] = await sentThrough(truncateToolResultsMiddleware(), outputs, { tools, toolName: 'bash' });
    expect(sent?.type).toBe('text');
    expect(Buffer.byteLength(String(sent?.value))).toBeLessThanOrEqual(PREVIEW_BYTES);
  });
});

/** A chat with one call of a tool, as it comes from a database. */
function chatOf({ type, output }: { type: `tool-${string}`; output: unknown }): UIMessage[] {
  const part = { type, toolCallId: 'call_1', state: 'output-available', input: {}, output };
  return [
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
    { id: '2', role: 'assistant', parts: [part as never] },
  ];
}

/** 40 messages: ten rounds of a question, three calls, their results and an answer. */
function longHistory(): ModelMessage[] {
  return Array.from({ length: 10 }, (_, round) => {
    const ids = [1, 2, 3].map((call) => `call_${round}_${call}`);
    const result = (toolCallId: string, index: number) => {
      const value = `${toolCallId}\n${log.slice(round * 1000, round * 1000 + 200_000)}`;
      const output =
        index === 0
          ? { type: 'text', value }
          : index === 1
            ? { type: 'json', value: { value } }
            : { type: 'error-text', value };
      return { type: 'tool-result', toolCallId, toolName: 'read', output };
    };
    return [
      { role: 'user', content: `question ${round}` },
      {
        role: 'assistant',
        content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: {} })),
      },
      { role: 'tool', content: ids.map(result) },
      { role: 'assistant', content: `answer ${round}` },
    ] as ModelMessage[];
  }).flat();
}

function expectBounded(model: ReturnType<typeof scriptedModel>, beginning: string): void {
  const [result] = toolResultsSentTo(model);
  const text = String(result?.output.value);
  expect(text.startsWith(`${beginning}, but its output is incomplete: `)).toBe(true);
  expect(text).toContain('The rest was not saved and cannot be retrieved.\n<tool-output-preview>\n');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(PREVIEW_BYTES);
}
