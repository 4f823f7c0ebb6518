import { Files } from 'files-sdk';
import { memory } from 'files-sdk/memory';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { InvalidOptionError } from '../../errors.ts';
import { callFiles, findFile, isConflict, isMissing, isRefusal, requireFiles } from './client.ts';

afterEach(() => {
  vi.useRealTimers();
});

const failure = (facts: object) => Object.assign(new Error('It failed.'), facts);

describe('a call', () => {
  /** The number of attempts for a call that always fails with this error. */
  async function attemptsFor(error: unknown): Promise<number> {
    vi.useFakeTimers();
    const send = vi.fn(() => Promise.reject(error));
    const calling = callFiles({ verb: 'head', timeoutMs: 1000 }, send);
    const rejected = expect(calling).rejects.toBe(error);
    await vi.runAllTimersAsync();
    await rejected;
    return send.mock.calls.length;
  }

  test.each<[string, object]>([
    ['without a status', { code: 'Provider' }],
    ['with a status of the server', { code: 'Provider', cause: { statusCode: 503 } }],
    ['with a status of the AWS SDK', { code: 'Provider', cause: { $metadata: { httpStatusCode: 500 } } }],
    ['with a status of another SDK', { code: 'Provider', cause: { status: 502 } }],
    ['with a status as its code', { code: 'Provider', cause: { code: 429 } }],
    ['with a code that is a word', { code: 'Provider', cause: { code: 'ECONNRESET' } }],
    ['408', { code: 'Provider', cause: { status: 408 } }],
    ['409', { code: 'Provider', cause: { status: 409 } }],
    ['425', { code: 'Provider', cause: { status: 425 } }],
  ])('is repeated twice after a temporary failure: %s', async (_, facts) => {
    expect(await attemptsFor(failure(facts))).toBe(3);
  });

  test.each<[string, unknown]>([
    ['that is permanent', failure({ code: 'Provider', permanent: true })],
    ['that is an abort', failure({ code: 'Provider', aborted: true })],
    ['400 of the AWS SDK', failure({ code: 'Provider', cause: { $metadata: { httpStatusCode: 400 } } })],
    ['400', failure({ code: 'Provider', cause: { status: 400 } })],
    ['499', failure({ code: 'Provider', cause: { statusCode: 499 } })],
    ['of another kind', failure({ code: 'NotFound' })],
    ['of the application', new Error('x')],
    ['that is a text', 'broken'],
    ['that is nothing', undefined],
  ])('is not repeated after a failure %s', async (_, error) => {
    expect(await attemptsFor(error)).toBe(1);
  });

  test('has its time for each attempt', async () => {
    vi.useFakeTimers();
    const send = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 900));
      throw failure({ code: 'Provider' });
    });
    const calling = callFiles({ verb: 'head', timeoutMs: 1000 }, send);
    const rejected = expect(calling).rejects.toMatchObject({ code: 'Provider' });
    await vi.runAllTimersAsync();
    await rejected;
    expect(send).toHaveBeenCalledTimes(3);
  });

  test('ends when one attempt hangs', async () => {
    vi.useFakeTimers();
    const calling = callFiles({ verb: 'head', timeoutMs: 1000 }, () => new Promise(() => {}));
    const rejected = expect(calling).rejects.toMatchObject({
      code: 'STORE_TIMEOUT',
      message: expect.stringContaining('`head`'),
    });
    await vi.runAllTimersAsync();
    await rejected;
  });
});

describe('an error', () => {
  test.each<[string, unknown, boolean]>([
    ['a missing key', failure({ code: 'NotFound' }), true],
    ['a missing bucket of S3', failure({ code: 'NotFound', cause: { name: 'NoSuchBucket' } }), false],
    ['a missing bucket by its code', failure({ code: 'NotFound', cause: { Code: 'NoSuchBucket' } }), false],
    ['a missing container of Azure', failure({ code: 'NotFound', cause: { code: 'ContainerNotFound' } }), false],
    ['a missing key of S3', failure({ code: 'NotFound', cause: { name: 'NoSuchKey' } }), true],
    ['missing rights', failure({ code: 'Unauthorized' }), false],
    ['nothing', undefined, false],
  ])('says that a key is missing: %s', (_, error, expected) => {
    expect(isMissing(error)).toBe(expected);
  });

  test('says that a key is taken', () => {
    expect([failure({ code: 'Conflict' }), failure({ code: 'Provider' }), null].map(isConflict)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('says that the backend stored nothing', () => {
    const refusals = [{ code: 'Unauthorized' }, { code: 'ReadOnly' }, { code: 'Provider', permanent: true }];
    expect(refusals.map((facts) => isRefusal(failure(facts)))).toEqual([true, true, true]);
    const others = [{ code: 'Provider' }, { code: 'Conflict' }, { permanent: 'yes' }];
    expect(others.map((facts) => isRefusal(failure(facts)))).toEqual([false, false, false]);
  });
});

describe('the metadata of a value', () => {
  const bucket = { files: new Files({ adapter: memory() }), prefix: 'all/', timeoutMs: 1000 };

  test('is found under the prefix', async () => {
    await bucket.files.upload('all/a/b.txt', new Uint8Array(5));
    expect(await findFile(bucket, { verb: 'head', key: 'a/b.txt' })).toMatchObject({ key: 'all/a/b.txt', size: 5 });
  });

  test('does not exist for a missing key', async () => {
    expect(await findFile(bucket, { verb: 'head', key: 'a/none.txt' })).toBeUndefined();
  });

  test('is unknown if the backend fails', async () => {
    const head = () => Promise.reject(failure({ code: 'Unauthorized' }));
    const files = { ...bucket, files: { ...bucket.files, head } as never };
    await expect(findFile(files, { verb: 'head', key: 'a/b.txt' })).rejects.toMatchObject({ code: 'Unauthorized' });
  });
});

describe('a `Files`', () => {
  const files = new Files({ adapter: memory() });
  const { capabilities } = files;
  const methods = { upload() {}, download() {}, head() {}, list() {}, delete() {} };

  test('has capabilities and five methods', () => {
    expect(() => requireFiles(files)).not.toThrow();
    expect(() => requireFiles({ capabilities, ...methods })).not.toThrow();
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an older version, without conditional writes', { capabilities: { rangeRead: true }, ...methods }],
    ['methods alone', methods],
    ['an object without one method', { capabilities, ...methods, list: undefined }],
  ])('is not %s', (_, value) => {
    expect(() => requireFiles(value)).toThrow(InvalidOptionError);
    expect(() => requireFiles(value)).toThrow('`files` must be a `Files` of files-sdk 2.6 or newer');
  });
});
