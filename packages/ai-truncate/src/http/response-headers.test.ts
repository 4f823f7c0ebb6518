import { describe, expect, test } from 'vitest';
import { artifactRoute } from '../../fixtures/artifact-route.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { createArtifactHandler } from './create-artifact-handler.ts';

const guards = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'self'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
  vary: 'Cookie, Authorization',
};
/** There must be no other header: above all no `Access-Control-Allow-Origin`, and no header that describes the server. */
const others = /^(allow|accept-ranges|content-(length|range)|etag|x-accel-buffering)$/;
const servedTypes = /^(text\/plain|application\/(json|x-ndjson)); charset=utf-8$/;

function expectGuarded(response: Response): void {
  const {
    'content-type': type,
    'content-disposition': disposition,
    'cache-control': cache,
    ...headers
  } = Object.fromEntries(response.headers);
  expect(type).toMatch(servedTypes);
  expect(disposition).toMatch(/^attachment(; filename="tool_[a-z0-9_.-]+")?$/);
  expect(cache).toMatch(/^private, no-store(, no-transform)?$/);
  expect(headers).toMatchObject(guards);
  const rest = Object.keys(headers).filter((header) => !Object.hasOwn(guards, header) && !others.test(header));
  expect(rest).toEqual([]);
}

const store = memoryStore();
const route = artifactRoute(store);

describe('the headers of every answer', () => {
  test.each<[number, string, RequestInit]>([
    [200, '', {}],
    [200, '', { method: 'HEAD' }],
    [200, '/raw', {}],
    [200, '/raw', { method: 'HEAD' }],
    [206, '/raw', { headers: { range: 'bytes=0-1' } }],
    [416, '/raw', { headers: { range: 'bytes=99-' } }],
    [200, '/lines', {}],
    [200, '/chars', {}],
    [200, '/grep?q=o', {}],
    [400, '/lines?start=0', {}],
    [400, '/grep?q=(&mode=regex', {}],
    [403, '/raw', { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' } }],
    [403, '', { method: 'HEAD', headers: { 'sec-fetch-site': 'cross-site' } }],
    [404, '/nothing', {}],
    [404, '.info.json', {}],
    [405, '', { method: 'POST', body: 'x' }],
    [405, '', { method: 'OPTIONS', headers: { origin: 'https://evil.test', 'access-control-request-method': 'GET' } }],
  ])('are complete: %i for <name>%s %o', async (status, path, init) => {
    const response = await route.get((await route.save('one\ntwo')) + path, init);
    expect(response.status).toBe(status);
    // This answer has no body.
    expectGuarded(response);
  });

  test.each([
    [500, new Error('disk')],
    [503, Object.assign(new Error('net'), { code: 'ECONNRESET' })],
    [504, Object.assign(new Error('slow'), { code: 'STORE_TIMEOUT' })],
  ])('are complete when the store fails: %i', async (status, error) => {
    const broken = artifactRoute({ ...store, get: () => Promise.reject(error) });
    const response = await broken.get(await route.save('x'));
    expect(response.status).toBe(status);
    expectGuarded(response);
  });

  test('are also on a response of authorize, except headers that it sets itself', async () => {
    const own = { 'Cache-Control': 'no-cache', 'Content-Type': 'text/html', 'WWW-Authenticate': 'Basic' };
    const authorize = () => new Response('<p>Sign in</p>', { status: 401, headers: own });
    const response = await createArtifactHandler({ store, authorize })(new Request('https://app.test/x'));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...guards,
      'cache-control': 'no-cache',
      'content-type': 'text/html',
      'www-authenticate': 'Basic',
    });
  });
});

const html = `<!doctype html><title>x</title><img src=x onerror="fetch('/beacon')"><script>fetch('/beacon')</script>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>fetch('/beacon')</script></svg>`;
const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><script>fetch('/beacon')</script></html>`;
const json = `{"a":"<script>fetch('/beacon')</script>"}`;
const script = `fetch('/beacon')`;

describe('content that a browser would run with its own type, or without a type', () => {
  test.each([
    [html, 'text/html'],
    [html, 'text/html; charset=utf-8'],
    [html, 'text/html; charset=utf-7'],
    [html, 'TEXT/HTML'],
    [html, 'application/octet-stream'],
    [html, 'text/plain'],
    [html, 'unknown/unknown'],
    [html, 'multipart/x-mixed-replace'],
    [html, 'application/json'],
    [html, 'application/pdf'],
    [svg, 'image/svg+xml'],
    [svg, 'application/xml'],
    [svg, 'text/xml'],
    [svg, 'text/plain'],
    [xhtml, 'application/xhtml+xml'],
    [xhtml, 'application/rss+xml'],
    [json, 'application/json'],
    [json, 'application/ld+json'],
    [script, 'text/javascript'],
    [script, 'application/javascript'],
    [script, 'text/plain'],
  ])('is a text download whose type is never guessed: %s as %s', async (content, mediaType) => {
    const response = await route.get(`${await route.save(content, mediaType)}/raw`);
    expectGuarded(response);
    expect(response.headers.get('content-type')).toMatch(/^(text\/plain|application\/json); /);
    expect(await response.text()).toBe(content);
  });
});
