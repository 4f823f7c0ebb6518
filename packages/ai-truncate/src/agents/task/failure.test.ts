import { afterEach, describe, expect, test, vi } from 'vitest';
import { ArtifactNotFoundError } from '../../artifacts/artifacts.ts';
import { AiTruncateError, InvalidOptionError } from '../../errors.ts';
import { startAgentDeadline, toAgentFailure, warnOfFailure } from './failure.ts';
import type { TaskEvent } from './options.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const foreign = (facts: object) => Object.assign(new Error('SECRET'), facts);

describe('the reason of a failure', () => {
  test.each<[string, unknown, object]>([
    [
      'an error of other code',
      foreign({ name: 'AI_APICallError', statusCode: 429 }),
      { reason: 'AI_APICallError, status 429.', status: 429 },
    ],
    [
      'the last of several attempts',
      foreign({ name: 'AI_RetryError', lastError: foreign({ name: 'AI_APICallError', statusCode: 503 }) }),
      { reason: 'AI_APICallError, status 503.', status: 503 },
    ],
    [
      'a name that is a sentence',
      foreign({ name: 'SECRET sk-live at http://x' }),
      { reason: 'Error.', status: undefined },
    ],
    ['a long name', foreign({ name: 'E'.repeat(1000) }), { reason: `${'E'.repeat(59)}….` }],
    ['a status that is a text', foreign({ statusCode: '500 SECRET' }), { reason: 'Error.', status: undefined }],
    [
      'an option error, which shows a value',
      new InvalidOptionError({ option: 'x', value: 'SECRET', expected: 'y' }),
      { reason: 'InvalidOptionError.', isOwn: false },
    ],
    ['a text', 'SECRET', { reason: 'Error.' }],
    ['nothing', undefined, { reason: 'Error.' }],
    [
      'an object that cannot be read',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('SECRET');
          },
          has: () => {
            throw new Error('SECRET');
          },
        },
      ),
      { reason: 'Error.' },
    ],
  ])('never has the message of %s', (_, error, expected) => {
    expect(toAgentFailure(error)).toMatchObject({ code: 'EXECUTION_ERROR', ...expected });
    expect(JSON.stringify(toAgentFailure(error))).not.toContain('SECRET');
  });

  test('has the message of an error of this library, as one quotation', () => {
    const error = new AiTruncateError('It said "yes".\nNext line', { code: 'STORE_FULL' });
    expect(toAgentFailure(error)).toMatchObject({ reason: `"It said 'yes'. Next line"`, isOwn: true });
    const long = new AiTruncateError('x'.repeat(1_000_000), { code: 'STORE_FULL' });
    expect(toAgentFailure(long).reason).toBe(`"${'x'.repeat(299)}…"`);
  });

  test.each<[unknown, string]>([
    [new AiTruncateError('late', { code: 'AGENT_TIMEOUT' }), 'TIMEOUT'],
    [new DOMException('late', 'TimeoutError'), 'TIMEOUT'],
    [foreign({ lastError: new DOMException('late', 'TimeoutError') }), 'TIMEOUT'],
    [new ArtifactNotFoundError('a.txt'), 'NOT_FOUND'],
    [foreign({ code: 'ENOENT' }), 'EXECUTION_ERROR'],
  ])('has a code of the protocol: %s is %s', (error, code) => {
    expect(toAgentFailure(error).code).toBe(code);
  });
});

describe('a warning', () => {
  const failed = (error: unknown, status: TaskEvent['status'] = 'error'): TaskEvent => ({
    agent: 'helper',
    toolCallId: 'call_1',
    status,
    result: { conclusion: '', error },
    timeMs: 1,
  });

  function warnings(...events: TaskEvent[]): string[] {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const listen = warnOfFailure();
    for (const event of events) listen(event);
    return warn.mock.calls.map(([text]) => String(text));
  }

  test('is printed for the first failure only', () => {
    const events = [
      failed(undefined, 'success'),
      failed(undefined, 'aborted'),
      failed(new Error('one')),
      failed(new Error('two')),
    ];
    expect(warnings(...events)).toEqual([
      'ai-truncate: the sub-agent "helper" failed: Error. one `onTask` receives each failure; this warning is printed once.',
    ]);
  });

  test('is printed once for each tool', () => {
    warnings(failed(new Error('one')));
    expect(warnings(failed(new Error('two')))).toHaveLength(2);
  });

  test('has at most 500 characters of a message, and never the request of a provider', () => {
    const [text = ''] = warnings(failed(foreign({ message: 'x'.repeat(1_000_000), requestBodyValues: 'TOOL OUTPUT' })));
    expect(text).toContain(`${'x'.repeat(499)}…`);
    expect(text.length).toBeLessThan(700);
    expect(text).not.toContain('TOOL OUTPUT');
  });

  test('says the message of an error of this library once', () => {
    const [text = ''] = warnings(failed(new AiTruncateError('disk full', { code: 'STORE_FULL' })));
    expect(text.match(/disk full/g)).toHaveLength(1);
  });
});

describe('the time limit of an agent', () => {
  test('aborts with an error of this library', async () => {
    vi.useFakeTimers();
    const { signal } = startAgentDeadline(2000, {});
    await vi.advanceTimersByTimeAsync(1999);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(signal.reason).toMatchObject({
      code: 'AGENT_TIMEOUT',
      message: 'It had not answered after 2 seconds.',
    });
  });

  test('aborts earlier with the signal of the caller, for its reason', () => {
    const controller = new AbortController();
    const { signal, clear } = startAgentDeadline(2000, { abortSignal: controller.signal });
    controller.abort(new Error('left'));
    clear();
    expect(signal.reason).toMatchObject({ message: 'left' });
  });
});
