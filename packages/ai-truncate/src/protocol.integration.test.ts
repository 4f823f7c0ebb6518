import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asSchema, type Tool, type ToolExecutionOptions, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isTruncatedOutput } from './protocol/truncated-output.ts';
import {
  contentDataSchema,
  failure,
  partial,
  success,
  type ToolResponse,
  toolResponseSchema,
  toolResponseSchemaOf,
  toToolResponse,
} from './protocol.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateOutput } from './tools/truncate-output.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const large = 'a line of a log\n'.repeat(10_000);
const store = memoryStore();
const call: ToolExecutionOptions<never> = { toolCallId: 'call-1', messages: [], context: undefined as never };

/** The output of the wrapped tool. */
async function delivered(output: ToolResponse): Promise<unknown> {
  const read = tool({ inputSchema: z.object({}), execute: async () => output });
  const { read: wrapped } = truncateToolOutputs({ read }, { store, scope: 'chat-1' });
  return (wrapped as Tool).execute?.({}, call as never);
}

/** Every package that a source file imports at run time, directly or through others. */
async function packagesOf(file: string, seen: Set<string> = new Set()): Promise<Set<string>> {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const found = new Set<string>();
  const source = await readFile(file, 'utf8');
  for (const [, clause = '', name = ''] of source.matchAll(/^(?:import|export) ([^;]*?from )?'([^']+)';$/gms)) {
    if (clause.startsWith('type ')) continue;
    if (!name.startsWith('.')) found.add(name);
    else for (const inner of await packagesOf(join(dirname(file), name), seen)) found.add(inner);
  }
  return found;
}

describe('ai-truncate/protocol', () => {
  test('imports zod, while the builders and the root entry do not', async () => {
    const source = (name: string) => packagesOf(join(import.meta.dirname, name));
    expect(await source('protocol.ts')).toContain('zod/v4');
    expect([...(await source('protocol/to-tool-response.ts'))]).toEqual([]);
    expect(await source('index.ts')).toContain('ai');
    expect([...(await source('index.ts'))].filter((name) => name.startsWith('zod'))).toEqual([]);
  });
});

describe('an answer of the builders, in a wrapped tool', () => {
  const facts = { input: { path: 'app.log' }, startedAt: performance.now() };
  const page = { ...facts, data: { content: large, truncated: true }, happened: 'Read a page.', next: 'Read on.' };

  test('passes unchanged when it asks for it', async () => {
    const answer = partial({ ...page, truncationSkip: true });
    expect(await delivered(answer)).toBe(answer);
  });

  test('is bounded when it does not', async () => {
    expect(isTruncatedOutput(await delivered(partial(page)))).toBe(true);
  });

  test('is bounded when an embedded answer asks for it', async () => {
    const skip = { truncation_skip: true, truncation: {} };
    const relayed = { ...partial(page), context: { cwd: '.', params_input: {}, ...skip } };
    const claims: ToolResponse[] = [
      JSON.parse(JSON.stringify(partial({ ...page, truncationSkip: true }))),
      toToolResponse(relayed, facts),
      success({ ...facts, data: { ...skip, content: large, context: skip, truncation: skip }, happened: 'Relayed.' }),
    ];
    for (const claim of claims) expect(isTruncatedOutput(await delivered(claim))).toBe(true);
  });

  test('stays an error when it is bounded', async () => {
    const answer = failure({ ...facts, code: 'EXECUTION_ERROR', message: 'x', next: 'y', data: { output: large } });
    expect(await delivered(answer)).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_ERROR', message: 'x' },
    });
  });
});

describe('toolResponseSchema', () => {
  test('accepts the replacement of an output over the limits', async () => {
    const options = { store, scope: 'chat-1', toolName: 'read', toolCallId: 'call-1', input: { path: 'app.log' } };
    expect(toolResponseSchema.safeParse(await truncateOutput(large, options)).error).toBeUndefined();
    expect(toolResponseSchema.safeParse(await truncateOutput({ error: large }, options)).error).toBeUndefined();
  });

  test('serves as the output schema of a tool', async () => {
    const schema = asSchema(toolResponseSchemaOf(contentDataSchema));
    expect(JSON.stringify(await schema.jsonSchema)).toContain('"content":{"type":"string"}');
    const answer = success({ input: {}, startedAt: 0, data: { content: 'x' }, happened: 'Read.' });
    expect(await schema.validate?.(answer)).toMatchObject({ success: true });
    expect(await schema.validate?.({ ...answer, extra: 1 })).toMatchObject({ success: false });
  });
});
