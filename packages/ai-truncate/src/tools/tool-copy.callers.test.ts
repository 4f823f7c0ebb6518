import { openai } from '@ai-sdk/openai';
import {
  type Experimental_ToolCallerTool,
  experimental_toolCaller,
  generateText,
  isStepCount,
  streamText,
  type Tool,
  type ToolExecutionOptions,
  type ToolSet,
  tool,
  toolSearch,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { scriptedModel, toolResultsSentTo } from '../../fixtures/scripted-model.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { TruncationEvent } from '../delivery/events.ts';
import { isTruncatedOutput } from '../protocol/truncated-output.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from './truncate-tool-outputs.ts';

const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, level: id % 1000 === 0 ? 'error' : 'info' }));
const inputSchema = z.object({});
const keeping = { store: memoryStore(), scope: 'chat-1' };

/** A tool of the application whose output is over the limits. */
const readRows = tool({
  description: 'Reads the rows of the table.',
  inputSchema,
  outputSchema: z.array(z.unknown()),
  execute: async () => rows,
});

/** The program that a model would write. It calls tools by their names. */
type Program = (call: (name: string) => Promise<unknown>) => unknown;
type PrepareModelMessage = (tools: ToolSet) => string | undefined;

/** A minimal code mode. */
function codeMode(program: Program, prepareModelMessage?: PrepareModelMessage): Experimental_ToolCallerTool {
  const unbound: Tool = tool({
    inputSchema,
    outputSchema: z.unknown(),
    execute: () => Promise.reject(new Error('not bound to any tools')),
  });
  const bind = (tools: ToolSet) => {
    const execute = async (_input: unknown, options: ToolExecutionOptions<unknown>) =>
      program(async (name) => tools[name]?.execute?.({}, { ...options, toolCallId: `${options.toolCallId}:tool-1` }));
    return { ...unbound, execute } as Tool;
  };
  return experimental_toolCaller(unbound, { type: 'local', bind, ...(prepareModelMessage && { prepareModelMessage }) });
}

const errorsOnly: Program = async (call) => {
  const all = (await call('readRows')) as typeof rows;
  return all.filter(({ level }) => level === 'error').map(({ id }) => id);
};

interface Run {
  /** By the name of the tool, because in a run that streams, outputs arrive as they are done. */
  outputs: Record<string, unknown>;
  sent: { toolName: string; output: { type: string; value: unknown } }[];
  model: MockLanguageModelV4;
  events: TruncationEvent[];
}

interface Script {
  /** The tools that the model calls. */
  calls?: string[];
  /** The callers of `readRows`. */
  callers?: string[];
  streams?: boolean;
  /** Tools that only the program may call. */
  more?: ToolSet;
  perTool?: { runProgram: false };
}

async function run(
  runProgram: Tool,
  { calls = ['runProgram'], callers = ['runProgram'], streams = false, more = {}, perTool }: Script,
): Promise<Run> {
  const model = scriptedModel(...calls.map((toolName) => ({ toolName })));
  const events: TruncationEvent[] = [];
  const tools = truncateToolOutputs({ ...more, readRows, runProgram } as ToolSet, {
    ...keeping,
    ...(perTool && { perTool }),
    onTruncate: (event) => events.push(event),
  });
  const onlyByProgram = Object.fromEntries(Object.keys(more).map((name) => [name, ['runProgram'] as never]));
  const settings = {
    model,
    tools,
    experimental_toolCallers: { ...onlyByProgram, readRows: callers as never },
    prompt: 'go',
    stopWhen: isStepCount(3),
  };
  const result = streams ? streamText(settings) : await generateText(settings);
  expect(await result.text).toBe('done');
  const results: { toolName: string; output: unknown }[] = await result.toolResults;
  const outputs = Object.fromEntries(results.map(({ toolName, output }) => [toolName, output]));
  return { outputs, sent: toolResultsSentTo(model), model, events };
}

