// Requirement document 004, OpenCode 输出截断机制, in its order. `docs/requirements.md` maps it to these tests.
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { generateText, isStepCount, type Tool, type ToolSet, tool } from 'ai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { deliveredOutput, type GivenOptions, wrapped } from '../../fixtures/delivered-output.ts';
import { temporaryHome } from '../../fixtures/filesystem-home.ts';
import { numberedLines, returning } from '../../fixtures/returning-tool.ts';
import { keptOf, runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { scriptedModel } from '../../fixtures/scripted-model.ts';
import { seedTruncate } from '../../fixtures/seed-004.ts';
import {
  memoryStore,
  sweepArtifacts,
  type TruncateOutputOptions,
  truncateOutput,
  truncateText,
  truncateToolOutputs,
  unifiedLimits,
} from '../index.ts';
import { toOpenCode } from '../protocol.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';

const day = 24 * 3_600_000;
/** Lines that hit either limit first, in characters of one to four bytes. */
const texts = [
  numberedLines(5234),
  numberedLines(3000).replaceAll('line', `line ${'é'.repeat(40)}`),
  numberedLines(2500).replaceAll('line', '文字🙂'),
  `${'\n'.repeat(3000)}end`,
];

afterEach(() => vi.useRealTimers());

/** `Truncate.output` of the document, as an application would write it with this library. */
async function output(text: string, options: Partial<TruncateOutputOptions> & { direction?: 'head' | 'tail' } = {}) {
  const { direction = 'head', maxBytes = 51_200, ...rest } = options;
  const call = { toolName: 'grep', toolCallId: 'call_1', store: memoryStore(), scope: 'chat-1' };
  return toOpenCode(
    await truncateOutput(text, {
      ...call,
      keep: direction,
      maxBytes,
      ...(maxBytes && { previewBytes: maxBytes }),
      ...rest,
    }),
  );
}

describe('004 §1-2 overview', () => {
  test('004 §1.1 the context is protected, the full output is saved, and the hint guides the agent', async () => {
    const store = memoryStore();
    const { output: bounded, sent } = await deliveredOutput('x'.repeat(5_000_000), { store });
    expect(Buffer.byteLength(String(sent.value))).toBeLessThanOrEqual(16_384);
    expect((await keptOf(bounded, { store })).length).toBe(5_000_000);
    expect(truncatedOf(bounded).text).toContain('Full output saved to:');
  });

  test('004 §2.3 an output within the limits is returned unchanged, and is not saved', async () => {
    const store = memoryStore();
    const put = vi.spyOn(store, 'put');
    expect(await output('short', { store })).toEqual({ truncated: false, content: 'short' });
    expect(put).not.toHaveBeenCalled();
  });
});

describe('004 §3 types', () => {
  test('004 §3.1 a result is truncated or not, by its field truncated, and only a truncated result has a path', async () => {
    const [whole, cut] = [await output('short'), await output(numberedLines(3000))];
    expect(whole.truncated ? whole.outputPath : 'no path').toBe('no path');
    // @ts-expect-error A result that is not truncated has no path.
    expect(whole.truncated ? undefined : whole.outputPath).toBeUndefined();
    expect(cut.truncated && cut.outputPath).toMatch(/^tool-output\/tool_/);
  });

  test('004 §3.2 the options are maxLines, maxBytes and the direction, which is called keep', () => {
    const options = { maxLines: 10, maxBytes: 100, keep: 'tail' as const };
    expect(truncateText(numberedLines(50), options)).toMatchObject({
      content: numberedLines(50).split('\n').slice(-10).join('\n'),
      maxLines: 10,
      maxBytes: 100,
    });
    expect(truncateText(numberedLines(50), { maxBytes: 5 })).toMatchObject({ content: 'line ', keptBytes: 5 });
    expect(() => truncateTool(returning(''), 1023)).toThrow('`maxBytes` must be a whole number of at least 1024');
    expect(() => truncateTool(returning(''), 1024)).not.toThrow();
  });

  const truncateTool = (grep: Tool, maxBytes: number) => wrapped({ grep }, { maxBytes });

  test('004 §3.3 the constants are 2000 lines, 50 KB, tool-output and 7 days', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-02-26T00:00:00Z') });
    expect(unifiedLimits).toMatchObject({ maxLines: 2000, maxBytes: 50 * 1024 });
    const { truncation } = truncatedOf((await deliveredOutput(numberedLines(3000))).output).data;
    expect(truncation).toMatchObject({
      full_output_path: expect.stringMatching(/^tool-output\/tool_/),
      expires_at: '2025-03-05T00:00:00.000Z',
    });
  });
});

