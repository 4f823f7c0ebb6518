import { asSchema, type FlexibleSchema } from 'ai';
import { beforeAll, describe, expect, test } from 'vitest';
import { callReader } from '../../fixtures/call-reader.ts';
import { createTaskTool } from '../agents/task/task-tool.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { createArtifactTools, type ReaderName } from './create-artifact-tools.ts';
import { withoutFilled } from './parameters.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
const call = { toolName: 'run', toolCallId: 'call_1' };
let text: string;
let rows: string;

beforeAll(async () => {
  text = (await artifacts.save(Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join('\n'), call)).path;
  const records = [{ id: 1, name: 'a' }, { id: 2, name: null }, { id: 3 }];
  rows = (await artifacts.save(JSON.stringify(records), { ...call, mediaType: 'application/json' })).path;
});

/** The answer without its arguments and its time. */
async function answer(name: ReaderName, input: Record<string, unknown>) {
  const { output, text: words } = await callReader(artifacts, name, input);
  return { status: output.status, data: output.data, text: words };
}

const filled = { cursor: '' };
const zeros = { line: 0, start: 0, count: 0 };

describe('a parameter that a model only filled in counts as missing', () => {
  test.each<[ReaderName, () => Record<string, unknown>, () => Record<string, unknown>]>([
    ['listArtifacts', () => ({}), () => filled],
    ['globArtifacts', () => ({ pattern: '*' }), () => ({ pattern: '*', ...filled })],
    [
      'grepArtifacts',
      () => ({ pattern: 'line 7', path: text }),
      () => ({ pattern: 'line 7', path: text, literal: false, ignoreCase: false, context: 0, ...filled }),
    ],
    ['grepArtifacts', () => ({ pattern: 'line 7' }), () => ({ pattern: 'line 7', path: '', context: '0' })],
    ['readArtifact', () => ({ path: text }), () => ({ path: text, offset: 0, limit: 0, chars: zeros, ...filled })],
    [
      'readArtifact',
      () => ({ path: text, offset: 1, limit: 10 }),
      () => ({ path: text, offset: 1, limit: 10, chars: { line: null, start: null, count: null }, ...filled }),
    ],
    ['readArtifact', () => ({ path: text }), () => ({ path: text, chars: { line: '0', start: '', count: ' 0 ' } })],
    [
      'readArtifact',
      () => ({ path: text, chars: { line: 3 } }),
      () => ({ path: text, chars: { line: 3, start: null, count: 0 } }),
    ],
    [
      'queryArtifact',
      () => ({ path: rows, aggregate: [{ op: 'count' }] }),
      () => ({
        path: rows,
        ...{ at: '', where: [], select: [], groupBy: '', sort: null, limit: 0, offset: 0 },
        aggregate: [{ op: 'count', field: '' }],
      }),
    ],
    [
      'queryArtifact',
      () => ({ path: rows, where: [{ field: 'name', op: 'exists' }], sort: [{ field: 'id' }] }),
      () => ({
        path: rows,
        where: [{ field: 'name', op: 'exists', value: null }],
        sort: [{ field: 'id', direction: '' }],
      }),
    ],
  ])('by %s', async (name, plain, withFilled) => {
    const expected = await answer(name, plain());
    expect(expected.status).not.toBe('error');
    expect(await answer(name, withFilled())).toEqual(expected);
  });

  test('but `null` is still a value to compare with', async () => {
    const { data } = await answer('queryArtifact', { path: rows, where: [{ field: 'name', op: 'eq', value: null }] });
    expect(data).toMatchObject({ rows: [{ id: 2, name: null }] });
  });
});

