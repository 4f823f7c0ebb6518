import { tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { truncationOptionsFromObject } from './truncation-options-from-object.ts';

/** The YAML of the requirements, parsed. */
const file = {
  tool_output_limits: {
    default: { max_chars: 8000, max_lines: 500, truncation_strategy: 'head_tail' },
    tools: {
      repo_map: { max_chars: 10_000, max_lines: 1000 },
      read_file: { max_chars: 5000, max_lines: 200 },
      grep_search: { max_lines: 100, show_context: 2 },
      get_repo_structure: { max_depth: 3, max_files: 500 },
    },
  },
  summarization: { enabled: false, model: 'qwen-turbo', max_input_chars: 50_000, trigger_threshold: 20_000 },
};

const model = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'a summary' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
    warnings: [],
  }),
});

function returning(output: string) {
  return tool({ inputSchema: z.object({}), execute: () => output });
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}: a line`).join('\n');

describe('options from an object', () => {
  it('are those of the file', () => {
    expect(truncationOptionsFromObject(file)).toEqual({
      maxChars: 8000,
      maxLines: 500,
      maxBytes: 24_000,
      previewBytes: 24_000,
      keep: 'ends',
      perTool: {
        repo_map: { maxChars: 10_000, maxLines: 1000, maxBytes: 30_000, previewBytes: 30_000 },
        read_file: { maxChars: 5000, maxLines: 200, maxBytes: 15_000, previewBytes: 15_000 },
        grep_search: { maxLines: 100 },
      },
      toolOptions: { grep_search: { show_context: 2 }, get_repo_structure: { max_depth: 3, max_files: 500 } },
    });
  });

  it('bound the tools as the file says', async () => {
    const tools = {
      repo_map: returning('x'.repeat(9000)),
      read_file: returning('x'.repeat(9000)),
      grep_search: returning(lines(250)),
      get_repo_structure: returning(lines(600)),
      other: returning('文'.repeat(7000)),
    };
    const { toolOptions: _, ...limits } = truncationOptionsFromObject(file, { tools });
    const { perTool: __, ...all } = limits;
    expect(Object.keys(all)).toEqual(['maxLines', 'maxChars', 'maxBytes', 'previewBytes', 'keep']);
    const { get_repo_structure, ...perTool } = limits.perTool;
    expect(get_repo_structure).toBeUndefined();
    const bounded = truncateToolOutputs(tools, { store: memoryStore(), scope: 'chat-1', ...all, perTool });
    const outputs = await Promise.all(
      Object.keys(tools).map(async (toolName) => (await runTool(bounded, { toolName })).output),
    );
    const [repoMap, readFile, grep, structure, other] = outputs;
    expect(repoMap).toHaveLength(9000);
    expect(other).toHaveLength(7000);
    expect(truncatedOf(readFile).data.preview.length).toBeGreaterThan(3500);
    expect(truncatedOf(readFile).data.preview.length).toBeLessThanOrEqual(5000);
    expect(truncatedOf(grep).data.truncation).toMatchObject({
      direction: 'ends',
      reason: 'lines',
      kept_lines: 99,
      max_lines: 100,
    });
    expect(truncatedOf(structure).data.truncation).toMatchObject({ original_lines: 600, max_lines: 500 });
  });

  it('are none where the file says none', () => {
    for (const empty of [
      {},
      { tool_output_limits: null },
      { tool_output_limits: { default: null, tools: null }, summarization: {} },
    ]) {
      expect(truncationOptionsFromObject(empty)).toEqual({ perTool: {}, toolOptions: {} });
    }
  });

  it('keep the head with head_only, and show all that the limits allow', () => {
    const limits = { default: { max_lines: 500, truncation_strategy: 'head_only' } };
    expect(truncationOptionsFromObject({ tool_output_limits: limits })).toMatchObject({
      maxLines: 500,
      previewBytes: 51_200,
      keep: 'head',
    });
  });

  it('show all that the limits of one tool allow, where the file has limits for that tool only', async () => {
    const limits = {
      tools: { grep_search: { max_lines: 400 }, read_file: { truncation_strategy: 'head_only' }, ls: { max_depth: 3 } },
    };
    const output = Array.from({ length: 3000 }, (_, index) => `${index + 1}: ${'x'.repeat(90)}`).join('\n');
    const tools = {
      grep_search: returning(output),
      read_file: returning(output),
      ls: returning(output),
      other: returning(output),
    };
    const { perTool } = truncationOptionsFromObject({ tool_output_limits: limits }, { tools });
    expect(perTool).toMatchObject({
      grep_search: { maxLines: 400, previewBytes: 51_200 },
      read_file: { keep: 'head', previewBytes: 51_200 },
    });
    expect(perTool.ls).toBeUndefined();
    const bounded = truncateToolOutputs(tools, { store: memoryStore(), scope: 'chat-1', perTool });
    const kept = await Promise.all(
      Object.keys(tools).map(
        async (toolName) => truncatedOf((await runTool(bounded, { toolName })).output).data.truncation.kept_bytes,
      ),
    );
    expect(kept.map((bytes) => Math.round(bytes / 1024))).toEqual([37, 50, 16, 16]);
  });

  it('leave a smaller preview of all to a tool that sets no size of its own', () => {
    const limits = { default: { max_chars: 2000 }, tools: { grep_search: { max_lines: 100 } } };
    const { previewBytes, perTool } = truncationOptionsFromObject({ tool_output_limits: limits });
    expect({ previewBytes, perTool }).toEqual({ previewBytes: 6000, perTool: { grep_search: { maxLines: 100 } } });
  });

  it('know names that every object has', () => {
    const tools = JSON.parse('{ "__proto__": { "max_lines": 5 }, "constructor": { "max_lines": 6 } }');
    const { perTool } = truncationOptionsFromObject({ tool_output_limits: { tools } });
    expect(Object.entries(perTool)).toEqual([
      ['__proto__', { maxLines: 5, maxBytes: 51_200, previewBytes: 51_200 }],
      ['constructor', { maxLines: 6, maxBytes: 51_200, previewBytes: 51_200 }],
    ]);
  });
});

describe('summaries of the file', () => {
  const summarized = { tool_output_limits: { tools: { repo_map: { truncation_strategy: 'summarize' } } } };
  const on = { ...summarized, summarization: { enabled: true, model: 'qwen-turbo', trigger_threshold: 100 } };

  it('are made by the model of that name', async () => {
    const tools = { repo_map: returning(lines(9000)) };
    const makeModel = vi.fn(() => model);
    const onSummary = vi.fn();
    const { perTool } = truncationOptionsFromObject(on, { model: makeModel, tools, onSummary });
    const bounded = truncateToolOutputs(tools, { store: memoryStore(), scope: 'chat-1', perTool });
    const { output } = await runTool(bounded);
    expect(makeModel).toHaveBeenCalledExactlyOnceWith('qwen-turbo');
    expect(truncatedOf(output).data).toMatchObject({ preview: 'a summary', truncation: { direction: 'summary' } });
    expect(onSummary).toHaveBeenCalledOnce();
  });

  it('are made by a model as it is given', () => {
    expect(truncationOptionsFromObject(on, { model }).perTool.repo_map?.keep).toBeTypeOf('function');
  });

  it('are off until they are switched on: both ends then, and no model is needed', () => {
    expect(truncationOptionsFromObject(summarized).perTool.repo_map?.keep).toBe('ends');
    const off = { ...on, summarization: { enabled: false } };
    expect(truncationOptionsFromObject(off, { model }).perTool.repo_map?.keep).toBe('ends');
  });

  it('need a model where one is chosen', () => {
    expect(() => truncationOptionsFromObject(on)).toThrow(
      '`options.model` must be a model, or a function that makes one, since `tool_output_limits.tools.repo_map.truncation_strategy` is summarize',
    );
    const unnamed = { ...on, summarization: { enabled: true } };
    expect(() => truncationOptionsFromObject(unnamed, { model: () => model })).toThrow(
      '`summarization.model` names none',
    );
  });
});

describe('a file that cannot be', () => {
  const withDefault = (section: unknown) => ({ tool_output_limits: { default: section } });
  const withTool = (section: unknown) => ({ tool_output_limits: { tools: { read_file: section } } });

  it.each<[unknown, string]>([
    ['yaml', "`object` must be a plain object; got 'yaml'."],
    [[], '`object` must be a plain object; got an array.'],
    [new Map([['tool_output_limits', {}]]), '`object` must be a plain object; got an instance of Map.'],
    [withTool(new Map()), '`tool_output_limits.tools.read_file` must be a plain object; got an instance of Map.'],
    [{ limits: {} }, 'Unknown option `limits`. Known: tool_output_limits, summarization.'],
    [{ tool_output_limits: 5 }, '`tool_output_limits` must be a plain object; got 5.'],
    [{ tool_output_limits: { tool: {} } }, 'Unknown option `tool_output_limits.tool`. Did you mean `tools`?'],
    [
      withDefault({ max_chars: '8000' }),
      "`tool_output_limits.default.max_chars` must be a whole number of at least 256; got '8000'.",
    ],
    [
      withDefault({ max_chars: 5 }),
      '`tool_output_limits.default.max_chars` must be a whole number of at least 256; got 5.',
    ],
    [withDefault({ max_chars: 1e12 }), 'and at most 100000000; got 1000000000000.'],
    [
      withDefault({ max_lines: 0 }),
      '`tool_output_limits.default.max_lines` must be a whole number of at least 1; got 0.',
    ],
    [withDefault({ max_line: 5 }), 'Unknown option `tool_output_limits.default.max_line`. Did you mean `max_lines`?'],
    [
      withDefault({ show_context: 2 }),
      'Unknown option `tool_output_limits.default.show_context`. Known: max_chars, max_lines',
    ],
    [
      withDefault({ truncation_strategy: 'tail' }),
      "`tool_output_limits.default.truncation_strategy` must be one of head_tail, head_only, summarize; got 'tail'.",
    ],
    [
      withDefault({ max_lines: 2, truncation_strategy: 'head_tail' }),
      '`tool_output_limits.default.max_lines` must be a whole number of at least 3 with `head_tail`; got 2.',
    ],
    [
      withTool({ max_depth: -1 }),
      '`tool_output_limits.tools.read_file.max_depth` must be a whole number of at least 0; got -1.',
    ],
    [withTool(200), '`tool_output_limits.tools.read_file` must be a plain object; got 200.'],
    [{ summarization: { enabled: 'yes' } }, "`summarization.enabled` must be one of true, false; got 'yes'."],
    [{ summarization: { model: 5 } }, '`summarization.model` must be a string; got 5.'],
    [
      { summarization: { max_input_chars: 10 } },
      '`summarization.max_input_chars` must be a whole number of at least 1000',
    ],
    [{ summarization: { trigger_threshold: 1.5 } }, '`summarization.trigger_threshold` must be a whole number'],
    [{ summarization: { provider: 'x' } }, 'Unknown option `summarization.provider`. Known: enabled, model'],
  ])('throws, by the name in the file: %o', (object, message) => {
    expect(() => truncationOptionsFromObject(object)).toThrow(message);
  });

  it.each<[unknown, string]>([
    [null, '`options` must be an object; got null.'],
    [{ tolls: {} }, 'Unknown option `options.tolls`. Did you mean `tools`?'],
    [{ tools: ['read_file'] }, '`options.tools` must be an object with the names of your tools; got an array.'],
    [{ model: 5 }, '`options.model` must be a model, or a function that makes one; got 5.'],
  ])('is not read with options that would be ignored: %o', (options, message) => {
    expect(() => truncationOptionsFromObject({}, options as never)).toThrow(message);
  });

  it('may name a tool that is none of yours', () => {
    const tools = { repo_map: returning('') };
    expect(() => truncationOptionsFromObject(file, { tools })).toThrow(
      "`tool_output_limits.tools` must be by names of your tools (repo_map); got 'read_file'.",
    );
    const inherited = { tool_output_limits: { tools: { constructor: { max_lines: 5 } } } };
    expect(() => truncationOptionsFromObject(inherited, { tools })).toThrow("got 'constructor'.");
  });
});
