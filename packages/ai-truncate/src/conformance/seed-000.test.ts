// Requirement document 000, 工具输出截断设计文档（统一策略）, in its order. `docs/requirements.md` maps it to these tests.
import { readdir, readFile } from 'node:fs/promises';
import { generateText, isStepCount, type ModelMessage, type ToolSet } from 'ai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { deliveredOutput, type GivenOptions, wrapped } from '../../fixtures/delivered-output.ts';
import { temporaryHome } from '../../fixtures/filesystem-home.ts';
import { enterProject } from '../../fixtures/project-directory.ts';
import { numberedLines, returning } from '../../fixtures/returning-tool.ts';
import { keptOf, runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { scriptedModel, toolResultsSentTo } from '../../fixtures/scripted-model.ts';
import { viewOf } from '../../fixtures/view-of.ts';
import { truncationOptionsFromEnv } from '../config.ts';
import { type HintOption, memoryStore, sweepArtifacts, truncateToolOutputs, unifiedLimits } from '../index.ts';
import { success } from '../protocol.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';

/** The behavior of the document, in one word: the preview is the head and fills the limit. */
const asDescribed = unifiedLimits;
const day = 24 * 3_600_000;

const linesOf = (lengths: number[]) => lengths.map((length, index) => String(index % 10).repeat(length));
/** The numbers of the document: 5,234 lines of 182,345 bytes, of which the first and the last 2,000 have 49,872. */
const end = linesOf(Array.from({ length: 2000 }, (_, index) => (index < 1873 ? 24 : 23)));
const middle = linesOf(Array.from({ length: 1234 }, (_, index) => (index < 1156 ? 66 : 65)));
const described = [...end, ...middle, ...end].join('\n');

afterEach(() => vi.useRealTimers());

const wrap = (tools: ToolSet, options: GivenOptions = {}) => wrapped(tools, { ...asDescribed, ...options });

async function outputOf(output: unknown, options: GivenOptions = {}): Promise<unknown> {
  return (await deliveredOutput(output, { ...asDescribed, ...options })).output;
}

describe('000 §1-2 one strategy for all tools', () => {
  test('000 §1 one rule truncates every tool, and a new tool needs no additional rule', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `row ${id}` }));
    const tools = { Read: returning(numberedLines(3000)), Grep: returning({ matches: rows }), LS: returning(rows) };
    for (const toolName of Object.keys(tools)) {
      const { output } = await runTool(wrap(tools), { toolName });
      expect(truncatedOf(output).data.truncation).toMatchObject({ max_lines: 2000, max_bytes: 51_200 });
    }
  });

  test('000 §2 the context is bounded, and the model sees the truncated text', async () => {
    const { sent } = await runTool(wrap({ Read: returning('x'.repeat(5_000_000)) }));
    expect(sent.type).toBe('text');
    expect(Buffer.byteLength(String(sent.value))).toBeLessThanOrEqual(51_200);
  });
});

