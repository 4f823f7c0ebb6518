import { expect, test } from '@playwright/test';

const ofAll = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};
const ofPages = {
  ...ofAll,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};
const missing = '00000000-0000-4000-8000-000000000000';

for (const [path, status] of [
  ['/', 200],
  [`/c/${missing}`, 404],
  ['/nowhere', 404],
] as const) {
  test(`the page ${path} runs nothing without its nonce, which is another one each time`, async ({ request }) => {
    const [first, second] = [await request.get(path), await request.get(path)];
    expect(first.status()).toBe(status);
    expect(first.headers()).toMatchObject(ofPages);
    const [policy, next] = [first, second].map((response) => response.headers()['content-security-policy'] ?? '');
    expect(policy).toMatch(/^default-src 'self'; script-src 'self' 'nonce-[\w-]{36}' 'strict-dynamic'; /);
    expect(policy).toContain("object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'");
    expect(policy).not.toBe(next);
    const nonce = /'nonce-([\w-]+)'/.exec(policy ?? '')?.[1];
    const scripts = (await first.text()).match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
  });
}

for (const [what, method, path, status] of [
  ['a chat that is not there', 'GET', `/api/chats/${missing}`, 404],
  ['the deletion of one', 'DELETE', `/api/chats/${missing}`, 404],
  ['a request that is none', 'POST', '/api/chat', 400],
  ['a method that is not known', 'PUT', '/api/chat', 405],
  ['a sweep that nobody may ask for', 'GET', '/api/sweep', 404],
] as const) {
  test(`the answer to ${what} can neither load nor run anything`, async ({ request }) => {
    const response = await request.fetch(path, { method });
    expect(response.status()).toBe(status);
    expect(response.headers()).toMatchObject({
      ...ofPages,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    });
    expect(response.headers()['access-control-allow-origin']).toBeUndefined();
  });
}

test('an artifact that is not there has the headers of the route that serves artifacts, each once', async ({
  request,
}) => {
  const response = await request.get(`/api/artifacts/nothing/raw?chat=${missing}`);
  expect(response.status()).toBe(404);
  const { headers } = {
    headers: response
      .headersArray()
      .map(({ name, value }) => [name.toLowerCase(), value] as const)
      .filter(([name]) => name.startsWith('x-') || name.startsWith('c') || name.startsWith('r')),
  };
  expect(new Set(headers.map(([name]) => name)).size).toBe(headers.length);
  expect(Object.fromEntries(headers)).toMatchObject({ ...ofAll, 'referrer-policy': 'no-referrer' });
  expect(Object.fromEntries(headers)['content-security-policy']).toMatch(/^default-src 'none'; sandbox/);
});
