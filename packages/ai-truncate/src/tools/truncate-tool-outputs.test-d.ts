import { Readable } from 'node:stream';
import { createMCPClient } from '@ai-sdk/mcp';
import { openai } from '@ai-sdk/openai';
import {
  convertToModelMessages,
  dynamicTool,
  experimental_toolCaller,
  generateText,
  hasToolCall,
  type InferAgentUIMessage,
  type InferToolInput,
  type InferToolOutput,
  type InferUITools,
  isStepCount,
  type ModelMessage,
  Output,
  streamText,
  type Tool,
  ToolLoopAgent,
  type ToolSet,
  tool,
  toolSearch,
  type UIMessage,
  validateUIMessages,
} from 'ai';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import {
  type Artifacts,
  type ArtifactTools,
  createArtifactTools,
  createTaskTool,
  exploreAgent,
  isTruncatedOutput,
  type MarkedLine,
  memoryStore,
  type ReaderName,
  type SubAgent,
  scopedArtifacts,
  type ToolTruncation,
  type TruncatedOutput,
  type TruncatedTool,
  type TruncatedTools,
  type TruncateToolOutputsOptions,
  type TruncationLimits,
  toSubAgent,
  truncateToolOutputs,
} from '../index.ts';
import type { QueryArtifactInput, TaskData, TaskEvidence, TaskInput, ToolResponse } from '../ui.ts';

const store = memoryStore();
const options = { store, scope: 'chat-1' };
const model = 'openai/gpt-5-mini';
const empty = z.object({});

const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, degrees: 20 }),
});
const logs = tool({
  inputSchema: z.object({ service: z.string(), hours: z.number().default(1) }),
  execute: ({ service, hours }) => `${service} ${hours}\n`,
});
const progress = tool({
  inputSchema: empty,
  async *execute() {
    yield { done: 1 };
    yield { done: 2 };
  },
});
const contextual = tool({
  inputSchema: z.object({ query: z.string() }),
  contextSchema: z.object({ userId: z.string() }),
  execute: async ({ query }, { context }) => ({ query, by: context.userId }),
});
const ask = tool({ inputSchema: z.object({ question: z.string() }), outputSchema: z.string() });
const image = tool({
  inputSchema: empty,
  execute: async () => ({ image: 'base64' }),
  toModelOutput: ({ output }) => ({ type: 'text', value: output.image }),
});
const annotated: Tool<{ id: number }, { rows: string[] }> = tool({
  inputSchema: z.object({ id: z.number() }),
  execute: async ({ id }) => ({ rows: [`${id}`] }),
});
const dynamic = dynamicTool({ inputSchema: empty, execute: async () => 'text' });
const webSearch = openai.tools.webSearch();
const localShell = openai.tools.localShell({ execute: async () => ({ output: '' }) });
const finder = toolSearch();

const tools = truncateToolOutputs(
  { weather, logs, progress, contextual, ask, image, annotated, dynamic, webSearch, localShell, finder },
  { ...options, perTool: { logs: { keep: 'tail' }, weather: false } },
);
type Tools = typeof tools;