describe('000 §3 the rule', () => {
  test('000 §3 MAX_LINES is 2000: so many lines pass unchanged, one more does not', async () => {
    expect(await outputOf(numberedLines(2000))).toBe(numberedLines(2000));
    const oneMore = `${numberedLines(2000)}\n${'x'.repeat(600)}`;
    expect(truncatedOf(await outputOf(oneMore)).data.truncation.reason).toBe('lines');
  });

  test('000 §3 MAX_BYTES is 50 KB: so many bytes pass unchanged, one more does not', async () => {
    expect(await outputOf('x'.repeat(51_200))).toBe('x'.repeat(51_200));
    expect(truncatedOf(await outputOf('x'.repeat(51_201))).data.truncation.reason).toBe('bytes');
  });

  test('000 §3 head shows the first 2000 lines when they fit', async () => {
    const { preview, truncation } = truncatedOf(await outputOf(described)).data;
    expect(preview).toBe(end.join('\n'));
    expect(truncation).toMatchObject({ direction: 'head', kept_lines: 2000, kept_bytes: 49_872, original_lines: 5234 });
  });

  test('000 §3 tail shows the last 2000 lines when they fit', async () => {
    const { preview, truncation } = truncatedOf(await outputOf(described, { keep: 'tail' })).data;
    expect(preview).toBe(end.join('\n'));
    expect(truncation).toMatchObject({ direction: 'tail', kept_lines: 2000, kept_bytes: 49_872 });
  });

  test('000 §3 head and tail fill the limit for values as they do for texts', async () => {
    const text = 'x'.repeat(100_000);
    const values = [
      { content: text },
      { title: 'x', output: numberedLines(9000), metadata: {} },
      { content: [{ type: 'text', text }] },
      {
        status: 'success',
        data: { content: text },
        text: 'Read.',
        stats: { time_ms: 1 },
        context: { cwd: '.', params_input: {} },
      },
    ];
    for (const value of values) {
      const view = viewOf(value);
      const head = truncatedOf(await outputOf(value));
      const tail = truncatedOf(await outputOf(value, { keep: 'tail' }));
      expect(view.startsWith(head.data.preview) && view.endsWith(tail.data.preview)).toBe(true);
      for (const { data, text: words } of [head, tail]) {
        const isFull = Buffer.byteLength(data.preview) > 51_200 * 0.9;
        expect(isFull || data.preview.split('\n').length === 2000).toBe(true);
        expect(words).toMatch(/incomplete: (?:[\d,]+ of [\d,]+ characters|2,000 of 9,004 lines) shown\./);
      }
    }
  });

  test('000 §3 the line breaks inside a value are its lines: so many pass unchanged, one more does not', async () => {
    const value = { content: numberedLines(2000) };
    expect(await outputOf(value)).toBe(value);
    const { truncation } = truncatedOf(await outputOf({ content: numberedLines(2001) })).data;
    expect(truncation).toMatchObject({ reason: 'lines', original_lines: 2003 });
  });

  test('000 §3 without the setting the preview shows both ends and the important lines between them, in 16 KB', async () => {
    const { data } = truncatedOf((await deliveredOutput(numberedLines(5234))).output);
    expect(data.truncation.direction).toBe('auto');
    expect(data.preview.startsWith('line 1\n') && data.preview.endsWith('\nline 5234')).toBe(true);
    expect(data.truncation.kept_bytes).toBeLessThan(16_384);
  });

  test('000 §3 an output over a limit is truncated, saved on disk and answered with its path', async () => {
    const store = filesystemStore({ directory: temporaryHome(), showAbsolutePaths: true });
    const output = truncatedOf(await outputOf(numberedLines(5234), { store }));
    expect(await readFile(output.data.truncation.full_output_path ?? '', 'utf8')).toBe(numberedLines(5234));
    expect(output.text).toContain(output.data.truncation.full_output_path);
  });
});

describe('000 §4 the full output on disk', () => {
  test('000 §4 the output is saved in tool-output of the project root', async () => {
    const root = enterProject();
    const { data } = truncatedOf(await outputOf(numberedLines(3000), { store: filesystemStore() }));
    expect(data.truncation.full_output_path).toMatch(/^tool-output\/chat-1\//);
    expect(await readFile(`${root}/${data.truncation.full_output_path}`, 'utf8')).toBe(numberedLines(3000));
  });

  test('000 §4 or in .tool-output, if the option directory names it', async () => {
    enterProject();
    const store = filesystemStore({ directory: '.tool-output' });
    const { data } = truncatedOf(await outputOf(numberedLines(3000), { store }));
    expect(data.truncation.full_output_path).toMatch(/^\.tool-output\//);
  });

  test('000 §4 the name has the time and the tool, and ends with json for a value', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-13T15:30:45Z') });
    const { data } = truncatedOf(await outputOf({ content: 'x'.repeat(60_000) }));
    expect(data.truncation.full_output_path).toMatch(/\/tool_20260113_153045_read_call-1_[a-z0-9]{16}\.json$/);
  });

  test('000 §4 the file has the complete raw JSON of the tool', async () => {
    const store = memoryStore();
    const value = { entries: Array.from({ length: 5000 }, (_, id) => ({ path: `src/${id}.ts`, type: 'file' })) };
    expect(JSON.parse(await keptOf(await outputOf(value, { store }), { store }))).toEqual(value);
  });

  test('000 §4 the output is saved for 7 days unless another number is set', async () => {
    const store = memoryStore();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-13T15:30:45Z') });
    const { data } = truncatedOf(await outputOf(numberedLines(3000), { store }));
    expect(data.truncation.expires_at).toBe('2026-01-20T15:30:45.000Z');
    vi.setSystemTime(new Date('2026-01-20T15:00:00Z'));
    expect(await sweepArtifacts(store)).toMatchObject({ deletedArtifacts: 0 });
  });

  test('000 §4 expired outputs are deleted automatically at a later save', async () => {
    const store = memoryStore();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 8 * day });
    const old = await outputOf(numberedLines(3000), { store, sweep: false });
    vi.useRealTimers();
    await outputOf(numberedLines(3000), { store });
    await vi.waitFor(() => expect(keptOf(old, { store })).rejects.toThrow('There is no artifact'));
  });
});

