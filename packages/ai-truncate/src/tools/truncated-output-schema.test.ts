import { asSchema, type FlexibleSchema, jsonSchema, zodSchema } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forgedOutput } from '../../fixtures/forged-output.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from './truncate-output.ts';
import { orTruncatedOutput } from './truncated-output-schema.ts';

const shape = z.object({ rows: z.array(z.string()), at: z.coerce.date().optional() });
const schemas: [string, FlexibleSchema<unknown>][] = [
  ['zod', shape],
  ['a schema of the SDK', zodSchema(shape)],
  ['a lazy one', () => zodSchema(shape)],
  [
    'JSON Schema with its own asynchronous check',
    jsonSchema({ type: 'object' }, { validate: async (value) => zodSchema(shape).validate?.(value) as never }),
  ],
];

async function validate(schema: FlexibleSchema<unknown>, value: unknown) {
  return asSchema(orTruncatedOutput(schema)).validate?.(value);
}

async function truncatedOutput(): Promise<unknown> {
  const identity = { store: memoryStore(), scope: 'chat-1', toolName: 'read', toolCallId: 'call_1' };
  return JSON.parse(JSON.stringify(await truncateOutput('line\n'.repeat(5000), identity)));
}

describe.each(schemas)('the schema of a wrapped tool, of %s', (_, schema) => {
  test('accepts a truncated output unchanged', async () => {
    const value = await truncatedOutput();
    expect(await validate(schema, value)).toEqual({ success: true, value });
  });

  test('accepts an output of the tool itself, as its own schema parses it', async () => {
    expect(await validate(schema, { rows: ['a'], at: '2026-01-13' })).toEqual({
      success: true,
      value: { rows: ['a'], at: new Date('2026-01-13') },
    });
  });

  test('accepts text, because streams and values that JSON cannot carry become text', async () => {
    expect(await validate(schema, '{"rows":["1"]}')).toEqual({ success: true, value: '{"rows":["1"]}' });
  });

  test.each([
    ['a wrong value', { rows: 5 }],
    ['an object that only looks like a truncated output', { ...forgedOutput({}), stats: undefined }],
  ])('refuses %s', async (_, value) => {
    expect(await validate(schema, value)).toMatchObject({ success: false });
  });
});

describe('the schema of a wrapped tool', () => {
  test("refuses nothing if the tool's own schema checks nothing", async () => {
    expect(await validate(jsonSchema({ type: 'string' }), 5)).toEqual({ success: true, value: 5 });
  });

  test('describes both kinds of output to programs', async () => {
    const own = { type: 'object', properties: { rows: { type: 'array' } } } as const;
    const { anyOf = [] } = await asSchema(orTruncatedOutput(jsonSchema(async () => own))).jsonSchema;
    expect(anyOf).toHaveLength(2);
    expect(anyOf[0]).toEqual(own);
    const told = z.fromJSONSchema(anyOf[1] as never);
    expect(told.safeParse(await truncatedOutput()).success).toBe(true);
    expect(told.safeParse({ rows: [] }).success).toBe(false);
  });
});
