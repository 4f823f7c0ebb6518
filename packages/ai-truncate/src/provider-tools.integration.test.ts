import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, streamText, type ToolSet, tool } from 'ai';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type OpenAiServer, openAiCalls, type ResponseItem, startOpenAiServer } from '../fixtures/openai-server.ts';
import { scopedArtifacts } from './artifacts/scoped-artifacts.ts';
import type { TruncationEvent } from './delivery/events.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const previewBytes = 16_384;
const large = Array.from({ length: 140_000 }, (_, index) => `line ${index + 1}: nothing to see here`).join('\n');
const png = `data:image/png;base64,${'iVBORw0KGgo'.repeat(500_000)}`;
const openai = createOpenAI({ apiKey: 'none' });
const exit = { type: 'exit' as const, exitCode: 0 };

const fails = async (): Promise<{ output: string }> => {
  throw new Error(large);
};

let server: OpenAiServer | undefined;
afterEach(() => server?.close());

interface Run {
  /** The result of the call in the next request. */
  item: ResponseItem;
  /** The output in `result.toolResults`. */
  output: unknown;
  events: TruncationEvent[];
  artifact(): Promise<string>;
}

async function run(call: ResponseItem, tools: ToolSet, { streams = false } = {}): Promise<Run> {
  server = await startOpenAiServer(call);
  const store = memoryStore();
  const events: TruncationEvent[] = [];
  const settings = {
    model: createOpenAI({ baseURL: server.baseURL, apiKey: 'none' })('gpt-5-mini'),
    tools: truncateToolOutputs(tools, { store, scope: 'chat-1', onTruncate: (event) => events.push(event) }),
    prompt: 'go',
    stopWhen: isStepCount(3),
    maxRetries: 0,
  };
  const result = streams ? streamText(settings) : await generateText(settings);
  expect(await result.text).toBe('done');
  const { input } = JSON.parse(server.bodies.at(-1) ?? '') as { input: ResponseItem[] };
  const item = input.at(-1) as ResponseItem;
  return {
    item,
    events,
    output: (await result.toolResults)[0]?.output,
    artifact: async () =>
      new Response(await scopedArtifacts(store, { scope: 'chat-1' }).readStream(events[0]?.path ?? '')).text(),
  };
}

/** The same call, in a run that generates and in a run that streams. */
const runs = [
  ['generates', { streams: false }],
  ['streams', { streams: true }],
] as const;

function expectToldOf({ events }: Run, text: unknown): void {
  const path = events[0]?.path;
  expect(path).toMatch(/^tool-output\/tool_/);
  expect(text).toContain('succeeded, but its output is incomplete: ');
  expect(text).toContain(' of 140,000 lines shown.');
  expect(text).toContain(`Full output saved to: ${path}\n<tool-output-preview>\nline 1: nothing`);
  expect(text).toContain('line 140000: nothing to see here\n</tool-output-preview>');
  expect(Buffer.byteLength(String(text))).toBeGreaterThan(previewBytes / 2);
  expect(Buffer.byteLength(String(text))).toBeLessThanOrEqual(previewBytes);
}