describe('000 §5 the answer', () => {
  /** Fields that the document does not have. A row of `docs/requirements.md` lists them. */
  const addedToTruncation = {
    reason: 'bytes',
    original_chars: 182_345,
    media_type: 'text/plain',
    expires_at: expect.any(String),
  };

  test('000 §5 an output over a limit has the form of the document, and no other top-level field', async () => {
    enterProject();
    const output = truncatedOf(await outputOf(described, { store: filesystemStore() }));
    expect(Object.keys(output).sort()).toEqual(['context', 'data', 'stats', 'status', 'text']);
    expect(output.status).toBe('partial');
    expect(output.data).toEqual({
      truncated: true,
      truncation: {
        direction: 'head',
        max_lines: 2000,
        max_bytes: 51_200,
        original_lines: 5234,
        original_bytes: 182_345,
        kept_lines: 2000,
        kept_bytes: 49_872,
        full_output_path: expect.stringMatching(/^tool-output\/.*tool_\d{8}_\d{6}_read_/),
        ...addedToTruncation,
      },
      preview: end.join('\n'),
    });
  });

  test('000 §5 the text says that the output is truncated, and where the full output is', async () => {
    const { text, data } = truncatedOf(await outputOf(numberedLines(5234)));
    expect(text.split('\n')[0]).toBe(
      `Read succeeded, but its output is incomplete: 2,000 of 5,234 lines shown. Full output saved to: ${data.truncation.full_output_path}`,
    );
  });

  test('000 §5 a status error stays error', async () => {
    const failed = { status: 'error', data: {}, text: 'x'.repeat(60_000), error: { code: 'TIMEOUT', message: 'late' } };
    const output = truncatedOf(
      await outputOf({ ...failed, stats: { time_ms: 5 }, context: { cwd: '.', params_input: {} } }),
    );
    expect(output).toMatchObject({ status: 'error', error: { code: 'TIMEOUT', message: 'late' } });
  });

  test('000 §5 stats and context come from the tool', async () => {
    const answer = success({
      data: { content: 'x'.repeat(60_000) },
      happened: 'Read it.',
      input: { path: 'src/a.ts' },
      startedAt: performance.now(),
      stats: { total_lines: 1 },
      pathResolved: 'src/a.ts',
    });
    expect(truncatedOf(await outputOf(answer))).toMatchObject({
      stats: { time_ms: answer.stats.time_ms, total_lines: 1 },
      context: { cwd: '.', params_input: { path: 'src/a.ts' }, path_resolved: 'src/a.ts' },
    });
  });
});

describe('000 §6 skip', () => {
  const paged = {
    data: { content: numberedLines(5000) },
    happened: 'Read it.',
    input: {},
    startedAt: 0,
    truncationSkip: true,
  };

  test('000 §6 context.truncation_skip of a tool passes the output unchanged', async () => {
    const answer = success(paged);
    expect(answer.context.truncation_skip).toBe(true);
    expect(await outputOf(answer)).toBe(answer);
  });

  test('000 §6 the same for an envelope without the builders, when the application trusts the tool', async () => {
    const answer = JSON.parse(JSON.stringify(success(paged)));
    const { output } = await runTool(wrap({ Read: returning(answer) }, { perTool: { Read: { allowSkip: true } } }));
    expect(output).toBe(answer);
    expect(truncatedOf(await outputOf(answer)).data.truncated).toBe(true);
  });
});

describe('000 §7 the hint', () => {
  test('000 §7 with a task tool the hint delegates the full output to a sub-agent', async () => {
    const helper = { description: 'Finds things.', run: async () => ({ conclusion: 'Found.' }) };
    const tools = truncateToolOutputs(
      { Read: returning(numberedLines(3000)) },
      { store: memoryStore(), scope: 'chat-1', agents: { explore: helper } },
    );
    const { sent } = await runTool(tools, { toolName: 'Read' });
    expect(String(sent.value).split('\n').at(-1)).toMatch(
      /^Use task\(agent="explore", prompt="…"\) with this path to have a sub-agent grep and read it/,
    );
  });

  test('000 §7 without a task tool the hint names reading in pages and searching', async () => {
    const tools = truncateToolOutputs(
      { Read: returning(numberedLines(3000)) },
      { store: memoryStore(), scope: 'chat-1', readers: ['grepArtifacts', 'readArtifact'] },
    );
    const { sent } = await runTool(tools, { toolName: 'Read' });
    expect(String(sent.value).split('\n').at(-1)).toBe(
      'Use grepArtifacts to search the full output, or readArtifact with offset/limit to view specific sections.',
    );
  });

  test('000 §7 tools of the application are named, when it says which', async () => {
    const own = { Task: returning(''), Grep: returning(''), Read: returning(numberedLines(3000)) };
    const lastLine = async (hint?: HintOption) => {
      const { sent } = await runTool(wrap(own, { ...(hint && { hint }) }), { toolName: 'Read' });
      return String(sent.value).split('\n').at(-1);
    };
    expect(await lastLine({ task: 'Task' })).toMatch(
      /^Use Task with this path to have a sub-agent search the full output/,
    );
    expect(await lastLine({ grep: 'Grep', read: 'Read' })).toBe(
      'Use Grep to search the full output, or Read with pagination to view parts of it.',
    );
    expect(await lastLine()).toBe('Nothing more can be shown of this output.');
  });
});

