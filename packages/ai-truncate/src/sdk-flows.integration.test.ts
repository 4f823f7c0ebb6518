import {
  generateText,
  isStepCount,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  ToolLoopAgent,
  type ToolSet,
  tool,
  toUIMessageStream,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { countArtifacts, keptOf, truncatedOf } from '../fixtures/run-tool.ts';
import { scriptedModel, toolResultsSentTo } from '../fixtures/scripted-model.ts';
import type { KeepFunction } from './preview/limits.ts';
import type { ArtifactStore } from './stores/artifact-store.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const log = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}: nothing to see`).join('\n');
const inputSchema = z.object({});
const readLogs = tool({ inputSchema, execute: async () => log });
const bounded =
  /^readLogs succeeded, but its output is incomplete: [\d,]+ of 20,000 lines shown\. Full output saved to: /;

class LogTool {
  readonly description = 'Reads logs.';
  readonly inputSchema = z.object({ service: z.string() });
  #seen: string[] = [];
  #lines = log;
  get seen(): string[] {
    return this.#seen;
  }
  onInputStart(): void {
    this.#seen.push('start');
  }
  onInputDelta({ inputTextDelta }: { inputTextDelta: string }): void {
    this.#seen.push(inputTextDelta);
  }
  onInputAvailable({ input }: { input: { service: string } }): void {
    this.#seen.push(`available: ${input.service}`);
  }
  execute(): string {
    return this.#lines;
  }
}

describe('a wrapped tool that needs approval', () => {
  test.each<[string, typeof readLogs | LogTool]>([
    ['a plain one', readLogs],
    ['one of a class', new LogTool()],
  ])('runs in the request with the approval, and its output is bounded: %s', async (_, original) => {
    const store = memoryStore();
    const tools: ToolSet = truncateToolOutputs({ readLogs: original } as ToolSet, { store, scope: 'chat-1' });
    const model = scriptedModel({ toolName: 'readLogs', input: { service: 'api' } });
    const request = { model, tools, toolApproval: { readLogs: 'user-approval' }, stopWhen: isStepCount(3) } as const;
    const question: ModelMessage = { role: 'user', content: 'Look.' };
    const asked = await generateText({ ...request, messages: [question] });
    const approval = asked.content.find((part) => part.type === 'tool-approval-request');
    if (!approval) throw new Error('nobody asked');
    expect(await countArtifacts(store)).toBe(0);

    const answer = { type: 'tool-approval-response', approvalId: approval.approvalId, approved: true } as const;
    const messages: ModelMessage[] = [question, ...asked.responseMessages, { role: 'tool', content: [answer] }];
    const { text, responseMessages } = await generateText({ ...request, messages });
    expect(text).toBe('done');
    expect(toolResultsSentTo(model)[0]?.output.value).toMatch(bounded);
    expect(JSON.stringify(responseMessages).length).toBeLessThan(40_000);
    expect(await countArtifacts(store)).toBe(1);
  });
});

describe('a wrapped tool of a class with private fields', () => {
  test('has its hooks run while the model writes its input', async () => {
    const store = memoryStore();
    const original = new LogTool();
    const tools = truncateToolOutputs({ readLogs: original } as ToolSet, { store, scope: 'chat-1' });
    const result = streamText({ model: writingModel(), tools, prompt: 'Look.' });
    const output = (await result.toolResults)[0]?.output;
    expect(original.seen).toEqual(['start', '{"service":', '"api"}', 'available: api']);
    expect(await keptOf(output, { store })).toBe(log);
  });

  /** Writes the input of a call piece by piece. */
  function writingModel(): MockLanguageModelV4 {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    };
    return new MockLanguageModelV4({
      doStream: async () => ({
        stream: ReadableStream.from([
          { type: 'stream-start' as const, warnings: [] },
          { type: 'tool-input-start' as const, id: 'call_1', toolName: 'readLogs' },
          { type: 'tool-input-delta' as const, id: 'call_1', delta: '{"service":' },
          { type: 'tool-input-delta' as const, id: 'call_1', delta: '"api"}' },
          { type: 'tool-input-end' as const, id: 'call_1' },
          { type: 'tool-call' as const, toolCallId: 'call_1', toolName: 'readLogs', input: '{"service":"api"}' },
          { type: 'finish' as const, finishReason: { unified: 'tool-calls' as const, raw: undefined }, usage },
        ]),
      }),
    });
  }
});