describe('004 §4 the algorithm', () => {
  test('004 §4.1 split defines lines, and UTF-8 defines bytes', () => {
    expect(truncateText('a\r\nb\n', { maxLines: 2 })).toMatchObject({ originalLines: 3, originalBytes: 5 });
    expect(truncateText('🙂'.repeat(10), { maxBytes: 20 })).toMatchObject({ originalBytes: 40, keptBytes: 20 });
  });

  test('004 §4.2 either limit alone truncates, and an output within both limits is not truncated', () => {
    expect(truncateText(numberedLines(2000)).truncated).toBe(false);
    expect(truncateText(numberedLines(2001))).toMatchObject({ reason: 'lines' });
    expect(truncateText('x'.repeat(51_200)).truncated).toBe(false);
    expect(truncateText(`${'x'.repeat(51_000)}\n${'x'.repeat(200)}`)).toMatchObject({ reason: 'bytes' });
  });

  test('004 §4.3 head gives the same bytes as the algorithm of the document', () => {
    for (const text of texts) {
      const asInTheDocument = seedTruncate(text, { maxLines: 2000, maxBytes: 51_200, direction: 'head' });
      expect(truncateText(text, { keep: 'head' }).content).toBe(asInTheDocument.content);
    }
  });

  test('004 §4.4 tail gives the same bytes as the algorithm of the document', () => {
    for (const text of texts) {
      const asInTheDocument = seedTruncate(text, { maxLines: 2000, maxBytes: 51_200, direction: 'tail' });
      expect(truncateText(text, { keep: 'tail' }).content).toBe(asInTheDocument.content);
    }
  });

  test('004 §4.3 a first line over the limit is cut inside, when the document would show no line', () => {
    const text = `${'🙂'.repeat(20_000)}\nend`;
    expect(seedTruncate(text, { maxLines: 2000, maxBytes: 51_200, direction: 'head' }).content).toBe('');
    expect(truncateText(text).content).toBe('🙂'.repeat(12_800));
  });

  test('004 §4.5 head puts the content first and tail puts it last', async () => {
    const [head, tail] = [await output(numberedLines(3000)), await output(numberedLines(3000), { direction: 'tail' })];
    expect(head.content.startsWith('line 1\n')).toBe(true);
    expect(head.content).toContain('line 2000\n\n...1000 lines truncated...\n\nThe tool call succeeded');
    expect(tail.content.startsWith('...1000 lines truncated...\n\nThe tool call succeeded')).toBe(true);
    expect(tail.content.endsWith('\nline 3000')).toBe(true);
  });

  test('004 §4.5 when the byte limit ends the preview, the gap counts bytes', async () => {
    const text = numberedLines(3000).replaceAll('line', `line ${'é'.repeat(40)}`);
    for (const direction of ['head', 'tail'] as const) {
      const { content } = await output(text, { direction });
      const [, removed] = /\n?\.\.\.(\d+) bytes truncated\.\.\.\n\nThe tool call succeeded/.exec(content) ?? [];
      const parts = content.split('\n\n');
      const preview = (direction === 'head' ? parts[0] : parts.at(-1)) ?? '';
      expect(direction === 'head' ? text.startsWith(`${preview}\n`) : text.endsWith(`\n${preview}`)).toBe(true);
      expect(Number(removed)).toBe(Buffer.byteLength(text) - Buffer.byteLength(preview));
    }
  });
});

