import { isStepCount, streamText, type ToolSet, tool, toUIMessageStream } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countArtifacts, keptOf, runTool } from '../../fixtures/run-tool.ts';
import { scriptedModel } from '../../fixtures/scripted-model.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { TruncatedToolError } from './tool-error.ts';

const stderr = Array.from({ length: 20_000 }, (_, index) => `stderr ${index + 1}`).join('\n');

function failing(thrown: unknown, how: 'throws' | 'rejects' | 'yields and throws' = 'rejects'): ToolSet[string] {
  const inputSchema = z.object({});
  if (how === 'throws') {
    return tool({
      inputSchema,
      execute: (): string => {
        throw thrown;
      },
    });
  }
  if (how === 'rejects') return tool({ inputSchema, execute: (): Promise<string> => Promise.reject(thrown) });
  return tool({
    inputSchema,
    async *execute() {
      yield 'starting';
      throw thrown;
    },
  });
}

function wrapped(original: ToolSet[string], store: ArtifactStore = memoryStore()): ToolSet {
  return truncateToolOutputs({ build: original }, { store, scope: 'chat-1' });
}

function truncatedError(error: unknown): TruncatedToolError {
  if (!TruncatedToolError.isInstance(error)) throw new Error(`not truncated: ${error}`);
  return error;
}

describe('an error whose message is too large', () => {
  test.each(['throws', 'rejects', 'yields and throws'] as const)('is bounded for a tool that %s', async (how) => {
    const store = memoryStore();
    const { error, sent } = await runTool(wrapped(failing(new Error(stderr), how), store));
    expect(sent.type).toBe('error-text');
    expect(Buffer.byteLength(String(sent.value))).toBeLessThanOrEqual(16_384);
    expect(sent.value).toMatch(
      /^build failed, but its output is incomplete: [\d,]+ of 20,000 lines shown\. Full output/,
    );
    expect(await keptOf(truncatedError(error).output, { store })).toBe(`Error: ${stderr}`);
  });

  test('saves the text for the model, but never the stack', async () => {
    const store = memoryStore();
    const thrown = new Error(stderr);
    const { error } = await runTool(wrapped(failing(thrown), store));
    const bounded = truncatedError(error);
    expect(await keptOf(bounded.output, { store })).not.toContain('    at ');
    expect(bounded.cause).toBeUndefined();
    expect(bounded.output).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_ERROR', message: expect.stringMatching(/^Error: stderr 1\nstderr 2\n/) },
    });
    expect(JSON.stringify(bounded.output).length).toBeLessThan(2 * 16_384 + 8192);
  });

  test('is bounded if it is thrown as text or as an object', async () => {
    const store = memoryStore();
    const text = await runTool(wrapped(failing(stderr), store));
    expect(await keptOf(truncatedError(text.error).output, { store })).toBe(stderr);
    const object = await runTool(wrapped(failing({ exitCode: 1, stderr }), store));
    expect(JSON.parse(await keptOf(truncatedError(object.error).output, { store }))).toEqual({ exitCode: 1, stderr });
  });

  test('says so if nothing could be saved', async () => {
    const store = { ...memoryStore(), put: () => Promise.reject(new Error('disk full')) };
    const { sent } = await runTool(wrapped(failing(new Error(stderr)), store));
    expect(sent.value).toContain('The rest was not saved and cannot be retrieved.');
  });
});

describe('an error that does not change', () => {
  test.each<[string, unknown]>([
    ['a short one', new RangeError('no such service')],
    ['a short text', 'no such service'],
    ['a short object', { exitCode: 1 }],
    ['nothing', undefined],
  ])('is %s', async (_, thrown) => {
    const store = memoryStore();
    const { error } = await runTool(wrapped(failing(thrown), store));
    expect(error).toBe(thrown);
    expect(await countArtifacts(store)).toBe(0);
  });

  test.each(['AbortError', 'TimeoutError'])('is a short %s', async (name) => {
    const thrown = new DOMException('The operation was aborted.', name);
    expect((await runTool(wrapped(failing(thrown)))).error).toBe(thrown);
  });

  test('is already bounded', async () => {
    const store = memoryStore();
    const twice = truncateToolOutputs(wrapped(failing(new Error(stderr)), store), {
      store,
      scope: 'chat-1',
      readers: false,
      maxBytes: 1024,
    });
    const { error } = await runTool(twice);
    expect(await keptOf(truncatedError(error).output, { store })).toBe(`Error: ${stderr}`);
    expect(await countArtifacts(store)).toBe(1);
  });

  test('is the reason of the signal, of any size', async () => {
    const controller = new AbortController();
    const reason = { why: stderr };
    const build = wrapped(failing(reason)).build as unknown as { execute: (...call: unknown[]) => Promise<unknown> };
    controller.abort(reason);
    const call = build.execute({}, { toolCallId: 'call_1', messages: [], abortSignal: controller.signal });
    await expect(call).rejects.toBe(reason);
  });
});

test.each(['AbortError', 'TimeoutError'])('an error that only calls itself %s is bounded', async (name) => {
  expect((await runTool(wrapped(failing(new DOMException(stderr, name))))).sent.value).toMatch(/^build failed, /);
});

describe('an error that JSON cannot carry', () => {
  test('arrives as text, where the SDK would reject the run', async () => {
    await expect(runTool({ build: failing({ size: 12n }) })).rejects.toThrow(TypeError);
    expect((await runTool(wrapped(failing({ size: 12n })))).sent).toEqual({
      type: 'error-text',
      value: '{"size":"12"}',
    });
  });
});

describe('an error in the UI', () => {
  const onError = (error: unknown) => (TruncatedToolError.isInstance(error) ? error.message : 'An error occurred.');

  async function shownInUi(tools: ToolSet): Promise<string | undefined> {
    const result = streamText({
      model: scriptedModel({ toolName: 'build' }),
      tools,
      prompt: '?',
      stopWhen: isStepCount(3),
    });
    for await (const part of toUIMessageStream({ stream: result.stream, tools, onError })) {
      if (part.type === 'tool-output-error') return part.errorText;
    }
    return undefined;
  }

  test('has the path of the full output', async () => {
    expect(await shownInUi(wrapped(failing(new Error(stderr))))).toMatch(/^build failed, .* Full output saved to: /);
  });

  test('stays hidden if it was not truncated', async () => {
    expect(await shownInUi(wrapped(failing(new Error('password: 123'))))).toBe('An error occurred.');
  });
});