describe('a tool of the set', () => {
  test('keeps its name, and the SDK accepts the set', () => {
    expectTypeOf<keyof Tools>().toEqualTypeOf<
      | 'weather'
      | 'logs'
      | 'progress'
      | 'contextual'
      | 'ask'
      | 'image'
      | 'annotated'
      | 'dynamic'
      | 'webSearch'
      | 'localShell'
      | 'finder'
      | 'readArtifact'
      | 'grepArtifacts'
      | 'queryArtifact'
    >();
    expectTypeOf<Tools>().toExtend<ToolSet>();
  });

  test('keeps its input', () => {
    expectTypeOf<InferToolInput<Tools['logs']>>().toEqualTypeOf<{ service: string; hours: number }>();
    expectTypeOf<InferToolInput<Tools['annotated']>>().toEqualTypeOf<{ id: number }>();
  });

  test('returns its own output or its replacement', () => {
    expectTypeOf<InferToolOutput<Tools['logs']>>().toEqualTypeOf<string | TruncatedOutput>();
    expectTypeOf<InferToolOutput<Tools['image']>>().toEqualTypeOf<{ image: string } | TruncatedOutput>();
    expectTypeOf<InferToolOutput<Tools['contextual']>>().toEqualTypeOf<
      { query: string; by: string } | TruncatedOutput
    >();
  });

  test('that yields progress still yields it', () => {
    expectTypeOf<InferToolOutput<Tools['progress']>>().toEqualTypeOf<{ done: number } | TruncatedOutput>();
  });

  test('that `perTool` sets to false is not changed', () => {
    expectTypeOf<Tools['weather']>().toEqualTypeOf(weather);
  });

  test('whose `execute` is known can still be called by hand', () => {
    const call = { toolCallId: 'call_1', messages: [], context: {} };
    expectTypeOf(tools.logs.execute({ service: 'web', hours: 1 }, call)).not.toBeAny();
    // @ts-expect-error the type of `service` is wrong
    tools.logs.execute({ service: 1, hours: 1 }, call);
  });

  test('may be truncated if its type was written by hand', () => {
    expectTypeOf<InferToolOutput<Tools['annotated']>>().toEqualTypeOf<{ rows: string[] } | TruncatedOutput>();
    // @ts-expect-error the annotation does not say that the tool can be executed
    tools.annotated.execute({ id: 1 }, { toolCallId: 'call_1', messages: [], context: {} });
  });

  test('may be truncated if the client answers it, because its type does not say so', () => {
    expectTypeOf<InferToolOutput<Tools['ask']>>().toEqualTypeOf<string | TruncatedOutput>();
  });

  test('is not changed if it is known to have no `execute`', () => {
    const clientSide = { inputSchema: empty, outputSchema: z.string(), execute: undefined };
    const set = truncateToolOutputs({ clientSide }, options);
    expectTypeOf(set.clientSide).toEqualTypeOf(clientSide);
  });

  test('may be a plain object', () => {
    const plain = { inputSchema: z.object({ id: z.number() }), execute: async ({ id }: { id: number }) => ({ id }) };
    const set = truncateToolOutputs({ plain }, options);
    expectTypeOf<InferToolInput<typeof set.plain>>().toEqualTypeOf<{ id: number }>();
    expectTypeOf<InferToolOutput<typeof set.plain>>().toEqualTypeOf<{ id: number } | TruncatedOutput>();
  });

  test('that is dynamic stays unknown', () => {
    expectTypeOf<InferToolOutput<Tools['dynamic']>>().toBeUnknown();
    expectTypeOf<Tools['dynamic']['type']>().toEqualTypeOf<'dynamic'>();
  });

  test('that the provider runs, or defines, is not changed', () => {
    expectTypeOf<Tools['webSearch']>().toEqualTypeOf(webSearch);
    expectTypeOf<InferToolOutput<Tools['localShell']>>().toEqualTypeOf<InferToolOutput<typeof localShell>>();
  });

  test('that finds other tools stays usable', () => {
    expectTypeOf<InferToolInput<Tools['finder']>>().toEqualTypeOf<InferToolInput<typeof finder>>();
    expectTypeOf<InferToolOutput<Tools['finder']>>().toEqualTypeOf<InferToolOutput<typeof finder> | TruncatedOutput>();
  });

  test('that returns a stream returns text', () => {
    // A function that is not `async` is inferred as a generator of its outputs, so its output would be the chunk.
    const web = tool({ inputSchema: empty, execute: async () => new ReadableStream<Uint8Array>() });
    const node = tool({ inputSchema: empty, execute: async () => Readable.from(['text']) });
    const either = tool({
      inputSchema: empty,
      execute: async (): Promise<{ rows: number } | ReadableStream<string>> => ({ rows: 1 }),
    });
    const streams = truncateToolOutputs({ web, node, either }, options);
    expectTypeOf<InferToolOutput<typeof streams.web>>().toEqualTypeOf<string | TruncatedOutput>();
    expectTypeOf<InferToolOutput<typeof streams.node>>().toEqualTypeOf<string | TruncatedOutput>();
    expectTypeOf<InferToolOutput<typeof streams.either>>().toEqualTypeOf<string | { rows: number } | TruncatedOutput>();
  });

  test('keeps the mark of a code-mode caller, so that other tools can be given to it', () => {
    const program = experimental_toolCaller(tool({ inputSchema: empty, execute: async () => 'text' }), {
      type: 'provider',
      prepareProviderOptions: (providerOptions) => providerOptions ?? {},
    });
    const withCaller = truncateToolOutputs({ logs, program }, options);
    void generateText({ model, tools: withCaller, prompt: '', experimental_toolCallers: { logs: ['program'] } });
    // @ts-expect-error `logs` is not a caller
    void generateText({ model, tools: withCaller, prompt: '', experimental_toolCallers: { program: ['logs'] } });
  });

  test('can be named in a type', () => {
    expectTypeOf<Tools['logs']>().toEqualTypeOf<TruncatedTool<typeof logs>>();
    const set = truncateToolOutputs({ logs, weather }, { ...options, readers: false });
    expectTypeOf<InferUITools<typeof set>>().toEqualTypeOf<
      InferUITools<TruncatedTools<{ logs: typeof logs; weather: typeof weather }>>
    >();
  });
});

