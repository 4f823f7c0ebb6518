import { createOpenAI } from '@ai-sdk/openai';
import { LLMock } from '@copilotkit/aimock';
import {
  generateText,
  isStepCount,
  readUIMessageStream,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  callItem,
  messageItem,
  type OpenAiAnswer,
  type OpenAiRequest,
  type OpenAiServer,
  serveOpenAi,
} from '../fixtures/openai-server.ts';
import type { TaskData } from './agents/task/answer.ts';
import type { TaskEvent } from './agents/task/options.ts';
import { usageWithTasks } from './agents/task/usage.ts';
import { toolResponseSchema } from './protocol/schemas.ts';
import type { ToolResponse } from './protocol/tool-response.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const log = Array.from({ length: 20_000 }, (_, index) => `2026-11-18 INFO request ${index + 1} served`);
log[9999] = '2026-11-18 INFO config reloaded: pool size 50 -> 5';
const readServerLogs = tool({ inputSchema: z.object({}), execute: () => log.join('\n') });

let server: OpenAiServer | undefined;
afterEach(() => server?.close());

const outputsOf = ({ input }: OpenAiRequest) =>
  input.filter(({ type }) => type === 'function_call_output').map(({ output }) => String(output));
const pathIn = (text: string) => /tool-output\/\S+?\.txt/.exec(text)?.[0] ?? '';
const isExplore = ({ tools = [] }: OpenAiRequest) => tools.some(({ name }) => name === 'report');
/** The prompt of the sub-agent. */
const promptOf = ({ input }: OpenAiRequest) => JSON.stringify(input.find(({ role }) => role === 'user'));

/** The main agent: reads the logs, delegates the search, and repeats the answer. */
function mainAgent(request: OpenAiRequest): OpenAiAnswer {
  const results = outputsOf(request);
  const [logs, answer] = results;
  if (logs === undefined) return [callItem('readServerLogs', {}, 'call_logs')];
  const prompt = `Which config change broke the pool? Look into ${pathIn(logs)}`;
  if (answer === undefined) return [callItem('task', { agent: 'explore', prompt }, 'call_task')];
  return [messageItem(`The answer was: ${answer}`)];
}

/** The sub-agent: searches, reads around the matches, and reports. */
function exploreAgent(request: OpenAiRequest): OpenAiAnswer {
  const results = outputsOf(request);
  const path = pathIn(promptOf(request));
  const line = Number(/^(\d+): .*config/m.exec(results[0] ?? '')?.[1]);
  if (results.length === 0) return [callItem('grepArtifacts', { pattern: 'config', path }, 'call_grep')];
  if (results.length === 1) return [callItem('readArtifact', { path, offset: line - 2, limit: 5 }, 'call_read')];
  const quote = 'config reloaded: pool size 50 -> 5';
  const evidence = [{ path, start_line: line, end_line: line, quote }];
  return [callItem('report', { conclusion: 'The pool was cut to 5.', evidence }, 'call_report')];
}

type Answering = (request: OpenAiRequest) => OpenAiAnswer;

async function run({
  explore = exploreAgent,
  main = mainAgent,
  streams = false,
  abortSignal,
}: {
  explore?: Answering;
  main?: Answering;
  streams?: boolean;
  abortSignal?: AbortSignal;
} = {}) {
  server = await serveOpenAi((request) => (isExplore(request) ? explore(request) : main(request)));
  const openai = createOpenAI({ baseURL: server.baseURL, apiKey: 'none' });
  const events: TaskEvent[] = [];
  const tools = truncateToolOutputs(
    { readServerLogs },
    {
      store: memoryStore(),
      scope: 'chat-1',
      explore: { model: openai('gpt-5-nano'), maxSteps: 5 },
      onTask: (event) => events.push(event),
    },
  );
  const settings = {
    model: openai('gpt-5-mini'),
    tools,
    prompt: 'Why is it slow?',
    stopWhen: isStepCount(5),
    abortSignal,
    maxRetries: 0,
  };
  const messages: UIMessage[] = [];
  if (!streams) {
    const result = await generateText(settings);
    return { ...(await settled(result)), messages, events };
  }
  const result = streamText({ ...settings, onError: () => {} });
  const stream = toUIMessageStream({ stream: result.stream, tools });
  for await (const message of readUIMessageStream({ stream })) messages.push(structuredClone(message));
  return { ...(await settled(result)), messages, events };
}

async function settled(result: {
  text: string | PromiseLike<string>;
  usage: PromiseLike<Usage> | Usage;
  steps: PromiseLike<readonly Step[]> | readonly Step[];
}) {
  const steps = await result.steps;
  const task = steps.flatMap(({ toolResults }) => toolResults).find(({ toolName }) => toolName === 'task');
  const output = toolResponseSchema.parse(task?.output) as ToolResponse<TaskData>;
  return {
    text: await result.text,
    output,
    usage: await result.usage,
    all: usageWithTasks({ usage: await result.usage, steps: steps as never }),
  };
}
type Usage = Parameters<typeof usageWithTasks>[0]['usage'];
type Step = { toolResults: readonly { toolName: string; output: unknown }[] };

