import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { type Authorized, createArtifactHandler } from './create-artifact-handler.ts';

const call = { toolName: 'readServerLogs', toolCallId: 'call_1' };
const base = 'https://app.test/api/artifacts';

let store: ArtifactStore;
let mine: Artifacts;
let errors: unknown[];

beforeEach(() => {
  store = memoryStore();
  mine = scopedArtifacts(store, { scope: 'chat-1' });
  errors = [];
});

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  /** Finds the owner. */
  authorize?: (request: Request) => Authorized | Promise<Authorized>;
  over?: ArtifactStore;
  signal?: AbortSignal;
}

function ask(path: string, { authorize = () => 'chat-1', over = store, ...init }: Asked = {}): Promise<Response> {
  const onError = (error: unknown): void => void errors.push(error);
  return createArtifactHandler({ store: over, authorize, onError })(new Request(`${base}/${path}`, init));
}

async function save(content: string | Uint8Array, mediaType = 'text/plain'): Promise<string> {
  return (await mine.save(content, { ...call, mediaType })).name;
}

/** Everything by which a client can distinguish two answers. */
async function whole(response: Response) {
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

const failing = (error: unknown): ArtifactStore => ({ ...store, get: () => Promise.reject(error) });

describe('the metadata of an artifact', () => {
  test('has its exact ids, its size and its dates', async () => {
    const name = await save('one\ntwo');
    const info = await mine.info(name);
    const response = await ask(name);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      name,
      path: `tool-output/${name}`,
      tool: 'read-server-logs',
      ...call,
      mediaType: 'text/plain',
      bytes: 7,
      lines: 2,
      createdAt: info.createdAt.toISOString(),
      expiresAt: info.expiresAt.toISOString(),
    });
  });

  test.each(['https://a.test/', 'http://localhost:3000/deep/mount/path/', 'https://a.test/api/chats/7/artifacts/'])(
    'is served under any mount path: %s',
    async (mount) => {
      const name = await save('text');
      const handler = createArtifactHandler({ store, authorize: () => 'chat-1' });
      for (const url of [mount + name, `${mount}${name}/`, `${mount}${name}?id=other#L3`]) {
        expect(await (await handler(new Request(url))).json()).toMatchObject({ name });
      }
      expect(await (await handler(new Request(`${mount}${name}/lines/`))).json()).toMatchObject({ totalLines: 1 });
    },
  );
});