describe('the SDK', () => {
  const toolsContext = { contextual: { userId: 'user-1' } };

  test('types the results of generateText', async () => {
    const result = await generateText({
      model,
      tools,
      toolsContext,
      prompt: '',
      stopWhen: [isStepCount(5), hasToolCall<Tools>('weather')],
      activeTools: ['weather', 'logs'],
      toolApproval: { logs: 'user-approval' },
    });
    for (const part of result.toolResults) {
      if (part.dynamic || part.toolName !== 'logs') continue;
      expectTypeOf(part.output).toEqualTypeOf<string | TruncatedOutput>();
      if (!isTruncatedOutput(part.output)) expectTypeOf(part.output).toBeString();
    }
  });

  test('types the parts of streamText', async () => {
    for await (const part of streamText({ model, tools, toolsContext, prompt: '' }).stream) {
      if (part.type !== 'tool-result' || part.dynamic || part.toolName !== 'image') continue;
      expectTypeOf(part.output).toEqualTypeOf<{ image: string } | TruncatedOutput>();
    }
  });

  test('still requires the context that a tool needs, with its type', () => {
    // @ts-expect-error
    void generateText({ model, tools, prompt: '' });
    // @ts-expect-error
    void generateText({ model, tools, prompt: '', toolsContext: { contextual: { userId: 1 } } });
    // @ts-expect-error
    new ToolLoopAgent({ model, tools });
  });

  test('knows the names of the tools', () => {
    // @ts-expect-error
    void generateText({ model, tools, toolsContext, prompt: '', activeTools: ['forecast'] });
  });

  test('types the messages of an agent', () => {
    const agent = new ToolLoopAgent({ model, tools, toolsContext });
    function render(message: InferAgentUIMessage<typeof agent>): void {
      for (const part of message.parts) {
        if (part.type !== 'tool-logs' || part.state !== 'output-available') continue;
        expectTypeOf(part.output).toEqualTypeOf<string | TruncatedOutput>();
      }
    }
    void render;
  });

  test('types the messages of a chat, and accepts them', async () => {
    type UITools = InferUITools<Tools>;
    expectTypeOf<UITools['logs']['output']>().toEqualTypeOf<string | TruncatedOutput>();
    expectTypeOf<UITools['weather']['output']>().toEqualTypeOf<{ city: string; degrees: number }>();
    const messages: UIMessage<never, never, UITools>[] = [];
    await convertToModelMessages(messages, { tools });
    const chat = truncateToolOutputs({ logs, image }, options);
    await validateUIMessages<UIMessage<unknown, never, InferUITools<typeof chat>>>({ messages, tools: chat });
  });
});