describe('004 §5 files', () => {
  test('004 §5.1 the name has the tool, the time, and a unique random part', async () => {
    const names = new Set<string>();
    for (let index = 0; index < 50; index++) {
      const result = await output(numberedLines(3000));
      names.add((result.truncated && result.outputPath) || '');
    }
    expect(names.size).toBe(50);
    for (const name of names) expect(name).toMatch(/^tool-output\/tool_\d{8}_\d{6}_grep_call-1_[a-z0-9]{16}\.txt$/);
  });

  test('004 §5.2 outputs older than 7 days are deleted, and younger outputs and foreign files stay', async () => {
    const directory = temporaryHome();
    const store = filesystemStore({ directory, showAbsolutePaths: true });
    const paths: string[] = [];
    for (const days of [8, 6]) {
      const at = new Date(Date.now() - days * day);
      vi.useFakeTimers({ toFake: ['Date'], now: at });
      const { output: kept } = await deliveredOutput(numberedLines(2001), { store });
      vi.useRealTimers();
      const path = truncatedOf(kept).data.truncation.full_output_path ?? '';
      paths.push(path);
      for (const file of [path, `${path}.info.json`]) await utimes(file, at, at);
    }
    await writeFile(`${directory}/chat-1/tool_20200101_abc123`, 'of somebody else');
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 2, deletedArtifacts: 1 });
    const files = await readdir(`${directory}/chat-1`);
    expect(files.filter((name) => name.endsWith('.txt'))).toEqual([paths[1]?.split('/').at(-1)]);
    expect(files).toContain('tool_20200101_abc123');
  });

  test('004 §5.2 a sweep that fails loses no output', async () => {
    const store = memoryStore();
    const fails = vi.fn(() => {
      throw new Error('no rights');
    });
    const failing = { ...store, list: fails, delete: fails };
    const { output: kept } = await deliveredOutput(numberedLines(2001), { store: failing });
    expect(fails).toHaveBeenCalled();
    expect(await keptOf(kept, { store })).toBe(numberedLines(2001));
  });

  test('004 §5.3 the sweep starts with the first saved output, not earlier, and not with each output', async () => {
    const store = memoryStore();
    const list = vi.spyOn(store, 'list');
    const tools = wrapped({ small: returning('small'), large: returning(numberedLines(2001)) }, { store });
    await runTool(tools, { toolName: 'small' });
    expect(list).not.toHaveBeenCalled();
    for (let index = 0; index < 3; index++) await runTool(tools, { toolName: 'large' });
    expect(list).toHaveBeenCalledOnce();
  });

  test('004 §5.4 a saved output can be read for 7 days', async () => {
    const store = memoryStore();
    const { output: kept } = await deliveredOutput(numberedLines(2001), { store });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * day });
    await sweepArtifacts({ ...store });
    expect(await keptOf(kept, { store })).toBe(numberedLines(2001));
  });
});

describe('004 §5 a store that fails', () => {
  test('004 §5.1 the preview is shown without a path, and the notice says so', async () => {
    const store = { ...memoryStore(), put: () => Promise.reject(new Error('disk full')) };
    const result = await output(numberedLines(3000), { store, onTruncate: () => {} });
    expect(result).toMatchObject({ truncated: true, outputPath: null });
    expect(result.content).toContain('The full output was not saved and cannot be retrieved.');
  });
});

describe('004 §6 hints', () => {
  const helper = { description: 'Finds things.', run: async () => ({ conclusion: 'Found.' }) };

  function withTask(options: Pick<GivenOptions, 'hint'> = {}) {
    const given = { store: memoryStore(), scope: 'chat-1', agents: { explore: helper } };
    return truncateToolOutputs({ grep: returning(numberedLines(3000)) }, { ...given, ...options });
  }

  test('004 §6.1 the hint names the tools that the agent may call', async () => {
    const allowed = await runTool(withTask(), { toolName: 'grep' });
    const denied = await runTool(withTask({ hint: () => ({ task: false }) }), { toolName: 'grep' });
    expect(truncatedOf(allowed.output).text).toContain('Use task(agent="explore"');
    expect(truncatedOf(denied.output).text).not.toContain('task(');
    expect(truncatedOf(denied.output).text).toContain('Use grepArtifacts to search');
  });

  test('004 §6.2 the legacy form has the words of the document', async () => {
    const [delegate, search] = [
      await output(numberedLines(3000), { hint: { task: 'task' } }),
      await output(numberedLines(3000), { hint: { grep: 'grepArtifacts' } }),
    ];
    const saved = (result: typeof delegate) =>
      `The tool call succeeded but the output was truncated. Full output saved to: ${result.truncated && result.outputPath}\n`;
    expect(delegate.content).toContain(
      `${saved(delegate)}Use the Task tool to have a subagent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.`,
    );
    expect(search.content).toContain(
      `${saved(search)}Use Grep to search the full content or Read with offset/limit to view specific sections.`,
    );
  });

  test('004 §6.4 head is content, gap, hint; tail is gap, hint, content', async () => {
    const hint = (path: string | null) =>
      `The tool call succeeded but the output was truncated. Full output saved to: ${path}\nUse Grep to search the full content or Read with offset/limit to view specific sections.`;
    for (const direction of ['head', 'tail'] as const) {
      const result = await output(numberedLines(3000), { direction });
      const path = result.truncated ? result.outputPath : null;
      const { content } = seedTruncate(numberedLines(3000), { maxLines: 2000, maxBytes: 51_200, direction });
      const around = ['...1000 lines truncated...', hint(path)];
      expect(result.content).toBe((direction === 'head' ? [content, ...around] : [...around, content]).join('\n\n'));
      // Here the byte limit ends the preview.
      const wide = numberedLines(1500).replaceAll('line', '文字'.repeat(20));
      const cut = await output(wide, { direction });
      const rows = cut.content.split('\n\n');
      const [preview = '', gap, words] = direction === 'head' ? rows : [rows[2], rows[0], rows[1]];
      expect(Buffer.byteLength(preview)).toBeGreaterThan(51_200 * 0.9);
      expect(direction === 'head' ? wide.startsWith(preview) : wide.endsWith(preview)).toBe(true);
      const removed = Buffer.byteLength(wide) - Buffer.byteLength(preview);
      expect([gap, words]).toEqual([`...${removed} bytes truncated...`, hint(cut.truncated ? cut.outputPath : null)]);
    }
  });
});

