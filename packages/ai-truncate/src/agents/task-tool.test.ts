import { isStepCount, type ModelMessage, ToolLoopAgent, tool } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { actingModel } from '../../fixtures/acting-model.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { ToolResponse } from '../protocol/tool-response.ts';
import { toolResponseSchema } from '../protocol/tool-response-schema.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { exploreAgent } from './explore-agent.ts';
import type { SubAgent, SubAgentCall, SubAgentResult } from './sub-agent.ts';
import type { TaskData } from './task-data.ts';
import { type CreateTaskToolOptions, createTaskTool, type TaskEvent } from './task-tool.ts';
import { toSubAgent } from './to-sub-agent.ts';

let store = memoryStore();
beforeEach(() => {
  store = memoryStore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const usage = {
  inputTokens: 700,
  inputTokenDetails: { noCacheTokens: 600, cacheReadTokens: 100, cacheWriteTokens: undefined },
  outputTokens: 50,
  outputTokenDetails: { textTokens: 50, reasoningTokens: 0 },
  totalTokens: 750,
};

function agentOf(run: (prompt: string, call: SubAgentCall) => unknown, about: Partial<SubAgent> = {}): SubAgent {
  return { description: 'Does things.', run: run as SubAgent['run'], ...about };
}

const answering = agentOf(async () => ({ conclusion: 'Done.', usage, steps: 3 }));

type Options = Partial<CreateTaskToolOptions<Record<string, SubAgent>>>;
type CallOptions = { abortSignal?: AbortSignal; messages?: ModelMessage[]; toolCallId?: string };

function taskOf(options: Options = {}) {
  return createTaskTool({ agents: { helper: answering }, store, scope: 'chat-1', ...options });
}

async function call(options: Options, input: unknown, callOptions: CallOptions = {}) {
  const task = taskOf(options);
  const outputs: ToolResponse<TaskData>[] = [];
  const given = { toolCallId: 'call_1', messages: [], context: {}, ...callOptions };
  for await (const output of task.execute(input as never, given as never) as AsyncIterable<ToolResponse<TaskData>>) {
    toolResponseSchema.parse(output);
    outputs.push(output);
  }
  const output = outputs.at(-1);
  if (!output) throw new Error('no output');
  const shown = await task.toModelOutput?.({ toolCallId: 'call_1', input: input as never, output });
  return { output, outputs, data: output.data, text: shown?.type === 'text' ? shown.value : '' };
}

const ask = { agent: 'helper', prompt: 'Find out why.' };

describe('the description', () => {
  it('lists the agents by name and use, with the form of a call', () => {
    const explore = exploreAgent({ model: actingModel(() => 'done') });
    const webview = agentOf(async () => ({ conclusion: '' }), {
      description: 'Browses a page',
      useWhen: 'a page has to be seen',
    });
    expect(taskOf({ agents: { explore, webview } }).description).toBe(
      [
        'Hands a task to a sub-agent and returns its answer: task(agent="…", prompt="…"). It knows nothing of this conversation: put all it needs into the prompt.',
        'Agents:',
        '- explore: Searches, reads and queries saved tool outputs, and answers with the lines that prove it. Use it when an output was truncated and the answer is in the part that is not shown. Give it the path and the question.',
        '- webview: Browses a page. Use it when a page has to be seen.',
      ].join('\n'),
    );
  });

  it('has no placeholder left, and only agents that may be called', () => {
    const { description, inputSchema } = taskOf({
      agents: { helper: answering, other: answering },
      allowed: ['other'],
    });
    expect(description).not.toMatch(/[{}]|helper/);
    expect(JSON.stringify(inputSchema)).toContain('"enum":["other"]');
  });
});

describe('an answer', () => {
  it('is an envelope of the protocol, with what it has cost', async () => {
    const { output, text } = await call({}, ask);
    expect(output).toMatchObject({
      status: 'success',
      text: 'helper answered after 3 steps.',
      data: {
        agent: 'helper',
        conclusion: 'Done.',
        evidence: [],
        steps: 3,
        usage: { input_tokens: 700, output_tokens: 50, total_tokens: 750, cache_read_tokens: 100, reasoning_tokens: 0 },
      },
      context: { params_input: ask },
    });
    expect(text).toContain('helper answered after 3 steps.');
    expect(text).toContain('Done.');
  });

  it('is partial when the agent was ended before it was done', async () => {
    const agents = {
      helper: agentOf(async () => ({ conclusion: 'Half.', incomplete: 'It used all of its 4 steps.' })),
    };
    const { output } = await call({ agents }, ask);
    expect(output).toMatchObject({ status: 'partial', data: { truncated: true } });
    expect(output.text).toBe(
      'helper answered. It used all of its 4 steps. Ask again with a narrower prompt, or look at the evidence yourself.',
    );
  });

  it('shows the main agent conclusion and places, and a person the quotes too', async () => {
    const evidence = [
      { path: 'tool-output/a.txt', start_line: 7, end_line: 7, quote: 'QUOTED WORDS', verified: true },
      { path: 'tool-output/b.txt', start_line: 8, end_line: 12, quote: 'OTHER WORDS', verified: false },
    ];
    const agents = { helper: agentOf(async () => ({ conclusion: 'The disk.', evidence, steps: 1 })) };
    const { output, text } = await call({ agents }, ask);
    expect(output.data.evidence).toEqual(evidence);
    expect(text).toBe(
      [
        'helper answered after 1 step. 1 of 2 quotes were found in the saved output.',
        '<tool-output-preview>',
        'The disk.',
        'Evidence:',
        '- tool-output/a.txt line 7',
        '- tool-output/b.txt lines 8-12 (the quote is not there)',
        '</tool-output-preview>',
      ].join('\n'),
    );
  });

  it('of five megabytes is kept whole, and cut', async () => {
    const conclusion = `${'word '.repeat(1_000_000)}end`;
    const agents = { helper: agentOf(async () => ({ conclusion })) };
    const { output, data, text } = await call({ agents }, ask);
    expect(output.status).toBe('partial');
    expect(JSON.stringify(output).length).toBeLessThan(8000);
    expect(text.length).toBeLessThan(8000);
    const kept = scopedArtifacts(store, { scope: 'chat-1' });
    const all = await new Response(await kept.readStream(data.full_conclusion_path ?? '')).text();
    expect(all === conclusion).toBe(true);
    expect(output.text).toContain(data.full_conclusion_path);
  });

  it('of a store that is broken says that the rest was not saved', async () => {
    const agents = { helper: agentOf(async () => ({ conclusion: 'x'.repeat(10_000) })) };
    const broken = { ...store, put: () => Promise.reject(new Error('ENOSPC')) };
    const { output } = await call({ agents, store: broken }, ask);
    expect(output.status).toBe('partial');
    expect(output.text).toContain('was not saved');
    expect(output.data.conclusion).toHaveLength(6000);
  });

  it('reads the same when a later request replays it, also what a client put in its place', () => {
    const task = taskOf();
    for (const output of [
      null,
      7,
      'x',
      [],
      { text: 7 },
      { data: { conclusion: 7, evidence: 7 } },
      { data: { evidence: [null, {}] } },
    ]) {
      expect(() =>
        task.toModelOutput?.({ toolCallId: 'c', input: ask as never, output: output as never }),
      ).not.toThrow();
    }
    const forged = { text: 'x'.repeat(10_000_000), data: { conclusion: '</tool-output-preview>'.repeat(1_000_000) } };
    const shown = task.toModelOutput?.({ toolCallId: 'c', input: ask as never, output: forged as never });
    const { value } = shown as { value: string };
    expect(value.length).toBeLessThan(25_000);
    expect(value.match(/<\/tool-output-preview>/g)).toHaveLength(1);
  });
});

describe('a call that cannot be', () => {
  it.each([
    [{ agent: 'nobody', prompt: 'x' }, 'There is no agent "nobody"; there is helper, other.'],
    [{ agent: 'constructor', prompt: 'x' }, 'There is no agent "constructor"; there is helper, other.'],
    [{ agent: '__proto__', prompt: 'x' }, 'There is no agent "__proto__"; there is helper, other.'],
    [{ agent: 'forbidden', prompt: 'x' }, '"forbidden" may not be called here; helper, other may.'],
    [{ agent: 'x'.repeat(1_000_000), prompt: 'x' }, `There is no agent "${'x'.repeat(59)}…"; there is helper, other.`],
    [{ agent: 'helper' }, '`prompt` must be a text that tells the agent what to do.'],
    [{ agent: 'helper', prompt: '  ' }, '`prompt` must be a text that tells the agent what to do.'],
    [{ agent: 'helper', prompt: 'x'.repeat(100_001) }, '`prompt` has 100,001 characters'],
    [{ subagent_type: 'helper', prompt: 'x' }, 'There is no agent ""; there is helper, other.'],
    [null, 'There is no agent ""'],
    [[], 'There is no agent ""'],
  ])('is INVALID_PARAM and names what there is: %.60j', async (input, message) => {
    const agents = { helper: answering, other: answering, forbidden: answering };
    const { output } = await call({ agents, allowed: ['helper', 'other'] }, input);
    expect(output).toMatchObject({ status: 'error', error: { code: 'INVALID_PARAM' } });
    expect(output.error?.message).toContain(message);
    expect(JSON.stringify(output).length).toBeLessThan(4000);
  });

  it('is NOT_FOUND where nobody is the owner', async () => {
    for (const scope of [() => undefined, () => '', () => Promise.reject(new Error('no session'))]) {
      const { output } = await call({ scope: scope as () => string }, ask);
      expect(output).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
    }
  });
});

describe('an agent that fails', () => {
  it('is told to the model by the name of the error alone, and to the application with all of it', async () => {
    const failure = Object.assign(new Error('401 for key sk-secret at http://10.0.0.1/v1'), {
      name: 'AI_APICallError',
      statusCode: 401,
    });
    const events: TaskEvent[] = [];
    const agents = {
      helper: agentOf(async () => {
        throw failure;
      }),
    };
    const { output, text } = await call({ agents, onTask: (event) => events.push(event) }, ask);
    expect(output).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_ERROR', message: 'helper failed: AI_APICallError, status 401.' },
    });
    expect(JSON.stringify(output) + text).not.toMatch(/sk-secret|10\.0\.0\.1/);
    expect(events).toMatchObject([
      { agent: 'helper', toolCallId: 'call_1', status: 'error', result: { error: failure } },
    ]);
  });

  it('tells what it has cost', async () => {
    const agents = { helper: agentOf(async () => ({ conclusion: '', error: new Error('x'), usage, steps: 2 })) };
    const { data } = await call({ agents, onTask: () => {} }, ask);
    expect(data).toMatchObject({ steps: 2, usage: { total_tokens: 750 } });
  });

  it('is told once on the console where nobody listens', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const failing = agentOf(() => {
      throw new Error('broken');
    });
    const task = taskOf({ agents: { helper: failing } });
    for (let index = 0; index < 3; index++) {
      for await (const _ of task.execute(ask, {
        toolCallId: 'c',
        messages: [],
        context: {},
      } as never) as never as AsyncIterable<unknown>);
    }
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[1]).toMatchObject({ message: 'broken' });
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'Done.'],
    ['a list', ['Done.']],
    ['an object of another shape', { text: 'Done.' }],
    ['a conclusion that is no text', { conclusion: 7 }],
  ])('gives %s, and the error says what is right', async (_, value) => {
    const events: TaskEvent[] = [];
    const agents = { helper: agentOf(async () => value) };
    const { output } = await call({ agents, onTask: (event) => events.push(event) }, ask);
    expect(output.status).toBe('error');
    expect(events[0]?.result.error).toMatchObject({ message: expect.stringContaining('`{ conclusion }`') });
  });

  it('ends without a result, and is an error', async () => {
    const agents = {
      helper: agentOf(async function* () {
        yield { phase: 'thinking' };
      }),
    };
    expect((await call({ agents, onTask: () => {} }, ask)).output.status).toBe('error');
  });
});