describe('the readers', () => {
  const none = truncateToolOutputs({ logs }, { ...options, readers: false });
  const three = truncateToolOutputs({ logs }, options);
  // Written inline and without `as const`, as usual.
  const two = truncateToolOutputs({ logs }, { ...options, readers: ['readArtifact', 'listArtifacts'] });
  type Output<NAME extends ReaderName> = InferToolOutput<ArtifactTools[NAME]>;

  test('are the readers that the option names', () => {
    expectTypeOf<keyof typeof three>().toEqualTypeOf<'logs' | 'readArtifact' | 'grepArtifacts' | 'queryArtifact'>();
    expectTypeOf<keyof typeof none>().toEqualTypeOf<'logs'>();
    expectTypeOf<keyof typeof two>().toEqualTypeOf<'logs' | 'readArtifact' | 'listArtifacts'>();
    expectTypeOf(two.readArtifact).toEqualTypeOf<ArtifactTools['readArtifact']>();
  });

  test('are left out for an empty list', () => {
    const empty = truncateToolOutputs({ logs }, { ...options, readers: [] });
    expectTypeOf<keyof typeof empty>().toEqualTypeOf<'logs'>();
  });

  test('do not change the types of the set', () => {
    expectTypeOf(three.logs).toEqualTypeOf<TruncatedTool<typeof logs>>();
    expectTypeOf(none.logs).toEqualTypeOf<TruncatedTool<typeof logs>>();
    const left = truncateToolOutputs({ logs, weather }, { ...options, readers: false, perTool: { logs: false } });
    expectTypeOf(left.logs).toEqualTypeOf(logs);
    expectTypeOf(left.weather).toEqualTypeOf<TruncatedTool<typeof weather>>();
  });

  test('with a misspelt name do not compile', () => {
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, readers: ['readArtefact'] });
    // @ts-expect-error one of the names is right
    truncateToolOutputs({ logs }, { ...options, readers: ['readArtifact', 'readFile'] });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, readers: true });
  });

  test('may be chosen elsewhere', () => {
    const readers: readonly ReaderName[] = ['grepArtifacts'];
    const set = truncateToolOutputs({ logs }, { ...options, readers });
    expectTypeOf(set).toExtend<ToolSet>();
  });

  test('do not compile if a tool has one of their names, and compile without them', () => {
    // @ts-expect-error
    truncateToolOutputs({ logs, readArtifact: logs }, options);
    // @ts-expect-error
    truncateToolOutputs({ logs, listArtifacts: logs }, { ...options, readers: ['listArtifacts'] });
    truncateToolOutputs({ logs, readArtifact: logs }, { ...options, readers: false });
    truncateToolOutputs({ logs, readArtifact: logs }, { ...options, readers: ['grepArtifacts'] });
    truncateToolOutputs({ logs, listArtifacts: logs, task: logs }, options);
  });

  test('do not compile for a set that is already wrapped', () => {
    // @ts-expect-error
    truncateToolOutputs(three, options);
    truncateToolOutputs(three, { ...options, readers: false });
    truncateToolOutputs(three, { ...options, readers: ['listArtifacts'] });
  });

  test('narrow the results of a run', async () => {
    const result = await generateText({ model, tools: three, prompt: '' });
    for (const part of result.toolResults) {
      if (part.dynamic) continue;
      // @ts-expect-error The reader may have failed.
      if (part.toolName === 'grepArtifacts') part.output.data.matches.length;
      if (part.toolName === 'logs' || part.output.status === 'error') continue;
      if (part.toolName === 'readArtifact') expectTypeOf(part.output.data.content).toBeString();
      if (part.toolName === 'queryArtifact') {
        expectTypeOf(part.output.data.rows).toEqualTypeOf<Record<string, unknown>[]>();
      }
      if (part.toolName === 'grepArtifacts') {
        expectTypeOf(part.output.data.matches[0]?.line).toEqualTypeOf<number | undefined>();
      }
    }
  });

  test('narrow the messages of a UI', () => {
    function render(message: UIMessage<never, never, InferUITools<typeof two>>): void {
      for (const part of message.parts) {
        if (part.type !== 'tool-listArtifacts' || part.state !== 'output-available') continue;
        if (part.output.status === 'success')
          expectTypeOf(part.output.data.entries[0]?.path).toEqualTypeOf<string | undefined>();
      }
    }
    void render;
  });

  test('have their own inputs and answers', () => {
    expectTypeOf<InferToolInput<ArtifactTools['queryArtifact']>>().toEqualTypeOf<QueryArtifactInput>();
    expectTypeOf<Output<'readArtifact'>['data']>().toHaveProperty('content');
    expectTypeOf<Output<'globArtifacts'>['data']>().toHaveProperty('paths');
    expectTypeOf<Output<'readArtifact'>>().not.toExtend<TruncatedOutput>();
  });

  test('can be called by hand', () => {
    const call = { toolCallId: 'call_1', messages: [], context: {} };
    expectTypeOf(three.readArtifact.execute({ path: '', offset: -20 }, call)).not.toBeAny();
    // @ts-expect-error
    three.readArtifact.execute({ offset: -20 }, call);
  });

  test('need no context, and do not change the context of a tool', () => {
    void generateText({ model, tools: three, prompt: '' });
    void streamText({ model, tools: three, prompt: '' });
    new ToolLoopAgent({ model, tools: three });
    const set = truncateToolOutputs({ contextual }, options);
    void generateText({ model, tools: set, prompt: '', toolsContext: { contextual: { userId: 'user-1' } } });
    // @ts-expect-error
    void generateText({ model, tools: set, prompt: '' });
  });

  test('can be named in the options of the SDK', () => {
    void generateText({ model, tools: three, prompt: '', activeTools: ['readArtifact'] });
    // @ts-expect-error
    void generateText({ model, tools: none, prompt: '', activeTools: ['readArtifact'] });
  });
});

