import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { InvalidOptionError } from '../errors.ts';
import { failure, partial, success } from './response-builders.ts';
import { brokenRules, isToolResponse } from './rules.ts';
import { toolResponseSchema } from './schemas.ts';
import { toToolResponse } from './to-tool-response.ts';

const startedAt = performance.now();
const words = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;
/** Mostly valid values, and sometimes any value. */
function mostly<VALUE>(wanted: fc.Arbitrary<VALUE>): fc.Arbitrary<unknown> {
  const odd = fc.anything({ withBigInt: true, withDate: true, withMap: true });
  return fc.oneof({ weight: 15, arbitrary: wanted }, { weight: 1, arbitrary: odd });
}

const marks = fc.record(
  {
    truncated: mostly(fc.boolean()),
    fallback: mostly(fc.string()),
    failed_items: mostly(fc.array(fc.anything())),
    applied: mostly(fc.boolean()),
    rows: mostly(json),
  },
  { requiredKeys: [] },
);
const stats = fc.dictionary(fc.string(), mostly(fc.oneof(fc.double({ noNaN: true }), fc.string())), { maxKeys: 3 });
const untyped = { success, partial, failure } as unknown as Record<string, (options: object) => object>;

/** An envelope, or `undefined` if the builder threw the expected error. */
function build(builder: string, options: object): object | undefined {
  try {
    return untyped[builder]?.(options);
  } catch (error) {
    if (InvalidOptionError.isInstance(error)) return undefined;
    throw error;
  }
}

describe('envelopes from the builders', () => {
  test('pass the schema, and are the same after a round trip through JSON', () => {
    const options = fc.record({
      data: fc.dictionary(fc.string(), json),
      happened: words,
      next: words,
      code: words,
      message: words,
      input: json,
      context: fc.dictionary(fc.string(), json, { maxKeys: 3 }),
      cwd: fc.constantFrom('.', 'src', './a/../b', 'packages\\app'),
    });
    const property = fc.property(fc.constantFrom('success', 'partial', 'failure'), options, (builder, given) => {
      const envelope = build(builder, { ...given, startedAt });
      fc.pre(envelope !== undefined);
      expect(toolResponseSchema.safeParse(envelope).error).toBeUndefined();
      // JSON has no -0.
      expect(isToolResponse(JSON.parse(JSON.stringify(envelope)))).toBe(true);
      expect(JSON.stringify(JSON.parse(JSON.stringify(envelope)))).toBe(JSON.stringify(envelope));
    });
    fc.assert(property, { numRuns: propertyRuns({ sample: 600, full: 3000 }) });
  });

  test('pass the schema before and after JSON, or are refused, for any parameters', () => {
    const options = fc.record(
      {
        data: mostly(marks),
        happened: mostly(words),
        state: mostly(words),
        next: mostly(words),
        code: mostly(words),
        message: mostly(words),
        input: mostly(json),
        stats: mostly(stats),
        context: mostly(fc.dictionary(fc.string(), mostly(json), { maxKeys: 3 })),
        cwd: mostly(fc.constantFrom('.', 'src', './a/../b', 'a\\b')),
        truncationSkip: mostly(fc.boolean()),
      },
      { requiredKeys: ['data', 'happened', 'next', 'code', 'message'] },
    );
    const cases = propertyRuns({ sample: 2000, full: 10_000 });
    let built = 0;
    const property = fc.property(fc.constantFrom('success', 'partial', 'failure'), options, (builder, given) => {
      const envelope = build(builder, { ...given, startedAt });
      if (!envelope) return;
      built++;
      expect(toolResponseSchema.safeParse(envelope).error).toBeUndefined();
      expect(brokenRules(JSON.parse(JSON.stringify(envelope)))).toEqual([]);
    });
    fc.assert(property, { numRuns: cases });
    expect(built).toBeGreaterThan(cases / 20);
  });
});

describe('envelopes from toToolResponse', () => {
  test('pass the schema before and after JSON, or are refused, for any value', () => {
    const legacy = fc.record(
      {
        error: fc.oneof(fc.string(), json, fc.anything()),
        status: fc.constantFrom('success', 'partial', 'error'),
        data: marks,
        text: words,
        output: json,
      },
      { requiredKeys: ['error'] },
    );
    const value = mostly(fc.oneof(json, legacy, marks));
    const property = fc.property(value, (given) => {
      let envelope: object;
      try {
        envelope = toToolResponse(given, { input: {}, startedAt });
      } catch (error) {
        if (InvalidOptionError.isInstance(error)) return;
        throw error;
      }
      expect(toolResponseSchema.safeParse(envelope).error).toBeUndefined();
      expect(brokenRules(JSON.parse(JSON.stringify(envelope)))).toEqual([]);
    });
    fc.assert(property, { numRuns: propertyRuns({ sample: 2000, full: 10_000 }) });
  });
});
