import { tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { truncationOptionsFromEnv } from './truncation-options-from-env.ts';
import { truncationOptionsFromObject } from './truncation-options-from-object.ts';

/** The parsed YAML of the requirements. */
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
  test('come from the file', () => {
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

  test('bound the tools as the file says', async () => {
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

  test('are empty if the file sets none', () => {
    for (const empty of [
      {},
      { tool_output_limits: null },
      { tool_output_limits: { default: null, tools: null }, summarization: {} },
    ]) {
      expect(truncationOptionsFromObject(empty)).toEqual({ perTool: {}, toolOptions: {} });
    }
  });

  test('set lines and a strategy, and leave everything else to the library', () => {
    const limits = {
      default: { max_lines: 500, truncation_strategy: 'head_only' },
      tools: { grep_search: { max_lines: 400 }, read_file: { truncation_strategy: 'head_tail' }, ls: { max_depth: 3 } },
    };
    expect(truncationOptionsFromObject({ tool_output_limits: limits })).toEqual({
      maxLines: 500,
      keep: 'head',
      perTool: { grep_search: { maxLines: 400 }, read_file: { keep: 'ends' } },
      toolOptions: { ls: { max_depth: 3 } },
    });
  });

  test('are the same as from the environment', () => {
    const tool_output_limits = { default: { max_lines: 500, truncation_strategy: 'head_only' } };
    const { perTool: _, toolOptions: __, ...ofFile } = truncationOptionsFromObject({ tool_output_limits });
    const variables = { TOOL_OUTPUT_MAX_LINES: '500', TOOL_OUTPUT_TRUNCATE_DIRECTION: 'head' };
    expect(truncationOptionsFromEnv(variables)).toEqual(ofFile);
  });

  test('let a tool without its own size use a smaller preview for all', () => {
    const limits = { default: { max_chars: 2000 }, tools: { grep_search: { max_lines: 100 } } };
    const { previewBytes, perTool } = truncationOptionsFromObject({ tool_output_limits: limits });
    expect({ previewBytes, perTool }).toEqual({ previewBytes: 6000, perTool: { grep_search: { maxLines: 100 } } });
  });

  test('may have names that every object has', () => {
    const tools = JSON.parse('{ "__proto__": { "max_lines": 5 }, "constructor": { "max_lines": 6 } }');
    const { perTool } = truncationOptionsFromObject({ tool_output_limits: { tools } });
    expect(Object.entries(perTool)).toEqual([
      ['__proto__', { maxLines: 5 }],
      ['constructor', { maxLines: 6 }],
    ]);
  });
});

describe('summaries in the file', () => {
  const summarized = { tool_output_limits: { tools: { repo_map: { truncation_strategy: 'summarize' } } } };
  const on = { ...summarized, summarization: { enabled: true, model: 'qwen-turbo', trigger_threshold: 100 } };

  test('are made by the model with that name', async () => {
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

  test('are made by a given model', () => {
    expect(truncationOptionsFromObject(on, { model }).perTool.repo_map?.keep).toBeTypeOf('function');
  });

  test('are off until they are enabled: the preview then shows both ends and needs no model', () => {
    expect(truncationOptionsFromObject(summarized).perTool.repo_map?.keep).toBe('ends');
    const off = { ...on, summarization: { enabled: false } };
    expect(truncationOptionsFromObject(off, { model }).perTool.repo_map?.keep).toBe('ends');
  });

  test('need a model if a tool chooses them', () => {
    expect(() => truncationOptionsFromObject(on)).toThrow(
      '`options.model` must be a model, or a function that makes one, since `tool_output_limits.tools.repo_map.truncation_strategy` is summarize',
    );
    const unnamed = { ...on, summarization: { enabled: true } };
    expect(() => truncationOptionsFromObject(unnamed, { model: () => model })).toThrow(
      '`summarization.model` names none',
    );
  });
});

describe('an invalid file', () => {
  const withDefault = (section: unknown) => ({ tool_output_limits: { default: section } });
  const withTool = (section: unknown) => ({ tool_output_limits: { tools: { read_file: section } } });

  test.each<[unknown, string]>([
    ['yaml', "`object` must be a plain object; got 'yaml'."],
    [[], '`object` must be a plain object; got an array.'],
    [new Map([['tool_output_limits', {}]]), '`object` must be a plain object; got an instance of Map.'],
    [withTool(new Map()), '`tool_output_limits.tools.read_file` must be a plain object; got an instance of Map.'],
    [{ limits: {} }, 'Unknown key `limits`. Did you mean `tool_output_limits`?'],
    [{ tool_output_limits: 5 }, '`tool_output_limits` must be a plain object; got 5.'],
    [{ tool_output_limits: { tool: {} } }, 'Unknown key `tool_output_limits.tool`. Did you mean `tools`?'],
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
    [withDefault({ max_line: 5 }), 'Unknown key `tool_output_limits.default.max_line`. Did you mean `max_lines`?'],
    [
      withDefault({ show_context: 2 }),
      'Unknown key `tool_output_limits.default.show_context`. Known: max_chars, max_lines',
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
    [{ summarization: { provider: 'x' } }, 'Unknown key `summarization.provider`. Known: enabled, model'],
  ])('throws with the name in the file: %o', (object, message) => {
    expect(() => truncationOptionsFromObject(object)).toThrow(message);
  });

  test.each<[unknown, string]>([
    [null, '`options` must be an object; got null.'],
    [{ tolls: {} }, 'Unknown option `options.tolls`. Did you mean `tools`?'],
    [{ tools: ['read_file'] }, '`options.tools` must be an object with the names of your tools; got an array.'],
    [{ model: 5 }, '`options.model` must be a model, or a function that makes one; got 5.'],
  ])('is not read with options that would be ignored: %o', (options, message) => {
    expect(() => truncationOptionsFromObject({}, options as never)).toThrow(message);
  });

  test('may name an unknown tool', () => {
    const tools = { repo_map: returning('') };
    expect(() => truncationOptionsFromObject(file, { tools })).toThrow(
      'Unknown tool `read_file` in `tool_output_limits.tools`. Known: repo_map.',
    );
    const inherited = { tool_output_limits: { tools: { constructor: { max_lines: 5 } } } };
    expect(() => truncationOptionsFromObject(inherited, { tools })).toThrow('Unknown tool `constructor`');
  });
});

describe('whether outputs of a tool are saved', () => {
  const optionsFor = (readMail: object) => truncationOptionsFromObject({ tool_output_limits: { tools: { readMail } } });

  test('comes from the section of the tool', () => {
    expect(optionsFor({ save: false }).perTool).toEqual({ readMail: { save: false } });
    expect(optionsFor({ retention_days: 3, max_lines: 9 }).perTool).toEqual({
      readMail: { maxLines: 9, retentionDays: 3 },
    });
  });

  test.each<[object, string]>([
    [{ save: 'no' }, "`tool_output_limits.tools.readMail.save` must be one of true, false; got 'no'."],
    [{ retention_days: 0 }, '`tool_output_limits.tools.readMail.retention_days` must be a whole number of at least 1'],
    [
      { save: false, retention_days: 3 },
      '`tool_output_limits.tools.readMail.retention_days` must be left out with `save: false`, because nothing is stored; got 3.',
    ],
  ])('throws with its key in %o', (section, message) => {
    expect(() => optionsFor(section)).toThrow(message);
  });
});
