// Requirement document 003, Tool Result Truncation Solution, in its order. `docs/requirements.md` maps it to these tests.
import { generateText, isStepCount, tool } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type ActRequest, actingModel } from '../../fixtures/acting-model.ts';
import { readCorpus } from '../../fixtures/corpus.ts';
import { deliveredOutput, type GivenOptions, wrapped } from '../../fixtures/delivered-output.ts';
import { numberedLines, returning } from '../../fixtures/returning-tool.ts';
import { runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { sentThrough } from '../../fixtures/sent-results.ts';
import { truncationOptionsFromObject } from '../config.ts';
import { countOutputs, logTruncation } from '../extras.ts';
import {
  memoryStore,
  summarize,
  type TruncationEvent,
  truncateToolOutputs,
  truncateToolResultsMiddleware,
  unifiedLimits,
} from '../index.ts';

/** The YAML of the document, parsed. */
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

/** The behavior of the document, for all tools. */
const { toolOptions: _, perTool: __, ...asDescribed } = truncationOptionsFromObject(file);
/** The behavior of the tools that it names. */
const { perTool } = truncationOptionsFromObject(file);
const named = ['repo_map', 'read_file', 'grep_search'] as const;

async function cut(output: unknown, options: GivenOptions & { toolName?: string } = {}) {
  return truncatedOf((await deliveredOutput(output, { ...asDescribed, ...options })).output);
}

/** The request to a cheap model, and the text in place of the output. */
async function summarized(output: string, options: Partial<Parameters<typeof summarize>[0]> = {}) {
  const requests: ActRequest[] = [];
  const model = actingModel((request) => {
    requests.push(request);
    return 'class A has run() and stop()';
  });
  const keep = summarize({ model, ...options });
  const delivered = truncatedOf((await deliveredOutput(output, { toolName: 'repo_map', keep })).output);
  return { requests, ...delivered };
}

const code = 'export function run() { return 1; }\n'.repeat(3000);
const promptOf = (request: ActRequest | undefined) => JSON.stringify(request?.prompt);

describe('003 the problem', () => {
  test('003 问题描述 a long result is not sent again completely with each step', async () => {
    const sizes: number[] = [];
    const tools = wrapped({ repo_map: returning(code) });
    const model = actingModel(({ step, prompt }) => {
      sizes.push(JSON.stringify(prompt).length);
      return step < 4 ? { toolName: 'repo_map', input: { step } } : 'done';
    });
    await generateText({ model, tools, prompt: 'Look.', stopWhen: isStepCount(5) });
    expect(sizes).toHaveLength(4);
    const growth = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0));
    // This includes the preview, its JSON and the call.
    for (const chars of growth) expect(chars).toBeLessThan(18_000);
  });

  test('003 业界 1 by default the model sees fewer than the 32768 characters of OpenAI', async () => {
    const { sent } = await deliveredOutput('x'.repeat(200_000));
    expect(String(sent.value).length).toBeLessThan(32_768);
  });

  test('003 业界 3 the limits of other agents can be set: 256 lines or 10 KB, both ends', async () => {
    const output = await cut(numberedLines(600), {
      keep: 'ends',
      maxLines: 256,
      maxBytes: 10 * 1024,
      previewBytes: 10 * 1024,
    });
    expect(output.data.truncation).toMatchObject({ kept_lines: 255, max_lines: 256, direction: 'ends' });
  });
});

