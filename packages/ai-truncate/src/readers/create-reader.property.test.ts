import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { callReader } from '../../fixtures/call-reader.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { ReaderName } from './create-artifact-tools.ts';

const SECRET = 'only-chat-2-may-read-this';
const names: Record<ReaderName, readonly string[]> = {
  readArtifact: ['path', 'offset', 'limit', 'chars', 'cursor'],
  grepArtifacts: ['pattern', 'path', 'literal', 'ignoreCase', 'context', 'cursor'],
  queryArtifact: ['path', 'at', 'where', 'select', 'groupBy', 'aggregate', 'sort', 'limit', 'offset'],
  listArtifacts: ['cursor'],
  globArtifacts: ['pattern', 'cursor'],
};

const store = memoryStore();
const artifacts: Artifacts = scopedArtifacts(store, { scope: 'chat-1' });
const mine: string[] = [];
const foreign: string[] = [];

beforeAll(async () => {
  const facts = { toolName: 'read', toolCallId: 'call-1' };
  const rows = Array.from({ length: 200 }, (_, index) => ({ id: index, name: `row ${index}`, __proto: { a: [1] } }));
  for (const content of ['a,b\n1,2\n3,4', JSON.stringify(rows), 'x'.repeat(20_000), '']) {
    mine.push((await artifacts.save(content, { ...facts, mediaType: 'application/json' })).path);
  }
  const others = scopedArtifacts(store, { scope: 'chat-2' });
  for (const content of [`name\n${SECRET}`, JSON.stringify([{ name: SECRET }])]) {
    const { path, name } = await others.save(content, facts);
    foreign.push(path, name, name.slice(-20, -4), `tool-output/chat-2/${name}`, `tool-output/../chat-2/${name}`);
    foreign.push(`chat-2/${name}`, `tool-output/chat-1/../chat-2/${name}`, `/chat-2/${name}`);
  }
});

const megabyte = 'x'.repeat(1_000_000);
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    0,
    -0,
    0.5,
    2 ** 53,
    -(2 ** 53),
    Number.MAX_VALUE,
    '',
    '\0',
    'a\0b',
    '..',
    '*',
    '.*',
    '(a+)+$',
    '\ud800',
    '1:1:0',
    '1:9007199254740991:9007199254740991',
    '__proto__',
    'constructor',
    'toString',
    megabyte,
    [megabyte],
    [],
    [[]],
    {},
    null,
    undefined,
    true,
    10n,
    Symbol('x'),
    () => 1,
  ),
  fc.constantFrom('mine', 'foreign').chain((whose) =>
    fc.nat({ max: 30 }).map((index) => {
      const paths = whose === 'mine' ? mine : foreign;
      return paths[index % paths.length];
    }),
  ),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
  // The result of JSON.parse: an own member called `__proto__`.
  fc.jsonValue().map((value) => JSON.parse(`{"__proto__":${JSON.stringify(value)},"length":4294967295}`)),
  fc.record(
    {
      field: fc.constantFrom<unknown>('id', 'name', '__proto__', 'constructor', megabyte, 7, null, []),
      op: fc.constantFrom<unknown>('eq', 'in', 'matches', 'count', 'sum', '__proto__', 7),
      value: fc.constantFrom<unknown>(1, 'row', Number.NaN, '(?=x)', '(a*)*b', megabyte, {}, ['a'], null),
      line: fc.constantFrom<unknown>(1, 0, -1, 2 ** 53, 'x'),
      start: fc.constantFrom<unknown>(1, 0, 2 ** 53, Number.NaN),
      count: fc.constantFrom<unknown>(1, 0, -5, 2 ** 53),
    },
    { requiredKeys: [] },
  ),
);

/** Valid values, so that hostile values next to them are reached. */
const valid: Record<string, fc.Arbitrary<unknown>> = {
  path: fc.nat().map((index) => mine[index % mine.length]),
  offset: fc.integer({ min: 1, max: 300 }),
  limit: fc.integer({ min: 1, max: 300 }),
  chars: fc.record({ line: fc.constant(1), start: fc.integer({ min: 1, max: 30_000 }) }),
  pattern: fc.constantFrom('a', '.', 'row', '*', '**/*.json', 'x+', '(x|y)*$'),
  literal: fc.boolean(),
  ignoreCase: fc.boolean(),
  context: fc.integer({ min: 0, max: 20 }),
  at: fc.constant([]),
  where: fc.constantFrom([{ field: 'id', op: 'gte', value: 7 }], [{ field: 'name', op: 'matches', value: 'r.w' }]),
  select: fc.constant(['id', 'name']),
  groupBy: fc.constant(['name']),
  aggregate: fc.constant([{ op: 'count' }]),
  sort: fc.constant([{ field: 'id', direction: 'desc' }]),
};

const call: fc.Arbitrary<[ReaderName, unknown]> = fc
  .constantFrom(...(Object.keys(names) as ReaderName[]))
  .chain((name) => {
    const members = names[name].map((member): [string, fc.Arbitrary<unknown>] => {
      const right = valid[member] ?? fc.constant(undefined);
      const wrong = fc.oneof(hostile, fc.array(hostile, { maxLength: 4 }));
      return [member, fc.oneof({ weight: 12, arbitrary: right }, { weight: 2, arbitrary: wrong })];
    });
    const requiredKeys = ['path', 'pattern'].filter((member) => names[name].includes(member));
    const input = fc.record(Object.fromEntries(members), { requiredKeys });
    return fc.tuple(fc.constant(name), fc.oneof({ weight: 30, arbitrary: input }, { weight: 1, arbitrary: hostile }));
  });

describe('a reader with any arguments', () => {
  test('answers with a bounded envelope, never throws, and never shows artifacts of another owner', async () => {
    const statuses: Record<string, number> = {};
    let longest = { text: 0, json: 0 };
    const property = fc.asyncProperty(call, async ([name, input]) => {
      const { output, text } = await callReader(artifacts, name, input);
      const json = JSON.stringify(output);
      statuses[output.status] = (statuses[output.status] ?? 0) + 1;
      longest = { text: Math.max(longest.text, text.length), json: Math.max(longest.json, json.length) };
      expect(json).not.toContain(SECRET);
      expect(text).not.toContain(SECRET);
      expect(text.length).toBeLessThanOrEqual(10_000);
      expect(json.length).toBeLessThanOrEqual(22_000);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
    await fc.assert(property, { numRuns: 3000 });
    // If all arguments were refused, the test would prove nothing.
    expect(statuses.success).toBeGreaterThan(500);
    expect(statuses.partial).toBeGreaterThan(30);
    expect(statuses.error).toBeGreaterThan(500);
    expect(longest.text).toBeGreaterThan(7000);
  });

  test('finds nothing of another owner under any form of its path', async () => {
    for (const path of foreign) {
      for (const name of ['readArtifact', 'grepArtifacts', 'queryArtifact'] as const) {
        const { code, output } = await callReader(
          artifacts,
          name,
          name === 'grepArtifacts' ? { path, pattern: 'n' } : { path },
        );
        expect(['NOT_FOUND', 'ACCESS_DENIED']).toContain(code);
        expect(JSON.stringify(output)).not.toContain(SECRET);
      }
    }
    const all = await callReader(artifacts, 'grepArtifacts', { pattern: '.*' });
    expect(JSON.stringify(all.output)).not.toContain(SECRET);
  });
});