describe.each([
  ['generates', { streams: false }],
  ['streams', { streams: true }],
])('a program that calls tools, in a run that %s', (_, mode) => {
  test('receives their outputs, not previews', async () => {
    const { outputs, sent, events } = await run(codeMode(errorsOnly), mode);
    const errors = rows.filter(({ level }) => level === 'error').map(({ id }) => id);
    expect(outputs).toEqual({ runProgram: errors });
    expect(sent).toMatchObject([{ toolName: 'runProgram', output: { type: 'json', value: errors } }]);
    expect(events).toEqual([]);
  });

  test('receives the whole output of a shell of OpenAI', async () => {
    const shell = openai.tools.localShell({ execute: async () => ({ output: JSON.stringify(rows) }) });
    const program: Program = async (call) => JSON.parse(((await call('shell')) as { output: string }).output).length;
    const { outputs } = await run(codeMode(program), { ...mode, more: { shell } });
    expect(outputs).toEqual({ runProgram: rows.length });
  });

  test('receives them even if a message describes the tools to the model', async () => {
    const { outputs } = await run(
      codeMode(errorsOnly, () => 'readRows(): rows'),
      mode,
    );
    expect(outputs.runProgram).toHaveLength(20);
  });

  test.each<[string, PrepareModelMessage | undefined]>([
    ['in its definition', undefined],
    ['in a message', () => 'readRows(): rows'],
  ])(
    'returns a preview if its result is over the limits, with tools described in %s',
    async (_name, prepareModelMessage) => {
      const { outputs, sent, events } = await run(
        codeMode((call) => call('readRows'), prepareModelMessage),
        mode,
      );
      expect(isTruncatedOutput(outputs.runProgram)).toBe(true);
      expect(sent).toMatchObject([{ toolName: 'runProgram', output: { type: 'text' } }]);
      expect(sent[0]?.output.value).toMatch(/^runProgram succeeded, but its output is incomplete: /);
      expect(events).toMatchObject([{ toolName: 'runProgram', toolCallId: 'call_1' }]);
      const artifact = await scopedArtifacts(keeping.store, { scope: keeping.scope }).readStream(events[0]?.path ?? '');
      expect(await new Response(artifact).json()).toEqual(rows);
    },
  );

  test('throws a preview of a large error', async () => {
    const { sent } = await run(
      codeMode(() => Promise.reject(new Error(JSON.stringify(rows)))),
      mode,
    );
    expect(sent).toMatchObject([{ output: { type: 'error-text' } }]);
    expect(sent[0]?.output.value).toMatch(/^runProgram failed, but its output is incomplete: /);
    expect(String(sent[0]?.output.value).length).toBeLessThanOrEqual(16_384);
  });

  test('receives the whole output for which the model, calling the same tool, gets a preview', async () => {
    const both = { calls: ['readRows', 'runProgram'], callers: ['AI_SDK_DIRECT_TOOL_CALL', 'runProgram'] };
    const { outputs, sent, events } = await run(codeMode(errorsOnly), { ...mode, ...both });
    expect(isTruncatedOutput(outputs.readRows)).toBe(true);
    expect(outputs.runProgram).toHaveLength(20);
    expect(sent.map(({ toolName, output }) => `${toolName} ${output.type}`).sort()).toEqual([
      'readRows text',
      'runProgram json',
    ]);
    expect(events).toMatchObject([{ toolName: 'readRows' }]);
  });

  test('also receives it if its own result is left alone', async () => {
    const readAll: Program = (call) => call('readRows');
    const { outputs } = await run(codeMode(readAll), { ...mode, perTool: { runProgram: false } });
    expect(outputs).toEqual({ runProgram: rows });
  });

  test('is written for the original tools of the application', async () => {
    const prepareModelMessage = vi.fn<PrepareModelMessage>(() => 'readRows(): rows');
    const { model } = await run(codeMode(errorsOnly, prepareModelMessage), mode);
    expect(prepareModelMessage.mock.calls[0]?.[0].readRows).toBe(readRows);
    const { prompt } = [...model.doGenerateCalls, ...model.doStreamCalls][0] ?? {};
    expect(prompt?.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'text', text: 'readRows(): rows' }] });
  });
});

describe('the mark of a caller', () => {
  test('stays hidden', () => {
    const runProgram = codeMode(errorsOnly);
    const tools = truncateToolOutputs({ runProgram }, keeping);
    expect(Object.keys(tools.runProgram)).toEqual(expect.not.arrayContaining(['experimental_toolCaller']));
    expect(tools.runProgram.experimental_toolCaller).toMatchObject({ type: 'local' });
  });

  test.each<[string, Tool]>([
    ['one of OpenAI', openai.tools.programmaticToolCalling()],
    [
      'a caller with an execute',
      experimental_toolCaller(readRows as Tool, {
        type: 'provider',
        prepareProviderOptions: (options) => options ?? {},
      }),
    ],
  ])('does not change a caller at the provider: %s', (_, given) => {
    expect(truncateToolOutputs({ given }, keeping).given).toBe(given);
  });
});

describe('the search for tools', () => {
  test('is not changed, and finds tools whose outputs are bounded', async () => {
    const search = toolSearch();
    const deferred = { ...readRows, deferLoading: true };
    const tools = truncateToolOutputs({ search, readRows: deferred }, keeping);
    const model = steps(
      { toolName: 'search', input: { query: 'rows of a table' } },
      { toolName: 'readRows', input: {} },
    );
    const { toolResults } = await generateText({ model, tools, prompt: 'go', stopWhen: isStepCount(5) });
    expect(tools.search).toBe(search);
    const offered = model.doGenerateCalls.map((call) => call.tools?.map(({ name }) => name));
    const readers = ['readArtifact', 'grepArtifacts', 'queryArtifact'];
    const found = ['search', 'readRows', ...readers];
    expect(offered).toEqual([['search', ...readers], found, found]);
    expect(toolResults[0]?.output).toEqual({ tools: [{ name: 'readRows', description: readRows.description }] });
    expect(isTruncatedOutput(toolResults[1]?.output)).toBe(true);
  });
});

/** A model that makes one call in each step. */
function steps(...calls: { toolName: string; input: unknown }[]): MockLanguageModelV4 {
  const answers = calls.map((call) => scriptedModel(call).doGenerate({ prompt: [] }));
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const done = prompt.filter(({ role }) => role === 'tool').length;
      return answers[done] ?? scriptedModel().doGenerate({ prompt });
    },
  });
}