describe.each(runs)('a tool whose output OpenAI checks, in a run that %s', (_, mode) => {
  test('preserves the small texts of a shell next to the preview of the large text', async () => {
    const output = [
      { stdout: large, stderr: 'warning', outcome: exit },
      { stdout: 'short', stderr: '', outcome: { type: 'timeout' as const } },
    ];
    const execute = async () => ({ output, maxOutputLength: 100 });
    const result = await run(openAiCalls.shell, { shell: openai.tools.shell({ execute }) }, mode);
    const [first, second] = result.item.output as { stdout: string; stderr: string }[];
    expect(result.item).toMatchObject({ type: 'shell_call_output', max_output_length: 100 });
    expect(first).toMatchObject({ stderr: 'warning', outcome: { type: 'exit', exit_code: 0 } });
    expect(second).toEqual({ stdout: 'short', stderr: '', outcome: { type: 'timeout' } });
    expectToldOf(result, first?.stdout);
    expect(Buffer.byteLength(`${first?.stdout}warningshort`)).toBeLessThanOrEqual(previewBytes);
    expect(await result.artifact()).toBe(large);
  });

  test('sends one preview for a shell with several large texts, and the outcome of each run', async () => {
    const output = [
      { stdout: large, stderr: large.slice(1), outcome: exit },
      { stdout: 'short', stderr: '', outcome: { type: 'timeout' as const } },
    ];
    const execute = async () => ({ output, maxOutputLength: 100 });
    const result = await run(openAiCalls.shell, { shell: openai.tools.shell({ execute }) }, mode);
    const [first, second] = result.item.output as { stdout: string; stderr: string }[];
    expect(first).toMatchObject({ stderr: '', outcome: { type: 'exit', exit_code: 0 } });
    expect(second).toEqual({ stdout: '', stderr: '', outcome: { type: 'timeout' } });
    expect(first?.stdout).toContain(`Full output saved to: ${result.events[0]?.path}`);
    expect(first?.stdout).toContain('"stdout": "line 1: nothing');
    expect(first?.stdout).toMatch(/line 140000: nothing to see here",\n\s*"outcome":/);
    expect(Buffer.byteLength(String(first?.stdout))).toBeLessThanOrEqual(previewBytes);
    expect(JSON.parse(await result.artifact())).toEqual({ output, maxOutputLength: 100 });
  });

  test('sends the first and the last of ten thousand outputs of a shell', async () => {
    const output = Array.from({ length: 10_000 }, (_, id) => ({ stdout: `${id}`, stderr: '', outcome: exit }));
    const result = await run(
      openAiCalls.shell,
      { shell: openai.tools.shell({ execute: async () => ({ output }) }) },
      mode,
    );
    const sent = result.item.output as { stdout: string; outcome: unknown }[];
    expect(result.item.type).toBe('shell_call_output');
    expect(sent.map(({ outcome }) => outcome)).toEqual(Array(8).fill({ type: 'exit', exit_code: 0 }));
    expect(sent.map(({ stdout }) => stdout)).toEqual([
      ...['0', '1', '2', '3'],
      expect.stringContaining(`Full output saved to: ${result.events[0]?.path}`),
      ...['9997', '9998', '9999'],
    ]);
    expect(JSON.stringify(result.item).length).toBeLessThan(2 * previewBytes);
    expect(JSON.parse(await result.artifact())).toEqual({ output });
  });

  test('bounds ten thousand outputs of a shell even without text', async () => {
    const output = Array.from({ length: 10_000 }, () => ({ stdout: '', stderr: '', outcome: exit }));
    const execute = async () => ({ output });
    const { item } = await run(openAiCalls.shell, { shell: openai.tools.shell({ execute }) }, mode);
    expect(JSON.stringify(item).length).toBeLessThan(2 * previewBytes);
    expect(JSON.stringify(item)).toContain('Full output saved to: tool-output/');
  });

  test('shortens text that is declared as a picture', async () => {
    const { item } = await run(
      openAiCalls.shell,
      shellOf(async () => ({ output: [{ ...small, stdout: png }] })),
      mode,
    );
    expect(JSON.stringify(item)).toContain('succeeded, but its output is incomplete');
    expect(JSON.stringify(item).length).toBeLessThanOrEqual(2 * previewBytes);
  });

  test.each<[string, ResponseItem, unknown, (execute: () => Promise<never>) => ToolSet]>([
    ['a screenshot', openAiCalls.computer, { output: { type: 'computer_screenshot', imageUrl: png } }, computer],
    ['a local shell', openAiCalls.localShell, { output: 'ok' }, localShell],
    ['a shell', openAiCalls.shell, { output: [{ stdout: 'ok', stderr: '', outcome: exit }] }, shellOf],
    ['a patch', openAiCalls.applyPatch, { status: 'completed', output: 'ok' }, applyPatch],
  ])('returns a small output, or a single picture, unchanged: %s', async (_name, call, output, toTools) => {
    const result = await run(
      call,
      toTools(async () => output as never),
      mode,
    );
    expect(result.output).toBe(output);
    expect(result.item.type).toBe(`${call.type}_output`);
    expect(result.events).toEqual([]);
  });

  test('delivers only the last output of a generator', async () => {
    async function* execute() {
      yield { output: [{ ...small, stdout: large.slice(0, 1_000_000) }] };
      yield { output: [{ ...small, stdout: large }] };
    }
    const result = await run(openAiCalls.shell, shellOf(execute as never), mode);
    expect(result.item.type).toBe('shell_call_output');
    expectToldOf(result, (result.item.output as { stdout: string }[])[0]?.stdout);
    expect(result.events).toHaveLength(1);
  });

  test('sends the bounded error of a tool that throws', async () => {
    const result = await run(openAiCalls.shell, shellOf(fails as never), mode);
    expect(JSON.stringify(result.item)).toContain(`Full output saved to: ${result.events[0]?.path}`);
    expect(JSON.stringify(result.item).length).toBeLessThan(2 * previewBytes);
    expect(await result.artifact()).toBe(`Error: ${large}`);
  });

  test.each<[string, ResponseItem, { output: string }, (execute: () => Promise<never>) => ToolSet]>([
    ['a local shell', openAiCalls.localShell, { output: large }, localShell],
    ['a patch', openAiCalls.applyPatch, { status: 'completed', output: large } as never, applyPatch],
  ])('saves and shortens the only string of %s', async (_name, call, output, toTools) => {
    const result = await run(
      call,
      toTools(async () => output as never),
      mode,
    );
    expect(result.item).toMatchObject({ ...output, type: `${call.type}_output`, output: expect.any(String) });
    expect(result.item.output).toBe((result.output as typeof output).output);
    expectToldOf(result, result.item.output);
    expect(result.events).toHaveLength(1);
    expect(await result.artifact()).toBe(large);
  });
});

const small = { stdout: 'ok', stderr: '', outcome: exit };
const localShell = (execute: () => Promise<never>) => ({ bash: openai.tools.localShell({ execute }) });
const shellOf = (execute: () => Promise<unknown>) => ({ shell: openai.tools.shell({ execute: execute as never }) });
const applyPatch = (execute: () => Promise<never>) => ({ apply_patch: openai.tools.applyPatch({ execute }) });
const computer = (execute: () => Promise<never>) => ({ computer: openai.tools.computer({ execute }) });

describe.each(runs)('a tool of the application, in a run that %s', (_, mode) => {
  test('sends the preview as the output of its function', async () => {
    const read = tool({ inputSchema: z.object({}), execute: async () => large });
    const result = await run(openAiCalls.function, { read }, mode);
    const { type, output } = result.item;
    expect(type).toBe('function_call_output');
    expect(output).toMatch(
      /^read succeeded, but its output is incomplete: \d+ of 140,000 lines shown\. Full output saved to: /,
    );
    expect(Buffer.byteLength(String(output))).toBeLessThanOrEqual(previewBytes);
    expect(await result.artifact()).toBe(large);
  });

  test('sends the bounded error that it threw', async () => {
    const read = tool({ inputSchema: z.object({}), execute: fails });
    const result = await run(openAiCalls.function, { read }, mode);
    expect(result.item.type).toBe('function_call_output');
    const { error } = JSON.parse(String(result.item.output)) as { error: string };
    expect(error).toMatch(/^read failed, but its output is incomplete: /);
    expect(Buffer.byteLength(error)).toBeLessThanOrEqual(previewBytes);
    expect(await result.artifact()).toBe(`Error: ${large}`);
  });
});

describe('an unknown provider tool', () => {
  test.each<[string, ToolSet[string]]>([
    ['a tool that runs at the provider', openai.tools.webSearch()],
    [
      'a tool with an execute',
      { ...openai.tools.localShell({ execute: async () => ({ output: '' }) }), id: 'acme.shell' },
    ],
    ['one without', openai.tools.localShell({})],
  ])('is not changed: %s', (_, given) => {
    const tools = truncateToolOutputs({ given }, { store: memoryStore(), scope: 'chat-1' });
    expect(tools.given).toBe(given);
  });
});
