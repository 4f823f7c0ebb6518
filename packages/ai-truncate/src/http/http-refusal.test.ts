import { describe, expect, test } from 'vitest';
import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import {
  HttpRefusal,
  httpWords,
  internalError,
  invalidParameter,
  notFound,
  refusalOf,
  requireText,
  tooSlow,
} from './http-refusal.ts';

const withCode = (code: string) => Object.assign(new Error('SECRET /srv/data'), { code });

describe('the refusal for a failure', () => {
  test.each<[string, unknown, number, string, string]>([
    ['a missing artifact', new ArtifactNotFoundError('/srv/a.txt'), 404, 'NOT_FOUND', httpWords.notFound],
    ['a missing file', withCode('ENOENT'), 500, 'INTERNAL_ERROR', httpWords.internalError],
    ['a file without rights', withCode('EACCES'), 500, 'INTERNAL_ERROR', httpWords.internalError],
    ['a full disk', withCode('ENOSPC'), 503, 'EXECUTION_ERROR', httpWords.storeFailed],
    ['a lost connection', withCode('ECONNRESET'), 503, 'EXECUTION_ERROR', httpWords.storeFailed],
    ['a time limit of the system', withCode('ETIMEDOUT'), 504, 'TIMEOUT', httpWords.tooSlow],
    ['a time limit', new DOMException('SECRET', 'TimeoutError'), 504, 'TIMEOUT', httpWords.tooSlow],
    [
      'a broken side-car',
      new AiTruncateError('SECRET', { code: 'ARTIFACT_INFO_BROKEN' }),
      503,
      'EXECUTION_ERROR',
      httpWords.storeFailed,
    ],
    [
      'a wrong option',
      new InvalidOptionError({ option: 'x', value: 'SECRET', expected: 'y' }),
      500,
      'INTERNAL_ERROR',
      httpWords.internalError,
    ],
    ['a text', 'SECRET', 500, 'INTERNAL_ERROR', httpWords.internalError],
    ['nothing', undefined, 500, 'INTERNAL_ERROR', httpWords.internalError],
  ])('says nothing of its own words: %s', (_, cause, status, code, message) => {
    const refusal = refusalOf(cause);
    expect(refusal).toMatchObject({ status, code, message, headers: {} });
    // The log needs the failure itself. A missing artifact is no failure.
    expect(refusal.cause).toBe(status === 404 ? undefined : cause);
  });

  test('is the refusal itself if there is one already', () => {
    const refusal = new HttpRefusal('ACCESS_DENIED', { message: httpWords.crossSite });
    expect(refusalOf(refusal)).toBe(refusal);
  });
});

describe('a refusal', () => {
  test('has the status of its code, its headers and its cause', () => {
    const cause = new Error('x');
    const refusal = new HttpRefusal('METHOD_NOT_ALLOWED', { message: 'm', headers: { Allow: 'GET' }, cause });
    expect(refusal).toMatchObject({ status: 405, headers: { Allow: 'GET' }, cause, message: 'm', name: 'HttpRefusal' });
  });

  test('names a wrong parameter, its value and what is accepted', () => {
    const { status, message } = invalidParameter('count', { value: '0', expected: 'a whole number' });
    expect([status, message]).toEqual([400, "`count` must be a whole number; got '0'."]);
    expect(invalidParameter('q', { value: 'x'.repeat(1_000_000), expected: 'short' }).message.length).toBeLessThan(100);
  });

  test('is the same for each missing artifact', () => {
    expect(refusalOf(new ArtifactNotFoundError('a'))).toEqual(notFound());
    expect(notFound().cause).toBeUndefined();
  });

  test('for the log has the failure', () => {
    const cause = new Error('x');
    expect([tooSlow(cause), internalError(cause)].map((refusal) => [refusal.status, refusal.cause])).toEqual([
      [504, cause],
      [500, cause],
    ]);
  });
});

describe('text', () => {
  test.each(['text', 'html'] as const)('may be %s', (kind) => {
    expect(() => requireText(kind)).not.toThrow();
  });

  test.each(['gzip', 'utf-16', 'binary'] as const)('is not %s, and the refusal says so', (kind) => {
    const refusal = expect.objectContaining({ status: 422, code: 'BINARY_FILE', message: httpWords.noText(kind) });
    expect(() => requireText(kind)).toThrow(refusal);
  });
});
