import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import { toolErrorOf } from './error-codes.ts';
import { toolErrorCodes } from './tool-response.ts';

const withCode = (code: unknown) => Object.assign(new Error('It failed.'), { code });

describe('toolErrorOf', () => {
  test.each<[unknown, string]>([
    ['ENOENT', 'NOT_FOUND'],
    ['EACCES', 'PERMISSION_DENIED'],
    ['EPERM', 'PERMISSION_DENIED'],
    ['EISDIR', 'IS_DIRECTORY'],
    ['ENOSPC', 'EXECUTION_ERROR'],
    ['EIO', 'EXECUTION_ERROR'],
    ['ENOTFOUND', 'EXECUTION_ERROR'],
    ['ETIMEDOUT', 'TIMEOUT'],
    ['STORE_TIMEOUT', 'TIMEOUT'],
    ['STORE_UNREACHABLE', 'EXECUTION_ERROR'],
    ['INVALID_OPTION', 'INTERNAL_ERROR'],
    ['constructor', 'INTERNAL_ERROR'],
    [23, 'INTERNAL_ERROR'],
    ...toolErrorCodes.map((code): [string, string] => [code, code]),
  ])('maps an error with the code %s to %s', (code, expected) => {
    expect(toolErrorOf(withCode(code))).toEqual({ code: expected, message: 'It failed.' });
  });

  test('recognizes errors of the file system', async () => {
    const missing = await readFile('/no/such/file').catch(toolErrorOf);
    expect(missing).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('/no/such/file') });
    expect(await writeFile('/', '').catch(toolErrorOf)).toMatchObject({ code: 'IS_DIRECTORY' });
  });

  test('recognizes a timeout', async () => {
    const { reason } = AbortSignal.abort(new DOMException('The deadline passed.', 'TimeoutError'));
    expect(toolErrorOf(reason)).toEqual({ code: 'TIMEOUT', message: 'The deadline passed.' });
  });

  test('recognizes a missing artifact', () => {
    expect(toolErrorOf(new ArtifactNotFoundError('x')).code).toBe('NOT_FOUND');
  });

  test('does not report "not found" if only a cause of the error says so', () => {
    const wrapped = new Error('The settings are broken.', { cause: withCode('ENOENT') });
    expect(toolErrorOf(wrapped).code).toBe('INTERNAL_ERROR');
  });

  test('bounds the message, and ends it with a whole character', () => {
    const { message } = toolErrorOf(new Error(`${'x'.repeat(498)}😀${'y'.repeat(1_000_000)}`));
    expect(message).toBe(`${'x'.repeat(498)}…`);
    expect(toolErrorOf(new Error('y'.repeat(501))).message).toHaveLength(500);
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'Something unknown was thrown.'],
    ['a text', 'no such host', 'no such host'],
    ['a plain object', { message: 'quota' }, 'quota'],
    ['an error without a message', new RangeError(), 'RangeError'],
    ['an empty object', {}, 'Something unknown was thrown.'],
    [
      'an object that throws when it is read',
      {
        get code() {
          throw new Error('no');
        },
      },
      'Something unknown was thrown.',
    ],
  ])('has a message for %s', (_name, thrown, message) => {
    expect(toolErrorOf(thrown)).toEqual({ code: 'INTERNAL_ERROR', message });
  });
});
