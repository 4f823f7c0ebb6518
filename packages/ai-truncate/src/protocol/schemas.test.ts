import { describe, expect, test } from 'vitest';
import { z as z3 } from 'zod/v3';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import { brokenRules, isToolResponse } from './rules.ts';
import {
  appliedDataSchema,
  contentDataSchema,
  entriesDataSchema,
  matchesDataSchema,
  pathsDataSchema,
  rowsDataSchema,
  toolResponseSchema,
  toolResponseSchemaOf,
  truncatedDataSchema,
} from './schemas.ts';
import { toToolResponse } from './to-tool-response.ts';
import type { TruncatedOutput } from './truncated-output.ts';

/** The example of the requirements, word for word. */
const listing = {
  status: 'partial',
  data: {
    entries: [
      { path: 'src/main.py', type: 'file' },
      { path: 'src/utils/', type: 'dir' },
    ],
    truncated: true,
  },
  text: "Listed 2 entries in 'src' (truncated from 500 total). Consider using 'search_code' or increasing 'limit'.",
  error: null,
  stats: { time_ms: 150, total_entries: 500 },
  context: { cwd: '.', params_input: { path: 'src', limit: 2 }, path_resolved: 'src' },
};
const success = { ...listing, status: 'success', data: { entries: [] }, error: undefined };
const failure = { ...success, status: 'error', data: {}, error: { code: 'NOT_FOUND', message: 'No such file.' } };

function messagesFor(value: unknown): string[] {
  return toolResponseSchema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
}

const withData = (data: unknown) => ({ ...success, data });
const withStats = (stats: unknown) => ({ ...success, stats });
const withContext = (change: object) => ({ ...success, context: { ...success.context, ...change } });