describe('the owner of a request', () => {
  test('is found by authorize, which receives the request', async () => {
    const name = await save('text');
    const authorize = ({ headers }: Request) => (headers.get('cookie') === 'session=1' ? 'chat-1' : undefined);
    expect((await ask(name, { authorize })).status).toBe(404);
    expect((await ask(name, { authorize, headers: { cookie: 'session=1' } })).status).toBe(200);
  });

  test('cannot distinguish a missing artifact from an artifact of another owner or an invalid name', async () => {
    const foreign = (await scopedArtifacts(store, { scope: 'chat-2' }).save('secret', call)).name;
    const missing = foreign.replace(/.{6}\.txt$/, '000000.txt');
    const others = [
      missing,
      'tool_20260113_153045_read_call-1_0123456789abcdef.exe',
      `${foreign}.info.json`,
      `${foreign}.rsc`,
      foreign.toUpperCase(),
      foreign.replace('t', '%74'),
      foreign.slice(-20, -4),
      `chat-2%2f${foreign}`,
      `chat-2/${foreign}`,
      '..%2f..%2fetc%2fpasswd',
    ];
    for (const view of ['', '/raw', '/lines?start=1', '/chars?line=1', '/grep?q=s']) {
      for (const method of ['GET', 'HEAD']) {
        for (const headers of [{}, { range: 'bytes=0-2' }, { 'if-range': '"x"' }] as Record<string, string>[]) {
          const expected = await whole(await ask(foreign + view, { method, headers }));
          expect(expected.status).toBe(404);
          for (const name of others) {
            expect(await whole(await ask(name + view, { method, headers }))).toEqual(expected);
          }
          const nobody = await ask(foreign + view, { method, headers, authorize: () => undefined });
          expect(await whole(nobody)).toEqual(expected);
        }
      }
    }
    expect(errors).toEqual([]);
  });

  test('must write the whole name: an escape, a suffix or a part of it finds nothing, even of their own artifacts', async () => {
    const name = await save('mine');
    const others = [
      name.replace('t', '%74'),
      `${name}%20`,
      `${name}%00`,
      `${name}.rsc`,
      name.slice(-20, -4),
      name.slice(1),
    ];
    for (const other of others) expect((await ask(other)).status).toBe(404);
    expect((await ask(name)).status).toBe(200);
  });

  test('is not changed by a parameter of the address', async () => {
    const name = await save('mine');
    const foreign = (await scopedArtifacts(store, { scope: 'chat-2' }).save('secret', call)).name;
    for (const parameter of ['id', 'name', 'path', 'scope']) {
      expect(await (await ask(`${name}/raw?${parameter}=${foreign}`)).text()).toBe('mine');
      expect((await ask(`${foreign}/raw?${parameter}=${name}&scope=chat-2`)).status).toBe(404);
    }
  });

  test.each([undefined, null, ''])('is unknown when authorize returns %o', async (scope) => {
    const name = await save('text');
    expect((await ask(name, { authorize: () => scope })).status).toBe(404);
  });

  test('gets a response of authorize instead of any artifact, whether it exists or not', async () => {
    const name = await save('text');
    const authorize = async () => Response.json({ please: 'sign in' }, { status: 401 });
    const answer = await whole(await ask(`${name}/raw`, { authorize }));
    expect(answer).toMatchObject({ status: 401, body: '{"please":"sign in"}' });
    expect(await whole(await ask('nothing/raw', { authorize }))).toEqual(answer);
    expect((await whole(await ask(name, { authorize, method: 'HEAD' }))).body).toBe('');
  });

  test('can be a redirect of authorize, whose headers cannot be changed', async () => {
    const response = await ask('any', { authorize: () => Response.redirect('https://app.test/login', 302) });
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://app.test/login']);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test.each([
    () => {
      throw new Error('secret: database at 10.0.0.1');
    },
    () => Promise.reject(Object.assign(new Error('secret'), { code: 'ENOENT' })),
    () => Promise.reject(new ArtifactNotFoundError('secret')),
    () => Promise.reject(new DOMException('secret', 'TimeoutError')),
    () => Promise.reject(new AiTruncateError('secret', { code: 'STORE_ANSWER' })),
    () => true as never,
    () => ({ scope: 'chat-1' }) as never,
    () => 7 as never,
  ])('is unknown when authorize fails, and the client does not learn why: %o', async (authorize) => {
    const name = await save('text');
    const { status, body } = await whole(await ask(name, { authorize }));
    expect([status, JSON.parse(body).error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(body).not.toMatch(/secret|10\.0|chat-1/);
    expect(errors).toHaveLength(1);
  });
});

describe('a page of another site', () => {
  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site, same-origin' },
    { 'sec-fetch-site': 'something-new' },
    { origin: 'http://evil.test' },
    { origin: 'null' },
    { origin: 'https://app.test.evil.test' },
    { origin: 'https://app.test:444' },
  ])('is refused before authorize is called: %o', async (headers) => {
    const name = await save('text');
    const authorize = vi.fn(() => 'chat-1');
    const response = await ask(`${name}/raw`, { headers, authorize });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'ACCESS_DENIED' } });
    expect(authorize).not.toHaveBeenCalled();
  });

  test.each<Record<string, string>>([
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-site', origin: 'https://www.app.test' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://app.test' },
    { host: 'public.test', origin: 'https://public.test' },
  ])('is distinguished from a page of the same site and from a program: %o', async (headers) => {
    const name = await save('text');
    expect((await ask(`${name}/raw`, { headers })).status).toBe(200);
  });
});

