import { describe, expect, test } from 'vitest';
import type { RedactedCounts } from '../text/redaction.ts';
import { type RedactOption, redactorOf } from '../text/redactor.ts';
import { secretPatterns } from '../text/secret-patterns.ts';
import { redactValue } from './redact-value.ts';

const patterns: RedactOption = [
  ...secretPatterns,
  { kind: 'pin', pattern: 'pin: \\d{4}' },
  { kind: 'id', pattern: '^ID\\d+' },
];
const token = `ghp_${'aB3'.repeat(12)}`;
const shown = '[REDACTED:github-token]';

async function redacted<Value>(value: Value): Promise<{ value: Value; counts: RedactedCounts }> {
  const counts: RedactedCounts = {};
  return { value: await redactValue(value, { redactor: redactorOf(patterns), counts }), counts };
}

describe('a value', () => {
  test('without secrets is the same object', async () => {
    const value = { list: [1, 'two', null], date: new Date(0), bytes: new Uint8Array(3), map: new Map([['a', 1]]) };
    expect((await redacted(value)).value).toBe(value);
  });

  test('is copied where it has secrets, and shares the rest', async () => {
    const rest = { a: [1, 2] };
    const value = { rest, list: ['x', `token ${token}`], deep: { deeper: { token } } };
    const { value: copy, counts } = await redacted(value);
    expect(copy).toEqual({ rest, list: ['x', `token ${shown}`], deep: { deeper: { token: shown } } });
    expect(copy.rest).toBe(rest);
    expect(value.deep.deeper.token).toBe(token);
    expect(counts).toEqual({ 'github-token': 2 });
  });

  test('is searched with its keys in front of its strings', async () => {
    const value = {
      pin: '1234',
      other: '1234',
      SecretAccessKey: 'aB3/'.repeat(10),
      Authorization: 'Basic dXNlcjpwYXNz',
    };
    expect((await redacted(value)).value).toEqual({
      pin: '[REDACTED:pin]',
      other: '1234',
      SecretAccessKey: '[REDACTED:aws-secret-key]',
      Authorization: 'Basic [REDACTED:authorization]',
    });
  });

  test('is searched without its keys too, because a pattern may start a line', async () => {
    expect((await redacted({ user: 'ID77 x' })).value).toEqual({ user: '[REDACTED:id] x' });
  });

  test('has no secrets in its keys, and keeps members whose keys become equal', async () => {
    const other = `ghp_${'cD4'.repeat(12)}`;
    const { value } = await redacted({ [token]: 1, [other]: 2, plain: 3 });
    expect(value).toEqual({ [shown]: 1, [`${shown} (2)`]: 2, plain: 3 });
  });

  test('has no secrets in texts that are objects', async () => {
    const boxed = { clean: new String('x'), list: [new String(`a ${token}`)], date: new Date(0) };
    expect((await redacted(boxed)).value).toEqual({ clean: boxed.clean, list: [`a ${shown}`], date: boxed.date });
  });

  test('has no secrets in its keys, however many keys become equal', async () => {
    const count = 50_000;
    const keys = Array.from({ length: count }, (_, index) => `ghp_${String(index).padStart(36, '0')}`);
    const { value } = await redacted(Object.fromEntries([...keys, `${shown} (3)`].map((key) => [key, 0])));
    expect(Object.keys(value)).toHaveLength(count + 1);
    expect(Object.keys(value)).toContain(`${shown} (${count})`);
  });

  test('keeps its numbers, also where a pattern would match their digits', async () => {
    expect((await redacted({ pin: 1234 })).value).toEqual({ pin: 1234 });
  });

  test('may refer to itself and share its parts', async () => {
    const value: Record<string, unknown> = { token };
    value.self = value;
    const part = { token };
    value.parts = [part, part];
    const { value: copy, counts } = await redacted(value);
    expect(copy).toEqual({ token: shown, self: '[Circular]', parts: [{ token: shown }, { token: shown }] });
    expect(counts).toEqual({ 'github-token': 2 });
    const clean: Record<string, unknown> = { a: 1 };
    clean.self = clean;
    expect((await redacted(clean)).value).toBe(clean);
  });

  test('that is shared a million times is searched once', async () => {
    let value: unknown = { token };
    for (let level = 0; level < 200; level++) value = [value, value];
    expect((await redacted(value)).counts).toEqual({ 'github-token': 1 });
  });

  test('may be nested deeper than the stack', async () => {
    let value: unknown = token;
    for (let level = 0; level < 100_000; level++) value = [value];
    expect((await redacted(value)).counts).toEqual({ 'github-token': 1 });
  });

  test('that is an instance of a class becomes its JSON if that has a secret', async () => {
    class Account {
      name = 'ann';
      constructor(readonly secret: string) {}
    }
    const url = new URL('https://ann:hunter22@example.org/x');
    const plain = new URL('https://example.org/');
    const { value } = await redacted({ url, plain, clean: new Account('none'), account: new Account(token) });
    expect(value.url).toBe('https://ann:[REDACTED:url-password]@example.org/x');
    expect(value.plain).toBe(plain);
    expect(value.clean).toBeInstanceOf(Account);
    expect(value.account).toEqual({ name: 'ann', secret: shown });
  });

  test('that cannot be read is left as it is', async () => {
    const value = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect((await redacted({ value, token })).value).toEqual({ value, token: shown });
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    const { value: copy } = await redacted({ proxy, token });
    expect([Object.is(copy.proxy, proxy), copy.token]).toEqual([true, shown]);
  });

  test('may have a key that is special in JavaScript', async () => {
    const value: unknown = JSON.parse(`{"__proto__":{"a":"${token}"},"constructor":"${token}"}`);
    const copy: unknown = (await redacted(value)).value;
    expect(JSON.stringify(copy)).toBe(`{"__proto__":{"a":"${shown}"},"constructor":"${shown}"}`);
  });

  test('keeps files as they are, and redacts files of text', async () => {
    const base64 = Buffer.from(`a ${token} b`).toString('base64');
    const { value } = await redacted([
      { type: 'image', data: base64, mimeType: 'image/png' },
      { type: 'resource', resource: { blob: base64, mimeType: 'text/plain' } },
    ]);
    expect(value[0]?.data).toBe(base64);
    expect(Buffer.from(value[1]?.resource?.blob ?? '', 'base64').toString()).toBe(`a ${shown} b`);
  });

  test('does not change while it is searched, although its tool changes the object', async () => {
    const value = { rows: Array.from({ length: 20_000 }, (_, index) => ({ index, token })) };
    const work = redacted(value);
    for (const row of value.rows) row.token = 'changed';
    value.rows.length = 5;
    const { value: copy } = await work;
    expect(copy.rows).toHaveLength(20_000);
    expect(copy.rows.every((row) => row.token === shown)).toBe(true);
  });
});

describe('a pattern that reads the rest of the text for each match', () => {
  const redactor = redactorOf(['id=\\d{8}(?:.*end)?']);
  const text = 'id=12345678 '.repeat(700);

  test.each([
    ['a text', text],
    ['a value', { text, list: [1] }],
  ])('lets the event loop turn while it searches %s', async (_, value) => {
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    const redacted = await redactValue<unknown>(value, { redactor, counts: {} });
    expect(hasTurned).toBe(true);
    const shown = '[REDACTED:custom] '.repeat(700);
    expect(redacted).toEqual(typeof value === 'string' ? shown : { text: shown, list: [1] });
  });
});
