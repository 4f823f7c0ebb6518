import { describe, expect, test } from 'vitest';
import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import { AiTruncateError } from '../errors.ts';
import { readerErrors } from './reader-words.ts';
import { ReaderRefusal, requireReadable, storeFailure, wrongParameter } from './refusals.ts';

const withCode = (code: unknown) => Object.assign(new Error('SECRET /srv/data'), { code });

describe('a failure of a store, for the model', () => {
  test('has the message of an error of this library', () => {
    const missing = new ArtifactNotFoundError('a.txt');
    expect(storeFailure(missing)).toEqual({ code: 'NOT_FOUND', message: missing.message });
    const hung = new AiTruncateError('The store hangs.', { code: 'STORE_TIMEOUT' });
    expect(storeFailure(hung)).toEqual({ code: 'TIMEOUT', message: 'The store hangs.' });
  });

  test.each<[string, unknown, string, string]>([
    ['a known code', withCode('ECONNRESET'), 'EXECUTION_ERROR', readerErrors.storeFailed('ECONNRESET')],
    ['an unknown code', withCode('E_NEW'), 'INTERNAL_ERROR', readerErrors.storeFailed('E_NEW')],
    ['a code of 40 characters', withCode('E'.repeat(40)), 'INTERNAL_ERROR', readerErrors.storeFailed('E'.repeat(40))],
    ['a longer code', withCode('E'.repeat(41)), 'INTERNAL_ERROR', readerErrors.readerFailed('INTERNAL_ERROR')],
    ['a code with a place', withCode('/srv/data'), 'INTERNAL_ERROR', readerErrors.readerFailed('INTERNAL_ERROR')],
    ['a code that is a number', withCode(23), 'INTERNAL_ERROR', readerErrors.readerFailed('INTERNAL_ERROR')],
    ['no code', new Error('SECRET'), 'INTERNAL_ERROR', readerErrors.readerFailed('INTERNAL_ERROR')],
    ['a time limit', new DOMException('SECRET', 'TimeoutError'), 'TIMEOUT', readerErrors.storeFailed('TIMEOUT')],
    ['a text', 'SECRET', 'INTERNAL_ERROR', readerErrors.readerFailed('INTERNAL_ERROR')],
    ['nothing', undefined, 'INTERNAL_ERROR', readerErrors.readerFailed('INTERNAL_ERROR')],
  ])('never has the message of a foreign error: %s', (_, error, code, message) => {
    expect(storeFailure(error)).toEqual({ code, message });
  });
});

describe('content', () => {
  test.each(['text', 'html'] as const)('is readable if it is %s', (kind) => {
    expect(() => requireReadable(kind)).not.toThrow();
  });

  test.each(['gzip', 'utf-16', 'binary'] as const)('is refused if it is %s', (kind) => {
    const next = readerErrors.askPerson;
    const refusal = expect.objectContaining({ code: 'BINARY_FILE', message: readerErrors.binary(kind), next });
    expect(() => requireReadable(kind)).toThrow(refusal);
  });
});

test('a refusal is an error with its code, its message and the next step', () => {
  const refusal = wrongParameter('`count` must be a number.');
  expect(refusal).toBeInstanceOf(ReaderRefusal);
  expect(refusal).toMatchObject({
    name: 'ReaderRefusal',
    code: 'INVALID_PARAM',
    message: '`count` must be a number.',
    next: readerErrors.correct,
  });
});
