import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { failure, partial, type ResponseTextOptions, responseText, success } from './response-builders.ts';
import { nextAfter, stateOf } from './response-words.ts';
import { toolErrorCodes } from './tool-response.ts';
import { isOwn } from './truncated-output.ts';

const facts = { input: { path: 'src' }, startedAt: performance.now() };
const done = { ...facts, data: { paths: ['src/a.ts'] }, happened: 'Found 1 file.' };

/** For calls like in a program without types. */
const untyped = { success, partial, failure } as unknown as Record<string, (options: object) => object>;

describe('a builder', () => {
  test('makes a success', () => {
    expect(
      success({ ...done, stats: { total_paths: 1 }, pathResolved: 'src', context: { engine: 'git' } }),
    ).toStrictEqual({
      status: 'success',
      data: { paths: ['src/a.ts'] },
      text: 'Found 1 file.',
      stats: { time_ms: expect.any(Number), total_paths: 1 },
      context: { cwd: '.', params_input: { path: 'src' }, path_resolved: 'src', engine: 'git' },
    });
  });

  test('makes a partial answer, whose text says why it is incomplete', () => {
    const answer = partial({ ...done, data: { paths: ['a'], truncated: true }, next: 'Narrow the pattern.' });
    expect(answer).toMatchObject({ status: 'partial', data: { truncated: true } });
    expect(answer.text).toBe('Found 1 file. The result is truncated. Narrow the pattern.');
    expect(partial({ ...done, state: 'Only the first of many.', next: 'Narrow it.' }).text).toBe(
      'Found 1 file. Only the first of many. Narrow it.',
    );
  });

  test('makes an error, with the message as its text and empty data', () => {
    const answer = failure({ ...facts, code: 'NOT_FOUND', message: 'There is no src.', next: 'List the directory.' });
    expect(answer).toMatchObject({
      status: 'error',
      data: {},
      text: 'There is no src. List the directory.',
      error: { code: 'NOT_FOUND', message: 'There is no src.' },
    });
    const told = failure({
      ...facts,
      code: 'TIMEOUT',
      message: 'x',
      happened: 'Searched 3 of 9 files',
      next: 'Retry.',
    });
    expect(told.text).toBe('Searched 3 of 9 files. Retry.');
  });

  test('counts the time from the start', () => {
    const { stats } = success({ ...done, startedAt: 0 });
    expect(stats.time_ms).toBeGreaterThan(0);
    expect(stats.time_ms).toBeLessThanOrEqual(Math.ceil(performance.now()));
    expect(Number.isInteger(stats.time_ms)).toBe(true);
  });

  test('shows an absolute directory relative to the project', () => {
    expect(success({ ...done, cwd: '/srv/app/src', root: '/srv/app' }).context.cwd).toBe('src');
    expect(success({ ...done, cwd: 'C:\\app\\src', root: 'c:\\app' }).context.cwd).toBe('src');
  });

  test('preserves the parameters, and uses `{}` if there were none', () => {
    const input = { path: 'src', limit: null };
    expect(success({ ...done, input }).context.params_input).toBe(input);
    expect(success({ ...done, input: undefined }).context.params_input).toEqual({});
  });

  test('makes the resolved path relative to the root', () => {
    expect(success({ ...done, pathResolved: '/srv/src/a.ts', root: '/srv' }).context.path_resolved).toBe('src/a.ts');
    expect(success({ ...done, pathResolved: './src/../a.ts' }).context.path_resolved).toBe('a.ts');
  });

  test('accepts data that has a field called `toJSON`', () => {
    expect(success({ ...done, data: { toJSON: 'to_json' } }).data).toEqual({ toJSON: 'to_json' });
  });

  test('asks to skip truncation only if its caller does, and only such an answer is believed', () => {
    const skipping = success({ ...done, truncationSkip: true });
    expect(skipping.context.truncation_skip).toBe(true);
    expect(isOwn(skipping)).toBe(true);
    const relaying = success({ ...done, data: { truncation: {}, context: { truncation_skip: true } } });
    expect(relaying.context).not.toHaveProperty('truncation_skip');
    expect(isOwn(relaying)).toBe(false);
    expect(isOwn({ ...skipping })).toBe(false);
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;

  test.each<[string, keyof typeof untyped, object, string]>([
    [
      'a truncated success',
      'success',
      { data: { truncated: true } },
      "`status` must be 'partial' where `data.truncated`",
    ],
    [
      'a dry run as success',
      'success',
      { data: { applied: false } },
      "`status` must be 'partial' where `data.applied`",
    ],
    ['data that is a list', 'success', { data: [] }, '`data` must be an object'],
    ['data that is a date', 'success', { data: new Date() }, '`data` must be a plain object'],
    ['no words', 'success', { happened: '' }, '`happened` must be a text'],
    ['a partial answer without a next step', 'partial', {}, '`next` must be the next step'],
    ['an error without a next step', 'failure', { code: 'X', message: 'x' }, '`next` must be the next step'],
    ['an error without a code', 'failure', { message: 'x', next: 'x' }, '`code` must be a text'],
    ['an error without a message', 'failure', { code: 'X', message: ' ', next: 'x' }, '`message` must be a text'],
    [
      'a start by the calendar',
      'success',
      { startedAt: Date.now() },
      '`startedAt` must be the value of `performance.now()`',
    ],
    ['no start', 'success', { startedAt: undefined }, '`startedAt` must be the value of `performance.now()`'],
    ['a start that is not a number', 'success', { startedAt: Number.NaN }, '`startedAt` must be'],
    ['a start before time', 'success', { startedAt: Number.NEGATIVE_INFINITY }, '`startedAt` must be'],
    ['a negative start', 'success', { startedAt: -1e15 }, '`startedAt` must be'],
    [
      'an absolute resolved path',
      'success',
      { pathResolved: '/etc/passwd' },
      '`pathResolved` must be inside the project',
    ],
    ['a resolved path outside', 'success', { pathResolved: '../x' }, '`pathResolved` must be inside the project'],
    ['a resolved path that is not a path', 'success', { pathResolved: 7 }, '`pathResolved` must be inside the project'],
    ['an absolute directory without a root', 'success', { cwd: '/srv' }, '`cwd` must be inside the project'],
    [
      'a directory outside',
      'success',
      { cwd: '/etc', root: '/srv' },
      '`cwd` must be inside the project: relative to its root',
    ],
    ['a directory that is not a path', 'success', { cwd: 7 }, '`cwd` must be inside the project'],
    ['its own time', 'success', { stats: { time_ms: 1 } }, '`stats.time_ms` must be absent, because it is measured'],
    [
      'a stat that JSON cannot carry',
      'success',
      { stats: { rate: Number.NaN } },
      '`stats.rate` must be a finite number',
    ],
    ['a skip in a context', 'success', { context: { truncation_skip: true } }, 'given by the option `truncationSkip`'],
    ['a cwd in a context', 'success', { context: { cwd: 'x' } }, '`context.cwd` must be given by the option `cwd`'],
    [
      'a BigInt',
      'success',
      { data: { rows: [{ id: 1n }] } },
      '`data.rows.0.id` must be a number or a text: JSON has no',
    ],
    ['a cycle', 'success', { data: { tree: cycle } }, 'must be without a cycle'],
    ['a cycle in the parameters', 'success', { input: cycle }, '`input.self.self'],
    ['a cycle in the context', 'success', { context: { more: cycle } }, '`context.more.self'],
    [
      'parameters that are a function',
      'success',
      { input: () => 1 },
      '`input` must be a value that JSON can represent',
    ],
  ])('refuses %s, and names the field', (_name, builder, change, message) => {
    const build = () => untyped[builder]?.({ ...done, ...change });
    expect(build).toThrow(InvalidOptionError);
    expect(build).toThrow(message);
  });

  test('does not search long in a large answer', () => {
    let looks = 0;
    const row = {
      get id() {
        return looks++;
      },
    };
    success({ ...done, data: { rows: new Array(1_000_000).fill(row) } });
    expect(looks).toBeGreaterThan(1000);
    expect(looks).toBeLessThanOrEqual(100_000);
  });
});

describe('responseText', () => {
  test('says what happened, in what state, and what to do next', () => {
    const text = responseText({
      status: 'partial',
      happened: "Found 100 matches for 'TODO'",
      state: 'Truncated to the first 100',
      next: "Narrow 'path' or increase 'limit'",
    });
    expect(text).toBe("Found 100 matches for 'TODO'. Truncated to the first 100. Narrow 'path' or increase 'limit'.");
  });

  test('leaves the end of a sentence unchanged', () => {
    const text = responseText({ status: 'success', happened: ' Done! ', state: '(Cached.)', next: 'More?' });
    expect(text).toBe('Done! (Cached.) More?');
    expect(responseText({ status: 'success', happened: 'Found 3 (in 2 files)' })).toBe('Found 3 (in 2 files).');
  });

  test('needs no next step for a success', () => {
    expect(responseText({ status: 'success', happened: 'Listed 20 entries.', next: '' })).toBe('Listed 20 entries.');
  });

  test.each(['partial', 'error'] as const)('refuses an empty next step where the status is %s', (status) => {
    for (const next of ['', '  ', undefined]) {
      const options = { status, happened: 'Found 1.', next } as ResponseTextOptions;
      expect(() => responseText(options)).toThrow(
        `\`next\` must be the next step, which an answer with status '${status}'`,
      );
    }
  });

  test.each<[string, object]>([
    ['happened', { happened: '' }],
    ['happened', { happened: 5 }],
    ['state', { happened: 'x', state: 1 }],
    ['next', { happened: 'x', next: {} }],
  ])('names `%s` if it is not a text', (option, options) => {
    const compose = () => responseText({ status: 'success', ...options } as ResponseTextOptions);
    expect(compose).toThrow(InvalidOptionError);
    expect(compose).toThrow(`\`${option}\` must be a text`);
  });
});

describe('the default texts for a tool without its own', () => {
  test('describe the state according to the marks', () => {
    expect(stateOf({ entries: [] })).toBe('');
    expect(stateOf({ truncated: true, fallback: 'python', failed_items: [1, 2], applied: false })).toBe(
      'The result is truncated. A fallback was used: python. 2 items failed. Dry run: nothing was written.',
    );
    expect(stateOf({ failed_items: ['a'] })).toBe('1 item failed.');
  });

  test('contain a next step for each of the ten codes, and for an unknown code', () => {
    expect(toolErrorCodes).toHaveLength(10);
    expect(new Set(toolErrorCodes.map(nextAfter)).size).toBe(10);
    expect(nextAfter('QUOTA')).toBe(nextAfter('INTERNAL_ERROR'));
    expect(nextAfter('constructor')).toBe(nextAfter('INTERNAL_ERROR'));
  });
});