describe('progress', () => {
  const forty = agentOf(async function* () {
    for (let step = 1; step <= 40; step++) {
      yield {
        phase: 'reading',
        step,
        maxSteps: 40,
        tool: 'grepArtifacts',
        label: 'ERROR|timeout|refused '.repeat(1000),
      };
      await vi.advanceTimersByTimeAsync(300);
    }
    yield { conclusion: 'Done.' } satisfies SubAgentResult;
  });

  it('of 40 steps weighs less than 30 kB, and the final state comes always', async () => {
    vi.useFakeTimers();
    try {
      const { outputs } = await call({ agents: { helper: forty } }, { agent: 'helper', prompt: 'x'.repeat(90_000) });
      expect(outputs.filter(({ data }) => data.running)).toHaveLength(40);
      expect(JSON.stringify(outputs.slice(0, -1)).length).toBeLessThan(30_000);
      expect(outputs.at(-1)).toMatchObject({ status: 'success', data: { conclusion: 'Done.' } });
      expect(outputs.at(-1)?.data.running).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('comes at most four times a second, the latest of what came', async () => {
    vi.useFakeTimers();
    try {
      const quick = agentOf(async function* () {
        for (let step = 1; step <= 1000; step++) {
          yield { phase: 'reading', step };
          await vi.advanceTimersByTimeAsync(1);
        }
        yield { conclusion: 'Done.' };
      });
      const { outputs } = await call({ agents: { helper: quick } }, ask);
      const steps = outputs.flatMap(({ data }) => data.running?.step ?? []);
      expect(steps.length).toBeLessThanOrEqual(5);
      expect(steps.length).toBeGreaterThanOrEqual(4);
      expect(steps[0]).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('that came too early is shown when its time has come, while the agent goes on working', async () => {
    vi.useFakeTimers();
    try {
      const slow = agentOf(async function* () {
        yield { phase: 'reading', step: 1 };
        yield { phase: 'reading', step: 2 };
        await vi.advanceTimersByTimeAsync(10_000);
        yield { conclusion: 'Done.' };
      });
      const { outputs } = await call({ agents: { helper: slow } }, ask);
      expect(outputs.flatMap(({ data }) => data.running?.step ?? [])).toEqual([1, 2]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('an abort', () => {
  it('ends the call at once, also of an agent that does not listen', async () => {
    const controller = new AbortController();
    const agents = { helper: agentOf(() => new Promise(() => {})) };
    const running = call({ agents }, ask, { abortSignal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('the visitor left'));
    await expect(running).rejects.toThrow('the visitor left');
  });

  it('reaches the agent when whoever waits leaves', async () => {
    let signal: AbortSignal | undefined;
    const agents = {
      helper: agentOf(async function* (_: string, { abortSignal }: SubAgentCall) {
        signal = abortSignal;
        yield { phase: 'thinking' };
        await new Promise(() => {});
      }),
    };
    const outputs = taskOf({ agents }).execute(ask, { toolCallId: 'c', messages: [], context: {} } as never);
    for await (const _ of outputs as AsyncIterable<unknown>) break;
    expect(signal?.aborted).toBe(true);
  });
});

it('gives an agent the artifacts of the scope of the running call', async () => {
  const { path } = await scopedArtifacts(store, { scope: 'user-7' }).save('a log', { toolName: 't', toolCallId: 'c' });
  let owner = 'user-7';
  const agents = {
    helper: agentOf(async (_, { artifacts }) => {
      const found = await artifacts.info(path).catch((error: Error) => error);
      return { conclusion: found instanceof Error ? 'not there' : `${found.bytes} bytes` };
    }),
  };
  expect((await call({ agents, scope: () => owner }, ask)).data.conclusion).toBe('5 bytes');
  owner = 'user-8';
  expect((await call({ agents, scope: () => owner }, ask)).data.conclusion).toBe('not there');
});

describe('an agent of the AI SDK', () => {
  it('does its work with its own tools, and tells what it used', async () => {
    const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => `${city}: 20 degrees` });
    const model = actingModel(({ step, results }) =>
      step === 1 ? { toolName: 'weather', input: { city: 'Paris' } } : `It is ${results[0]}.`,
    );
    const agent = new ToolLoopAgent({ model, tools: { weather } });
    const { output, outputs } = await call(
      { agents: { helper: toSubAgent(agent, { description: 'Knows the weather.' }) } },
      ask,
    );
    expect(output).toMatchObject({
      status: 'success',
      data: { conclusion: 'It is Paris: 20 degrees.', steps: 2, usage: { input_tokens: 200, output_tokens: 40 } },
    });
    expect(outputs[0]?.data.running).toMatchObject({ phase: 'thinking', step: 1 });
    expect(model.doGenerateCalls[0]?.prompt.at(-1)).toMatchObject({ content: [{ text: 'Find out why.' }] });
  });

  it('that ends in the middle of its work without a word is an error', async () => {
    const again = tool({ inputSchema: z.object({}), execute: () => 'more' });
    const model = actingModel(() => ({ toolName: 'again', input: {} }));
    const agent = new ToolLoopAgent({ model, tools: { again }, stopWhen: isStepCount(3) });
    const { output } = await call(
      { agents: { helper: toSubAgent(agent, { description: 'Loops.' }) }, onTask: () => {} },
      ask,
    );
    expect(output).toMatchObject({ status: 'error', data: { steps: 3 } });
    expect(output.error?.message).toBe('helper failed: It ended without an answer.');
  });

  it('that is handed over as it is, is refused with what to do', () => {
    const agent = new ToolLoopAgent({ model: actingModel(() => 'done') });
    expect(() => taskOf({ agents: { helper: agent as never } })).toThrow(/toSubAgent\(helper, \{ description \}\)/);
  });
});

describe('nesting', () => {
  it('ends at the second agent, however agents call each other', async () => {
    const depths: number[] = [];
    const refused: unknown[] = [];
    const agents: Record<string, SubAgent> = {};
    const task = createTaskTool({
      agents: { helper: agentOf((prompt, given) => agents.helper?.run(prompt, given)) },
      store,
      scope: 'chat-1',
    });
    agents.helper = {
      description: 'Calls itself.',
      async *run(prompt, given) {
        depths.push(given.depth);
        const model = actingModel(({ step, results }) => {
          if (step > 1) refused.push(results[0]);
          return step === 1 ? { toolName: 'task', input: { agent: 'helper', prompt: 'again' } } : 'Done.';
        });
        const agent = toSubAgent(new ToolLoopAgent({ model, tools: { task } }), { description: 'x' });
        yield* agent.run(prompt, given) as AsyncIterable<SubAgentResult>;
      },
    };
    for await (const _ of task.execute(ask, {
      toolCallId: 'c',
      messages: [],
      context: {},
    } as never) as AsyncIterable<unknown>);
    expect(depths).toEqual([1, 2]);
    expect(refused[0]).toContain('at most 2 deep');
  });

  it('is known also where the SDK joins signals, as it does for timeouts', async () => {
    let depth = 0;
    const inner = taskOf({
      agents: {
        helper: agentOf(async (_, given) => {
          depth = given.depth;
          return { conclusion: 'Done.' };
        }),
      },
    });
    const model = actingModel(({ step }) => (step === 1 ? { toolName: 'task', input: ask } : 'Done.'));
    const agent = new ToolLoopAgent({ model, tools: { task: inner }, timeout: { toolMs: 60_000 } });
    await call({ agents: { helper: toSubAgent(agent, { description: 'x' }) } }, ask);
    expect(depth).toBe(2);
  });
});

describe('an option that cannot work is refused where it is given', () => {
  it.each([
    ['agents', { agents: {} }],
    ['agents', { agents: undefined }],
    ['agents', { agents: { 'two words': answering } }],
    ['agents.helper', { agents: { helper: null } }],
    ['agents.helper', { agents: { helper: { description: 'x' } } }],
    ['agents.helper.description', { agents: { helper: { ...answering, description: ' ' } } }],
    ['agents.helper.useWhen', { agents: { helper: { ...answering, useWhen: 7 } } }],
    ['allowed', { allowed: ['nobody'] }],
    ['allowed', { allowed: 'helper' }],
    ['scope', { scope: undefined }],
    ['store', { store: {} }],
    ['onTask', { onTask: 7 }],
  ])('%s', (option, options) => {
    expect(() => taskOf(options as never)).toThrow(expect.objectContaining({ option }));
  });
});
