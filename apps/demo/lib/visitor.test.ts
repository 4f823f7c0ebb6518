import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';

vi.stubEnv('SESSION_SECRET', 'a secret of these tests, forty characters'.replaceAll(' ', '-'));
const { newVisitor, visitorOf } = await import('./visitor');

const withCookie = (cookie: string) => ({ headers: new Headers({ cookie }) });
const { visitor, setCookie } = await newVisitor({ headers: new Headers() });
const [cookie = ''] = setCookie.split(';');

test('a visitor is recognised by its cookie, even among other cookies', async () => {
  expect(await visitorOf(withCookie(cookie))).toEqual(visitor);
  expect(await visitorOf(withCookie(`theme=dark; ${cookie}; other=1`))).toEqual(visitor);
});

test('no script and no other site can read the cookie', () => {
  expect(setCookie).toMatch(/^visitor=[0-9a-f]{24}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
});

describe('on a page over TLS', () => {
  const overTls = (cookie?: string) => ({
    headers: new Headers({ 'x-forwarded-proto': 'https', ...(cookie !== undefined && { cookie }) }),
  });

  test('the cookie is sent over TLS only, and no other site of the domain can plant one', async () => {
    const { visitor: known, setCookie: secure } = await newVisitor(overTls());
    expect(secure).toMatch(/^__Host-visitor=[^;]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/);
    const [pair = ''] = secure.split(';');
    expect(await visitorOf(overTls(`${cookie}; ${pair}`))).toEqual(known);
    expect(await visitorOf(overTls(`${pair}; ${cookie}`))).toEqual(known);
  });

  test('a cookie without the prefix is ignored, even a valid one', async () => {
    expect(await visitorOf(overTls(cookie))).toBeUndefined();
  });

  test('the name is compared in full', async () => {
    expect(await visitorOf(overTls(cookie.replace('visitor', '__host-visitor')))).toBeUndefined();
    expect(await visitorOf(withCookie(cookie.replace('visitor', '__Host-visitor')))).toBeUndefined();
  });
});

const [, id = '', signature = ''] = /^visitor=(\w+)\.(.+)$/.exec(cookie) ?? [];
const otherId = randomBytes(12).toString('hex');
const signedBy = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url');

/** Of base64url: it differs in the lowest bit, which a decoder drops at the end. */
function nextCharacter(character = ''): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(character) + 1] ?? '';
}

test.each([
  ['nothing', ''],
  ['an id without a signature', `visitor=${id}`],
  ['another id under the same signature', `visitor=${otherId}.${signature}`],
  ['a signature with one character changed', `visitor=${id}.${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`],
  [
    'the same signature written in another way',
    `visitor=${id}.${signature.slice(0, -1)}${nextCharacter(signature.at(-1))}`,
  ],
  ['an empty signature', `visitor=${id}.`],
  ['a signature by another secret', `visitor=${id}.${signedBy('another secret', `visitor ${id}`)}`],
  ['a signature of the bare id', `visitor=${id}.${signedBy(process.env.SESSION_SECRET ?? '', id)}`],
  ['an id with a path in it', `visitor=../../${id}.${signature}`],
  ['a cookie whose name only ends alike', `no${cookie}`],
])('%s belongs to no visitor', async (_, forged) => {
  expect(await visitorOf(withCookie(forged))).toBeUndefined();
});

test('ids of two visitors differ', async () => {
  expect((await newVisitor({ headers: new Headers() })).visitor.id).not.toBe(id);
});
