import { type InferToolOutput, tool } from 'ai';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { failure, partial, responseText, success } from './response-builders.ts';
import { matchesDataSchema, toolResponseSchema, toolResponseSchemaOf } from './schemas.ts';
import { toToolResponse } from './to-tool-response.ts';
import type {
  Entry,
  Match,
  MatchesData,
  ToolFailure,
  ToolPartial,
  ToolResponse,
  ToolResponseError,
  ToolSuccess,
} from './tool-response.ts';
import { isTruncatedOutput, type TruncatedOutput } from './truncated-output.ts';

const facts = { input: {}, startedAt: 0 };
const entries: Entry[] = [];
const matches: Match[] = [];
const happened = 'Done.';
const next = 'Narrow it.';
const flag: boolean = Math.random() > 0.5;

/** The data of a tool as its author would declare it, without an index signature. */
interface Listing {
  entries: Entry[];
  total: number;
}
const listing: Listing = { entries, total: 0 };

describe('success', () => {
  test('accepts data without marks, or with the marks of a complete result, and preserves its type', () => {
    expectTypeOf(success({ ...facts, data: { entries }, happened })).toEqualTypeOf<ToolSuccess<{ entries: Entry[] }>>();
    expectTypeOf(success({ ...facts, data: listing, happened })).toEqualTypeOf<ToolSuccess<Listing>>();
    success({ ...facts, data: {}, happened });
    success({ ...facts, data: { applied: true, diff: '' }, happened });
    success({ ...facts, data: { entries, truncated: false }, happened });
  });

  test('refuses data that is marked as incomplete', () => {
    // @ts-expect-error
    success({ ...facts, data: { entries, truncated: true }, happened });
    // @ts-expect-error The flag may be true.
    success({ ...facts, data: { entries, truncated: flag }, happened });
    // @ts-expect-error
    success({ ...facts, data: { matches, fallback: 'python' }, happened });
    // @ts-expect-error
    success({ ...facts, data: { diff: '', applied: false }, happened });
    // @ts-expect-error
    success({ ...facts, data: { entries, failed_items: ['a'] }, happened });
  });

  test('accepts neither an error nor the fields that it fills in itself', () => {
    // @ts-expect-error
    success({ ...facts, data: {}, happened, code: 'NOT_FOUND' });
    // @ts-expect-error
    success({ ...facts, data: {}, happened, text: 'Done.' });
    // @ts-expect-error
    success({ ...facts, data: {}, happened, stats: { time_ms: 1 } });
    // @ts-expect-error
    success({ ...facts, data: {}, happened, stats: { by: {} } });
    // @ts-expect-error
    success({ ...facts, data: {}, happened, context: { cwd: 'src' } });
    // @ts-expect-error
    success({ ...facts, data: {}, happened, context: { truncation_skip: true } });
    success({ ...facts, data: {}, happened, stats: { total: 1, engine: 're2' }, context: { tool_name: 'ls' } });
  });

  test('needs data, a text, the parameters and the start', () => {
    // @ts-expect-error
    success({ ...facts, happened });
    // @ts-expect-error
    success({ ...facts, data: {} });
    // @ts-expect-error
    success({ startedAt: 0, data: {}, happened });
    // @ts-expect-error
    success({ input: {}, data: {}, happened });
    // @ts-expect-error
    success({ ...facts, data: null, happened });
  });
});

describe('partial', () => {
  test('accepts the marks, and needs a next step', () => {
    const answer = partial({ ...facts, data: { matches, truncated: flag, fallback: 'python' }, happened, next });
    expectTypeOf(answer.status).toEqualTypeOf<'partial'>();
    expectTypeOf(answer.data.matches).toEqualTypeOf<Match[]>();
    partial({ ...facts, data: listing, happened, next });
    // @ts-expect-error
    partial({ ...facts, data: { matches }, happened });
    // @ts-expect-error
    partial({ ...facts, data: { matches, truncated: 'yes' }, happened, next });
  });
});

