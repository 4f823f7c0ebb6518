import { type InferToolOutput, tool } from 'ai';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { failure, partial, responseText, success } from './response-builders.ts';
import { matchesDataSchema, toolResponseSchema, toolResponseSchemaOf } from './schemas.ts';
import { toToolResponse } from './to-tool-response.ts';
import type {
  Entry,
  Match,
  MatchesData,
  ToolAnswer,
  ToolFailure,
  ToolPartial,
  ToolResponse,
  ToolResponseError,
  ToolSuccess,
} from './tool-response.ts';
import type { TruncatedOutput } from './truncated-output.ts';

const facts = { input: {}, startedAt: 0 };
const entries: Entry[] = [];
const matches: Match[] = [];
const happened = 'Done.';
const next = 'Narrow it.';
const flag: boolean = Math.random() > 0.5;

/** The data of a tool, as its author would write it: no index signature. */
interface Listing {
  entries: Entry[];
  total: number;
}
const listing: Listing = { entries, total: 0 };

describe('success', () => {
  it('takes data without marks, or with those of a whole result, and keeps its type', () => {
    expectTypeOf(success({ ...facts, data: { entries }, happened })).toEqualTypeOf<ToolSuccess<{ entries: Entry[] }>>();
    expectTypeOf(success({ ...facts, data: listing, happened })).toEqualTypeOf<ToolSuccess<Listing>>();
    success({ ...facts, data: {}, happened });
    success({ ...facts, data: { applied: true, diff: '' }, happened });
    success({ ...facts, data: { entries, truncated: false }, happened });
  });

  it('does not take data that is marked as not whole', () => {
    // @ts-expect-error
    success({ ...facts, data: { entries, truncated: true }, happened });
    // @ts-expect-error It may be true.
    success({ ...facts, data: { entries, truncated: flag }, happened });
    // @ts-expect-error
    success({ ...facts, data: { matches, fallback: 'python' }, happened });
    // @ts-expect-error
    success({ ...facts, data: { diff: '', applied: false }, happened });
    // @ts-expect-error
    success({ ...facts, data: { entries, failed_items: ['a'] }, happened });
  });

  it('takes neither an error nor the fields that it fills in itself', () => {
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

  it('needs data, words, the parameters and the start', () => {
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
  it('takes the marks, and needs a next step', () => {
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
  it('needs a code, a message and a next step', () => {
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
  it('needs a next step unless the status is success', () => {
    responseText({ status: 'success', happened });
    // @ts-expect-error
    responseText({ status: 'partial', happened });
    // @ts-expect-error
    responseText({ status: 'error', happened });
  });
});

describe('an answer', () => {
  it('is told apart by its status', () => {
    const answer = toolResponseSchema.parse({});
    expectTypeOf(answer).toEqualTypeOf<ToolAnswer>();
    if (answer.status === 'error') expectTypeOf(answer.error).toEqualTypeOf<ToolResponseError>();
    else expectTypeOf(answer.error).toEqualTypeOf<undefined>();
    expectTypeOf(toToolResponse('', facts)).toEqualTypeOf<ToolAnswer>();
  });

  it('of one kind has the data of its kind, unless it is an error', () => {
    const answer = toolResponseSchemaOf(matchesDataSchema).parse({});
    if (answer.status !== 'error') expectTypeOf(answer.data).toEqualTypeOf<MatchesData>();
    expectTypeOf(partial({ ...facts, data: { matches, truncated: true }, happened, next })).toExtend<typeof answer>();
    expectTypeOf(failure({ ...facts, code: 'TIMEOUT', message: 'x', next })).toExtend<typeof answer>();
  });

  it('fits the output schema of a tool that builds all three', () => {
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
    expectTypeOf<InferToolOutput<typeof grep>>().toEqualTypeOf<ToolAnswer<MatchesData>>();
  });

  it('takes beside `toolResponseSchema` data that are a `type`, and no `interface`, which could have any members', () => {
    type Files = { entries: Entry[]; total: number };
    const inputSchema = z.object({});
    const outputSchema = toolResponseSchema;
    const ofType = async (): Promise<ToolAnswer<Files>> => success({ ...facts, data: listing, happened });
    const ofInterface = async (): Promise<ToolAnswer<Listing>> => success({ ...facts, data: listing, happened });
    tool({ inputSchema, outputSchema, execute: ofType });
    // @ts-expect-error
    tool({ inputSchema, outputSchema, execute: ofInterface });
  });

  it('is a ToolResponse, and so is a TruncatedOutput', () => {
    expectTypeOf<ToolAnswer>().toExtend<ToolResponse>();
    expectTypeOf<ToolPartial<MatchesData>>().toExtend<ToolResponse<MatchesData>>();
    expectTypeOf<TruncatedOutput>().toExtend<ToolResponse<TruncatedOutput['data']>>();
  });
});