describe('toolResponseSchema', () => {
  test('accepts the example of the requirements, and reads `error: null` as absent', () => {
    const { error: _, ...envelope } = listing;
    expect(toolResponseSchema.parse(listing)).toStrictEqual(envelope);
  });

  test.each<[string, unknown]>([
    ['a success', success],
    ['an error', failure],
    ['an error with its own code', { ...failure, error: { code: 'QUOTA', message: 'x' } }],
    ['an error whose data was truncated', { ...failure, data: { truncated: true } }],
    ['a written change', withData({ applied: true })],
    ['a success with the marks of a complete result', withData({ truncated: false, failed_items: [] })],
    ['a directory below the root', withContext({ cwd: 'packages/app' })],
    ['parameters that are null', withContext({ params_input: null })],
    ['a request to skip truncation', withContext({ truncation_skip: true })],
    ['a text in the stats', withStats({ time_ms: 0.4, engine: 're2' })],
  ])('accepts %s', (_name, value) => {
    expect(messagesFor(value)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['text', 'done', '`response` must be an object'],
    ['a list', [success], '`response` must be an object'],
    ['an unknown field', { ...success, metadata: {} }, '`metadata` must be inside `data`, `stats` or `context`'],
    ['an unknown status', { ...success, status: 'ok' }, "`status` must be 'success', 'partial' or 'error'."],
    ['no data', { ...success, data: null }, '`data` must be an object'],
    ['data in a list', withData([]), '`data` must be an object'],
    ['no text', { ...success, text: undefined }, '`text` must be a text that says what happened'],
    ['a text of spaces', { ...success, text: ' \n' }, '`text` must be a text that says what happened'],
    [
      'an error status without an error',
      { ...failure, error: null },
      '`error` must be an object `{ code, message }` if',
    ],
    ['an error as text', { ...failure, error: 'Error: x' }, '`toToolResponse` converts a string'],
    ['an error with success', { ...failure, status: 'success' }, "`error` must be absent unless `status` is 'error'"],
    ['an error with partial', { ...failure, status: 'partial' }, "`error` must be absent unless `status` is 'error'"],
    ['an error without a code', { ...failure, error: { message: 'x' } }, '`error.code` must be a text'],
    ['an error without a message', { ...failure, error: { code: 'X', message: '' } }, '`error.message` must be a text'],
    ['a truncated success', withData({ truncated: true }), "'partial' where `data.truncated` is true."],
    ['a success by fallback', withData({ fallback: 'python' }), "'partial' where `data.fallback` is set."],
    ['a success with failures', withData({ failed_items: ['a'] }), "'partial' where `data.failed_items` is not empty."],
    ['a dry run as success', withData({ applied: false }), "'partial' where `data.applied` is false."],
    ['`truncated` that is not a flag', withData({ truncated: 'yes' }), '`data.truncated` must be `true` or `false`.'],
    ['`fallback` that is not a name', withData({ fallback: true }), '`data.fallback` must be the name of the fallback'],
    ['`failed_items` that is a count', withData({ failed_items: 1 }), '`data.failed_items` must be a list'],
    [
      '`applied` that is not a flag',
      withData({ applied: 1 }),
      '`data.applied` must be `true` when the change was written',
    ],
    ['no stats', withStats(undefined), '`stats` must be an object with `time_ms`.'],
    ['no time', withStats({}), '`stats.time_ms` must be a number of milliseconds'],
    ['a time as text', withStats({ time_ms: '12' }), '`stats.time_ms` must be a number of milliseconds'],
    ['a negative time', withStats({ time_ms: -1 }), '`stats.time_ms` must be a number of milliseconds'],
    ['a time that JSON cannot carry', withStats({ time_ms: Number.NaN }), '`stats.time_ms` must be a number'],
    ['an object in the stats', withStats({ time_ms: 1, by: {} }), '`stats.by` must be a finite number or a text.'],
    ['no context', { ...success, context: null }, '`context` must be an object with `cwd` and `params_input`.'],
    ['no cwd', withContext({ cwd: undefined }), '`context.cwd` must be a path relative to the project root'],
    ['an empty cwd', withContext({ cwd: '' }), '`context.cwd` must be a path relative to the project root'],
    ['an absolute cwd', withContext({ cwd: '/srv/app' }), '`context.cwd` must be relative to the project root'],
    [
      'an absolute cwd of Windows',
      withContext({ cwd: 'C:\\app' }),
      '`context.cwd` must be relative to the project root',
    ],
    ['a share', withContext({ cwd: '\\\\host\\app' }), '`context.cwd` must be relative to the project root'],
    ['a URL as cwd', withContext({ cwd: 'file:///app' }), '`context.cwd` must be relative to the project root'],
    [
      'a cwd outside',
      withContext({ cwd: 'src/../..' }),
      '`context.cwd` must be inside the project root, without `..`.',
    ],
    ['a cwd outside, Windows', withContext({ cwd: 'src\\..' }), '`context.cwd` must be inside the project root'],
    [
      'no parameters',
      withContext({ params_input: undefined }),
      '`context.params_input` must be the received parameters',
    ],
    ['a resolved path that is not a path', withContext({ path_resolved: 1 }), '`context.path_resolved` must be a path'],
    [
      'an absolute resolved path',
      withContext({ path_resolved: '/etc/passwd' }),
      '`context.path_resolved` must be relative',
    ],
    ['a resolved path outside', withContext({ path_resolved: '../x' }), '`context.path_resolved` must be inside'],
    ['a skip that is not a flag', withContext({ truncation_skip: 'yes' }), '`context.truncation_skip` must be `true`'],
  ])('refuses %s, and names the rule', (_name, value, message) => {
    expect(messagesFor(value)).toEqual([expect.stringContaining(message)]);
  });

  test('answers with an issue if a member throws when it is read', () => {
    const throws: PropertyDescriptor = {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    };
    const throwing = Object.defineProperty({ ...success }, 'text', throws);
    expect(messagesFor(throwing)).toEqual(['`response` must be readable: one of its members throws when it is read.']);
    expect(messagesFor({ ...success, context: Object.defineProperty({}, 'cwd', throws) })).toHaveLength(1);
    expect(messagesFor(withData(Object.defineProperty({}, 'rows', throws)))).toHaveLength(1);
  });

  test('names the place', () => {
    expect(toolResponseSchema.safeParse(withStats({})).error?.issues[0]?.path).toEqual(['stats', 'time_ms']);
  });

  test('reports every broken rule, not only the first', () => {
    const broken = { ...listing, status: 'success', text: '', extra: 1 };
    expect(toolResponseSchema.safeParse(broken).error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'extra',
      'status',
      'text',
    ]);
  });

  test('preserves the fields that a tool adds inside data, stats and context', () => {
    const more = { ...success, data: { lines: [1] }, context: { ...success.context, tool_name: 'ls' } };
    expect(toolResponseSchema.parse(more)).toMatchObject({ data: { lines: [1] }, context: { tool_name: 'ls' } });
  });
});

describe('toolResponseSchemaOf', () => {
  const schema = toolResponseSchemaOf(matchesDataSchema);
  const found = { ...success, data: { matches: [{ file: 'a.ts', line: 3, text: 'TODO' }] } };

  test('requires the data of its kind from a success and a partial answer', () => {
    expect(schema.safeParse(found).success).toBe(true);
    const broken = { ...found, data: { matches: [{ file: 'a.ts', line: 0, text: '' }] } };
    expect(schema.safeParse(broken).error?.issues).toMatchObject([
      { path: ['data', 'matches', 0, 'line'], message: 'lines are counted from 1' },
    ]);
    expect(schema.safeParse({ ...broken, status: 'partial' }).success).toBe(false);
  });

  test('requires no data from an error', () => {
    expect(schema.safeParse(failure).success).toBe(true);
  });

  test('also checks the rules of the protocol', () => {
    const truncated = { ...found, data: { ...found.data, truncated: true } };
    expect(schema.safeParse(truncated).error?.issues).toHaveLength(1);
    expect(toolResponseSchemaOf(entriesDataSchema).safeParse(listing).success).toBe(true);
  });
});

describe('brokenRules', () => {
  test('distinguishes an envelope from any other value without a schema', () => {
    expect(isToolResponse(success)).toBe(true);
    expect(isToolResponse({ ...listing, data: null })).toBe(false);
    expect(brokenRules({ ...success, status: 7 })).toEqual([
      { path: ['status'], expected: "'success', 'partial' or 'error'", value: 7 },
    ]);
  });
});

