import { dynamicTool, type ToolSet, tool } from 'ai';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { asTimePasses } from '../../fixtures/passing-time.ts';
import { countArtifacts, keptOf, runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { scriptedModel } from '../../fixtures/scripted-model.ts';
import { isTruncatedOutput } from '../protocol/truncated-output.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
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
  ])('hands the model a bounded preview, and keeps all of it: %s', async (_, original) => {
    const store = memoryStore();
    const { output, sent } = await runTool(truncateToolOutputs({ readLogs: original }, { store, scope: 'chat-1' }));
    expect(await keptOf(output, { store })).toBe(log);
    expect(sent.type).toBe('text');
    expect(Buffer.byteLength(String(sent.value))).toBeLessThanOrEqual(16_384);
    expect(sent.value).toMatch(/^readLogs succeeded, but its output is incomplete: [\d,]+ of 20,000 lines shown\./);
    expect(sent.value).toContain('<tool-output-preview>\nline 1: nothing to see\n');
  });

  test('gives a small output back as the same reference', async () => {
    const rows = [{ id: 1 }];
    const tools = truncateToolOutputs(
      { query: tool({ inputSchema, execute: async () => rows }) },
      { store: memoryStore(), scope: 'chat-1' },
    );
    const { output, sent } = await runTool(tools);
    expect(output).toBe(rows);
    expect(sent).toEqual({ type: 'json', value: rows });
  });

  test('hands over as text what JSON cannot carry, where the SDK would reject the run', async () => {
    const query = tool({ inputSchema, execute: async () => ({ size: 12n }) });
    await expect(runTool({ query })).rejects.toThrow(TypeError);
    const { sent } = await runTool(truncateToolOutputs({ query }, { store: memoryStore(), scope: 'chat-1' }));
    expect(sent).toEqual({ type: 'text', value: '{"size":"12"}' });
  });

  test('records what was asked, and how long the tool took', async () => {
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

  test("does not count the time of the store as the tool's", async () => {
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
  ])('keeps and shows the text in %s', async (_, bytes) => {
    const store = memoryStore();
    const run = tool({ inputSchema, execute: async () => bytes });
    const { output, sent } = await runTool(truncateToolOutputs({ run }, { store, scope: 'chat-1' }));
    expect(await keptOf(output, { store })).toBe(log);
    expect(sent.value).toContain('\nline 1: nothing to see\n');
    const small = tool({ inputSchema, execute: async () => Buffer.from('ü') });
    expect((await runTool(truncateToolOutputs({ small }, { store, scope: 'chat-1' }))).output).toBe('ü');
  });

  test('has each call keep an artifact of its own, also where ids are equal, empty or long', async () => {
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

  test('bounds once what a set that is wrapped twice returns', async () => {
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
    ['without execute: a client runs it', client],
    ['run by the provider', search],
    ['defined by a provider that checks the output', editor],
  ])('are the same reference: %s', (_, original) => {
    const tools = truncateToolOutputs({ original }, { store: memoryStore(), scope: 'chat-1' });
    expect(tools.original).toBe(original);
  });

  test('are those that `perTool` says', async () => {
    const options = { store: memoryStore(), scope: 'chat-1', perTool: { readLogs: false } } as const;
    const tools = truncateToolOutputs({ readLogs }, options);
    expect(tools.readLogs).toBe(readLogs);
    expect((await runTool(tools)).output).toBe(log);
  });
});

describe('a set of tools', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'may have one that is called %s',
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

  test('refuses a tool whose name is needed', () => {
    const options = { store: memoryStore(), scope: 'chat-1' };
    expect(() => wrapToolSet({ readArtifact: readLogs }, options, { readArtifact: readLogs })).toThrow(
      '`readArtifact` is already one of your tools: rename it, or leave ours out with `readers`.',
    );
    expect(Object.keys(wrapToolSet({ readLogs }, options, { readArtifact: readLogs }))).toEqual([
      'readLogs',
      'readArtifact',
    ]);
  });
});

describe('the readers', () => {
  const options = { store: memoryStore(), scope: 'chat-1' };

  test('come behind the tools of the set: three when nothing is said', () => {
    expect(Object.keys(truncateToolOutputs({ readLogs }, options))).toEqual([
      ...['readLogs', 'readArtifact', 'grepArtifacts', 'queryArtifact'],
    ]);
  });

  test('are those that are named, in that order', () => {
    const tools = truncateToolOutputs({ readLogs }, { ...options, readers: ['listArtifacts', 'readArtifact'] });
    expect(Object.keys(tools)).toEqual(['readLogs', 'listArtifacts', 'readArtifact']);
  });

  test.each<[string, [] | false]>([
    ['false', false],
    ['an empty list', []],
  ])('are none for %s', (_, readers) => {
    expect(Object.keys(truncateToolOutputs({ readLogs }, { ...options, readers }))).toEqual(['readLogs']);
  });

  test('refuse a name of yours that they need', () => {
    const clash = (set: ToolSet, more = {}) => truncateToolOutputs(set, { ...options, ...more });
    const message = '`grepArtifacts` is already one of your tools: rename it, or leave ours out with `readers`.';
    expect(() => clash({ grepArtifacts: readLogs })).toThrow(message);
    expect(() => clash({ grepArtifacts: readLogs }, { readers: ['readArtifact'] })).not.toThrow();
  });

  test('refuse a set that is wrapped already, whose names are taken by the first ones', () => {
    const once: ToolSet = truncateToolOutputs({ readLogs }, options);
    expect(() => truncateToolOutputs(once, options)).toThrow(
      '`readArtifact` is already one of your tools: rename it, or leave ours out with `readers`.',
    );
  });

  test('hand over lines of what was kept, to the owner who is found for the call alone', async () => {
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

  test('answer within their own bounds, also where the limits of the set are smaller', async () => {
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

  async function lastLine(names: (keyof typeof added)[], canCall?: (name: string) => boolean): Promise<string> {
    const some = Object.fromEntries(names.map((name) => [name, added[name]]));
    const options = { store: memoryStore(), scope: 'chat-1', explore: {}, ...(canCall && { canCall }) };
    const { sent } = await runTool(wrapToolSet({ readLogs }, options, some));
    return String(sent.value).split('\n').at(-1) ?? '';
  }

  test('names the readers that are added, and none that is not', async () => {
    const options = { store: memoryStore(), scope: 'chat-1' };
    const lastRow = async (tools: ToolSet) =>
      String((await runTool(tools)).sent.value)
        .split('\n')
        .at(-1);
    expect(await lastRow(truncateToolOutputs({ readLogs }, options))).toBe(search);
    expect(await lastRow(truncateToolOutputs({ readLogs }, { ...options, readers: ['readArtifact'] }))).toBe(
      'Use readArtifact with offset/limit to view specific sections.',
    );
    expect(await lastRow(truncateToolOutputs({ readLogs }, { ...options, readers: false }))).toBe(
      '</tool-output-preview>',
    );
  });

  test('names the explore agent where there is one, and other agents never', async () => {
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

  test('is of an agent named explore too, where an application has its own', async () => {
    const explore = { description: 'Explores.', run: async () => ({ conclusion: 'Done.' }) };
    const options = { store: memoryStore(), scope: 'chat-1', agents: { explore } };
    expect(String((await runTool(truncateToolOutputs({ readLogs }, options))).sent.value)).toContain(delegate);
    const both = { ...options, explore: { model: scriptedModel() } };
    expect(() => truncateToolOutputs({ readLogs }, both)).toThrow(expect.objectContaining({ option: 'agents' }));
  });

  test.each<[string, (keyof typeof added)[], string]>([
    ['an agent that may delegate', ['task', 'grepArtifacts', 'readArtifact'], delegate],
    ['one with readers only', ['grepArtifacts', 'readArtifact'], search],
    ['one that cannot look at it', [], '</tool-output-preview>'],
  ])('names what %s can call', async (_, names, line) => {
    expect(await lastLine(names)).toBe(line);
  });

  test('follows `canCall`, also for tools of another set', async () => {
    const all = Object.keys(added) as (keyof typeof added)[];
    expect(await lastLine(all, (name) => name !== 'task')).toBe(search);
    expect(await lastLine([], () => true)).toBe(delegate);
  });

  test('names nothing when `canCall` fails', async () => {
    const failing = () => {
      throw new Error('no session');
    };
    expect(await lastLine(['task'], failing)).toBe('</tool-output-preview>');
  });

  test('names nothing for a promise, and nobody hears of its failure', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const failing = () => Promise.reject(new Error('no session')) as never;
    expect(await lastLine(['task'], failing)).toBe('</tool-output-preview>');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('does not take a tool of your own for ours', async () => {
    const tools = truncateToolOutputs({ readLogs, task: readLogs }, { store: memoryStore(), scope: 'chat-1' });
    expect(String((await runTool(tools)).sent.value)).not.toContain('Use task');
  });

  test('asks `canCall` with the call, and not for a small output', async () => {
    const canCall = vi.fn(() => true);
    const small = tool({ inputSchema, execute: () => 'short' });
    const tools = truncateToolOutputs({ small, readLogs }, { store: memoryStore(), scope: 'chat-1', canCall });
    await runTool(tools, { toolName: 'small' });
    expect(canCall).not.toHaveBeenCalled();
    await runTool(tools, { toolName: 'readLogs' });
    expect(canCall).toHaveBeenCalledWith('task', expect.objectContaining({ toolCallId: 'call_1' }));
  });
});

describe('limits', () => {
  test('hold for one tool where they are named for it, and for all where not', async () => {
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

  test('make a preview fit where one tool has a smaller limit than its default', async () => {
    const tools = truncateToolOutputs(
      { readLogs },
      { store: memoryStore(), scope: 'chat-1', previewBytes: 20_000, perTool: { readLogs: { maxBytes: 2000 } } },
    );
    expect(Buffer.byteLength(String((await runTool(tools)).sent.value))).toBeLessThanOrEqual(2000);
  });

  test('in characters hold too', async () => {
    const echo = tool({ inputSchema, execute: () => 'x'.repeat(1000) });
    const tools = truncateToolOutputs({ echo }, { store: memoryStore(), scope: 'chat-1', maxChars: 256 });
    expect(truncatedOf((await runTool(tools)).output).data.truncation.reason).toBe('chars');
  });
});

describe('the scope', () => {
  test('is asked for once per call, by a function, where an output is too large', async () => {
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

  test.each<[string, string | (() => string)]>([
    ['empty', ''],
    ['found to be empty', () => ''],
    [
      'not to be found',
      () => {
        throw new Error('no session');
      },
    ],
  ])('that is %s keeps nothing, and the text says so', async (_, scope) => {
    const store = memoryStore();
    const put = vi.spyOn(store, 'put');
    const { output, sent } = await runTool(truncateToolOutputs({ readLogs }, { store, scope }));
    expect(truncatedOf(output).data.truncation.full_output_path).toBeNull();
    expect(sent.value).toContain('The rest was not saved and cannot be retrieved.');
    expect(put).not.toHaveBeenCalled();
  });
});

describe('onTruncate', () => {
  test('is told of what was truncated, and of nothing else', async () => {
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

  test('is told how long it took from the finished output, the wait for the store included', async () => {
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
    // The output and what is known of it are two objects in the store.
    expect(onTruncate).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ durationMs: 250 }));
  });
});

describe('what cannot work', () => {
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
    [
      'an option that is none',
      () => truncateToolOutputs({ readLogs }, { ...options, maxLine: 5 } as never),
      '`maxLine`',
    ],
    [
      'a limit that is none',
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
      'a preview that one tool has no room for',
      () =>
        truncateToolOutputs(
          { readLogs },
          { ...options, perTool: { readLogs: { maxBytes: 2000, previewBytes: 3000 } } },
        ),
      '`perTool.readLogs.previewBytes`',
    ],
    [
      'a name that no tool has',
      () => truncateToolOutputs({ readLogs }, { ...options, perTool: { readLgs: false } as never }),
      "`perTool` must be by names of your tools (readLogs); got 'readLgs'",
    ],
    [
      'no limits',
      () => truncateToolOutputs({ readLogs }, { ...options, perTool: { readLogs: true } as never }),
      '`perTool.readLogs`',
    ],
    [
      'a reader that is none',
      () => truncateToolOutputs({ readLogs }, { ...options, readers: ['readArtefact'] as never }),
      '`readers`',
    ],
    [
      'a reader that objects inherit',
      () => truncateToolOutputs({ readLogs }, { ...options, readers: ['constructor'] as never }),
      '`readers`',
    ],
    ['no readers', () => truncateToolOutputs({ readLogs }, { ...options, readers: true as never }), '`readers`'],
    ['no function', () => truncateToolOutputs({ readLogs }, { ...options, canCall: true as never }), '`canCall`'],
    ['no listener', () => truncateToolOutputs({ readLogs }, { ...options, onTruncate: 1 as never }), '`onTruncate`'],
    ['no deadline', () => truncateToolOutputs({ readLogs }, { ...options, saveTimeoutMs: 0 }), '`saveTimeoutMs`'],
  ])('is refused when the set is wrapped: %s', (_, wrap, message) => {
    expect(wrap).toThrow(message);
  });
});

describe('a call that the application makes itself', () => {
  test('works without the options of the SDK', async () => {
    const { readLogs: wrapped } = truncateToolOutputs({ readLogs }, { store: memoryStore(), scope: 'chat-1' });
    const execute = wrapped.execute as (input: unknown) => Promise<unknown>;
    expect(isTruncatedOutput(await execute({}))).toBe(true);
  });
});

describe('toModelOutput as frameworks with the signature of AI SDK 5 call it, with the output alone,', () => {
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

  test('calls a toModelOutput of the tool itself as the SDK does', async () => {
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
