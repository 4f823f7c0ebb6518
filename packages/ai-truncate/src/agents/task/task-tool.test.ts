import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateText, isStepCount, type ModelMessage, ToolLoopAgent, tool } from 'ai';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { actingModel } from '../../../fixtures/acting-model.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { toolResponseSchema } from '../../protocol/schemas.ts';
import type { ToolResponse } from '../../protocol/tool-response.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { checkEvidence } from '../evidence/check-evidence.ts';
import { exploreAgent } from '../explore/explore-agent.ts';
import type { TaskData } from './answer.ts';
import type { CreateTaskToolOptions, TaskEvent } from './options.ts';
import type { SubAgent, SubAgentCall, SubAgentResult } from './sub-agent.ts';
import { createTaskTool } from './task-tool.ts';
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

/** A failed task contains everything known so far. */
type Answer = ToolResponse<TaskData> & { data: TaskData };

async function call(options: Options, input: unknown, callOptions: CallOptions = {}) {
  const task = taskOf(options);
  const outputs: Answer[] = [];
  const given = { toolCallId: 'call_1', messages: [], context: {}, ...callOptions };
  for await (const output of task.execute(input as never, given as never) as AsyncIterable<Answer>) {
    toolResponseSchema.parse(output);
    outputs.push(output);
  }
  const output = outputs.at(-1);
  if (!output) throw new Error('no output');
  const shown = await task.toModelOutput?.({ toolCallId: 'call_1', input: input as never, output });
  return { output, outputs, data: output.data, text: shown?.type === 'text' ? shown.value : '' };
}

const ask = { agent: 'helper', prompt: 'Find out why.' } as const;

describe('the description', () => {
  test('lists the agents by name and use, with the form of a call', () => {
    const explore = exploreAgent({ model: actingModel(() => 'done') });
    const webview = agentOf(async () => ({ conclusion: '' }), {
      description: 'Browses a page',
      useWhen: 'a page has to be seen',
    });
    expect(taskOf({ agents: { explore, webview } }).description).toBe(
      [
        'Hands a task to a sub-agent and returns its answer: task(agent="…", prompt="…"). It does not see this conversation, so the prompt must contain everything it needs.',
        'Agents:',
        '- explore: Searches, reads and queries saved tool outputs, and answers with the lines that prove it. Use it when an output was truncated and the answer is in the part that is not shown. Give it the path and the question.',
        '- webview: Browses a page. Use it when a page has to be seen.',
      ].join('\n'),
    );
  });

  test('is what the documents show', async () => {
    const explore = exploreAgent({ model: actingModel(() => 'done') });
    const useWhen = 'a page has to be seen.';
    const webview = agentOf(async () => ({ conclusion: '' }), { description: 'Looks things up on the web.', useWhen });
    const page = await readFile(join(import.meta.dirname, '../../../../../docs/agents.md'), 'utf8');
    expect(page).toContain(`\`\`\`\n${taskOf({ agents: { explore, webview } }).description}\n\`\`\``);
  });

  test('has no placeholder, and names only agents that may be called', () => {
    const { description, inputSchema } = taskOf({
      agents: { helper: answering, other: answering },
      allowed: ['other'],
    });
    expect(description).not.toMatch(/[{}]|helper/);
    expect(JSON.stringify(inputSchema)).toContain('"enum":["other"]');
  });
});

