import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keptOf, runTool, truncatedOf } from '../fixtures/run-tool.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { sentThrough } from '../fixtures/sent-results.ts';
import type { OutputEvent, TruncationEvent } from './delivery/events.ts';
import { secretPatterns } from './extras.ts';
import {
  memoryStore,
  scopedArtifacts,
  truncateOutput,
  truncateToolOutputs,
  truncateToolResultsMiddleware,
} from './index.ts';

const inputSchema = z.object({});
const token = `ghp_${'aB3'.repeat(12)}`;
const shown = '[REDACTED:github-token]';
const large = `${'a line\n'.repeat(3000)}token ${token}\nand again ${token}\n${'a line\n'.repeat(3000)}`;
const returning = (output: unknown) => ({ read: tool({ inputSchema, execute: () => output }) });

describe('with `redact`, an output', () => {
  test('within the limits has no secret, and the event counts them', async () => {
    const events: OutputEvent[] = [];
    const options = {
      store: memoryStore(),
      scope: 'chat-1',
      redact: secretPatterns,
      onOutput: (event: OutputEvent) => void events.push(event),
    };
    const { output, sent } = await runTool(truncateToolOutputs(returning(`a ${token}`), options));
    expect([output, sent.value]).toEqual([`a ${shown}`, `a ${shown}`]);
    expect(events).toEqual([{ kind: 'tool', toolName: 'read', toolCallId: 'call_1', redacted: { 'github-token': 1 } }]);
  });

  test('over the limits is saved without secrets, with its lines, and the side-car and the event count them', async () => {
    const store = memoryStore();
    const events: TruncationEvent[] = [];
    const options = {
      store,
      scope: 'chat-1',
      redact: secretPatterns,
      onTruncate: (event: TruncationEvent) => void events.push(event),
    };
    const { output } = await runTool(truncateToolOutputs(returning(large), options));
    expect(await keptOf(output, { store })).toBe(large.replaceAll(token, shown));
    const path = truncatedOf(output).data.truncation.full_output_path ?? '';
    expect(await scopedArtifacts(store, { scope: 'chat-1' }).info(path)).toMatchObject({
      redacted: { 'github-token': 2 },
    });
    expect(events).toMatchObject([{ redacted: { 'github-token': 2 }, path }]);
  });

  test('with many megabytes is redacted piece by piece', async () => {
    const store = memoryStore();
    const line = `a line with ${token} in it\n`;
    const options = { store, scope: 'chat-1', redact: secretPatterns };
    const { output } = await runTool(truncateToolOutputs(returning(line.repeat(100_000)), options));
    expect(await keptOf(output, { store })).toBe(line.replace(token, shown).repeat(100_000));
    expect(truncatedOf(output).data.preview).not.toContain(token);
  });

  test('in a shape of OpenAI has no secret', async () => {
    const run = { stdout: `a ${token}`, stderr: '', outcome: { type: 'exit', exitCode: 0 } } as const;
    const shell = openai.tools.shell({ execute: async () => ({ output: [run] }) });
    const options = { store: memoryStore(), scope: 'chat-1', redact: secretPatterns };
    const wrapped = truncateToolOutputs({ shell }, options);
    const execute = wrapped.shell.execute as (input: object, options: object) => unknown;
    const output = await execute({}, { toolCallId: 'a', messages: [] });
    expect(output).toEqual({ output: [{ ...run, stdout: `a ${shown}` }] });
  });

  test('without secrets has no counts', async () => {
    const store = memoryStore();
    const events: object[] = [];
    const options = {
      store,
      scope: 'chat-1',
      redact: secretPatterns,
      onTruncate: (event: object) => void events.push(event),
    };
    const { output } = await runTool(truncateToolOutputs(returning(large.replaceAll(token, 'x')), options));
    const path = truncatedOf(output).data.truncation.full_output_path ?? '';
    expect(await scopedArtifacts(store, { scope: 'chat-1' }).info(path)).not.toHaveProperty('redacted');
    expect(events[0]).not.toHaveProperty('redacted');
  });

  test('from a generator is delivered once for each of its values', async () => {
    const seen: unknown[] = [];
    const read = tool({
      inputSchema,
      async *execute() {
        yield { step: 1, token };
        yield { step: 2, token };
      },
    });
    const tools = truncateToolOutputs({ read }, { store: memoryStore(), scope: 'chat-1', redact: secretPatterns });
    const execute = tools.read.execute as (input: object, options: object) => AsyncIterable<unknown>;
    for await (const output of execute({}, { toolCallId: 'a', messages: [] })) seen.push(output);
    expect(seen).toEqual([
      { step: 1, token: shown },
      { step: 2, token: shown },
    ]);
  });

  test('is redacted again for the model, because an old chat may have secrets', async () => {
    const { read } = truncateToolOutputs(returning('x'), {
      store: memoryStore(),
      scope: 'chat-1',
      redact: secretPatterns,
    });
    const call = { toolCallId: 'a', input: {}, output: `old ${token}` };
    expect(await (read.toModelOutput as (call: unknown) => unknown)(call)).toEqual({
      type: 'text',
      value: `old ${shown}`,
    });
  });
});