describe('the tools of an MCP server', () => {
  const connect = () => createMCPClient({ transport: { type: 'http', url: 'http://localhost' } });

  test('have no known names, so any name can be one of them', async () => {
    const client = await connect();
    const perTool = { read_text_file: { maxLines: 100 }, directory_tree: false } as const;
    const remote = truncateToolOutputs(await client.tools(), { ...options, perTool });
    void generateText({ model, tools: remote, prompt: '' });
    void generateText({ model, tools: { ...remote, ...truncateToolOutputs({ logs }, options) }, prompt: '' });
  });

  test('can be combined with other tools', async () => {
    const client = await connect();
    const mixed = truncateToolOutputs({ logs, ...(await client.tools()) }, options);
    expectTypeOf(mixed).toExtend<ToolSet>();
    expectTypeOf<InferToolInput<typeof mixed.logs>>().toEqualTypeOf<{ service: string; hours: number }>();
    const result = await generateText({ model, tools: mixed, prompt: '' });
    for (const part of result.toolResults) void part.output;
  });

  test('keep the types of their schemas', async () => {
    const client = await connect();
    const read = { inputSchema: z.object({ path: z.string() }), outputSchema: z.object({ content: z.string() }) };
    const typed = truncateToolOutputs(await client.tools({ schemas: { read } }), options);
    expectTypeOf<InferToolInput<typeof typed.read>>().toEqualTypeOf<{ path: string }>();
    expectTypeOf<InferToolOutput<typeof typed.read>>().toEqualTypeOf<{ content: string } | TruncatedOutput>();
    expectTypeOf(typed.read).toHaveProperty('_meta');
  });
});

describe('a set that is unknown when the code is written', () => {
  test('is bounded like any other', () => {
    const set: ToolSet = { logs };
    void generateText({ model, tools: truncateToolOutputs(set, options), prompt: '' });
    void truncateToolOutputs(set, { ...options, perTool: { anything: { maxLines: 1 } } });
  });

  test('can be bounded by a function over any set, whose result keeps the types', () => {
    function bounded<TOOLS extends ToolSet>(set: TOOLS): TruncatedTools<TOOLS> {
      return truncateToolOutputs(set, { ...options, readers: false });
    }
    const set = bounded({ logs });
    expectTypeOf<InferToolOutput<typeof set.logs>>().toEqualTypeOf<string | TruncatedOutput>();
  });

  test('has the readers in addition to its index signature', () => {
    const set: ToolSet = { logs };
    const wrapped = truncateToolOutputs(set, { ...options, readers: ['readArtifact'] });
    expectTypeOf<InferToolInput<typeof wrapped.readArtifact>>().toHaveProperty('path');
  });
});