describe('a whole number that is written as text is a number', () => {
  test.each<[ReaderName, () => Record<string, unknown>, () => Record<string, unknown>]>([
    ['readArtifact', () => ({ path: text, offset: 5, limit: 10 }), () => ({ path: text, offset: '5', limit: '10' })],
    ['readArtifact', () => ({ path: text, offset: -20 }), () => ({ path: text, offset: ' -20 ' })],
    [
      'readArtifact',
      () => ({ path: text, chars: { line: 3, start: 2, count: 300 } }),
      () => ({ path: text, chars: { line: '3', start: '2', count: '300' } }),
    ],
    [
      'grepArtifacts',
      () => ({ pattern: 'line 7', path: text, context: 2 }),
      () => ({ pattern: 'line 7', path: text, context: '2' }),
    ],
    ['queryArtifact', () => ({ path: rows, limit: 2, offset: 1 }), () => ({ path: rows, limit: '2', offset: '1' })],
  ])('for %s', async (name, asNumbers, asTexts) => {
    const expected = await answer(name, asNumbers());
    expect(expected.status).not.toBe('error');
    expect(await answer(name, asTexts())).toEqual(expected);
  });

  test('but a text to search or to compare with stays a text', async () => {
    const { data } = await answer('queryArtifact', { path: rows, where: [{ field: 'id', op: 'eq', value: '2' }] });
    expect(data).toEqual(
      (await answer('queryArtifact', { path: rows, where: { field: 'id', op: 'eq', value: '2' } })).data,
    );
    expect((await answer('grepArtifacts', { pattern: '0', path: text })).status).toBe('success');
  });
});

describe('a mistake is still an error', () => {
  test.each<[ReaderName, () => Record<string, unknown>, string]>([
    ['readArtifact', () => ({ path: text, offset: 'first' }), '`offset` must be'],
    ['readArtifact', () => ({ path: text, offset: '1e3' }), '`offset` must be'],
    ['readArtifact', () => ({ path: text, limit: -5 }), '`limit` must be'],
    ['readArtifact', () => ({ path: text, limit: '9'.repeat(400) }), '`limit` must be'],
    ['readArtifact', () => ({ path: text, cursor: ' ' }), '`cursor` must be'],
    ['readArtifact', () => ({ path: text, chars: { line: 0, count: 5 } }), '`chars.line` must be'],
    ['readArtifact', () => ({ path: '' }), 'text of 1 to 1,024 characters'],
    ['grepArtifacts', () => ({ pattern: '', path: text }), 'pattern'],
    ['grepArtifacts', () => ({ pattern: 'a', path: [] }), '`path` must be'],
    ['queryArtifact', () => ({ path: rows, where: [{ field: '', op: 'eq', value: 1 }] }), 'where'],
    ['queryArtifact', () => ({ path: rows, where: [{ field: 'name', op: 'exists', value: 'yes' }] }), 'exists'],
    ['queryArtifact', () => ({ path: rows, aggregate: [{ op: 'sum', field: '' }] }), 'sum'],
  ])('by %s', async (name, input, words) => {
    const { status, text: said } = await answer(name, input());
    expect(status).toBe('error');
    expect(said).toContain(words);
  });
});

test('an input of a million nested lists is read five levels deep', () => {
  let nested: unknown = null;
  for (let depth = 0; depth < 1_000_000; depth++) nested = [nested];
  const schema: Record<string, unknown> = { type: 'array' };
  schema.items = schema;
  expect(Array.isArray(withoutFilled(nested, schema))).toBe(true);
});

test.each(['readArtifact', 'grepArtifacts', 'queryArtifact', 'listArtifacts', 'globArtifacts', 'task'] as const)(
  'the schema of %s is sent as not strict, and has nothing next to `anyOf`',
  async (name) => {
    const agents = { writer: { description: 'Writes.', run: async () => ({ conclusion: '' }) } };
    const task = createTaskTool({ agents, store: memoryStore(), scope: 'chat-1' });
    const tool = { ...createArtifactTools(artifacts), task }[name];
    expect(tool).toHaveProperty('strict', false);
    const schema = JSON.stringify(await asSchema(tool.inputSchema as FlexibleSchema<unknown>).jsonSchema);
    // `null` as one of the types becomes `nullable` next to `anyOf` in OpenAPI.
    expect(schema).not.toMatch(/"type":"null"|"description":"[^"]*","anyOf"|"anyOf":\[[^[\]]*(\[[^\]]*\][^[\]]*)*\],"/);
  },
);