describe('003 方案A both ends', () => {
  test('003 方案A content within max_chars is returned unchanged', async () => {
    const text = 'x'.repeat(8000);
    expect((await deliveredOutput(text, asDescribed)).output).toBe(text);
    expect((await cut(`${text}x`)).data.truncation.reason).toBe('chars');
  });

  test('003 方案A the preview is 40 % of the characters from the start, and 40 % from the end', async () => {
    const text = Array.from({ length: 400 }, (_, index) => `${index}: ${'x'.repeat(60)}`).join('\n');
    const { preview } = (await cut(text)).data;
    const [head = '', tail = ''] = preview.split(/\n\.\.\. \[.*\] \.\.\.\n/);
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    for (const part of [head, tail]) {
      expect(part.length).toBeGreaterThan(8000 * 0.36);
      expect(part.length).toBeLessThanOrEqual(8000 * 0.4);
    }
  });

  test('003 方案A the share of Chinese text is 40 % of the characters too, as many as of English text', async () => {
    for (const [text, expected] of [
      ['x'.repeat(8001), 3120],
      ['文'.repeat(8001), 3120],
      ['🙂'.repeat(8001), 3120],
      ['é'.repeat(30_000), 3120],
    ] as const) {
      const { preview } = (await cut(text)).data;
      const [head = '', tail = ''] = preview.split(/\n\.\.\. \[.*\] \.\.\.\n/);
      expect([head.length, tail.length]).toEqual([expected, expected]);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    }
    const lines = Array.from({ length: 400 }, (_, index) => `${index}: ${'文'.repeat(60)}`).join('\n');
    const { preview } = (await cut(lines)).data;
    expect(preview.length).toBe((await cut(lines.replaceAll('文', 'x'))).data.preview.length);
  });

  test('003 方案A the gap says how many characters and lines are missing', async () => {
    const text = Array.from({ length: 400 }, (_, index) => `${index}: ${'x'.repeat(60)}`).join('\n');
    const { preview } = (await cut(text)).data;
    const [, lines, characters] = /\.\.\. \[(\d+) lines, ([\d,]+) characters not shown/.exec(preview) ?? [];
    const [head = '', tail = ''] = preview.split(/\n\.\.\. \[.*\] \.\.\.\n/);
    expect(Number(lines)).toBe(400 - head.split('\n').length - tail.split('\n').length);
    expect(Number(characters?.replace(',', ''))).toBe(text.length - head.length - tail.length);
  });

  test('003 方案A no model is called', async () => {
    const model = actingModel(() => 'a summary');
    const { toolOptions: _options, perTool: _tools, ...limits } = truncationOptionsFromObject(file, { model });
    expect(limits.keep).toBe('ends');
    await cut(code, limits);
    expect(model.doGenerateCalls).toHaveLength(0);
  });
});

describe('003 方案B a summary', () => {
  test('003 方案B content that is short enough is not summarised', async () => {
    const { requests, data } = await summarized(numberedLines(2001));
    expect(requests).toHaveLength(0);
    expect(data.truncation.direction).toBe('ends');
  });

  test('003 方案B long content is summarised by its own model, and the full output is saved', async () => {
    const { requests, data, text } = await summarized(code);
    expect(requests).toHaveLength(1);
    expect(data).toMatchObject({ preview: 'class A has run() and stop()', truncation: { direction: 'summary' } });
    expect(text).toContain('only a summary of its 3,001 lines shown. Full output saved to:');
  });

  test('003 方案B the model receives at most 50000 characters, or the configured number', async () => {
    const text = Array.from({ length: 60_000 }, (_, index) => `<${index}>`).join('');
    // Half of the characters from the start and half from the end.
    for (const maxInputChars of [undefined, 25_000]) {
      const half = (maxInputChars ?? 50_000) / 2;
      const { requests } = await summarized(text, maxInputChars === undefined ? {} : { maxInputChars });
      const prompt = promptOf(requests[0]);
      expect(prompt).toContain(text.slice(0, half));
      expect(prompt).toContain(text.slice(-half));
      expect(prompt).not.toContain(text.slice(0, half + 1));
      expect(prompt).not.toContain(text.slice(-half - 1));
    }
  });

  test('003 方案B the model is asked to preserve definitions and structure, to drop repetition and to leave code readable', async () => {
    const { requests } = await summarized(code, { maxChars: 4000 });
    const prompt = promptOf(requests[0]);
    for (const word of [/definitions/i, /structure/i, /repeat/i, /code/i, /4,?000/]) expect(prompt).toMatch(word);
  });
});

describe('003 方案C limits of tools', () => {
  test('003 方案C the defaults are 8000 characters and 500 lines', async () => {
    expect(asDescribed).toMatchObject({ maxChars: 8000, maxLines: 500 });
    expect((await deliveredOutput(numberedLines(500), asDescribed)).output).toBe(numberedLines(500));
    const oneMore = [numberedLines(250), 'x'.repeat(600), numberedLines(250)].join('\n');
    expect((await cut(oneMore)).data.truncation.reason).toBe('lines');
  });

  test('003 方案C by lines the preview has half of its lines from the start, half from the end, and a gap that counts', async () => {
    const { preview, truncation } = (await cut(numberedLines(901))).data;
    const rows = preview.split('\n');
    expect(rows).toHaveLength(500);
    expect([rows[0], rows[248], rows[250], rows.at(-1)]).toEqual(['line 1', 'line 249', 'line 652', 'line 901']);
    expect(rows[249]).toMatch(/^\.\.\. \[402 lines, [\d,]+ characters not shown: lines 250-651\] \.\.\.$/);
    expect(truncation.kept_lines).toBe(499);
  });

  test('003 方案C a tool can have its own limits: repo_map 10000 characters, read_file 5000, grep_search 100 lines', async () => {
    const text = 'x'.repeat(9000);
    const tools = wrapped(Object.fromEntries(named.map((name) => [name, returning(text)])), {
      ...asDescribed,
      perTool: pick(),
    });
    expect((await runTool(tools, { toolName: 'repo_map' })).output).toBe(text);
    expect(
      truncatedOf((await runTool(tools, { toolName: 'read_file' })).output).data.preview.length,
    ).toBeLessThanOrEqual(5000);
    const { data } = await cut(numberedLines(250), {
      toolName: 'grep_search',
      perTool: { grep_search: perTool.grep_search ?? {} },
    });
    expect(data.truncation).toMatchObject({ max_lines: 100, original_lines: 250 });
  });

  test('003 方案C a tool can have its own way of truncation', async () => {
    const keep = ({ head, lines }: { head: string; lines: number }) =>
      `${head.split('\n').slice(0, 3).join('\n')}\n(${lines})`;
    const { data } = await cut(numberedLines(900), { toolName: 'grep', perTool: { grep: { keep } } });
    expect(data).toMatchObject({ preview: 'line 1\nline 2\nline 3\n(900)', truncation: { direction: 'custom' } });
    const all = '文'.repeat(9000);
    const answer = await cut(all, { keep: ({ maxBytes }) => all.slice(0, Math.floor(maxBytes / 3)) });
    expect(answer.data.preview.length).toBeGreaterThan(7700);
    expect((await cut(all, { keep: () => all })).data.preview.length).toBeLessThanOrEqual(8000);
  });

  test('003 方案C head shows the first results and the total number', async () => {
    const limits = { keep: 'head' as const, maxLines: 100 };
    const output = await cut(numberedLines(250), { toolName: 'grep_search', ...limits });
    expect(output.data.preview).toBe(numberedLines(100));
    expect(output.text).toContain('100 of 250 lines shown');
  });

  function pick() {
    return {
      repo_map: perTool.repo_map ?? {},
      read_file: perTool.read_file ?? {},
      grep_search: perTool.grep_search ?? {},
    };
  }
});

describe('003 实施建议', () => {
  test('003 第一阶段 every tool is truncated automatically after execute', async () => {
    const tools = wrapped(
      { a: returning(code), b: tool({ inputSchema: z.object({}), execute: async () => code }) },
      asDescribed,
    );
    for (const toolName of ['a', 'b']) {
      expect(truncatedOf((await runTool(tools, { toolName })).output).data.truncated).toBe(true);
    }
  });

  test('003 第一阶段 get_repo_structure receives its depth and its number of files as its own parameters', () => {
    expect(truncationOptionsFromObject(file).toolOptions).toEqual({
      grep_search: { show_context: 2 },
      get_repo_structure: { max_depth: 3, max_files: 500 },
    });
  });

  test('003 第二阶段 a second guard at the agent truncates results that passed the first, and reports them', async () => {
    const onTruncate = vi.fn();
    const guard = truncateToolResultsMiddleware({ maxChars: 8000, keep: 'ends', onTruncate });
    const [small, large] = await sentThrough(guard, [
      { type: 'text', value: 'x'.repeat(8000) },
      { type: 'text', value: 'x'.repeat(8001) },
    ]);
    expect(small?.value).toBe('x'.repeat(8000));
    expect(String(large?.value)).toContain('but its output is incomplete');
    expect(onTruncate).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ bytes: 8001, entrance: 'middleware' }),
    );
  });

  test('003 第三阶段 the outputs of a chosen tool are summarised, marked, with their original length', async () => {
    const model = actingModel(() => 'the map');
    const strategies = {
      tool_output_limits: { tools: { repo_map: { truncation_strategy: 'summarize' } } },
      summarization: { enabled: true, model: 'qwen-turbo', trigger_threshold: 10_000 },
    };
    const { perTool: chosen } = truncationOptionsFromObject(strategies, { model });
    const { data } = await cut(code, { toolName: 'repo_map', perTool: { repo_map: chosen.repo_map ?? {} } });
    expect(data).toMatchObject({
      preview: 'the map',
      truncation: { direction: 'summary', original_chars: code.length },
    });
  });
});