describe('the options', () => {
  test('may be declared apart from the call', () => {
    const shared: TruncateToolOutputsOptions = { ...options, keep: 'ends', retentionDays: 30 };
    const set = truncateToolOutputs({ logs }, { ...shared, perTool: { logs: false } });
    expectTypeOf(set.logs).toEqualTypeOf(logs);
  });

  test('type the functions in them', () => {
    truncateToolOutputs(
      { logs },
      {
        store,
        scope: async () => 'chat-1',
        keep: ({ head, maxBytes, toolName, input, question, marked }) => {
          expectTypeOf(head).toBeString();
          expectTypeOf(maxBytes).toBeNumber();
          expectTypeOf(toolName).toBeString();
          expectTypeOf(input).toBeUnknown();
          expectTypeOf(question).toEqualTypeOf<string | undefined>();
          expectTypeOf(marked).toEqualTypeOf<readonly MarkedLine[]>();
          return head;
        },
        onTruncate: ({ path }) => expectTypeOf(path).toEqualTypeOf<string | null>(),
        onOutput: [({ kind }) => expectTypeOf(kind).toEqualTypeOf<'tool' | 'reader'>(), () => {}],
        hint: ({ toolName, toolCallId, messages, input, path }) => {
          expectTypeOf(toolName).toBeString();
          expectTypeOf(messages).toEqualTypeOf<ModelMessage[]>();
          expectTypeOf(input).toBeUnknown();
          expectTypeOf(path).toEqualTypeOf<string | null>();
          return toolCallId === toolName ? { task: 'Task', grep: false } : 'Ask for less.';
        },
        perTool: {
          logs: {
            keep: ({ tail }) => {
              expectTypeOf(tail).toBeString();
              return tail;
            },
          },
        },
      },
    );
  });

  test('for one tool are limits, and whether it is trusted', () => {
    expectTypeOf<ToolTruncation>().toExtend<TruncationLimits>();
    const set = truncateToolOutputs({ logs }, { ...options, perTool: { logs: { maxLines: 10, allowSkip: true } } });
    expectTypeOf(set.logs).toEqualTypeOf<TruncatedTool<typeof logs>>();
  });

  test('need a store and a scope', () => {
    // @ts-expect-error
    truncateToolOutputs({ logs }, { store });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { scope: 'chat-1' });
    // @ts-expect-error the scope must be known at each call
    truncateToolOutputs({ logs }, { store, scope: Promise.resolve('chat-1') });
  });

  test('with a misspelt name or value do not compile', () => {
    // @ts-expect-error
    truncateToolOutputs({ logs }, { store, scope: 'chat-1', maxLine: 1 });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { store, scope: 'chat-1', keep: 'middle' });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { store, scope: 'chat-1', allowSkip: 'yes' });
  });

  test('for a tool that is not in the set do not compile, even next to one that is', () => {
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, perTool: { lgos: { maxLines: 1 } } });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, perTool: { lgos: false } });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, perTool: { logs: { maxLines: 1 }, lgos: false } });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, perTool: { logs: false, lgos: { maxLines: 1 } } });
  });

  test('for a tool with a misspelt name or value do not compile', () => {
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, perTool: { logs: { maxLine: 1 } } });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, perTool: { logs: { keep: 'middle' } } });
    // @ts-expect-error only `false` leaves a tool alone
    truncateToolOutputs({ logs }, { ...options, perTool: { logs: true } });
  });
});

test('all readers are a set of tools', () => {
  expectTypeOf(createArtifactTools(scopedArtifacts(memoryStore(), { scope: 's' }))).toExtend<ToolSet>();
});