test('readers show no secret of an artifact that was saved without patterns', async () => {
  const store = memoryStore();
  const { path } = await scopedArtifacts(store, { scope: 'chat-1' }).save(large, { toolName: 'read', toolCallId: 'a' });
  const tools = truncateToolOutputs(returning('x'), { store, scope: 'chat-1', redact: secretPatterns });
  const calls = [
    { toolName: 'readArtifact', input: { path, offset: 3000, limit: 5 } },
    { toolName: 'grepArtifacts', input: { path, pattern: 'token|again' } },
  ];
  const model = scriptedModel(...calls);
  const { steps } = await generateText({ model, tools, prompt: 'Look.', stopWhen: isStepCount(3) });
  const seen = JSON.stringify([steps.map(({ content }) => content), model.doGenerateCalls.map(({ prompt }) => prompt)]);
  expect(seen).toContain(`again ${shown}`);
  expect(seen).not.toContain(token);
});

test('the middleware sends the same bytes again, without secrets', async () => {
  const events: TruncationEvent[] = [];
  const guard = truncateToolResultsMiddleware({
    redact: secretPatterns,
    onTruncate: (event) => void events.push(event),
  });
  const outputs = [
    { type: 'text', value: `a ${token}` },
    { type: 'json', value: { token } },
    { type: 'text', value: large },
  ];
  const sent = await sentThrough(guard, outputs);
  expect(JSON.stringify(sent)).not.toContain(token);
  expect(sent.slice(0, 2)).toEqual([
    { type: 'text', value: `a ${shown}` },
    { type: 'json', value: { token: shown } },
  ]);
  expect(events).toMatchObject([{ redacted: { 'github-token': 2 } }]);
  expect(await sentThrough(guard, outputs)).toEqual(sent);
  expect(await sentThrough(guard, sent)).toEqual(sent);
});

test('`truncateOutput` replaces secrets in the error of a stream', async () => {
  async function* failing() {
    yield 'begun';
    throw new Error(`no ${token}`);
  }
  const options = { store: memoryStore(), scope: 'chat-1', redact: secretPatterns, toolName: 'read', toolCallId: 'a' };
  await expect(truncateOutput(failing(), options)).rejects.toThrow(`no ${shown}`);
});

test.each<[string, (redact: never) => unknown]>([
  [
    'truncateToolOutputs',
    (redact) => truncateToolOutputs(returning('x'), { store: memoryStore(), scope: 'a', redact }),
  ],
  [
    'truncateOutput',
    (redact) => truncateOutput('x', { store: memoryStore(), scope: 'a', toolName: 'a', toolCallId: 'b', redact }),
  ],
  ['truncateToolResultsMiddleware', (redact) => truncateToolResultsMiddleware({ redact })],
])('%s refuses a wrong `redact` at once', async (_, entrance) => {
  await expect((async () => entrance(['(?=a)'] as never))()).rejects.toThrow(
    '`redact[0]` must be a pattern in RE2 syntax',
  );
});