describe('000 §8 in place of the older strategy', () => {
  test('000 §8 the history contains the truncated output, which is not truncated again', async () => {
    const tools = wrap({ Read: returning(numberedLines(5234)) });
    const model = scriptedModel({ toolName: 'Read' });
    const first = await generateText({ model, tools, prompt: 'Look.', stopWhen: isStepCount(3) });
    const sent = toolResultsSentTo(model);
    const history = JSON.parse(JSON.stringify(first.responseMessages)) as ModelMessage[];
    const next = [{ role: 'user' as const, content: 'Look.' }, ...history, { role: 'user' as const, content: 'And?' }];
    await generateText({ model, tools, messages: next });
    expect(JSON.stringify(history).length).toBeLessThan(60_000);
    expect(toolResultsSentTo(model)).toEqual(sent);
  });
});

describe('000 §9 configuration', () => {
  test('000 §9 the five environment variables configure everything', async () => {
    enterProject();
    const { directory, ...limits } = truncationOptionsFromEnv({
      TOOL_OUTPUT_MAX_LINES: '100',
      TOOL_OUTPUT_MAX_BYTES: '2048',
      TOOL_OUTPUT_TRUNCATE_DIRECTION: 'tail',
      TOOL_OUTPUT_DIR: 'kept',
      TOOL_OUTPUT_RETENTION_DAYS: '2',
    });
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-13T00:00:00Z') });
    const { data } = truncatedOf(
      await outputOf(`${'x'.repeat(600)}\n${numberedLines(100)}`, { store: filesystemStore({ directory }), ...limits }),
    );
    expect(data.truncation).toMatchObject({
      direction: 'tail',
      max_lines: 100,
      max_bytes: 2048,
      full_output_path: expect.stringMatching(/^kept\//),
      expires_at: '2026-01-15T00:00:00.000Z',
    });
  });

  test('000 §9 the defaults are the defaults of the document', async () => {
    const truncationWith = async (variables: Record<string, string>) =>
      truncatedOf(await outputOf(described, truncationOptionsFromEnv(variables))).data.truncation;
    const defaults = { direction: 'head', max_lines: 2000, max_bytes: 51_200, kept_lines: 2000, kept_bytes: 49_872 };
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-13T00:00:00Z') });
    const each: Record<string, string>[] = [
      {},
      { TOOL_OUTPUT_MAX_LINES: '2000' },
      { TOOL_OUTPUT_MAX_BYTES: '51200' },
      { TOOL_OUTPUT_TRUNCATE_DIRECTION: 'head' },
    ];
    for (const variables of each) {
      expect(await truncationWith(variables)).toMatchObject({ ...defaults, expires_at: '2026-01-20T00:00:00.000Z' });
    }
  });
});

describe('000 §10 tests that the document asks for', () => {
  test('000 §10 either limit alone triggers truncation', async () => {
    expect(truncatedOf(await outputOf(`${'\n'.repeat(2000)}${'x'.repeat(600)}`)).data.truncation.reason).toBe('lines');
    expect(truncatedOf(await outputOf(`${'é'.repeat(25_601)}`)).data.truncation.reason).toBe('bytes');
  });

  test('000 §10 the replacement of an output is JSON, and so is the preview of a value with keep auto', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, quote: '"\n\\' }));
    const output = truncatedOf(await outputOf({ rows }, { keep: 'auto', previewBytes: 16_384 }));
    expect(JSON.parse(JSON.stringify(output))).toEqual(output);
    expect(JSON.parse(output.data.preview)).toBeTypeOf('object');
  });

  test('000 §10 the path is correct: there is one file of that name, with its side-car', async () => {
    const directory = temporaryHome();
    const { data } = truncatedOf(
      await outputOf(numberedLines(3000), { store: filesystemStore({ directory, showAbsolutePaths: true }) }),
    );
    const name = data.truncation.full_output_path?.split('/').at(-1) ?? '';
    expect((await readdir(`${directory}/chat-1`)).sort()).toEqual([name, `${name}.info.json`]);
  });

  test('000 §10 expiry works: outputs older than the retention are gone, and younger outputs stay', async () => {
    const store = memoryStore();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 8 * day });
    const old = await outputOf(numberedLines(3000), { store });
    vi.useRealTimers();
    const fresh = await outputOf(numberedLines(2500), { store });
    await sweepArtifacts(store);
    await expect(keptOf(old, { store })).rejects.toThrow('There is no artifact');
    expect(await keptOf(fresh, { store })).toBe(numberedLines(2500));
  });
});