describe('failure', () => {
  test('needs a code, a message and a next step', () => {
    const answer = failure({ ...facts, code: 'NOT_FOUND', message: 'x', next });
    expectTypeOf(answer).toEqualTypeOf<ToolFailure>();
    expectTypeOf(answer.error).toEqualTypeOf<ToolResponseError>();
    failure({ ...facts, code: 'A_CODE_OF_ITS_OWN', message: 'x', next, data: { failed_items: ['a'] } });
    // @ts-expect-error
    failure({ ...facts, message: 'x', next });
    // @ts-expect-error
    failure({ ...facts, code: 'NOT_FOUND', next });
    // @ts-expect-error
    failure({ ...facts, code: 'NOT_FOUND', message: 'x' });
  });
});

describe('responseText', () => {
  test('needs a next step unless the status is success', () => {
    responseText({ status: 'success', happened });
    // @ts-expect-error
    responseText({ status: 'partial', happened });
    // @ts-expect-error
    responseText({ status: 'error', happened });
  });
});

describe('an answer', () => {
  test('is distinguished by its status', () => {
    const answer = toolResponseSchema.parse({});
    expectTypeOf(answer).toEqualTypeOf<ToolResponse>();
    if (answer.status === 'error') expectTypeOf(answer.error).toEqualTypeOf<ToolResponseError>();
    else expectTypeOf(answer.error).toEqualTypeOf<undefined>();
    expectTypeOf(toToolResponse('', facts)).toEqualTypeOf<ToolResponse>();
  });

  test('has the data of its kind, unless it is an error', () => {
    const answer = toolResponseSchemaOf(matchesDataSchema).parse({});
    if (answer.status !== 'error') expectTypeOf(answer.data).toEqualTypeOf<MatchesData>();
    expectTypeOf(partial({ ...facts, data: { matches, truncated: true }, happened, next })).toExtend<typeof answer>();
    expectTypeOf(failure({ ...facts, code: 'TIMEOUT', message: 'x', next })).toExtend<typeof answer>();
  });

  test('fits the output schema of a tool that builds all three', () => {
    const grep = tool({
      inputSchema: z.object({ pattern: z.string() }),
      outputSchema: toolResponseSchemaOf(matchesDataSchema),
      execute: async (input) => {
        const asked = { input, startedAt: 0 };
        if (input.pattern === '')
          return failure({ ...asked, code: 'INVALID_PARAM', message: 'x', next, data: { at: 0 } });
        if (flag) return partial({ ...asked, data: { matches, truncated: true }, happened, next });
        return success({ ...asked, data: { matches, engine: 're2' }, happened });
      },
    });
    expectTypeOf<InferToolOutput<typeof grep>>().toEqualTypeOf<ToolResponse<MatchesData>>();
  });

  test('accepts, with `toolResponseSchema`, data that is a `type`, but not an `interface`, which could have any members', () => {
    type Files = { entries: Entry[]; total: number };
    const inputSchema = z.object({});
    const outputSchema = toolResponseSchema;
    const ofType = async (): Promise<ToolResponse<Files>> => success({ ...facts, data: listing, happened });
    const ofInterface = async (): Promise<ToolResponse<Listing>> => success({ ...facts, data: listing, happened });
    tool({ inputSchema, outputSchema, execute: ofType });
    // @ts-expect-error
    tool({ inputSchema, outputSchema, execute: ofInterface });
  });

  test('has no result if it failed, so its result compiles only after a check of `status`', () => {
    const answer = {} as ToolResponse<MatchesData>;
    // @ts-expect-error The answer may be an error.
    answer.data.matches.length;
    // @ts-expect-error Only an error has a code.
    answer.error.code;
    if (answer.status === 'error') {
      expectTypeOf(answer.data).toEqualTypeOf<Record<string, unknown>>();
      expectTypeOf(answer.error.code).toExtend<string>();
    } else {
      expectTypeOf(answer.data.matches.length).toBeNumber();
    }
    if (answer.status === 'success') expectTypeOf(answer).toEqualTypeOf<ToolSuccess<MatchesData>>();
    if (answer.status === 'partial') expectTypeOf(answer).toEqualTypeOf<ToolPartial<MatchesData>>();
  });

  test('that replaces an output over the limits has a preview for any status', () => {
    const output = {} as ToolResponse<MatchesData> | TruncatedOutput;
    // @ts-expect-error The output may have any other form.
    output.data.preview.length;
    if (isTruncatedOutput(output)) expectTypeOf(output.data.preview).toBeString();
    else expectTypeOf(output).toEqualTypeOf<ToolResponse<MatchesData>>();
  });
});