describe.each([
  ['generates', false],
  ['streams', true],
])('through OpenAI, in a run that %s', (_, streams) => {
  test('a truncated output is delegated, searched, and answered with verified evidence', async () => {
    const { text, output, usage, all } = await run({ streams });
    expect(output).toMatchObject({
      status: 'success',
      data: {
        conclusion: 'The pool was cut to 5.',
        evidence: [{ start_line: 10_000, end_line: 10_000, verified: true }],
        steps: 3,
        usage: { input_tokens: 30, output_tokens: 15 },
      },
    });
    expect(text).toMatch(
      /The answer was: explore answered after 3 steps\. Its quote was found.* line 10000\nIts answer:\n> The pool was cut to 5\./s,
    );
    expect([usage.inputTokens, all.inputTokens]).toEqual([30, 60]);
  });

  test('the hint of the truncated output names the agent and the call', async () => {
    await run({ streams });
    const second = JSON.parse(server?.bodies[1] ?? '') as OpenAiRequest;
    expect(outputsOf(second)[0]).toMatch(/Use task\(agent="explore", prompt="…"\) with this path[^\n]*$/);
  });

  test('a provider that fails inside the sub-agent is an answer, and the main agent continues', async () => {
    const { text, output, events } = await run({
      streams,
      explore: (request) =>
        outputsOf(request).length === 0
          ? exploreAgent(request)
          : { status: 400, message: 'no credit for key sk-secret' },
    });
    expect(output).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_ERROR', message: 'explore failed: AI_APICallError, status 400.' },
      data: { steps: 1, usage: { input_tokens: 10 } },
    });
    expect(text).toContain('explore failed: AI_APICallError, status 400.');
    expect(text).not.toContain('sk-secret');
    expect(events[0]?.result.error).toMatchObject({ message: 'no credit for key sk-secret' });
  });

  test('a model that never reports is ended, and its text counts as a partial answer', async () => {
    let asked = 0;
    const { output } = await run({
      streams,
      explore: (request) => {
        asked++;
        return typeof request.tool_choice === 'object'
          ? [messageItem('I do not know.')]
          : [callItem('grepArtifacts', { pattern: 'config' }, `call_${asked}`)];
      },
    });
    expect(asked, 'the last one is forced to report').toBe(5);
    expect(output).toMatchObject({
      status: 'partial',
      data: { conclusion: 'I do not know.', evidence: [], truncated: true },
    });
    expect(output.text).toContain('It used all of its 5 steps.');
  });

  test('an abort halfway ends the sub-agent and the run', async () => {
    const controller = new AbortController();
    let asked = 0;
    const running = run({
      streams,
      abortSignal: controller.signal,
      explore: (request) => {
        if (++asked === 1) return exploreAgent(request);
        queueMicrotask(() => controller.abort(new Error('the user left')));
        return 'nothing';
      },
    });
    await expect(running).rejects.toThrow();
    expect(asked).toBe(2);
  });
});

test('the UI gets small steps of progress and then the evidence, never the answers of the readers', async () => {
  const { messages } = await run({ streams: true });
  const outputs = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-task' && 'output' in part && part.output ? [part.output] : [])),
  ) as ToolResponse<TaskData>[];
  expect(outputs[0]?.data.running).toMatchObject({ phase: 'thinking', step: 1, max_steps: 5 });
  expect(outputs.at(-1)?.data).toMatchObject({ conclusion: 'The pool was cut to 5.', evidence: [{ verified: true }] });
  expect(JSON.stringify(outputs)).not.toMatch(/request \d+ served/);
});

test('a second opinion: the same against an independent server', async () => {
  const mock = new LLMock({ port: 0 });
  onTestFinished(() => mock.stop().then(() => undefined));
  const evidence = [{ path: 'unknown', start_line: 1, end_line: 1, quote: 'config reloaded' }];
  mock.on(
    { userMessage: 'Search for it', hasToolResult: true },
    { toolCalls: [{ name: 'report', arguments: { conclusion: 'Found.', evidence } }] },
  );
  mock.on(
    { userMessage: 'Search for it' },
    { toolCalls: [{ name: 'grepArtifacts', arguments: { pattern: 'config' } }] },
  );
  mock.on({ userMessage: 'Why?', hasToolResult: true }, { content: 'It was the config.' });
  mock.on(
    { userMessage: 'Why?' },
    { toolCalls: [{ name: 'task', arguments: { agent: 'explore', prompt: 'Search for it' } }] },
  );
  await mock.start();
  const openai = createOpenAI({ baseURL: `${mock.url}/v1`, apiKey: 'mock' });
  const explore = { model: openai('gpt-5-nano') };
  const tools = truncateToolOutputs({ readServerLogs }, { store: memoryStore(), scope: 'chat-1', explore });
  const result = await generateText({ model: openai('gpt-5-mini'), tools, prompt: 'Why?', stopWhen: isStepCount(5) });
  expect(result.text).toBe('It was the config.');
  expect(result.toolResults[0]?.output).toMatchObject({
    status: 'partial',
    data: { conclusion: 'Found.', evidence: [{ verified: false }] },
  });
});