describe('a wrapped tool that exceeds its time', () => {
  const unhandled = vi.fn();
  beforeEach(() => void process.on('unhandledRejection', unhandled));
  afterEach(() => {
    process.off('unhandledRejection', unhandled);
    unhandled.mockClear();
  });

  const forEver = () => new Promise<never>(() => {});
  const untilAborted = (abortSignal: AbortSignal | undefined) =>
    new Promise<string>((_, reject) => {
      if (abortSignal?.aborted) reject(abortSignal.reason);
      abortSignal?.addEventListener('abort', () => reject(abortSignal.reason));
    });

  /** The result that the model receives when a call may take 20 ms. */
  async function toldInTime(tools: ToolSet): Promise<unknown> {
    const model = scriptedModel({ toolName: 'readLogs' });
    await generateText({ model, tools, prompt: 'Look.', stopWhen: isStepCount(3), timeout: { toolMs: 20 } });
    await new Promise((resolve) => setImmediate(resolve));
    return toolResultsSentTo(model)[0]?.output;
  }

  test('and hangs until then is reported to the model as usual in the SDK', async () => {
    const hanging = tool({ inputSchema, execute: (_, { abortSignal }) => untilAborted(abortSignal) });
    const tools = truncateToolOutputs({ readLogs: hanging }, { store: memoryStore(), scope: 'chat-1' });
    const told = await toldInTime(tools);
    expect(told).toEqual(await toldInTime({ readLogs: hanging }));
    expect(told).toMatchObject({ type: 'error-text', value: expect.stringContaining('TimeoutError') });
    expect(unhandled).not.toHaveBeenCalled();
  });

  test.each<[string, Partial<ArtifactStore>, KeepFunction]>([
    ['hangs', { put: forEver }, async ({ head }) => head.slice(0, 6)],
    [
      'hangs, with a `keep` that ends with its signal',
      { put: forEver },
      ({ abortSignal }) => untilAborted(abortSignal),
    ],
    ['works, with a `keep` that ends with its signal', {}, ({ abortSignal }) => untilAborted(abortSignal)],
  ])('because of a store that %s delivers its preview, and no error is left unhandled', async (_, parts, keep) => {
    const store = { ...memoryStore(), ...parts };
    const onTruncate = vi.fn();
    const told = await toldInTime(truncateToolOutputs({ readLogs }, { store, scope: 'chat-1', keep, onTruncate }));
    expect(told).toMatchObject({
      type: 'text',
      value: expect.stringMatching(/^readLogs .* incomplete: .*\n.*\nline 1\b/),
    });
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('a run with unusual names', () => {
  test.each([
    ['equal', ['same', 'same']],
    ['empty', ['', '']],
  ])('saves each output of calls whose ids are %s', async (_, ids) => {
    const store = memoryStore();
    const tools = truncateToolOutputs({ readLogs }, { store, scope: 'chat-1' });
    const model = scriptedModel(...ids.map((toolCallId) => ({ toolName: 'readLogs', toolCallId })));
    await generateText({ model, tools, prompt: 'Look.', stopWhen: isStepCount(3) });
    const values = toolResultsSentTo(model).map(({ output }) => String(output.value));
    expect(values).toEqual(ids.map(() => expect.stringMatching(bounded)));
    expect(await countArtifacts(store)).toBe(ids.length);
  });

  test.each(['__proto__', 'constructor'])('bounds a tool that is called %s', async (toolName) => {
    const store = memoryStore();
    const tools = truncateToolOutputs(Object.fromEntries([[toolName, readLogs]]), { store, scope: 'chat-1' });
    const model = scriptedModel({ toolName });
    const { toolResults } = await generateText({ model, tools, prompt: 'Look.', stopWhen: isStepCount(3) });
    expect(truncatedOf(toolResults[0]?.output).context.tool_name).toBe(toolName);
    expect(await keptOf(toolResults[0]?.output, { store })).toBe(log);
  });
});

describe('a ToolLoopAgent with a wrapped tool', () => {
  test('generates with a bounded output', async () => {
    const store = memoryStore();
    const model = scriptedModel({ toolName: 'readLogs' });
    const agent = new ToolLoopAgent({ model, tools: truncateToolOutputs({ readLogs }, { store, scope: 'chat-1' }) });
    const { text, toolResults } = await agent.generate({ prompt: 'Look.' });
    expect(text).toBe('done');
    expect(await keptOf(toolResults[0]?.output, { store })).toBe(log);
    expect(toolResultsSentTo(model)[0]?.output.value).toMatch(bounded);
  });

  test('streams a bounded output to the UI', async () => {
    const store = memoryStore();
    const model = scriptedModel({ toolName: 'readLogs' });
    const agent = new ToolLoopAgent({ model, tools: truncateToolOutputs({ readLogs }, { store, scope: 'chat-1' }) });
    const { stream } = await agent.stream({ prompt: 'Look.' });
    let outputs: unknown[] = [];
    for await (const { parts } of readUIMessageStream({ stream: toUIMessageStream({ stream, tools: agent.tools }) })) {
      outputs = parts.flatMap((part) => ('output' in part ? [part.output] : []));
    }
    expect(await keptOf(outputs[0], { store })).toBe(log);
    expect(JSON.stringify(outputs).length).toBeLessThan(40_000);
    expect(toolResultsSentTo(model)[0]?.output.value).toMatch(bounded);
  });
});
