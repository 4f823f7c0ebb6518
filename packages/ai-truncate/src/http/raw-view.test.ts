import { describe, expect, test } from 'vitest';
import { artifactRoute } from '../../fixtures/artifact-route.ts';
import { memoryStore } from '../stores/memory-store.ts';

const route = artifactRoute();

describe('the bytes of an artifact', () => {
  test('are a download of the exact bytes, with their number and a tag', async () => {
    const content = '\ufeffone\r\n€ 😀\0\u001b[31m<script>\n';
    const name = await route.save(content);
    const response = await route.get(`${name}/raw`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': String(Buffer.byteLength(content)),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store, no-transform',
      etag: `"${name}"`,
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content));
  });

  test.each([
    ['text/html', 'text/plain'],
    ['image/svg+xml', 'text/plain'],
    ['application/zip', 'text/plain'],
    ['text/javascript', 'text/plain'],
    ['application/json', 'application/json'],
    ['application/vnd.api+json; charset=utf-16', 'application/json'],
  ])('have a safe type: %s is served as %s', async (mediaType, served) => {
    const response = await route.get(`${await route.save('<script>', mediaType)}/raw`);
    expect(response.headers.get('content-type')).toBe(`${served}; charset=utf-8`);
  });

  test('are a part of the download for a range', async () => {
    const name = await route.save('0123456789');
    const response = await route.get(`${name}/raw`, { headers: { range: 'bytes=2-4' } });
    expect([response.status, await response.text()]).toEqual([206, '234']);
    expect(response.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(response.headers.get('content-length')).toBe('3');
  });

  test.each(['bytes=10-', 'bytes=4-3', 'bytes=0-1,4-5', 'bytes=x'])(
    'are refused for %s, with their number',
    async (range) => {
      const response = await route.get(`${await route.save('0123456789')}/raw`, { headers: { range } });
      expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10']);
      expect(await response.json()).toEqual({
        error: {
          code: 'RANGE_NOT_SATISFIABLE',
          message: expect.stringContaining('a single range within the 10 bytes of this artifact: `bytes=0-99`'),
        },
      });
    },
  );

  test('are described in full for HEAD, which ignores ranges', async () => {
    const name = await route.save('0123456789');
    const response = await route.get(`${name}/raw`, { method: 'HEAD', headers: { range: 'bytes=2-4' } });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '10']);
  });

  test('continue where a download broke off, and start again if it was a download of another artifact', async () => {
    const name = await route.save('0123456789');
    const go = async (condition: string) => {
      const response = await route.get(`${name}/raw`, { headers: { range: 'bytes=7-', 'if-range': condition } });
      return [response.status, await response.text()];
    };
    expect(await go(`"${name}"`)).toEqual([206, '789']);
    for (const other of ['"other"', `W/"${name}"`, 'Tue, 13 Jan 2026 15:30:45 GMT']) {
      expect(await go(other)).toEqual([200, '0123456789']);
    }
  });

  test('are sent in full whatever version the client has, because no answer may be cached', async () => {
    const name = await route.save('0123456789');
    for (const header of ['if-none-match', 'if-match']) {
      const response = await route.get(`${name}/raw`, { headers: { [header]: `"${name}"` } });
      expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    }
  });

  test('are an empty download for an empty artifact', async () => {
    const name = await route.save('');
    const response = await route.get(`${name}/raw`);
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', '']);
    expect((await route.get(`${name}/raw`, { headers: { range: 'bytes=-1' } })).status).toBe(200);
    expect((await route.get(`${name}/raw`, { headers: { range: 'bytes=0-' } })).status).toBe(416);
  });

  test('are released by the store when the client cancels', async () => {
    const store = memoryStore();
    let cancelled: unknown;
    const watched = artifactRoute({
      ...store,
      async get(key, options) {
        if (key.endsWith('.info.json')) return store.get(key, options);
        const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(5));
        const cancel = (reason: unknown) => {
          cancelled = reason;
        };
        return new ReadableStream({ pull, cancel });
      },
    });
    const response = await watched.get(`${await watched.save('x'.repeat(100))}/raw`);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel('enough');
    expect(cancelled).toBe('enough');
    expect(watched.errors).toEqual([]);
  });

  test('break the answer off when they fail halfway, and the server reports why', async () => {
    const store = memoryStore();
    const failing = artifactRoute({
      ...store,
      async get(key, options) {
        if (key.endsWith('.info.json')) return store.get(key, options);
        let pulls = 0;
        return new ReadableStream({
          pull(controller) {
            if (pulls++ < 2) controller.enqueue(new Uint8Array(5));
            else controller.error(new Error('disk'));
          },
        });
      },
    });
    const response = await failing.get(`${await failing.save('x'.repeat(100))}/raw`);
    await expect(response.text()).rejects.toThrow('disk');
    expect(failing.errors.map(String)).toEqual(['Error: disk']);
  });

  test('break off without a report when the client disconnects', async () => {
    const store = memoryStore();
    const client = new AbortController();
    const left = artifactRoute({
      ...store,
      async get(key, options) {
        if (key.endsWith('.info.json')) return store.get(key, options);
        return new ReadableStream({
          pull(controller) {
            if (client.signal.aborted) controller.error(new Error('aborted'));
            else controller.enqueue(new Uint8Array(5));
          },
        });
      },
    });
    const response = await left.get(`${await left.save('x'.repeat(100_000))}/raw`, { signal: client.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    client.abort();
    const readRest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(readRest()).rejects.toThrow();
    expect(left.errors).toEqual([]);
  });

  test('break the answer off when they end too early', async () => {
    const store = memoryStore();
    const short = artifactRoute({
      ...store,
      get: (key, options) => store.get(key, key.endsWith('.info.json') ? options : { ...options, end: 5 }),
    });
    const response = await short.get(`${await short.save('x'.repeat(100))}/raw`);
    await expect(response.text()).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
    expect(short.errors).toMatchObject([{ code: 'INCOMPLETE_READ' }]);
  });
});