describe('an answer', () => {
  test('is an envelope of the protocol, with its cost', async () => {
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

  test('is partial when the agent was ended early', async () => {
    const agents = {
      helper: agentOf(async () => ({ conclusion: 'Half.', incomplete: 'It used all of its 4 steps.' })),
    };
    const { output } = await call({ agents }, ask);
    expect(output).toMatchObject({ status: 'partial', data: { truncated: true } });
    expect(output.text).toBe(
      'helper answered. Its answer is incomplete: "It used all of its 4 steps." Ask again with a narrower prompt, or look at the evidence yourself.',
    );
  });

  test('shows the conclusion and the places to the main agent, and also the quotes to people', async () => {
    const saved = { toolName: 'readLog', toolCallId: 'call_0' };
    const { path } = await scopedArtifacts(store, { scope: 'chat-1' }).save('one\nthe disk is full\nthree', saved);
    const evidence = [
      { path, startLine: 2, endLine: 2, quote: 'the disk is full' },
      { path, startLine: 8, endLine: 12, quote: 'the disk is empty' },
    ];
    const agents = { helper: agentOf(async () => ({ conclusion: 'The disk.', evidence, steps: 1 })) };
    const { output, text } = await call({ agents }, ask);
    expect(output).toMatchObject({ status: 'partial', data: { evidence: [{ verified: true }, { verified: false }] } });
    expect(output.data.evidence.map(({ quote }) => quote)).toEqual(evidence.map(({ quote }) => quote));
    expect(text).toBe(
      [
        'helper answered after 1 step. 1 of 2 quotes was found in the saved output. The quote for lines 8-12 was not found. Check its answer against the saved output before you rely on it.',
        'Evidence:',
        `- ${path} line 2`,
        `- ${path} lines 8-12 (the quote is not there)`,
        'Its answer:',
        '> The disk.',
      ].join('\n'),
    );
  });

  test('is not believed when it claims that its quotes are verified', async () => {
    const saved = { toolName: 'readLog', toolCallId: 'call_0' };
    const { path } = await scopedArtifacts(store, { scope: 'chat-1' }).save('nothing of it', saved);
    const evidence = [{ path, startLine: 1, endLine: 1, quote: 'an invented quote', verified: true }];
    const liar = agentOf(async function* () {
      yield { phase: 'checking', evidence };
      yield { conclusion: 'Believe me.', evidence };
    });
    const { output, outputs } = await call({ agents: { helper: liar } }, ask);
    expect(outputs.flatMap(({ data }) => data.evidence.map(({ verified }) => verified))).toEqual([false, false]);
    expect(output.status).toBe('partial');
    expect(output.text).toContain('0 of 1 quotes were found');
  });

  test('has all its quotes checked when only some come from `checkEvidence`', async () => {
    const saved = { toolName: 'readLog', toolCallId: 'call_0' };
    const { path } = await scopedArtifacts(store, { scope: 'chat-1' }).save('one\ntwo is here\nthree is here', saved);
    const helper = agentOf(async (_, { artifacts }) => {
      const checked = await checkEvidence(artifacts, [{ path, startLine: 2, endLine: 2, quote: 'two is here' }]);
      return {
        conclusion: 'Done.',
        evidence: [...checked, { path, startLine: 1, endLine: 1, quote: 'three is here' }],
      };
    });
    const { data } = await call({ agents: { helper } }, ask);
    expect(data.evidence).toMatchObject([
      { verified: true, start_line: 2 },
      { verified: true, start_line: 3 },
    ]);
  });

  test('with five megabytes is saved in full and cut', async () => {
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

  test('is bounded for any paths, quotes, keys and numbers', async () => {
    const megabyte = 'x'.repeat(1_000_000);
    const one = { path: megabyte, startLine: 1, endLine: 1, quote: megabyte, verified: 'yes', extra: megabyte };
    const evidence = [null, 7, {}, { ...one, startLine: '1' }, ...Array(50).fill(one)];
    const given = {
      conclusion: 'Done.',
      evidence,
      incomplete: megabyte,
      steps: megabyte,
      bytesRead: {},
      usage: { inputTokens: megabyte },
    };
    const { output, data } = await call({ agents: { helper: agentOf(async () => given) } }, ask);
    expect(JSON.stringify(output).length).toBeLessThan(20_000);
    expect(data.evidence.length).toBeLessThanOrEqual(20);
    expect(data.evidence[0]).toEqual({
      path: expect.any(String),
      start_line: 1,
      end_line: 1,
      quote: expect.any(String),
      verified: false,
    });
    expect(data.steps).toBeUndefined();
    for (const nothing of [null, 7, 'x', { length: 3 }]) {
      const agents = { helper: agentOf(async () => ({ conclusion: 'Done.', evidence: nothing })) };
      expect((await call({ agents }, ask)).output).toMatchObject({ status: 'success', data: { evidence: [] } });
    }
  });

  test.each(['usage', 'evidence', 'steps'])(
    'with a member that cannot be read (%s) is an error without its message',
    async (name) => {
      const unreadable = {
        get inputTokens(): number {
          throw new Error('SECRET');
        },
      };
      const given =
        name === 'usage'
          ? { usage: unreadable }
          : {
              get [name](): number {
                throw new Error('SECRET');
              },
            };
      const agents = {
        helper: agentOf(async () =>
          Object.defineProperties({ conclusion: 'Done.' }, Object.getOwnPropertyDescriptors(given)),
        ),
      };
      const { output, text } = await call({ agents, onTask: () => {} }, ask);
      expect(output.status).toBe('error');
      expect(JSON.stringify(output) + text).not.toContain('SECRET');
    },
  );

  test('may be the return value of a generator that yields progress', async () => {
    const agents = {
      helper: agentOf(async function* () {
        yield { phase: 'reading' };
        return { conclusion: 'Done.' };
      }),
    };
    expect((await call({ agents }, ask)).output).toMatchObject({ status: 'success', data: { conclusion: 'Done.' } });
  });

  test.each([null, undefined])('whose error is %s is not a failure', async (error) => {
    const agents = { helper: agentOf(async () => ({ conclusion: 'Done.', error })) };
    expect((await call({ agents }, ask)).output).toMatchObject({ status: 'success', data: { conclusion: 'Done.' } });
  });

  test('says that evidence was left out, even when it has its own reason for being incomplete', async () => {
    const one = { path: 'x', startLine: 1, endLine: 1, quote: 'ERROR disk full' };
    const given = { conclusion: 'Done.', incomplete: 'Half of it was read.', evidence: Array(25).fill(one) };
    const { text } = await call({ agents: { helper: agentOf(async () => given) } }, ask);
    expect(text).toContain('Half of it was read. Only the first 20 of its 25 quotes were checked.');
  });

  test('is saved with the retention and the size limit of tool outputs', async () => {
    const agents = { helper: agentOf(async () => ({ conclusion: 'x'.repeat(10_000) })) };
    const { data } = await call({ agents, retentionDays: 1 }, ask);
    const { createdAt, expiresAt } = await scopedArtifacts(store, { scope: 'chat-1' }).info(
      data.full_conclusion_path ?? '',
    );
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(24 * 60 * 60 * 1000);
    expect((await call({ agents, maxArtifactBytes: 9_999 }, ask)).data.full_conclusion_path).toBeUndefined();
  });

  test('has one row for each quote, for any path', async () => {
    const path = 'a.txt\n- b.txt line 1';
    const evidence = [{ path, startLine: 7, endLine: 7, quote: 'some words' }];
    const { text } = await call({ agents: { helper: agentOf(async () => ({ conclusion: 'Done.', evidence })) } }, ask);
    expect(text.match(/^- .*$/gm)).toHaveLength(1);
    const rows = [{ path, start_line: 7, end_line: 7, quote: 'some words', verified: false }];
    const forged = { text: 'Done.', data: { conclusion: 'Done.', evidence: rows } };
    const shown = taskOf().toModelOutput?.({ toolCallId: 'c', input: ask, output: forged as never });
    expect((shown as { value: string }).value.match(/^- .*$/gm)).toEqual([
      '- a.txt%0A-%20b.txt%20line%201 line 7 (the quote is not there)',
    ]);
  });

  test('does not call a quote wrong that could not be looked up', async () => {
    const { path } = await scopedArtifacts(store, { scope: 'chat-1' }).save('a log', {
      toolName: 't',
      toolCallId: 'c',
    });
    const broken = { ...store, get: () => Promise.reject(new Error('EIO')) };
    const evidence = [{ path, startLine: 1, endLine: 1, quote: 'a log' }];
    const agents = { helper: agentOf(async () => ({ conclusion: 'Done.', evidence })) };
    const { data, text } = await call({ agents, store: broken }, ask);
    expect(data.evidence).toMatchObject([{ verified: false, unchecked: true }]);
    expect(text).toContain(`- ${path} line 1 (the quote could not be looked up)`);
  });

  test('reports the reason if this package threw the error, such as for a missing artifact', async () => {
    const agents = {
      helper: agentOf(async (_, { artifacts }) => ({ conclusion: `${await artifacts.info('nothing')}` })),
    };
    const { output } = await call({ agents, onTask: () => {} }, ask);
    expect(output).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
    expect(output.error?.message).toMatch(/^helper failed: .*nothing/);
  });

  test('that never arrived is called interrupted, because a chat contains a running agent only when the run ended there', async () => {
    const { outputs } = await call(
      {
        agents: {
          helper: agentOf(async function* () {
            yield { phase: 'reading', step: 3 };
            yield { conclusion: 'Done.' };
          }),
        },
      },
      ask,
    );
    const shown = await taskOf().toModelOutput?.({ toolCallId: 'c', input: ask, output: outputs[0] as never });
    expect(shown).toEqual({
      type: 'text',
      value: 'helper was interrupted before it answered. Call it again if you need the answer.',
    });
  });

  test('says that the rest was not saved when the store is broken', async () => {
    const agents = { helper: agentOf(async () => ({ conclusion: 'x'.repeat(10_000) })) };
    const broken = { ...store, put: () => Promise.reject(new Error('ENOSPC')) };
    const { output } = await call({ agents, store: broken }, ask);
    expect(output.status).toBe('partial');
    expect(output.text).toContain('was not saved');
    expect(output.data.conclusion).toHaveLength(6000);
  });

  test('is the same when a later request replays it, even a forged one from a client', () => {
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
    expect(value).not.toContain('</tool-output-preview>');
    expect(value).toMatch(/\nIts answer:\n> &lt;\/tool-output-preview>/);
  });
});

describe('an invalid call', () => {
  test.each([
    [{ agent: 'someone', prompt: 'x' }, 'There is no agent "someone". Agents: helper, other.'],
    [{ agent: 'constructor', prompt: 'x' }, 'There is no agent "constructor". Agents: helper, other.'],
    [{ agent: '__proto__', prompt: 'x' }, 'There is no agent "__proto__". Agents: helper, other.'],
    [{ agent: 'forbidden', prompt: 'x' }, '"forbidden" may not be called here. You may call: helper, other.'],
    [{ agent: 'x'.repeat(1_000_000), prompt: 'x' }, `There is no agent "${'x'.repeat(59)}…". Agents: helper, other.`],
    [{ agent: 'helper' }, '`prompt` must be a text that tells the agent what to do.'],
    [{ agent: 'helper', prompt: '  ' }, '`prompt` must be a text that tells the agent what to do.'],
    [{ agent: 'helper', prompt: 'x'.repeat(100_001) }, '`prompt` has 100,001 characters'],
    [{ subagent_type: 'helper', prompt: 'x' }, 'There is no agent "". Agents: helper, other.'],
    [null, 'There is no agent ""'],
    [[], 'There is no agent ""'],
  ])('is INVALID_PARAM and names the right values: %.60j', async (input, message) => {
    const agents = { helper: answering, other: answering, forbidden: answering };
    const { output } = await call({ agents, allowed: ['helper', 'other'] }, input);
    expect(output).toMatchObject({ status: 'error', error: { code: 'INVALID_PARAM' } });
    expect(output.error?.message).toContain(message);
    expect(JSON.stringify(output).length).toBeLessThan(4000);
  });

  test('is NOT_FOUND when no owner is found', async () => {
    for (const scope of [() => undefined, () => '', () => Promise.reject(new Error('no session'))]) {
      const { output } = await call({ scope: scope as () => string }, ask);
      expect(output).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
    }
  });
});

test('is refused while 32 others run, and no longer when they have ended', async () => {
  let release = (_: SubAgentResult) => {};
  const released = new Promise<SubAgentResult>((resolve) => {
    release = resolve;
  });
  const task = taskOf({ agents: { helper: agentOf(() => released) }, onTask: () => {} });
  async function run(): Promise<ToolResponse<TaskData> | undefined> {
    let last: ToolResponse<TaskData> | undefined;
    const outputs = task.execute(ask, { toolCallId: 'call_1', messages: [], context: {} });
    for await (last of outputs as AsyncIterable<ToolResponse<TaskData>>);
    return last;
  }
  const running = Array.from({ length: 33 }, run);
  release({ conclusion: 'Done.' });
  const answers = await Promise.all(running);
  expect(answers.map((answer) => answer?.status)).toEqual([...Array(32).fill('success'), 'error']);
  expect(answers[32]?.error).toEqual({ code: 'EXECUTION_ERROR', message: '32 tasks are running already.' });
  expect((await run())?.status).toBe('success');
});

test('leaves no timer, whether the agent answers or fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await call({}, ask);
  await call({ agents: { helper: agentOf(() => Promise.reject(new Error('down'))) }, onTask: () => {} }, ask);
  expect(vi.getTimerCount()).toBe(0);
});

describe('an agent that fails', () => {
  test('shows only the name of the error to the model, and the whole error to the application', async () => {
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

  test('reports its cost', async () => {
    const agents = { helper: agentOf(async () => ({ conclusion: '', error: new Error('x'), usage, steps: 2 })) };
    const { data } = await call({ agents, onTask: () => {} }, ask);
    expect(data).toMatchObject({ steps: 2, usage: { total_tokens: 750 } });
  });

  test('causes one warning on the console when there is no listener', async () => {
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
    expect(warn.mock.calls[0]).toEqual([expect.stringMatching(/sub-agent "helper" failed: Error\. broken `onTask`/)]);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'Done.'],
    ['a list', ['Done.']],
    ['an object of another shape', { text: 'Done.' }],
    ['a conclusion that is not text', { conclusion: 7 }],
    ['a conclusion without a word', { conclusion: '  ', steps: 3 }],
  ])('returns %s, and the error shows a valid result', async (_, value) => {
    const events: TaskEvent[] = [];
    const agents = { helper: agentOf(async () => value) };
    const { output } = await call({ agents, onTask: (event) => events.push(event) }, ask);
    expect(output.status).toBe('error');
    expect(events[0]?.result.error).toMatchObject({ code: 'AGENT_NO_ANSWER' });
    expect(output.error?.message).toMatch(/e\.g\. `\{ conclusion \}`|without an answer/);
  });

  test.each([
    ['undefined', undefined],
    ['a text', 'SECRET'],
    [
      'an error whose name cannot be read',
      {
        get name(): string {
          throw new Error('SECRET');
        },
      },
    ],
    [
      'an error whose cause cannot be read',
      {
        get lastError(): string {
          throw new Error('SECRET');
        },
      },
    ],
    [
      'an error that traps everything',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('SECRET');
          },
          has: () => {
            throw new Error('SECRET');
          },
        },
      ),
    ],
  ])('throws %s, and the answer is an error without its message', async (_, thrown) => {
    for (const run of [
      () => {
        throw thrown;
      },
      () => Promise.reject(thrown),
    ]) {
      const { output, text } = await call({ agents: { helper: agentOf(run) }, onTask: () => {} }, ask);
      expect(output.status).toBe('error');
      expect(JSON.stringify(output) + text).not.toContain('SECRET');
    }
  });

  test('never answers, and ends when its time is up', async () => {
    const agents = { helper: agentOf(() => new Promise(() => {}), { timeoutMs: 30 }) };
    const { output } = await call({ agents, onTask: () => {} }, ask);
    expect(output).toMatchObject({ status: 'error', error: { code: 'TIMEOUT' } });
  });

  test('returns a text instead of a result, and the model does not see it', async () => {
    const agents = { helper: agentOf(async () => 'SECRET sk-live') };
    const { output, text } = await call({ agents, onTask: () => {} }, ask);
    expect(JSON.stringify(output) + text).not.toContain('SECRET');
  });

  test('ends without a result, and is an error', async () => {
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

  test('in 40 steps has less than 30 kB, and always ends with the final state', async () => {
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

  test('is yielded at most four times a second, always the latest', async () => {
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

  test('that arrived too early is shown later, while the agent continues', async () => {
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
  test('leaves no unhandled rejection, and reports the cost', async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    onTestFinished(() => void process.off('unhandledRejection', listen));
    const events: TaskEvent[] = [];
    let onGoneOn = () => {};
    const listening = agentOf(async function* (_: string, { abortSignal }: SubAgentCall) {
      yield { phase: 'reading', step: 4, usage, bytesRead: 77 };
      onGoneOn();
      await new Promise((_resolve, reject) => abortSignal.addEventListener('abort', () => reject(abortSignal.reason)));
    });
    const failing = agentOf(async function* () {
      yield { phase: 'reading' };
      onGoneOn();
      throw new Error('boom');
    });
    for (const helper of [listening, failing]) {
      const goneOn = new Promise<void>((resolve) => {
        onGoneOn = resolve;
      });
      const task = taskOf({ agents: { helper }, onTask: (event) => events.push(event) });
      for await (const _ of task.execute(ask, {
        toolCallId: 'c',
        messages: [],
        context: {},
      } as never) as AsyncIterable<unknown>) {
        await goneOn;
        break;
      }
    }
    // Node reports an unhandled rejection at the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
    expect(events[0]).toMatchObject({
      status: 'aborted',
      result: { steps: 4, bytesRead: 77, usage: { totalTokens: 750 } },
    });
  });

  test('leaves no listener on the signal of the caller', async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    for (let index = 0; index < 5; index++) await call({}, ask, { abortSignal: signal });
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  });

  test('ends the call at once, even when the agent ignores the signal', async () => {
    const controller = new AbortController();
    const agents = { helper: agentOf(() => new Promise(() => {})) };
    const running = call({ agents }, ask, { abortSignal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('the caller left'));
    await expect(running).rejects.toThrow('the caller left');
  });

  test('reaches the agent when the caller leaves the loop', async () => {
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

test('gives an agent the artifacts of the scope of the running call', async () => {
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
  test('does its work with its own tools, and reports its usage', async () => {
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

  test('is aborted when the caller leaves', async () => {
    let signal: AbortSignal | undefined;
    const model = actingModel(({ abortSignal }) => {
      signal = abortSignal;
      return new Promise(() => {});
    });
    const helper = toSubAgent(new ToolLoopAgent({ model }), { description: 'Hangs.' });
    const task = taskOf({ agents: { helper } });
    for await (const _ of task.execute(ask, {
      toolCallId: 'c',
      messages: [],
      context: {},
    } as never) as AsyncIterable<unknown>) {
      await vi.waitFor(() => expect(signal).toBeDefined());
      break;
    }
    expect(signal?.aborted).toBe(true);
  });

  test('that takes too long reports its cost so far', async () => {
    const quick = tool({ inputSchema: z.object({}), execute: () => 'done' });
    const model = actingModel(({ step }) => (step === 1 ? { toolName: 'quick', input: {} } : new Promise(() => {})));
    const agent = new ToolLoopAgent({ model, tools: { quick } });
    const helper = toSubAgent(agent, { description: 'Hangs.', timeoutMs: 200 });
    const { output } = await call({ agents: { helper }, onTask: () => {} }, ask);
    expect(output).toMatchObject({ error: { code: 'TIMEOUT' }, data: { usage: { input_tokens: 100 }, steps: 2 } });
  });

  test('that ends early without a text is an error', async () => {
    const again = tool({ inputSchema: z.object({}), execute: () => 'more' });
    const model = actingModel(() => ({ toolName: 'again', input: {} }));
    const agent = new ToolLoopAgent({ model, tools: { again }, stopWhen: isStepCount(3) });
    const { output } = await call(
      { agents: { helper: toSubAgent(agent, { description: 'Loops.' }) }, onTask: () => {} },
      ask,
    );
    expect(output).toMatchObject({ status: 'error', data: { steps: 3 } });
    expect(output.error?.message).toBe('helper failed: "It ended without an answer."');
  });
});

describe('nesting', () => {
  test('ends at the second agent, however agents call each other', async () => {
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
    expect(refused[0]).toContain('at most 2 levels deep');
  });

  test('ends even when an agent ignores its second parameter', async () => {
    let deepest = 0;
    const agents: Record<string, SubAgent> = {};
    const task = createTaskTool({
      agents: { helper: agentOf((prompt, given) => agents.helper?.run(prompt, given)) },
      store,
      scope: 'chat-1',
    });
    agents.helper = agentOf(async (_, { depth }) => {
      deepest = Math.max(deepest, depth);
      const model = actingModel(({ step }) => (step === 1 ? { toolName: 'task', input: ask } : 'Done.'));
      const { text } = await generateText({ model, tools: { task }, prompt: 'again', stopWhen: isStepCount(3) });
      return { conclusion: text };
    });
    for await (const _ of task.execute(ask, {
      toolCallId: 'c',
      messages: [],
      context: {},
    } as never) as AsyncIterable<unknown>);
    expect(deepest).toBe(2);
  });

  test('adds the usage of the deepest agent to that of its caller', async () => {
    const inner = taskOf();
    const model = actingModel(({ step }) => (step === 1 ? { toolName: 'task', input: ask } : 'Done.'));
    const agent = new ToolLoopAgent({ model, tools: { task: inner } });
    const { data } = await call({ agents: { helper: toSubAgent(agent, { description: 'x' }) } }, ask);
    expect(data.usage).toMatchObject({ input_tokens: 200 + 700, no_cache_tokens: 120 + 600 });
  });

  test('is detected even when the SDK joins signals, as it does for timeouts', async () => {
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