describe('004 §7 tools', () => {
  test('004 §7.1 input is validated before execute, and the output is truncated afterwards', async () => {
    const execute = vi.fn(({ count }: { count: number }) => numberedLines(count));
    const grep = tool({ inputSchema: z.object({ count: z.number() }), execute });
    const tools = wrapped({ grep });
    const model = scriptedModel({ toolName: 'grep', input: { count: 'many' } });
    await generateText({ model, tools, prompt: 'Look.', stopWhen: isStepCount(3) });
    expect(execute).not.toHaveBeenCalled();
    expect(truncatedOf((await runTool(tools, { input: { count: 3000 } })).output).data.truncated).toBe(true);
  });

  test('004 §7.1 a tool can answer in the form of title, output and metadata', async () => {
    const text = numberedLines(3000);
    const grep: Tool = tool({
      inputSchema: z.object({}),
      execute: async () => {
        const result = await output(text);
        const { content, truncated, ...path } = result;
        return { title: 'grep', output: content, metadata: { matchCount: 3000, truncated, ...path } };
      },
    });
    const tools: ToolSet = wrapped({ grep }, { perTool: { grep: { allowSkip: true } } });
    expect((await runTool(tools)).output).toEqual({
      title: 'grep',
      output: expect.stringContaining('...1000 lines truncated...'),
      metadata: { matchCount: 3000, truncated: true, outputPath: expect.stringMatching(/^tool-output\//) },
    });
  });

  test('004 §7.2 metadata.truncated skips truncation for a trusted tool only', async () => {
    const own = { title: 'custom', output: 'x'.repeat(60_000), metadata: { truncated: false } };
    const trusted = await deliveredOutput(own, { toolName: 'custom', perTool: { custom: { allowSkip: true } } });
    expect(trusted.output).toBe(own);
    expect(truncatedOf((await deliveredOutput(own)).output).data.truncated).toBe(true);
  });
});

describe('004 §8-9 options and examples', () => {
  test('004 §8.2 limits and direction can be set for one output', async () => {
    const few = await output(numberedLines(600), { maxLines: 500, maxBytes: 10 * 1024 });
    const stack = await output(numberedLines(600), { direction: 'tail', maxLines: 100 });
    expect(few.content).toContain('line 500\n\n...100 lines truncated...');
    expect(stack.content.endsWith(numberedLines(600).split('\n').slice(-100).join('\n'))).toBe(true);
  });

  test('004 §9.1 in basic use a truncated output differs from a complete output', async () => {
    expect(await output('short')).toMatchObject({ truncated: false });
    expect(await output(numberedLines(3000))).toMatchObject({ truncated: true, outputPath: expect.any(String) });
  });

  test('004 §9.2 a tool returns its output, and is truncated without any code in the tool', async () => {
    const text = truncatedOf((await deliveredOutput(numberedLines(3000))).output);
    expect(text).toMatchObject({ status: 'partial', data: { truncation: { reason: 'lines', original_lines: 3000 } } });
    const store = memoryStore();
    const result = { title: 'Results', output: numberedLines(9000), metadata: { matchCount: 9000 } };
    const limits = { ...unifiedLimits, store };
    const { output } = await deliveredOutput(result, limits);
    const { preview, truncation } = truncatedOf(output).data;
    expect([truncatedOf(output).status, truncation.reason]).toEqual(['partial', 'bytes']);
    expect(preview).toContain('"title": "Results",\n  "output": "line 1\nline 2\n');
    expect(preview.split('\n')).toHaveLength(2000);
    expect(JSON.parse(await keptOf(output, { store }))).toEqual(result);
  });

  test('004 §9.2 the lines of the output member are counted', async () => {
    const result = { title: 'Results', output: numberedLines(3000), metadata: { matchCount: 3000 } };
    const { truncation } = truncatedOf((await deliveredOutput(result)).output).data;
    expect(truncation).toMatchObject({ reason: 'lines', original_lines: 3006 });
  });

  test('004 §9.3 a log tool shows the tail with the requested number of lines', async () => {
    const result = await output(numberedLines(3000), { direction: 'tail', maxLines: 40 });
    expect(result.content.split('\n').slice(-40)).toEqual(numberedLines(3000).split('\n').slice(-40));
  });
});

describe('004 §10 practice', () => {
  test('004 §10.1 the direction is chosen for each tool', async () => {
    const perTool = {
      code: { keep: 'head' },
      log: { keep: 'tail' },
      stack: { keep: 'tail' },
      config: { keep: 'head' },
    };
    const text = numberedLines(3000);
    const tools = wrapped(Object.fromEntries(Object.keys(perTool).map((name) => [name, returning(text)])), { perTool });
    for (const [toolName, { keep }] of Object.entries(perTool)) {
      const { preview, truncation } = truncatedOf((await runTool(tools, { toolName })).output).data;
      expect(truncation.direction).toBe(keep);
      expect(keep === 'head' ? text.startsWith(preview) : text.endsWith(preview)).toBe(true);
    }
  });

  test('004 §10.2 the presets for code, logs and errors hold', async () => {
    // 2,000 lines of it have 49,999 bytes, 500 lines have 12,499.
    const text = `${'x'.repeat(24)}\n`.repeat(3000);
    const presets = {
      code: { maxLines: 2000, maxBytes: 50 * 1024, keep: 'head' },
      log: { maxLines: 500, maxBytes: 20 * 1024, keep: 'tail' },
      error: { maxLines: 100, maxBytes: 10 * 1024, keep: 'tail' },
    };
    const perTool = Object.fromEntries(
      Object.entries(presets).map(([name, limits]) => [name, { ...limits, previewBytes: limits.maxBytes }]),
    );
    const tools = wrapped(Object.fromEntries(Object.keys(presets).map((name) => [name, returning(text)])), { perTool });
    for (const [toolName, { maxLines, maxBytes, keep }] of Object.entries(presets)) {
      expect(truncatedOf((await runTool(tools, { toolName })).output).data.truncation).toMatchObject({
        direction: keep,
        max_lines: maxLines,
        max_bytes: maxBytes,
        kept_lines: maxLines,
        kept_bytes: 25 * maxLines - 1 - (keep === 'tail' ? 24 : 0),
      });
    }
  });

  test('004 §10.3 the path is in the result, and in the event for a log', async () => {
    const onTruncate = vi.fn();
    const { data } = truncatedOf((await deliveredOutput(numberedLines(3000), { onTruncate })).output);
    expect(onTruncate).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ path: data.truncation.full_output_path }),
    );
  });

  test('004 §10.4 an output is truncated once, even when a set is wrapped twice', async () => {
    const store = memoryStore();
    const put = vi.spyOn(store, 'put');
    const tools = wrapped(wrapped({ grep: returning(numberedLines(3000)) }, { store }), { store });
    await runTool(tools);
    // One put for the output, one for its side-car.
    expect(put).toHaveBeenCalledTimes(2);
  });
});

describe('004 appendix', () => {
  test('004 Appendix A the sorted names of one directory are in the order of time', async () => {
    const directory = temporaryHome();
    const store = filesystemStore({ directory, showAbsolutePaths: true });
    const dates = ['2025-02-20', '2025-02-21', '2025-02-25', '2025-02-26'];
    for (const date of dates.toReversed()) {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${date}T12:00:00Z`) });
      await deliveredOutput(numberedLines(2001), { store });
    }
    const files = (await readdir(`${directory}/chat-1`)).filter((name) => name.endsWith('.txt')).sort();
    expect(files.map((name) => name.slice(0, 13))).toEqual(dates.map((date) => `tool_${date.replaceAll('-', '')}`));
  });
});