describe('sub-agents', () => {
  const helper: SubAgent = { description: 'Helps.', run: async () => ({ conclusion: 'Done.' }) };

  test('add nothing by themselves', () => {
    const tools = truncateToolOutputs({ logs }, { ...options, readers: false });
    expectTypeOf(tools).not.toHaveProperty('task');
  });

  test('are named in the input of the tool that calls them', () => {
    const tools = truncateToolOutputs({ logs }, { ...options, explore: { model }, agents: { helper } });
    expectTypeOf<keyof typeof tools>().toEqualTypeOf<
      'logs' | 'readArtifact' | 'grepArtifacts' | 'queryArtifact' | 'task'
    >();
    expectTypeOf<InferToolInput<typeof tools.task>>().toEqualTypeOf<TaskInput<'explore' | 'helper'>>();
    expectTypeOf<InferToolOutput<typeof tools.task>>().toEqualTypeOf<ToolResponse<TaskData>>();
    expectTypeOf(tools).toExtend<ToolSet>();
    const alone = truncateToolOutputs({ logs }, { ...options, agents: { helper } });
    expectTypeOf<InferToolInput<typeof alone.task>['agent']>().toEqualTypeOf<'helper'>();
  });

  test('that are written inline know their parameters', () => {
    truncateToolOutputs(
      { logs },
      {
        ...options,
        agents: {
          helper: {
            description: 'Helps.',
            run: async (prompt, { artifacts, depth }) => {
              expectTypeOf(prompt).toEqualTypeOf<string>();
              expectTypeOf(artifacts).toEqualTypeOf<Artifacts>();
              expectTypeOf(depth).toEqualTypeOf<number>();
              return { conclusion: prompt };
            },
          },
        },
      },
    );
  });

  test('may have names that are only known at run time', () => {
    const agents: Record<string, SubAgent> = { helper };
    const tools = truncateToolOutputs({ logs }, { ...options, agents });
    expectTypeOf<InferToolInput<typeof tools.task>['agent']>().toEqualTypeOf<string>();
  });

  test('need the name `task`, and the compiler reports a tool with this name', () => {
    truncateToolOutputs({ logs, task: logs }, options);
    // @ts-expect-error 'task' is already one of your tools: rename it
    truncateToolOutputs({ logs, task: logs }, { ...options, explore: { model } });
  });

  test('can be agents of the SDK, with any tools and output, except agents that need options for each call', () => {
    const plain = new ToolLoopAgent({ model, tools: { logs, weather } });
    toSubAgent(plain, { description: 'Helps.' });
    toSubAgent(new ToolLoopAgent({ model }), { description: 'Helps.', useWhen: 'help is needed.' });
    const typed = new ToolLoopAgent({ model, output: Output.object({ schema: z.object({ answer: z.string() }) }) });
    toSubAgent(typed, { description: 'Helps.' });
    const needy = new ToolLoopAgent<{ userId: string }>({ model });
    // @ts-expect-error the agent would not get its options
    toSubAgent(needy, { description: 'Helps.' });
    // @ts-expect-error the model chooses by the description
    toSubAgent(plain, {});
    // @ts-expect-error an agent is not a sub-agent
    truncateToolOutputs({ logs }, { ...options, agents: { helper: plain } });
  });

  test('with a misspelt option, or without a model, do not compile', () => {
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, explore: {} });
    // @ts-expect-error
    truncateToolOutputs({ logs }, { ...options, explore: { model, maxStep: 3 } });
    exploreAgent({
      model,
      // @ts-expect-error
      maxStep: 3,
    });
  });

  test('may only allow existing agents', () => {
    createTaskTool({ ...options, agents: { helper }, allowed: ['helper'] });
    // @ts-expect-error
    createTaskTool({ ...options, agents: { helper }, allowed: ['nobody'] });
  });

  test('give the messages of a chat their types', () => {
    const tools = truncateToolOutputs({ logs }, { ...options, explore: { model } });
    type Message = UIMessage<unknown, never, InferUITools<typeof tools>>;
    const part = {} as Extract<Message['parts'][number], { type: 'tool-task'; state: 'output-available' }>;
    if (part.output.status !== 'error') expectTypeOf(part.output.data.evidence).toEqualTypeOf<TaskEvidence[]>();
    expectTypeOf(part.input.agent).toEqualTypeOf<'explore'>();
  });
});

describe('whether and how long outputs of a tool are saved', () => {
  test('`save: false` leaves no room for a retention', () => {
    truncateToolOutputs({ weather }, { ...options, perTool: { weather: { save: false } } });
    truncateToolOutputs({ weather }, { ...options, perTool: { weather: { retentionDays: 3 } } });
    truncateToolOutputs({ weather }, { ...options, perTool: { weather: { save: Math.random() < 1, maxLines: 5 } } });
    // @ts-expect-error nothing is stored that could be retained
    truncateToolOutputs({ weather }, { ...options, perTool: { weather: { save: false, retentionDays: 3 } } });
  });
});