describe('a request that cannot be answered', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'is a request that writes, or that comes from another site: %s',
    async (method) => {
      const response = await ask(await save('text'), { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(await response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
    },
  );

  test.each([
    ['lines?start=0', 'start', "the number of a line: 1 for the first, -1 for the last; got '0'"],
    ['lines?start=1e3', 'start', "got '1e3'"],
    ['lines?start=', 'start', "got ''"],
    ['lines?start=99999999999999999', 'start', 'got'],
    ['lines?start=1&start=2', 'start', 'given at most once'],
    ['lines?count=0', 'count', 'a whole number from 1 to 1000'],
    ['lines?count=1001', 'count', "got '1001'"],
    ['lines?count=-5', 'count', "got '-5'"],
    ['lines?count=%F0%9F%98%80', 'count', 'got'],
    ['chars?line=0', 'line', 'the number of a line, from 1'],
    ['chars?start=-1', 'start', 'the number of a character, from 1'],
    ['chars?count=5001', 'count', 'a whole number from 1 to 5000'],
    ['chars?at=nowhere', 'at', '`next` of an earlier answer'],
    ['chars?at=1:2:2', 'at', '`next` of an earlier answer'],
    ['chars?at=2:1:1', 'at', '`next` of an earlier answer'],
    ['grep', 'q', 'The pattern is empty'],
    ['grep?q=', 'q', 'The pattern is empty'],
    ['grep?q=a&q=b', 'q', 'given at most once'],
    [`grep?q=${'x'.repeat(600)}`, 'q', 'at most 512'],
    ['grep?q=(&mode=regex', 'q', 'not an RE2 expression'],
    ['grep?q=(%3F%3Dx)&mode=regex', 'q', 'RE2 has no look-around'],
    ['grep?q=a&mode=re3', 'mode', "'literal' or 'regex'; got 're3'"],
    ['grep?q=a&case=maybe', 'case', "'sensitive' or 'ignore'"],
    ['grep?q=a&max=0', 'max', 'a whole number from 1 to 1000'],
    ['grep?q=a&from=0', 'from', 'the number of a line of this artifact'],
    ['grep?q=a&from=4', 'from', 'the number of a line of this artifact'],
    ['grep?q=a&from=1:2:2', 'from', 'the number of a line of this artifact'],
  ])('says which parameter is wrong and what is accepted: %s', async (path, parameter, right) => {
    const response = await ask(`${await save('one\ntwo\nthree')}/${path}`);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code]).toEqual([400, 'INVALID_PARAM']);
    expect(error.message).toContain(`\`${parameter}\``);
    expect(error.message).toContain(right);
    expect(error.message.length).toBeLessThan(400);
    expect(errors).toEqual([]);
  });

  test.each(['', '/raw', '/lines', '/chars', '/grep?q=a'])(
    'hides server failures from the client, but not from the log: %s',
    async (view) => {
      const name = await save('text');
      const cases: [unknown, number, string][] = [
        [new Error('secret'), 500, 'INTERNAL_ERROR'],
        [Object.assign(new Error('secret'), { code: 'ENOENT' }), 500, 'INTERNAL_ERROR'],
        [Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), 503, 'EXECUTION_ERROR'],
        [new AiTruncateError('secret', { code: 'STORE_UNREACHABLE' }), 503, 'EXECUTION_ERROR'],
        [new AiTruncateError('secret', { code: 'STORE_TIMEOUT' }), 504, 'TIMEOUT'],
        [new InvalidOptionError({ option: 'directory', value: '/secret', expected: '' }), 500, 'INTERNAL_ERROR'],
        ['secret', 500, 'INTERNAL_ERROR'],
        [undefined, 500, 'INTERNAL_ERROR'],
      ];
      for (const [error, status, code] of cases) {
        errors = [];
        const answer = await whole(await ask(name + view, { over: failing(error) }));
        expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, code]);
        expect(JSON.stringify(answer)).not.toContain('secret');
        expect(errors).toEqual([error]);
      }
    },
  );

  test('does not mistake a broken side-car for a missing one', async () => {
    const name = await save('text');
    const broken = { ...store, get: async () => new Response('{}').body as never };
    expect((await ask(name, { over: broken })).status).toBe(503);
  });

  test('is also answered when onError throws', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const onError = () => {
      throw new Error('no log today');
    };
    const handler = createArtifactHandler({ store: failing(new Error('disk')), authorize: () => 'chat-1', onError });
    expect((await handler(new Request(`${base}/${await save('text')}`))).status).toBe(500);
    expect(log.mock.calls.flat().map(String)).toEqual(expect.arrayContaining(['Error: disk', 'Error: no log today']));
    log.mockRestore();
  });

  test('ends after 20 seconds if the store never answers', async () => {
    const name = await save('text');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const hung: ArtifactStore = {
        ...store,
        get: (_, { signal } = {}) =>
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      };
      const answer = ask(name, { over: hung });
      await vi.advanceTimersByTimeAsync(20_000);
      const response = await answer;
      expect(response.status).toBe(504);
      expect(errors).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is not reported as an error when the client disconnected', async () => {
    const name = await save('text');
    const gone = new AbortController();
    const slow: ArtifactStore = {
      ...store,
      async get(key, options) {
        gone.abort();
        options?.signal?.throwIfAborted();
        return store.get(key, options);
      },
    };
    const response = await ask(name, { over: slow, signal: gone.signal });
    expect([response.status, await response.text()]).toEqual([499, '']);
    expect(errors).toEqual([]);
  });
});

describe('a handler', () => {
  test('requires a store and an authorize function', () => {
    expect(() => createArtifactHandler(undefined as never)).toThrow('an object with `store` and `authorize`');
    expect(() => createArtifactHandler({ authorize: () => '' } as never)).toThrow('`store` must be');
    expect(() => createArtifactHandler({ store } as never)).toThrow('there is no default');
    expect(() => createArtifactHandler({ store, authorize: 'chat-1' } as never)).toThrow(InvalidOptionError);
    expect(() => createArtifactHandler({ store, authorize: () => '', onError: 1 } as never)).toThrow(
      '`onError` must be',
    );
  });

  test('answers HEAD like GET, without opening the body', async () => {
    const name = await save('one\ntwo');
    const read: string[] = [];
    const watched: ArtifactStore = {
      ...store,
      get: (key, options) => {
        read.push(key);
        return store.get(key, options);
      },
    };
    for (const view of ['', '/raw', '/lines', '/chars', '/grep?q=o']) {
      const get = await whole(await ask(name + view));
      const head = await whole(await ask(name + view, { method: 'HEAD' }));
      expect(head).toEqual({ ...get, body: '' });
    }
    for (const view of ['', '/raw', '/grep?q=o']) await ask(name + view, { method: 'HEAD', over: watched });
    expect(read.every((key) => key.endsWith('.info.json'))).toBe(true);
  });
});
