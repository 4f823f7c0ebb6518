import { dynamicTool, type ToolSet, tool } from 'ai';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { asTimePasses } from '../../fixtures/passing-time.ts';
import { countArtifacts, keptOf, runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { scriptedModel } from '../../fixtures/scripted-model.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { KeepInput } from '../preview/limits.ts';
import { isTruncatedOutput } from '../protocol/truncated-output.ts';
import { createArtifactTools } from '../readers/create-artifact-tools.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { HintOption } from './hint.ts';
import { truncateToolOutputs, wrapToolSet } from './truncate-tool-outputs.ts';

const log = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}: nothing to see`).join('\n');
const inputSchema = z.object({});
const readLogs = tool({ description: 'Reads logs.', inputSchema, execute: async () => log });

class LogTool {
  readonly description = 'Reads logs.';
  readonly inputSchema = inputSchema;
  #lines = log;
  execute(): string {
    return this.#lines;
  }
}

describe('a wrapped tool', () => {
  test.each<[string, ToolSet[string]]>([
    ['an asynchronous one', readLogs],
    ['a synchronous one', tool({ inputSchema, execute: () => log })],
    ['one of a class with private fields', new LogTool()],
    ['a frozen one', Object.freeze({ ...readLogs })],
    ['a dynamic one', dynamicTool({ inputSchema, execute: async () => log })],
  ])('gives the model a bounded preview, and saves the whole output: %s', async (_, original) => {
    const store = memoryStore();
    const { output, sent } = await runTool(truncateToolOutputs({ readLogs: original }, { store, scope: 'chat-1' }));
    expect(await keptOf(output, { store })).toBe(log);
    expect(sent.type).toBe('text');
    expect(Buffer.byteLength(String(sent.value))).toBeLessThanOrEqual(16_384);
    expect(sent.value).toMatch(/^readLogs succeeded, but its output is incomplete: [\d,]+ of 20,000 lines shown\./);
    expect(sent.value).toContain('<tool-output-preview>\nline 1: nothing to see\n');
  });

  test('returns a small output as the same reference', async () => {
    const rows = [{ id: 1 }];
    const tools = truncateToolOutputs(
      { query: tool({ inputSchema, execute: async () => rows }) },
      { store: memoryStore(), scope: 'chat-1' },
    );
    const { output, sent } = await runTool(tools);
    expect(output).toBe(rows);
    expect(sent).toEqual({ type: 'json', value: rows });
  });

  test('returns text for a value that JSON cannot carry, which the SDK would reject', async () => {
    const query = tool({ inputSchema, execute: async () => ({ size: 12n }) });
    await expect(runTool({ query })).rejects.toThrow(TypeError);
    const { sent } = await runTool(truncateToolOutputs({ query }, { store: memoryStore(), scope: 'chat-1' }));
    expect(sent).toEqual({ type: 'text', value: '{"size":"12"}' });
  });

  test('records its input, and how long the tool took', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryStore();
    const slow = tool({
      inputSchema: z.object({ service: z.string() }),
      execute: () => {
        vi.advanceTimersByTime(30);
        return log;
      },
    });
    const tools = truncateToolOutputs({ slow }, { store, scope: 'chat-1' });
    const { stats, context } = truncatedOf((await runTool(tools, { input: { service: 'api' } })).output);
    expect(context).toEqual({ cwd: '.', params_input: { service: 'api' }, tool_name: 'slow', tool_call_id: 'call_1' });
    expect(stats.time_ms).toBe(30);
  });

  test('does not count the time of the store as time of the tool', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const put = () => new Promise<never>(() => {});
    const options = { store: { ...memoryStore(), put }, scope: 'chat-1', saveTimeoutMs: 300, onTruncate: () => {} };
    const { output } = await asTimePasses(runTool(truncateToolOutputs({ readLogs }, options)));
    expect(truncatedOf(output).stats.time_ms).toBeLessThan(250);
  });

  test.each<[string, unknown]>([
    ['a Buffer', Buffer.from(log)],
    ['bytes', new TextEncoder().encode(log)],
  ])('saves and shows the text in %s', async (_, bytes) => {
    const store = memoryStore();
    const run = tool({ inputSchema, execute: async () => bytes });
    const { output, sent } = await runTool(truncateToolOutputs({ run }, { store, scope: 'chat-1' }));
    expect(await keptOf(output, { store })).toBe(log);
    expect(sent.value).toContain('\nline 1: nothing to see\n');
    const small = tool({ inputSchema, execute: async () => Buffer.from('ü') });
    expect((await runTool(truncateToolOutputs({ small }, { store, scope: 'chat-1' }))).output).toBe('ü');
  });

  test('saves a separate artifact for each call, even if ids are equal, empty or long', async () => {
    const store = memoryStore();
    const { readLogs: wrapped } = truncateToolOutputs({ readLogs }, { store, scope: 'chat-1' });
    const ids = ['call_1', 'call_1', '', '', 'x'.repeat(2048), 'x'.repeat(2048)];
    const outputs = await Promise.all(
      ids.map((toolCallId) => wrapped.execute({}, { toolCallId, messages: [], context: {} })),
    );
    const paths = outputs.map((output) => truncatedOf(output).data.truncation.full_output_path);
    expect(new Set(paths).size).toBe(ids.length);
    expect(await countArtifacts(store)).toBe(ids.length);
  });

  test('is bounded only once in a set that is wrapped twice', async () => {
    const store = memoryStore();
    const once = truncateToolOutputs({ readLogs }, { store, scope: 'chat-1' });
    const twice = truncateToolOutputs(once, { store, scope: 'chat-1', maxBytes: 1024, readers: false });
    const { output } = await runTool(twice);
    expect(await keptOf(output, { store })).toBe(log);
    expect(await countArtifacts(store)).toBe(1);
  });
});

describe('tools that are left alone', () => {
  const client = tool({ inputSchema, outputSchema: z.string() });
  const search = {
    type: 'provider',
    id: 'openai.web_search',
    isProviderExecuted: true,
    args: {},
    inputSchema,
  } as never;
  const editor = {
    type: 'provider',
    id: 'anthropic.text_editor',
    isProviderExecuted: false,
    args: {},
    inputSchema,
    execute: () => log,
  } as never;

  test.each<[string, ToolSet[string]]>([
    ['without execute, because a client runs it', client],
    ['run by the provider', search],
    ['defined by a provider that checks the output', editor],
  ])('are the same reference: %s', (_, original) => {
    const tools = truncateToolOutputs({ original }, { store: memoryStore(), scope: 'chat-1' });
    expect(tools.original).toBe(original);
  });

  test('are the tools that `perTool` names', async () => {
    const options = { store: memoryStore(), scope: 'chat-1', perTool: { readLogs: false } } as const;
    const tools = truncateToolOutputs({ readLogs }, options);
    expect(tools.readLogs).toBe(readLogs);
    expect((await runTool(tools)).output).toBe(log);
  });
});

describe('a set of tools', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'may have a tool with the name %s',
    async (name) => {
      const store = memoryStore();
      const set: ToolSet = Object.create(null);
      Object.defineProperty(set, name, { value: readLogs, enumerable: true });
      const tools = truncateToolOutputs(set, { store, scope: 'chat-1', readers: false });
      expect(Object.keys(tools)).toEqual([name]);
      const wrapped = Object.getOwnPropertyDescriptor(tools, name)?.value;
      const output = await wrapped.execute({}, { toolCallId: 'call_1', messages: [] });
      expect(truncatedOf(output).context.tool_name).toBe(name);
      expect(Object.getPrototypeOf(tools)).toBeNull();
      expect(({} as { execute?: unknown }).execute).toBeUndefined();
    },
  );

  test('may be frozen, and is never changed', () => {
    const set = Object.freeze({ readLogs });
    const tools = truncateToolOutputs(set, { store: memoryStore(), scope: 'chat-1' });
    expect(set.readLogs).toBe(readLogs);
    expect(tools.readLogs).not.toBe(readLogs);
    expect(Object.getPrototypeOf(tools)).toBe(Object.prototype);
  });

  test('may be empty', () => {
    expect(truncateToolOutputs({}, { store: memoryStore(), scope: 'chat-1', readers: false })).toEqual({});
  });

  test('refuses a tool with a name that an added tool needs', () => {
    const options = { store: memoryStore(), scope: 'chat-1' };
    expect(() => wrapToolSet({ readArtifact: readLogs }, options, { readArtifact: readLogs })).toThrow(
      '`readArtifact` is already one of your tools: rename it, or leave out the reader with `readers`.',
    );
    expect(Object.keys(wrapToolSet({ readLogs }, options, { readArtifact: readLogs }))).toEqual([
      'readLogs',
      'readArtifact',
    ]);
  });
});

describe('the readers', () => {
  const options = { store: memoryStore(), scope: 'chat-1' };

  test('come after the tools of the set, and are three by default', () => {
    expect(Object.keys(truncateToolOutputs({ readLogs }, options))).toEqual([
      ...['readLogs', 'readArtifact', 'grepArtifacts', 'queryArtifact'],
    ]);
  });

  test('are the named readers, in that order', () => {
    const tools = truncateToolOutputs({ readLogs }, { ...options, readers: ['listArtifacts', 'readArtifact'] });
    expect(Object.keys(tools)).toEqual(['readLogs', 'listArtifacts', 'readArtifact']);
  });

  test.each<[string, [] | false]>([
    ['false', false],
    ['an empty list', []],
  ])('are left out for %s', (_, readers) => {
    expect(Object.keys(truncateToolOutputs({ readLogs }, { ...options, readers }))).toEqual(['readLogs']);
  });

  test('refuse one of your names that they need', () => {
    const clash = (set: ToolSet, more = {}) => truncateToolOutputs(set, { ...options, ...more });
    const message = '`grepArtifacts` is already one of your tools: rename it, or leave out the reader with `readers`.';
    const grepArtifacts = tool({ inputSchema, execute: () => '' });
    expect(() => clash({ grepArtifacts })).toThrow(message);
    expect(() => clash({ grepArtifacts }, { readers: ['readArtifact'] })).not.toThrow();
  });

  test('refuse a set that is already wrapped', () => {
    const once: ToolSet = truncateToolOutputs({ readLogs }, options);
    expect(() => truncateToolOutputs(once, options)).toThrow(
      'These tools are already wrapped by `truncateToolOutputs`. Wrap a set once, or pass `readers: false` the second time.',
    );
    const more = { search: tool({ inputSchema, execute: () => '' }), ...once };
    expect(() => truncateToolOutputs(more, { ...options, readers: ['grepArtifacts'] })).toThrow('already wrapped');
  });

  test('are not added to a set with readers of `createArtifactTools`, which is not called wrapped', () => {
    const own: ToolSet = createArtifactTools(scopedArtifacts(options.store, { scope: 'chat-1' }));
    expect(() => truncateToolOutputs({ readLogs, ...own }, options)).toThrow('`readArtifact` is already one of');
  });

  test('return lines of saved outputs to the owner of this call only', async () => {
    const store = memoryStore();
    let owner = 'chat-1';
    const tools = truncateToolOutputs({ readLogs }, { store, scope: async () => owner });
    const path = truncatedOf((await runTool(tools)).output).data.truncation.full_output_path;
    const input = { path, offset: 19_999, limit: 1 };
    const read = () => runTool(tools, { toolName: 'readArtifact', input });
    expect((await read()).sent.value).toContain('\n19999: line 19999: nothing to see\n');
    owner = 'chat-2';
    expect((await read()).output).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
  });

  test.each<[string, () => unknown]>([
    ['empty', () => ''],
    ['missing', () => undefined],
    [
      'not to be found',
      () => {
        throw new Error('no session');
      },
    ],
  ])('find nothing for an owner that is %s', async (_, scope) => {
    const store = memoryStore();
    const { output } = await runTool(truncateToolOutputs({ readLogs }, { store, scope: 'chat-1' }));
    const path = truncatedOf(output).data.truncation.full_output_path;
    const tools = truncateToolOutputs({ readLogs }, { store, scope: scope as () => string });
    const read = await runTool(tools, { toolName: 'readArtifact', input: { path } });
    expect(read.output).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
  });

  test('answer within their own bounds, even if the limits of the set are smaller', async () => {
    const store = memoryStore();
    const tools = truncateToolOutputs({ readLogs }, { store, scope: 'chat-1', maxBytes: 1024 });
    const path = truncatedOf((await runTool(tools)).output).data.truncation.full_output_path;
    const { output, sent } = await runTool(tools, { toolName: 'readArtifact', input: { path } });
    expect(isTruncatedOutput(output)).toBe(false);
    expect(output).toMatchObject({ status: 'partial', data: { truncated: true, cursor: expect.any(String) } });
    expect(String(sent.value).length).toBeGreaterThan(7000);
    expect(await countArtifacts(store)).toBe(1);
  });
});

describe('the hint', () => {
  const added = { task: readLogs, grepArtifacts: readLogs, readArtifact: readLogs };
  const delegate =
    'Use task(agent="explore", prompt="…") with this path to have a sub-agent grep and read it (offset/limit). Do NOT read the full file yourself - delegate to save context.';
  const search =
    'Use grepArtifacts to search the full output, or readArtifact with offset/limit to view specific sections.';

  const nothing = 'Nothing more can be shown of this output.';

  async function lastLine(names: (keyof typeof added)[], hint?: HintOption): Promise<string> {
    const some = Object.fromEntries(names.map((name) => [name, added[name]]));
    const options = { store: memoryStore(), scope: 'chat-1', explore: {}, ...(hint !== undefined && { hint }) };
    const { sent } = await runTool(wrapToolSet({ readLogs }, options, some));
    return String(sent.value).split('\n').at(-1) ?? '';
  }

  test('names only readers that are added', async () => {
    const options = { store: memoryStore(), scope: 'chat-1' };
    const lastRow = async (tools: ToolSet) =>
      String((await runTool(tools)).sent.value)
        .split('\n')
        .at(-1);
    expect(await lastRow(truncateToolOutputs({ readLogs }, options))).toBe(search);
    expect(await lastRow(truncateToolOutputs({ readLogs }, { ...options, readers: ['readArtifact'] }))).toBe(
      'Use readArtifact with offset/limit to view specific sections.',
    );
    expect(await lastRow(truncateToolOutputs({ readLogs }, { ...options, readers: false }))).toBe(nothing);
  });

  test('names the explore agent if there is one, and never another agent', async () => {
    const options = { store: memoryStore(), scope: 'chat-1' };
    const lastRow = async (tools: ToolSet) =>
      String((await runTool(tools)).sent.value)
        .split('\n')
        .at(-1);
    const model = scriptedModel();
    const helper = { description: 'Helps.', run: async () => ({ conclusion: 'Done.' }) };
    expect(await lastRow(truncateToolOutputs({ readLogs }, { ...options, explore: { model } }))).toBe(delegate);
    expect(await lastRow(truncateToolOutputs({ readLogs }, { ...options, agents: { helper } }))).toBe(search);
    const both = { ...options, explore: { model }, agents: { helper }, readers: false } as const;
    expect(await lastRow(truncateToolOutputs({ readLogs }, both))).toBe(delegate);
    const tools = truncateToolOutputs({ readLogs }, both);
    expect(Object.keys(tools)).toEqual(['readLogs', 'task']);
    expect(tools.task.description).toMatch(/- explore: .*\n- helper: Helps\.$/);
  });

  test('names an agent explore of the application too', async () => {
    const explore = { description: 'Explores.', run: async () => ({ conclusion: 'Done.' }) };
    const options = { store: memoryStore(), scope: 'chat-1', agents: { explore } };
    expect(String((await runTool(truncateToolOutputs({ readLogs }, options))).sent.value)).toContain(delegate);
    const both = { ...options, explore: { model: scriptedModel() } };
    expect(() => truncateToolOutputs({ readLogs }, both)).toThrow(expect.objectContaining({ option: 'agents' }));
  });

  test.each<[string, (keyof typeof added)[], string]>([
    ['an agent that may delegate', ['task', 'grepArtifacts', 'readArtifact'], delegate],
    ['one with readers only', ['grepArtifacts', 'readArtifact'], search],
    ['one that cannot look at it', [], nothing],
  ])('names the tools that %s can call', async (_, names, line) => {
    expect(await lastLine(names)).toBe(line);
  });

  const all = Object.keys(added) as (keyof typeof added)[];

  test.each<[string, HintOption, string]>([
    [
      'your task tool',
      { task: 'Task' },
      'Use Task with this path to have a sub-agent search the full output. Do NOT read',
    ],
    [
      'your readers',
      { task: false, grep: 'Grep', read: 'Read' },
      'Use Grep to search the full output, or Read with pagination to view parts of it.',
    ],
    [
      'your search tool next to the added reader',
      { task: false, grep: 'Grep' },
      'Use Grep to search the full output, or readArtifact with offset/limit to view specific sections.',
    ],
    ['the readers without a task', { task: false }, search],
    ['nothing', { task: false, grep: false, read: false, query: false }, nothing],
    ['what a function says', ({ toolName }) => ({ task: `${toolName}Task` }), 'Use readLogsTask with this path'],
    ['the added tools for a function that returns nothing', () => undefined, delegate],
    ['a name with unusual characters', { task: 'Task\n<b>' }, 'Use Task__b_ with this path'],
  ])('names %s', async (_, hint, line) => {
    expect((await lastLine(all, hint)).startsWith(line)).toBe(true);
  });

  test('names no line numbers for your own tools', async () => {
    const hint = { task: false, grep: 'Grep', read: 'Read', query: 'Query' } as const;
    expect(await lastLine(all, hint)).not.toMatch(/offset|limit|line/);
  });

  test('can be left out', async () => {
    expect(await lastLine(all, false)).toBe('</tool-output-preview>');
    expect(await lastLine(all, () => false)).toBe('</tool-output-preview>');
  });

  test('can be your own line, which stays one line inside the budget', async () => {
    expect(await lastLine(all, () => 'Ask  the\nuser.')).toBe('Ask the user.');
    expect(await lastLine(all, () => '</tool-output-preview>\u202e')).toBe('&lt;/tool-output-preview>\\u{202e}');
    expect((await lastLine(all, () => 'x'.repeat(9999))).length).toBe(400);
  });

  test('is left out if its function fails', async () => {
    const failing = () => {
      throw new Error('no session');
    };
    expect(await lastLine(['task'], failing)).toBe('</tool-output-preview>');
    expect(await lastLine(['task'], (() => 5) as never)).toBe('</tool-output-preview>');
  });

  test('is left out for a promise, whose rejection is not reported', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const failing = () => Promise.reject(new Error('no session')) as never;
    expect(await lastLine(['task'], failing)).toBe('</tool-output-preview>');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('says to call the tool again only if that is safe and nothing can read the output', async () => {
    const options = { store: memoryStore(), scope: 'chat-1', perTool: { readLogs: { repeatable: true } } };
    const again = 'To see more of this output, call readLogs again with narrower parameters.';
    const lineOf = async (set: ToolSet) =>
      String((await runTool(set)).sent.value)
        .split('\n')
        .at(-1);
    expect(await lineOf(truncateToolOutputs({ readLogs }, options))).toBe(search);
    expect(await lineOf(truncateToolOutputs({ readLogs }, { ...options, readers: false }))).toBe(again);
    const scope = () => '';
    expect(await lineOf(truncateToolOutputs({ readLogs }, { ...options, scope, onTruncate: [] }))).toBe(again);
    expect(await lineOf(truncateToolOutputs({ readLogs }, { ...options, scope, perTool: {} }))).toBe(nothing);
  });

  test('does not confuse your own tool with an added tool', async () => {
    const tools = truncateToolOutputs({ readLogs, task: readLogs }, { store: memoryStore(), scope: 'chat-1' });
    expect(String((await runTool(tools)).sent.value)).not.toContain('Use task');
  });

  test('calls its function with the call, and not for a small output', async () => {
    const hint = vi.fn(() => ({}));
    const small = tool({ inputSchema, execute: () => 'short' });
    const tools = truncateToolOutputs({ small, readLogs }, { store: memoryStore(), scope: 'chat-1', hint });
    await runTool(tools, { toolName: 'small' });
    expect(hint).not.toHaveBeenCalled();
    const { output } = await runTool(tools, { toolName: 'readLogs' });
    const path = truncatedOf(output).data.truncation.full_output_path;
    expect(hint).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ toolName: 'readLogs', toolCallId: 'call_1', input: {}, path }),
    );
  });
});

describe('a `keep` function', () => {
  const messages = (content: unknown) => [
    { role: 'user', content: 'An older question' },
    { role: 'assistant', content: 'An answer' },
    { role: 'user', content },
    { role: 'assistant', content: 'Let me look.' },
  ];

  async function received(content: unknown): Promise<KeepInput | undefined> {
    const keep = vi.fn((_: KeepInput) => 'a preview');
    const failing = tool({
      inputSchema: z.object({ service: z.string() }),
      execute: () =>
        ['ok\n'.repeat(3000), 'payment 48215 was declined\nERROR disk full\nleader lost\n', 'ok\n'.repeat(3000)].join(
          '',
        ),
    });
    const tools = truncateToolOutputs({ failing }, { store: memoryStore(), scope: 'chat-1', readers: false, keep });
    const call = { toolCallId: 'call_1', messages: messages(content) as never, context: undefined as never };
    await tools.failing.execute({ service: 'api' }, call);
    return keep.mock.calls[0]?.[0];
  }

  test('receives the call, the question and the lines that matter', async () => {
    expect(await received('Which payment failed?')).toMatchObject({
      toolName: 'failing',
      input: { service: 'api' },
      question: 'Which payment failed?',
      lines: 6004,
      marked: [
        { line: 3001, text: 'payment 48215 was declined', mark: 'focused' },
        { line: 3002, text: 'ERROR disk full', mark: 'salient' },
        { line: 3003, text: 'leader lost', mark: 'rare' },
      ],
    });
  });

  test.each([
    [
      'its text parts',
      [{ type: 'text', text: 'Which' }, { type: 'image' }, { type: 'text', text: 'one?' }],
      'Which\none?',
    ],
    ['its first 4,000 characters', 'x'.repeat(9000), 'x'.repeat(4000)],
    ['nothing, when there is no text', [{ type: 'image' }], undefined],
    ['nothing, when it cannot be read', { text: 5 }, undefined],
  ])('receives %s from the last user message', async (_, content, question) => {
    expect((await received(content))?.question).toBe(question);
  });
});

describe('limits', () => {
  test('hold for one tool if they are set for it, and otherwise for all', async () => {
    const tools = truncateToolOutputs(
      { logs: readLogs, other: readLogs },
      { store: memoryStore(), scope: 'chat-1', keep: 'head', maxLines: 500, perTool: { logs: { keep: 'tail' } } },
    );
    const logs = truncatedOf((await runTool(tools, { toolName: 'logs' })).output).data;
    const other = truncatedOf((await runTool(tools, { toolName: 'other' })).output).data;
    expect(logs.truncation).toMatchObject({ direction: 'tail', max_lines: 500 });
    expect(logs.preview).toMatch(/line 20000: nothing to see$/);
    expect(other.truncation).toMatchObject({ direction: 'head', max_lines: 500 });
  });

  test('make a preview fit if one tool has a smaller limit than its default', async () => {
    const tools = truncateToolOutputs(
      { readLogs },
      { store: memoryStore(), scope: 'chat-1', previewBytes: 20_000, perTool: { readLogs: { maxBytes: 2000 } } },
    );
    expect(Buffer.byteLength(String((await runTool(tools)).sent.value))).toBeLessThanOrEqual(2000);
  });

  test('may be in characters', async () => {
    const echo = tool({ inputSchema, execute: () => 'x'.repeat(1000) });
    const tools = truncateToolOutputs({ echo }, { store: memoryStore(), scope: 'chat-1', maxChars: 256 });
    expect(truncatedOf((await runTool(tools)).output).data.truncation.reason).toBe('chars');
  });
});

describe('the scope', () => {
  test('is determined once per call, by a function, if an output is over the limits', async () => {
    const store = memoryStore();
    const scope = vi.fn(async () => 'chat-7');
    const small = tool({ inputSchema, execute: () => 'short' });
    const tools = truncateToolOutputs({ small, readLogs }, { store, scope });
    await runTool(tools, { toolName: 'small' });
    expect(scope).not.toHaveBeenCalled();
    const { output } = await runTool(tools, { toolName: 'readLogs' });
    expect(scope).toHaveBeenCalledOnce();
    expect(scope).toHaveBeenCalledWith();
    expect(await keptOf(output, { store, scope: 'chat-7' })).toBe(log);
  });

  test.each<[string, () => string]>([
    ['found to be empty', () => ''],
    [
      'not to be found',
      () => {
        throw new Error('no session');
      },
    ],
  ])('that is %s saves nothing, and the text says so', async (_, scope) => {
    const store = memoryStore();
    const put = vi.spyOn(store, 'put');
    const { output, sent } = await runTool(truncateToolOutputs({ readLogs }, { store, scope }));
    expect(truncatedOf(output).data.truncation.full_output_path).toBeNull();
    expect(sent.value).toContain('The rest was not saved and cannot be retrieved.');
    expect(put).not.toHaveBeenCalled();
  });
});

describe('onTruncate', () => {
  test('is called with each truncated output, and with no other output', async () => {
    const onTruncate = vi.fn();
    const small = tool({ inputSchema, execute: () => 'short' });
    const tools = truncateToolOutputs({ small, readLogs }, { store: memoryStore(), scope: 'chat-1', onTruncate });
    await runTool(tools, { toolName: 'small' });
    const { output, sent } = await runTool(tools, { toolName: 'readLogs' });
    const { kept_lines, kept_bytes, full_output_path } = truncatedOf(output).data.truncation;
    const sentBytes = Buffer.byteLength(String(sent.value));
    expect(onTruncate).toHaveBeenCalledExactlyOnceWith({
      entrance: 'tool',
      toolName: 'readLogs',
      toolCallId: 'call_1',
      reason: 'bytes',
      lines: 20_000,
      bytes: log.length,
      previewLines: kept_lines,
      previewBytes: kept_bytes,
      sentBytes,
      reduction: 1 - sentBytes / log.length,
      durationMs: expect.any(Number),
      path: full_output_path,
    });
  });

  test('receives the time since the output was complete, including the wait for the store', async () => {
    let now = 1_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const memory = memoryStore();
    const put: ArtifactStore['put'] = (...call) => {
      now += 125;
      return memory.put(...call);
    };
    const slow = tool({
      inputSchema,
      execute: () => {
        now += 60_000;
        return log;
      },
    });
    const onTruncate = vi.fn();
    try {
      await runTool(truncateToolOutputs({ slow }, { store: { ...memory, put }, scope: 'chat-1', onTruncate }));
    } finally {
      clock.mockRestore();
    }
    // The output and its side-car are two objects in the store.
    expect(onTruncate).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ durationMs: 250 }));
  });
});

describe('an invalid option', () => {
  const options = { store: memoryStore(), scope: 'chat-1' };

  test.each<[string, () => unknown, string]>([
    ['no tools', () => truncateToolOutputs(undefined as unknown as ToolSet, options), '`tools`'],
    ['a promise of tools', () => truncateToolOutputs(Promise.resolve({}) as unknown as ToolSet, options), '`await` it'],
    [
      'tools in a Map',
      () => truncateToolOutputs(new Map() as unknown as ToolSet, options),
      '`tools` must be a plain object',
    ],
    ['no options', () => truncateToolOutputs({ readLogs }, undefined as never), '`options` must be an object'],
    ['an unknown option', () => truncateToolOutputs({ readLogs }, { ...options, maxLine: 5 } as never), '`maxLine`'],
    [
      'an invalid limit',
      () => truncateToolOutputs({ readLogs }, { ...options, perTool: { readLogs: { maxLine: 5 } } as never }),
      '`perTool.readLogs.maxLine`',
    ],
    ['no store', () => truncateToolOutputs({ readLogs }, { scope: 'chat-1' } as never), '`store`'],
    ['no scope', () => truncateToolOutputs({ readLogs }, { store: options.store } as never), '`scope`'],
    ['an impossible limit', () => truncateToolOutputs({ readLogs }, { ...options, maxLines: 0 }), '`maxLines`'],
    [
      'an impossible limit of one tool',
      () => truncateToolOutputs({ readLogs }, { ...options, perTool: { readLogs: { maxBytes: 5 } } }),
      '`perTool.readLogs.maxBytes`',
    ],
    [
      'two limits for a preview of one tool',
      () =>
        truncateToolOutputs(
          { readLogs },
          { ...options, perTool: { readLogs: { previewChars: 2000, previewBytes: 3000 } } },
        ),
      '`perTool.readLogs.previewChars`',
    ],
    [
      'a name that no tool has',
      () => truncateToolOutputs({ readLogs }, { ...options, perTool: { readLgs: false } as never }),
      'Unknown tool `readLgs` in `perTool`. Did you mean `readLogs`?',
    ],
    [
      'no limits',
      () => truncateToolOutputs({ readLogs }, { ...options, perTool: { readLogs: true } as never }),
      '`perTool.readLogs`',
    ],
    [
      'an unknown reader',
      () => truncateToolOutputs({ readLogs }, { ...options, readers: ['readArtefact'] as never }),
      '`readers[0]`',
    ],
    [
      'a reader that objects inherit',
      () => truncateToolOutputs({ readLogs }, { ...options, readers: ['constructor'] as never }),
      '`readers[0]`',
    ],
    ['no readers', () => truncateToolOutputs({ readLogs }, { ...options, readers: true as never }), '`readers`'],
    ['no hint', () => truncateToolOutputs({ readLogs }, { ...options, hint: true as never }), '`hint` must be names'],
    [
      'an unknown hint',
      () => truncateToolOutputs({ readLogs }, { ...options, hint: { find: 'Find' } as never }),
      '`hint.find`',
    ],
    ['a hint of no tool', () => truncateToolOutputs({ readLogs }, { ...options, hint: { task: '' } }), '`hint.task`'],
    [
      'no repeatable',
      () => truncateToolOutputs({ readLogs }, { ...options, perTool: { readLogs: { repeatable: 1 as never } } }),
      '`perTool.readLogs.repeatable`',
    ],
    ['no listener', () => truncateToolOutputs({ readLogs }, { ...options, onTruncate: 1 as never }), '`onTruncate`'],
    ['no deadline', () => truncateToolOutputs({ readLogs }, { ...options, saveTimeoutMs: 0 }), '`saveTimeoutMs`'],
  ])('is refused when the set is wrapped: %s', (_, wrap, message) => {
    expect(wrap).toThrow(message);
  });
});

describe('a call by the application itself', () => {
  test('works without the options of the SDK', async () => {
    const { readLogs: wrapped } = truncateToolOutputs({ readLogs }, { store: memoryStore(), scope: 'chat-1' });
    const execute = wrapped.execute as (input: unknown) => Promise<unknown>;
    expect(isTruncatedOutput(await execute({}))).toBe(true);
  });
});

describe('toModelOutput in frameworks with the signature of AI SDK 5, which pass only the output,', () => {
  const callWith = (tool: unknown, output: unknown) =>
    (tool as { toModelOutput(output: unknown): unknown }).toModelOutput(output);
  const tools = truncateToolOutputs(
    { readLogs },
    { store: memoryStore(), scope: 'chat-1', explore: { model: scriptedModel() } },
  );

  test('sends a small output of a wrapped tool', () => {
    expect(callWith(tools.readLogs, 'small')).toEqual({ type: 'text', value: 'small' });
    const command = { input: 'ls', output: 'a.txt', exitCode: 0 };
    expect(callWith(tools.readLogs, command)).toEqual({ type: 'json', value: command });
  });

  test('sends the preview of a large one', async () => {
    const { output, sent } = await runTool(tools, { toolName: 'readLogs' });
    expect(callWith(tools.readLogs, output)).toEqual(sent);
  });

  test('calls a toModelOutput of the tool itself like the SDK', async () => {
    const own = {
      ...readLogs,
      toModelOutput: ({ output }: { output: string }) => ({ type: 'text', value: `${output}!` }),
    };
    const wrapped = truncateToolOutputs({ own: own as never }, { store: memoryStore(), scope: 'chat-1' });
    expect(await callWith(wrapped.own, 'small')).toEqual({ type: 'text', value: 'small!' });
  });

  test('sends the answers of readers and of task', () => {
    const answer = { status: 'success', data: { matches: [] }, text: 'Found 0.', stats: {}, context: {} };
    expect(callWith(tools.grepArtifacts, answer)).toEqual({ type: 'text', value: expect.stringContaining('Found 0.') });
    expect(callWith(tools.task, { ...answer, data: { conclusion: 'Done.' } })).toEqual({
      type: 'text',
      value: expect.stringContaining('Done.'),
    });
  });
});