describe('003 配置建议', () => {
  test('003 配置 the configuration file of the document becomes options, unchanged', () => {
    expect(asDescribed).toMatchObject({ maxChars: 8000, maxLines: 500, keep: 'ends' });
    expect(perTool).toMatchObject({
      repo_map: { maxChars: 10_000, maxLines: 1000 },
      read_file: { maxChars: 5000, maxLines: 200 },
      grep_search: { maxLines: 100 },
    });
  });

  test('003 配置 a tool with its own limits is shown up to these limits', async () => {
    const sections = { tools: { grep_search: { max_lines: 400 } } };
    const { toolOptions: _tool, ...limits } = truncationOptionsFromObject({ tool_output_limits: sections });
    const output = Array.from({ length: 3000 }, (_, index) => `${index + 1}: ${'x'.repeat(90)}`).join('\n');
    const { data } = truncatedOf(
      (await deliveredOutput(output, { toolName: 'grep_search', ...unifiedLimits, ...limits })).output,
    );
    expect(data.truncation).toMatchObject({ max_lines: 400, max_bytes: 51_200 });
    expect(data.truncation.kept_bytes).toBeGreaterThan(30_000);
  });

  test('003 配置 the strategies are head_tail, head_only and summarize', () => {
    const keepOf = (truncation_strategy: string, enabled = true) =>
      truncationOptionsFromObject(
        { tool_output_limits: { default: { truncation_strategy } }, summarization: { enabled, model: 'qwen-turbo' } },
        { model: actingModel(() => '') },
      ).keep;
    expect([keepOf('head_tail'), keepOf('head_only')]).toEqual(['ends', 'head']);
    expect(keepOf('summarize')).toHaveProperty('kind', 'summary');
    expect(() => keepOf('middle')).toThrow('head_tail, head_only, summarize');
  });

  test('003 配置 summarization is off unless it is enabled, and has a model, a largest input and a threshold', async () => {
    const asked: string[] = [];
    const model = actingModel((request) => {
      asked.push(promptOf(request));
      return 'short';
    });
    const options = (enabled: boolean) => {
      const {
        toolOptions: _options,
        perTool: _tools,
        ...limits
      } = truncationOptionsFromObject(
        {
          tool_output_limits: { default: { max_chars: 8000, truncation_strategy: 'summarize' } },
          summarization: { enabled, model: 'qwen-turbo', max_input_chars: 12_000, trigger_threshold: 20_000 },
        },
        { model: () => model },
      );
      return limits;
    };
    await cut('x'.repeat(30_000), options(false));
    await cut('x'.repeat(15_000), options(true));
    expect(asked).toEqual([]);
    await cut('x'.repeat(30_000), options(true));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.length).toBeLessThan(20_000);
  });
});

