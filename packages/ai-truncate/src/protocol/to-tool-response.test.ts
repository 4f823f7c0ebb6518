import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { success } from './response-builders.ts';
import { toToolResponse } from './to-tool-response.ts';
import { isOwn } from './truncated-output.ts';

const options = { input: { path: 'src' }, startedAt: performance.now() };
const envelope = {
  status: 'success',
  data: { content: 'x' },
  text: 'Read 1 line.',
  stats: { time_ms: 7 },
  context: { cwd: 'src', params_input: { path: 'a' } },
};

describe('toToolResponse', () => {
  test('returns an envelope unchanged, with the mark of its builder', () => {
    const own = success({ ...options, data: { content: '' }, happened: 'Read.', truncationSkip: true });
    expect(toToolResponse(own, options)).toBe(own);
    expect(toToolResponse(envelope, options)).toBe(envelope);
  });

  test('adds no mark, because a relayed envelope must not skip truncation', () => {
    const relayed = { ...envelope, error: null, context: { ...envelope.context, truncation_skip: true } };
    const answer = toToolResponse(relayed, { ...options, truncationSkip: true } as typeof options);
    expect(isOwn(answer)).toBe(false);
    const fromData = toToolResponse({ rows: [] }, { ...options, truncationSkip: true } as typeof options);
    expect(isOwn(fromData)).toBe(false);
    expect(fromData.context).not.toHaveProperty('truncation_skip');
  });

  test('treats `error: null` as absent', () => {
    expect(toToolResponse({ ...envelope, error: null }, options)).toStrictEqual(envelope);
    expect(toToolResponse({ output: 'x', error: null }, options)).toMatchObject({
      status: 'success',
      data: { output: 'x' },
    });
  });

  test('adds fields that an older envelope lacks', () => {
    const { stats: _, context: __, ...bare } = envelope;
    expect(toToolResponse(bare, options)).toMatchObject({
      stats: { time_ms: expect.any(Number) },
      context: { cwd: '.', params_input: { path: 'src' } },
    });
    expect(toToolResponse({ ...envelope, context: { tool: 'x' } }, options).context).toEqual({
      cwd: '.',
      params_input: { path: 'src' },
      tool: 'x',
    });
  });

  test.each([
    ['Error: Path not found', 'INTERNAL_ERROR'],
    ["Error: ENOENT: no such file or directory, open 'x'", 'NOT_FOUND'],
    ['EACCES: permission denied', 'PERMISSION_DENIED'],
    ['TimeoutError: TIMEOUT: 30 s', 'TIMEOUT'],
    ['INVALID_PARAM: no such group', 'INVALID_PARAM'],
    ['Error: NOTHING: x', 'INTERNAL_ERROR'],
  ])('makes an error of the old text %j, with the code %s', (error, code) => {
    const answer = toToolResponse({ error, exit_code: 1 }, options);
    expect(answer).toMatchObject({ status: 'error', error: { code, message: error }, data: { exit_code: 1 } });
    expect(answer.text.startsWith(`${error}. `)).toBe(true);
    expect(answer.context).toEqual({ cwd: '.', params_input: { path: 'src' } });
  });

  test('makes an error of an envelope with the old text, and preserves its other fields', () => {
    const answer = toToolResponse({ ...envelope, error: 'Error: x' }, options);
    expect(answer).toStrictEqual({
      ...envelope,
      status: 'error',
      text: 'Error: x. Try another way, because the same call may fail again.',
      error: { code: 'INTERNAL_ERROR', message: 'Error: x' },
    });
    const told = { ...envelope, status: 'error', text: 'Found nothing. List the directory.', error: 'NOT_FOUND: x' };
    expect(toToolResponse(told, options)).toMatchObject({ text: told.text, error: { code: 'NOT_FOUND' } });
  });

  test.each<[unknown, object, object]>([
    [{ error: { message: 'x' }, data: 1 }, { code: 'INTERNAL_ERROR', message: 'x' }, { data: 1 }],
    [
      { error: { code: 'ENOENT', message: 'x' } },
      { code: 'NOT_FOUND', message: 'x' },
      { error_details: { code: 'ENOENT', message: 'x' } },
    ],
    [{ error: { code: 'QUOTA', message: 'x' } }, { code: 'QUOTA', message: 'x' }, {}],
    [{ error: { reason: 'x' } }, { message: 'The tool failed.' }, { error_details: { reason: 'x' } }],
    [{ error: true }, { code: 'INTERNAL_ERROR', message: 'The tool failed.' }, {}],
    [{ error: true, message: 'No disk.' }, { message: 'No disk.' }, { message: 'No disk.' }],
    [{ error: 5 }, { message: 'The tool failed.' }, { error_details: 5 }],
    [{ error: new Error('x') }, { message: 'x' }, {}],
    [{ status: 'error', message: 'x' }, { message: 'x' }, { status: 'error', message: 'x' }],
    [{ status: 'error', data: {}, text: 'No disk.' }, { message: 'No disk.' }, {}],
    [{ ...envelope, error: { code: 'TIMEOUT', message: 'x' } }, { code: 'TIMEOUT', message: 'x' }, envelope.data],
    ['Error: boom', { code: 'INTERNAL_ERROR', message: 'Error: boom' }, {}],
    ['TypeError: boom', { message: 'TypeError: boom' }, {}],
  ])('makes an error of %j, with a next step', (value, error, data) => {
    const answer = toToolResponse(value, options);
    expect(answer).toMatchObject({ status: 'error', error });
    expect(answer.data).toEqual(data);
    expect(answer.text).toMatch(/\. (?:Try another way|Check the path|Narrow the request)/);
  });

  test.each([undefined, null, '', ' ', false])('treats `error: %j` as absent', (error) => {
    expect(toToolResponse({ output: 'x', error }, options)).toMatchObject({ status: 'success', data: { output: 'x' } });
    expect(toToolResponse({ ...envelope, error }, options)).toMatchObject({ status: 'success', data: envelope.data });
  });

  test('makes a partial answer of a success that is marked as incomplete', () => {
    const answer = toToolResponse({ ...envelope, data: { content: 'x', truncated: true } }, options);
    expect(answer.status).toBe('partial');
    expect(answer.text).toBe('Read 1 line. The result is truncated. Narrow the request, or request the missing part.');
  });

  test.each<[string, object]>([
    ['data.rows.0', { ...envelope, data: { rows: [1n] } }],
    ['data.rows.0', { ...envelope, data: { rows: [1n] }, error: null }],
    ['error.id', { ...envelope, status: 'error', error: { code: 'X', message: 'x', id: 1n } }],
  ])('refuses values in %s of an envelope that JSON cannot carry', (field, value) => {
    expect(() => toToolResponse(value, options)).toThrow(`\`${field}\` must be a number or a text`);
  });

  test('preserves the whole text of a long old error next to the bounded message', () => {
    const long = `Error: ${'x'.repeat(10_000)}`;
    const answer = toToolResponse({ error: long }, options);
    expect(answer.error?.message).toHaveLength(500);
    expect(answer.text.length).toBeLessThan(700);
    expect(answer.data).toEqual({ error_message: long });
  });

  test('makes an error of an `Error`', () => {
    const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });
    expect(toToolResponse(missing, options)).toMatchObject({
      status: 'error',
      error: { code: 'NOT_FOUND', message: 'no such file' },
      text: 'no such file. Check the path, or list the existing files.',
    });
  });

  test.each<[string, unknown, object]>([
    ['text', 'hello', { content: 'hello' }],
    ['an object', { rows: [1] }, { rows: [1] }],
    ['a list', [1, 2], { result: [1, 2] }],
    ['nothing', undefined, { result: undefined }],
    ['the state of a job', { status: 'error', job: 7 }, { status: 'error', job: 7 }],
  ])('makes a success of %s', (_name, value, data) => {
    expect(toToolResponse(value, options)).toMatchObject({ status: 'success', data, text: 'The tool succeeded.' });
  });

  test.each([{ truncated: true }, { fallback: 'python' }, { failed_items: ['a'] }, { applied: false }])(
    'makes a partial answer of a result that is marked %j',
    (marks) => {
      const answer = toToolResponse({ rows: [], ...marks }, options);
      expect(answer.status).toBe('partial');
      expect(answer.text).toMatch(/^The tool returned only a part of its result\. .+ Narrow the request/);
    },
  );

  test('uses the given texts', () => {
    const answer = toToolResponse(
      { rows: [], truncated: true },
      { ...options, happened: 'Queried.', next: 'Page on.' },
    );
    expect(answer.text).toBe('Queried. The result is truncated. Page on.');
  });

  test.each<[string, object, string]>([
    ['an unknown field', { metadata: 1 }, '`metadata` must be inside'],
    ['an unknown field with an old error', { metadata: 1, error: 'Error: x' }, '`metadata` must be inside'],
    ['an envelope without text', { text: '' }, '`text` must be'],
    ['an absolute cwd', { context: { cwd: '/srv' } }, '`context.cwd` must be relative'],
  ])('names the rule that %s breaks', (_name, change, message) => {
    const convert = () => toToolResponse({ ...envelope, ...change }, options);
    expect(convert).toThrow(InvalidOptionError);
    expect(convert).toThrow(message);
  });
});