describe('`error: null`', () => {
  test.each(['success', 'partial'] as const)(
    'counts as absent if the status is %s, with and without a schema',
    (status) => {
      const envelope = { ...success, status, error: null };
      expect(brokenRules(envelope)).toEqual([]);
      expect(isToolResponse(envelope)).toBe(true);
      expect(toolResponseSchema.safeParse(envelope).success).toBe(true);
    },
  );

  test('is a missing error if the status is error, with and without a schema', () => {
    const envelope = { ...failure, error: null };
    expect(brokenRules(envelope)).toMatchObject([{ path: ['error'] }]);
    expect(isToolResponse(envelope)).toBe(false);
    expect(toolResponseSchema.safeParse(envelope).success).toBe(false);
  });

  test.each(['', 0, false])('is not the same as %j', (error) => {
    expect(isToolResponse({ ...success, error })).toBe(false);
  });

  test('is removed by toToolResponse', () => {
    const facts = { input: {}, startedAt: performance.now() };
    expect(toToolResponse({ ...success, error: null }, facts)).not.toHaveProperty('error');
  });
});

describe('a schema of data', () => {
  test.each([
    ['an object of zod 3', z3.object({ paths: z3.array(z3.string()) })],
    ['any type of zod 3', z3.any()],
  ])('is refused at once, with the accepted values: %s', (_, schema) => {
    expect(() => toolResponseSchemaOf(schema as never)).toThrow(
      "`dataSchema` must be a schema of zod 4, not of zod 3: make it with `import { z } from 'zod/v4'`",
    );
  });

  test.each([
    ['nothing', undefined],
    ['a plain object', { paths: [] }],
    ['a JSON schema', { type: 'object' }],
    ['null', null],
  ])('is refused if it is not a schema: %s', (_, schema) => {
    expect(() => toolResponseSchemaOf(schema as never)).toThrow('`dataSchema` must be a zod schema of `data`');
  });
});

const schemas = {
  appliedDataSchema,
  contentDataSchema,
  entriesDataSchema,
  matchesDataSchema,
  pathsDataSchema,
  rowsDataSchema,
};

describe('the data of a kind of tool', () => {
  test.each<[keyof typeof schemas, object]>([
    ['entriesDataSchema', { entries: [{ path: 'src', type: 'dir', size: 4096 }], truncated: false }],
    ['pathsDataSchema', { paths: ['src/a.ts'] }],
    ['matchesDataSchema', { matches: [{ file: 'a.ts', line: 1, text: '' }], fallback: 'python' }],
    ['contentDataSchema', { content: '', start_line: 1 }],
    ['appliedDataSchema', { applied: false, diff: '+a' }],
    ['rowsDataSchema', { rows: [{ title: 'x' }, null], failed_items: [{ path: 'b' }] }],
  ])('%s accepts the fields of the protocol, and preserves fields that a tool adds', (name, data) => {
    expect(schemas[name].parse(data)).toStrictEqual(data);
  });

  test.each<[keyof typeof schemas, object, string]>([
    ['entriesDataSchema', { entries: [{ path: 'a', type: 'socket' }] }, 'entries.0.type'],
    ['entriesDataSchema', { entries: [{ path: '', type: 'file' }] }, 'entries.0.path'],
    ['pathsDataSchema', { paths: [1] }, 'paths.0'],
    ['matchesDataSchema', { matches: [{ file: 'a', line: 1.5, text: '' }] }, 'matches.0.line'],
    ['matchesDataSchema', { matches: [{ file: 'a', line: 1 }] }, 'matches.0.text'],
    ['contentDataSchema', {}, 'content'],
    ['appliedDataSchema', { applied: 'yes' }, 'applied'],
    ['rowsDataSchema', { rows: {} }, 'rows'],
    ['rowsDataSchema', { rows: [], truncated: 1 }, 'truncated'],
  ])('%s refuses %j', (name, data, path) => {
    expect(schemas[name].safeParse(data).error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });
});

describe('truncatedDataSchema', () => {
  test('accepts the envelopes of the framework, saved or not, and requires every count', async () => {
    const output = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join('\n');
    const stored = (await truncateOutput(output, {
      store: memoryStore(),
      scope: 'a',
      toolName: 'read',
      toolCallId: 'c',
    })) as TruncatedOutput;
    expect(truncatedDataSchema.parse(stored.data)).toStrictEqual(stored.data);
    expect(toolResponseSchemaOf(truncatedDataSchema).safeParse(stored).success).toBe(true);
    const { kept_lines: _, ...truncation } = stored.data.truncation;
    expect(truncatedDataSchema.safeParse({ ...stored.data, truncation }).success).toBe(false);
    expect(truncatedDataSchema.safeParse({ ...stored.data, truncated: false }).success).toBe(false);
    const lost = { ...stored.data, truncation: { ...stored.data.truncation, full_output_path: null } };
    expect(truncatedDataSchema.safeParse(lost).success).toBe(true);
  });
});
