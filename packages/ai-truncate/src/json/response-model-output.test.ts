import { type ToolSet, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runTool } from '../../fixtures/run-tool.ts';
import { failure, partial, success } from '../protocol/response-builders.ts';
import { toolResponseSchema } from '../protocol/schemas.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { responseModelOutput } from './response-model-output.ts';

const facts = { input: {}, startedAt: 0 };
const value = (output: unknown) => responseModelOutput({ output }).value;

describe('the text that the model sees for an envelope', () => {
  test('is its text, followed by its data as compact JSON', () => {
    const data = { matches: [{ file: 'a.ts', line: 3, text: '// "x"' }], truncated: true as const };
    expect(value(partial({ ...facts, data, happened: 'Found 1 of 9', next: 'Narrow it' }))).toBe(
      'Found 1 of 9. The result is truncated. Narrow it.\n{"matches":[{"file":"a.ts","line":3,"text":"// \\"x\\""}],"truncated":true}',
    );
  });

  test('is its text alone if it has no data', () => {
    expect(value(failure({ ...facts, code: 'NOT_FOUND', message: 'No such file.', next: 'List them.' }))).toBe(
      'No such file. List them.',
    );
    expect(value(success({ ...facts, data: {}, happened: 'Done' }))).toBe('Done.');
  });

  test('is the same after a round trip', () => {
    const answer = success({ ...facts, data: { rows: [{ a: 1, at: new Date(0) }] }, happened: 'Done' });
    expect(value(JSON.parse(JSON.stringify(answer)))).toBe(value(answer));
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const throwing = Object.defineProperty({}, 'text', {
    get: () => {
      throw new Error('no');
    },
    enumerable: true,
  });
  test.each<[string, unknown, string]>([
    ['a text', 'plain', '"plain"'],
    ['nothing', undefined, 'null'],
    ['null', null, 'null'],
    ['a list', [1, 2], '[1,2]'],
    ['another object', { a: 1 }, '{"a":1}'],
    ['a text that is not a string', { text: 7, data: {} }, '{"text":7,"data":{}}'],
    ['a BigInt', { text: 'Done.', data: { id: 7n } }, 'Done.\n{"id":"7"}'],
    ['a cycle', { text: 'Done.', data: circular }, 'Done.\n{"self":"[Circular]"}'],
    ['data that is a string', { text: 'Done.', data: 'x' }, 'Done.\n"x"'],
  ])('is not empty for any output: %s', (_, output, expected) => {
    expect(value(output)).toBe(expected);
  });

  test('is not empty if a member throws', () => {
    expect(() => value(throwing)).not.toThrow();
  });

  test.each([
    ['long data', { text: 'Done.', data: { rows: Array(600_000).fill('🙂') } }],
    ['one long text', { text: 'Done.', data: { content: '🙂'.repeat(2_000_000) } }],
    ['a long text', { text: '🙂'.repeat(2_000_000), data: { a: 1 } }],
    ['a string', '🙂'.repeat(2_000_000)],
    ['no envelope', { rows: Array(600_000).fill('🙂') }],
  ])('is bounded, says so, and ends with a whole character: %s', (_, output) => {
    const before = process.cpuUsage();
    const text = value(output);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
    expect(text.length).toBeLessThan(1_000_100);
    expect(text).toContain('… [cut here: the answer is too large]');
    expect(Buffer.from(text).toString()).toBe(text);
  });
});

describe('a tool with it', () => {
  const search = (count: number) =>
    tool({
      inputSchema: z.object({}),
      outputSchema: toolResponseSchema,
      execute: async () =>
        success({ ...facts, data: { paths: Array(count).fill('src/a.ts') }, happened: 'Found some' }),
      toModelOutput: responseModelOutput,
    });

  test('sends it to the model as text', async () => {
    const { sent } = await runTool({ search: search(1) } satisfies ToolSet);
    expect(sent).toEqual({ type: 'text', value: 'Found some.\n{"paths":["src/a.ts"]}' });
  });

  test('is truncated like any other tool', async () => {
    const tools = truncateToolOutputs({ search: search(10_000) }, { store: memoryStore(), scope: 'chat-1' });
    const { sent } = await runTool(tools, { toolName: 'search' });
    expect(String(sent.value)).toMatch(/^search succeeded, but its output is incomplete/);
    expect(String(sent.value)).toContain('Found some.\n{"paths":["src/a.ts"');
  });
});