describe('003 监控和调试', () => {
  test('003 监控 each truncation is a log line: the tool, the sizes before and after, and the reduction', async () => {
    const lines: string[] = [];
    const note = (line: string) => lines.push(line);
    await cut('x'.repeat(100_000), { toolName: 'repo_map', onTruncate: logTruncation({ info: note, warn: note }) });
    expect(lines).toEqual([
      expect.stringMatching(/^repo_map: output truncated, 100,000 -> [\d,]+ bytes \(9\d\.\d% less\) in \d+ ms\. /),
    ]);
    await cut('文'.repeat(60_000), { toolName: 'read_file', onTruncate: logTruncation({ info: note, warn: note }) });
    expect(lines[1]).toMatch(/^read_file: output truncated, 180,000 -> [\d,]+ bytes /);
  });

  test('003 监控 the truncation rate can be monitored', async () => {
    const { counts, ...listeners } = countOutputs();
    const tools = wrapped({ small: returning('small'), large: returning(code) }, listeners);
    for (const toolName of ['small', 'small', 'small', 'large']) await runTool(tools, { toolName });
    expect(counts()).toMatchObject({ outputs: 4, truncated: 1, truncationRate: 0.25 });
  });
});

describe('003 预期效果, 注意事项', () => {
  test('003 预期效果 real outputs get 50 to 80 % smaller, or more', async () => {
    for (const name of ['Zookeeper_2k.log', 'Hadoop_2k.log', 'movies.json', 'seattle-weather.csv', 'wikipedia.html']) {
      const events: TruncationEvent[] = [];
      await deliveredOutput(readCorpus(name), { onTruncate: (event) => events.push(event) });
      // The weather file has 48 KB. It is within the limits, so it is not changed.
      if (name === 'seattle-weather.csv') expect(events).toEqual([]);
      else expect(events[0]?.reduction).toBeGreaterThan(0.5);
    }
  });

  test('003 注意事项 the readers find the missing parts', async () => {
    const log = code.replace('return 1', 'throw new Error("disk full")');
    const tools = truncateToolOutputs(
      { readLog: returning(numberedLines(9000) + log) },
      { store: memoryStore(), scope: 'chat-1' },
    );
    const model = actingModel(({ step, results }) => {
      if (step === 1) return { toolName: 'readLog', input: {} };
      if (step === 2) return { toolName: 'grepArtifacts', input: { pattern: 'disk full' } };
      return results[0] ?? '';
    });
    const { text } = await generateText({ model, tools, prompt: 'Why?', stopWhen: isStepCount(4) });
    expect(text).toContain('throw new Error("disk full")');
  });
});
