import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BlobAccessError, BlobServiceNotAvailable, BlobServiceRateLimited } from '@vercel/blob';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type BlobFault, type BlobServer, startBlobServer } from '../../../fixtures/blob-server.ts';
import { redirectBlobHosts } from '../../../fixtures/redirect-blob-hosts.ts';
import { stallingBody } from '../../../fixtures/stalling-body.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { createArtifactHandler } from '../../http/create-artifact-handler.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import { artifactStoreContract } from '../artifact-store-contract.ts';
import { type VercelBlobStoreOptions, vercelBlobStore } from './vercel-blob-store.ts';

const TOKEN = 'vercel_blob_rw_store_secret';
const MEGABYTE = 1024 * 1024;
/** A call that does not end at once would exceed the time of a test. */
const HOUR_MS = 3_600_000;
const KEY = 'folder/a.txt';
const PATHNAME = 'tool-output/folder/a.txt';
const TYPE = { contentType: 'text/plain; charset=utf-8' };

let server: BlobServer;
let restoreHosts: () => void;

beforeEach(async () => {
  server = await startBlobServer();
  restoreHosts = redirectBlobHosts(server.origin);
  vi.stubEnv('VERCEL_BLOB_API_URL', server.apiUrl);
  return async () => {
    restoreHosts();
    await server.close();
    vi.unstubAllEnvs();
  };
});

function open(options: VercelBlobStoreOptions = {}): ArtifactStore {
  return vercelBlobStore({ token: TOKEN, ...options });
}

/**
 * The client retries failures itself, after a second and more. Without its retries, a test sees only the behavior of the store.
 */
function withoutRetriesOfTheClient(): void {
  vi.stubEnv('VERCEL_BLOB_RETRIES', '0');
}

function put(store: ArtifactStore, text: string, signal?: AbortSignal): Promise<void> {
  return store.put(KEY, chunks(new TextEncoder().encode(text)), { ...TYPE, signal });
}

async function readText(store: ArtifactStore, range: { start?: number; end?: number } = {}): Promise<string> {
  return new Response(await store.get(KEY, range)).text();
}

async function keysOf(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

/** Stores a blob like another program would. */
function plant(pathname: string, body: string | Buffer): void {
  const bytes = Buffer.from(body);
  const etag = `"planted ${bytes.length}"`;
  server.blobs.set(pathname, { pathname, body: bytes, access: 'private', ...TYPE, uploadedAt: new Date(), etag });
}

function sent(operation: string) {
  return server.requests.filter((request) => request.operation === operation);
}

/** Only for lower bounds, because a busy machine makes everything slower. */
async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function* chunks(...all: Uint8Array<ArrayBuffer>[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield* all;
}

/** Every megabyte is filled with its own number. */
async function* megabytes(count: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let index = 0; index < count; index++) yield new Uint8Array(MEGABYTE).fill(index);
}

async function gathered(body: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Buffer> {
  return Buffer.concat(await toArray(body));
}

async function toArray(body: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of body) all.push(chunk);
  return all;
}

const unavailable: BlobFault = { kind: 'status', status: 503, code: 'service_unavailable' };
const limited: BlobFault = { kind: 'status', status: 429, code: 'rate_limited' };

describe('the contract over vercelBlobStore', () => {
  for (const { name, run, skip } of artifactStoreContract({ open: () => open() })) test.skipIf(skip)(name, run);
});

describe('the requests of vercelBlobStore', () => {
  test('are private, never overwrite, have the given type and use the shortest cache time', async () => {
    await put(open(), 'text');
    expect(sent('put')[0]?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'x-vercel-blob-access': 'private',
      'x-allow-overwrite': '0',
      'x-add-random-suffix': '0',
      'x-content-type': 'text/plain; charset=utf-8',
      'x-cache-control-max-age': '60',
      'content-length': '4',
    });
    expect([...server.blobs.keys()]).toEqual([PATHNAME]);
  });

  test('are private and never overwrite in each step of an upload in parts', async () => {
    await open().put(KEY, megabytes(33), TYPE);
    const steps = server.requests.filter(({ operation }) => ['create', 'part', 'complete'].includes(operation));
    expect(steps).toHaveLength(7);
    for (const { headers } of steps) {
      expect(headers).toMatchObject({
        'x-vercel-blob-access': 'private',
        'x-allow-overwrite': '0',
        'x-content-type': 'text/plain; charset=utf-8',
      });
    }
  });

  test('bypass the cache, and read only the range, uncompressed', async () => {
    const store = open();
    await put(store, '0123456789');
    await readText(store, { start: 2, end: 5 });
    await readText(store, { start: 2 });
    expect(sent('get').map(({ headers }) => headers.range)).toEqual(['bytes=2-4', 'bytes=2-']);
    expect(sent('get')[0]?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'accept-encoding': 'identity',
    });
    expect(sent('get')[0]?.url).toBe(`/blob-host/${PATHNAME}?cache=0`);
  });

  test('never contain an address or a foreign path, because such keys are refused before anything is sent', async () => {
    const store = open();
    for (const key of ['https://store.private.blob.vercel-storage.com/a.txt', 'http:/a', '../a.txt', 'folder/../a']) {
      await expect(store.put(key, chunks(), TYPE)).rejects.toThrow('`key` must be');
      await expect(store.get(key)).rejects.toThrow('`key` must be');
      await expect(store.head(key)).rejects.toThrow('`key` must be');
      await expect(store.delete([KEY, key])).rejects.toThrow('`key` must be');
    }
    expect(server.requests).toEqual([]);
  });

  test('are not sent when there is nothing to delete', async () => {
    await open().delete([]);
    expect(server.requests).toEqual([]);
  });

  test('use the given prefix, with or without a slash at its end', async () => {
    await put(open({ prefix: 'team-a/outputs' }), 'text');
    expect([...server.blobs.keys()]).toEqual(['team-a/outputs/folder/a.txt']);
    expect(await keysOf(open({ prefix: 'team-a/outputs/' }))).toEqual([KEY]);
    expect(await keysOf(open({ prefix: 'team-a' }))).toEqual([]);
  });

  test('carry the OIDC token if only the token and the store id are known', async () => {
    // Valid today, because an expired token would be renewed.
    const payload = { exp: Math.floor(Date.now() / 1000) + 3600, project_id: 'project', owner_id: 'owner' };
    const oidcToken = `head.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.signature`;
    vi.stubEnv('BLOB_READ_WRITE_TOKEN', '');
    vi.stubEnv('BLOB_STORE_ID', 'store_abc');
    vi.stubEnv('VERCEL_OIDC_TOKEN', oidcToken);
    await vercelBlobStore().head(KEY);
    expect(sent('head')[0]?.headers).toMatchObject({
      authorization: `Bearer ${oidcToken}`,
      'x-vercel-blob-store-id': 'abc',
    });
  });
});

describe('a large value in vercelBlobStore', () => {
  test.each([20, 32])('is sent in one request at %d MB', async (count) => {
    await open().put(KEY, megabytes(count), TYPE);
    expect(server.requests.map(({ operation }) => operation)).toEqual(['put']);
    expect(server.blobs.get(PATHNAME)?.body.length).toBe(count * MEGABYTE);
  });

  test('is sent in five parts of 8 MB, in order, at 40 MB', async () => {
    await open().put(KEY, megabytes(40), TYPE);
    expect(sent('part').map(({ body }) => body.length)).toEqual(Array(5).fill(8 * MEGABYTE));
    expect(server.blobs.get(PATHNAME)?.body.equals(await gathered(megabytes(40)))).toBe(true);
  });

  test('has an additional part for one byte more than 32 MB', async () => {
    const body = chunks(...(await toArray(megabytes(32))), Uint8Array.of(7));
    await open().put(KEY, body, TYPE);
    expect(server.blobs.get(PATHNAME)?.body.length).toBe(32 * MEGABYTE + 1);
    expect(server.blobs.get(PATHNAME)?.body.at(-1)).toBe(7);
  });

  test('is copied at most 8 MB at a time from a chunk of 40 MB', async () => {
    const copied: number[] = [];
    const construct = (target: typeof Blob, [parts = [], ...rest]: ConstructorParameters<typeof Blob>) => {
      copied.push(parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : 0), 0));
      return new target(parts, ...rest);
    };
    vi.stubGlobal('Blob', new Proxy(Blob, { construct }));
    onTestFinished(() => void vi.unstubAllGlobals());
    const body = Buffer.concat(await toArray(megabytes(40)));
    await open().put(KEY, chunks(body), TYPE);
    expect(Math.max(...copied)).toBe(8 * MEGABYTE);
    expect(server.blobs.get(PATHNAME)?.body.equals(body)).toBe(true);
  });

  test('holds at most 40 MB of a body and the current chunk, and sends three parts at once', async () => {
    let mostHeldBytes = 0;
    async function* observed(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      let bytes = 0;
      for await (const chunk of megabytes(100)) {
        bytes += chunk.length;
        mostHeldBytes = Math.max(mostHeldBytes, bytes - server.answered.part * 8 * MEGABYTE);
        yield chunk;
      }
    }
    await open().put(KEY, observed(), TYPE);
    expect(server.blobs.get(PATHNAME)?.body.length).toBe(100 * MEGABYTE);
    expect(mostHeldBytes).toBeLessThanOrEqual(41 * MEGABYTE);
    expect(server.mostAtOnce.part).toBe(3);
  });

  test('sends only a failed part again', async () => {
    withoutRetriesOfTheClient();
    server.fail('part', { ...unavailable, times: 2 });
    await open().put(KEY, megabytes(40), TYPE);
    expect(sent('part')).toHaveLength(7);
    expect(server.blobs.get(PATHNAME)?.body.equals(await gathered(megabytes(40)))).toBe(true);
  });

  test('stores nothing and closes the body when a part cannot be sent', async () => {
    withoutRetriesOfTheClient();
    let isClosed = false;
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      try {
        yield* megabytes(1000);
      } finally {
        isClosed = true;
      }
    }
    server.fail('part', { ...unavailable, times: 100 });
    await expect(open().put(KEY, body(), TYPE)).rejects.toThrow(BlobServiceNotAvailable);
    expect(isClosed).toBe(true);
    expect(server.blobs.size).toBe(0);
    expect(sent('complete')).toEqual([]);
  });

  test('ends at once when a part cannot be sent, even if the body stalls', { timeout: 10_000 }, async () => {
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      yield* megabytes(47);
      // From here on, only one part is being sent, and the store waits only for the body.
      await vi.waitFor(() => expect(server.answered.part).toBe(5));
      server.fail('part', { kind: 'status', status: 403, code: 'forbidden' });
      yield new Uint8Array(MEGABYTE);
      await new Promise(() => {});
    }
    await expect(open().put(KEY, body(), TYPE)).rejects.toThrow(BlobAccessError);
    expect(server.blobs.size).toBe(0);
    expect(sent('complete')).toEqual([]);
  });

  test('closes a body that stalls when a part cannot be sent', { timeout: 10_000 }, async () => {
    server.fail('part', { kind: 'status', status: 403, code: 'forbidden' });
    const { body, closed } = stallingBody(Array.from({ length: 47 }, () => new Uint8Array(MEGABYTE)));
    await expect(open().put(KEY, body, TYPE)).rejects.toThrow(BlobAccessError);
    await closed;
  });

  test('stores nothing when the body fails between the parts, and rejects with its error', async () => {
    const failure = new Error('the source failed');
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      yield* megabytes(45);
      throw failure;
    }
    await expect(open().put(KEY, body(), TYPE)).rejects.toBe(failure);
    expect(server.blobs.size).toBe(0);
    expect(sent('complete')).toEqual([]);
  });

  test('has no part whose rejection is unhandled when the body fails', async () => {
    const failure = new Error('the source failed');
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      yield* megabytes(40);
      yield new Uint8Array(1);
      // From here on, only one part is being sent, and the store does not wait for it.
      await vi.waitFor(() => expect(server.answered.part).toBe(5));
      server.fail('part', { kind: 'hang' });
      const arrived = server.arrival('part');
      yield* megabytes(8);
      await arrived;
      throw failure;
    }
    await expect(open().put(KEY, body(), TYPE)).rejects.toBe(failure);
    await vi.waitFor(() => expect(server.underWay.part).toBe(0));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('stores nothing when the signal aborts between the parts, and rejects with its reason', async () => {
    const controller = new AbortController();
    server.fail('part', { kind: 'hang', times: 100 });
    const arrived = server.arrival('part');
    const writing = open().put(KEY, megabytes(40), { ...TYPE, signal: controller.signal });
    await arrived;
    controller.abort(new Error('stopped'));
    await expect(writing).rejects.toThrow('stopped');
    expect(server.blobs.size).toBe(0);
    expect(sent('complete')).toEqual([]);
  });

  test('is refused before any part is sent if the key exists', async () => {
    plant(PATHNAME, 'first');
    await expect(open().put(KEY, megabytes(40), TYPE)).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    expect(sent('part')).toEqual([]);
    expect(String(server.blobs.get(PATHNAME)?.body)).toBe('first');
  });

  test('is refused if the key is written while the parts are sent, and the other value stays', async () => {
    const arrived = server.arrival('part').then(() => plant(PATHNAME, 'first'));
    await expect(open().put(KEY, megabytes(40), TYPE)).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    await arrived;
    expect(String(server.blobs.get(PATHNAME)?.body)).toBe('first');
  });

  test.each<BlobFault>([{ kind: 'loseAnswer' }, { kind: 'brokenJson' }, { kind: 'hangAfter' }])(
    'is stored when only the last answer was lost: $kind',
    async (fault) => {
      withoutRetriesOfTheClient();
      server.fail('complete', fault);
      await open({ timeoutMs: 2000 }).put(KEY, megabytes(40), TYPE);
      expect(server.blobs.get(PATHNAME)?.body.length).toBe(40 * MEGABYTE);
    },
  );
});

describe('a listing of vercelBlobStore', () => {
  test('has pages of 1,000 in ascending order, without foreign keys', async () => {
    const keys = Array.from({ length: 2500 }, (_, index) => `folder/n${index}.txt`);
    for (const key of keys) plant(`tool-output/${key}`, 'text');
    plant('tool-output/README.md', 'foreign');
    plant('tool-output/folder/Upper.txt', 'foreign');
    plant('other/folder/a.txt', 'foreign');
    expect(await keysOf(open())).toEqual(keys.toSorted());
    expect(sent('list')).toHaveLength(3);
  });

  test('does not fail on a foreign blob without a time', async () => {
    plant(PATHNAME, 'text');
    plant('tool-output/README.md', 'foreign');
    Object.assign(server.blobs.get('tool-output/README.md') ?? {}, { uploadedAt: 'unknown' });
    expect(await keysOf(open())).toEqual([KEY]);
  });

  test('starts after a key on any page', async () => {
    for (let number = 1000; number < 3500; number++) plant(`tool-output/folder/n${number}.txt`, 'text');
    const keys: string[] = [];
    for await (const { key } of open().list('folder/', { after: 'folder/n3496.txt' })) keys.push(key);
    expect(keys).toEqual(['folder/n3497.txt', 'folder/n3498.txt', 'folder/n3499.txt']);
  });

  test('continues with the next page when all of the last page was deleted', async () => {
    for (let number = 1000; number < 2010; number++) plant(`tool-output/folder/n${number}.txt`, 'text');
    const store = open();
    let listed = 0;
    for await (const { key } of store.list('folder/')) {
      listed++;
      await store.delete([key]);
    }
    expect(listed).toBe(1010);
    expect(server.blobs.size).toBe(0);
  });

  test('ends at once when the signal aborts while a later page hangs', async () => {
    for (let number = 1000; number < 2010; number++) plant(`tool-output/folder/n${number}.txt`, 'text');
    const controller = new AbortController();
    const reason = new Error('stopped');
    let listed = 0;
    const listing = async () => {
      for await (const _ of open({ timeoutMs: HOUR_MS }).list('folder/', { signal: controller.signal })) {
        if (++listed === 1000) {
          server.fail('list', { kind: 'hang' });
          void server.arrival('list').then(() => controller.abort(reason));
        }
      }
    };
    await expect(listing()).rejects.toBe(reason);
    expect(listed).toBe(1000);
  });

  test('fails when the pages are out of order', async () => {
    const blob = (name: string) => ({ pathname: `tool-output/folder/${name}`, size: 1, uploadedAt: new Date() });
    server.fail('list', { kind: 'answer', body: JSON.stringify({ blobs: [blob('b')], hasMore: true, cursor: 'one' }) });
    server.fail('list', { kind: 'answer', body: JSON.stringify({ blobs: [blob('a')], hasMore: false }) });
    await expect(keysOf(open())).rejects.toMatchObject({ code: 'UNORDERED_LIST' });
  });

  test('fails when the service never sends a last page', async () => {
    const body = JSON.stringify({ blobs: [], hasMore: true, cursor: 'same' });
    server.fail('list', { kind: 'answer', body, times: 100 });
    await expect(keysOf(open())).rejects.toMatchObject({ code: 'UNORDERED_LIST' });
  });
});

describe('a Blob service that fails and recovers', () => {
  beforeEach(withoutRetriesOfTheClient);

  const verbs = {
    put: (store: ArtifactStore) => put(store, 'new').then(() => 'new'),
    get: (store: ArtifactStore) => readText(store),
    head: (store: ArtifactStore) => store.head(KEY).then((entry) => entry?.bytes),
    list: (store: ArtifactStore) => keysOf(store).then((keys) => keys.length),
    delete: (store: ArtifactStore) => store.delete([KEY]).then(() => server.blobs.size),
  };
  const results = { put: 'new', get: 'text', head: 4, list: 1, delete: 0 };

  for (const [name, work] of Object.entries(verbs)) {
    const verb = name as keyof typeof verbs;
    const faults: BlobFault[] = [unavailable, limited, { kind: 'reset' }];
    if (verb !== 'get') faults.push({ kind: 'brokenJson' }, { kind: 'loseAnswer' });
    else faults.push({ kind: 'breakOff', afterBytes: 0 });

    test.each(faults)(`is called again by ${verb}: $kind $status`, async (fault) => {
      if (verb !== 'put') plant(PATHNAME, 'text');
      server.fail(verb, fault);
      expect(await work(open())).toBe(results[verb]);
      expect(sent(verb).length).toBeGreaterThanOrEqual(2);
    });

    test(`is called no more by ${verb} after three attempts, which ends with its own error`, async () => {
      if (verb !== 'put') plant(PATHNAME, 'text');
      server.fail(verb, { ...unavailable, times: 100 });
      await expect(work(open())).rejects.toThrow(verb === 'get' ? '503' : BlobServiceNotAvailable);
      expect(sent(verb)).toHaveLength(3);
    });

    test(`is not awaited by ${verb} after the deadline if it hangs`, async () => {
      server.fail(verb, { kind: 'hang', times: 100 });
      const store = open({ timeoutMs: 300 });
      const message = expect.stringContaining('300 ms');
      await expect(work(store)).rejects.toMatchObject({ code: 'STORE_TIMEOUT', message });
    });

    test(`is not called again by ${verb} when it refuses`, async () => {
      server.fail(verb, { kind: 'status', status: 403, code: 'forbidden' });
      await expect(work(open())).rejects.toThrow(verb === 'get' ? '403' : BlobAccessError);
      expect(sent(verb)).toHaveLength(1);
    });
  }

  test('is called again after the pause that it asks for', async () => {
    server.fail('head', { ...limited, retryAfter: 1 });
    const took = await elapsedMs(() => open().head(KEY));
    expect(took).toBeGreaterThanOrEqual(990);
  });

  test('is called again after a default pause when it names a date to wait for', async () => {
    server.fail('head', { ...limited, retryAfter: 'Fri, 01 Jan 2100 00:00:00 GMT' });
    const took = await elapsedMs(() => open().head(KEY));
    expect(took).toBeGreaterThanOrEqual(240);
  });

  test('is not called again when the pause that it asks for is longer than the deadline', async () => {
    server.fail('head', { ...limited, retryAfter: 60 });
    await expect(open().head(KEY)).rejects.toThrow(BlobServiceRateLimited);
    expect(sent('head')).toHaveLength(1);
  });

  test('is quoted as the cause when the deadline ends a later attempt', async () => {
    server.fail('head', unavailable);
    server.fail('head', { kind: 'hang' });
    await expect(open({ timeoutMs: 1500 }).head(KEY)).rejects.toMatchObject({
      code: 'STORE_TIMEOUT',
      cause: expect.any(BlobServiceNotAvailable),
    });
  });

  test('may lose the answer of a put, which succeeds if the value was saved', async () => {
    server.fail('put', { kind: 'hangAfter' });
    const store = open({ timeoutMs: 300 });
    await put(store, 'text');
    expect(await readText(store)).toBe('text');
  });

  test('holds the value of another writer under the key, which a repeated put does not mistake for its own', async () => {
    plant(PATHNAME, 'other');
    server.fail('put', { kind: 'reset' });
    await expect(put(open(), 'value')).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    expect(String(server.blobs.get(PATHNAME)?.body)).toBe('other');
  });

  test('refuses a second put of the same bytes like any other', async () => {
    plant(PATHNAME, 'value');
    await expect(put(open(), 'value')).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    expect(sent('put')).toHaveLength(1);
  });

  test('makes head fail when it returns no size', async () => {
    server.fail('head', { kind: 'answer', body: '{}' });
    await expect(open().head(KEY)).rejects.toMatchObject({ code: 'STORE_ANSWER' });
  });
});

describe('the retries of the client itself', () => {
  test('may repeat a put whose answer was lost, which then counts as written', async () => {
    server.fail('put', { kind: 'loseAnswer' });
    await put(open(), 'text');
    expect(sent('put')).toHaveLength(2);
    expect(String(server.blobs.get(PATHNAME)?.body)).toBe('text');
  });

  test('end with the deadline', async () => {
    server.fail('head', { ...unavailable, times: 100 });
    const message = expect.stringContaining('within 500 ms');
    await expect(open({ timeoutMs: 500 }).head(KEY)).rejects.toMatchObject({ code: 'STORE_TIMEOUT', message });
  });
});

describe('a Blob service that cannot be reached', () => {
  beforeEach(async () => {
    const gone = await startBlobServer();
    await gone.close();
    vi.stubEnv('VERCEL_BLOB_API_URL', gone.apiUrl);
    restoreHosts();
    restoreHosts = redirectBlobHosts(gone.origin);
  });

  const verbs = {
    put: (store: ArtifactStore) => put(store, 'text'),
    get: (store: ArtifactStore) => store.get(KEY),
    head: (store: ArtifactStore) => store.head(KEY),
    list: keysOf,
    delete: (store: ArtifactStore) => store.delete([KEY]),
  };

  test.each(Object.entries(verbs))(
    'is reported by %s, with the reason, when the client does not retry',
    async (_, work) => {
      withoutRetriesOfTheClient();
      await expect(work(open())).rejects.toMatchObject({
        code: 'STORE_UNREACHABLE',
        message: expect.stringContaining('connect ECONNREFUSED 127.0.0.1:'),
        cause: expect.objectContaining({ name: 'TypeError', message: 'fetch failed' }),
      });
    },
  );
});

describe('the bytes that vercelBlobStore reads', () => {
  test('are the bytes of the range when the server ignores it', async () => {
    const store = open();
    await put(store, '0123456789');
    server.fail('get', { kind: 'ignoreRange', times: 3 });
    expect(await readText(store, { start: 2, end: 5 })).toBe('234');
    expect(await readText(store, { start: 7 })).toBe('789');
    expect(await readText(store, { start: 20, end: 30 })).toBe('');
  });

  test.each(['bytes 0-4/10', 'bytes 2-3/10', 'bytes 2-6/10', 'bytes */10', 'nonsense'])(
    'are refused when the answer contains another range: %s',
    async (contentRange) => {
      server.fail('get', { kind: 'answer', headers: { 'content-range': contentRange }, body: '01234' });
      await expect(open().get(KEY, { start: 2, end: 5 })).rejects.toMatchObject({ code: 'STORE_ANSWER' });
    },
  );

  test('end with an error, and not as a short value, when the connection breaks in the middle', async () => {
    const store = open();
    await put(store, 'x'.repeat(1_000_000));
    server.fail('get', { kind: 'breakOff', afterBytes: 500_000 });
    await expect(readText(store)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: expect.stringMatching(/`get`.*UND_ERR_SOCKET other side closed/),
    });
  });

  test('end with an error, and not as a short value, when the answer is shorter than its range', async () => {
    server.fail('get', { kind: 'answer', headers: { 'content-range': 'bytes 0-9/10' }, body: '01234' });
    await expect(readText(open(), { end: 10 })).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
  });

  test('may arrive slowly, because the deadline is for each pause and not for the whole read', async () => {
    const store = open({ timeoutMs: 400 });
    await put(store, 'x'.repeat(3000));
    server.fail('get', { kind: 'drip', pieceBytes: 100, everyMs: 20 });
    const took = await elapsedMs(async () => expect((await readText(store)).length).toBe(3000));
    expect(took).toBeGreaterThan(400);
  });

  test('end with an error when no more bytes arrive', async () => {
    const store = open({ timeoutMs: 300 });
    await put(store, 'x'.repeat(3000));
    server.fail('get', { kind: 'drip', pieceBytes: 100, everyMs: 1, stopAfterBytes: 1000 });
    const message = expect.stringContaining('within 300 ms');
    await expect(readText(store)).rejects.toMatchObject({ code: 'STORE_TIMEOUT', message });
  });

  test('end with an error when only the headers arrive', async () => {
    const store = open({ timeoutMs: 300 });
    await put(store, 'text');
    server.fail('get', { kind: 'hangAfter' });
    const message = expect.stringContaining('within 300 ms');
    await expect(store.get(KEY)).rejects.toMatchObject({ code: 'STORE_TIMEOUT', message });
  });

  test('stop at the signal, with its reason', async () => {
    const store = open();
    await put(store, 'x'.repeat(3000));
    server.fail('get', { kind: 'drip', pieceBytes: 100, everyMs: 1, stopAfterBytes: 1000 });
    const controller = new AbortController();
    const reading = new Response(await store.get(KEY, { signal: controller.signal })).text();
    controller.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });

  test('are no longer sent after the reader has canceled', async () => {
    const store = open();
    await put(store, 'x'.repeat(3000));
    server.fail('get', { kind: 'drip', pieceBytes: 1, everyMs: 1 });
    const stream = await store.get(KEY);
    expect(server.underWay.get).toBe(1);
    await stream?.cancel();
    await vi.waitFor(() => expect(server.underWay.get).toBe(0));
  });
});

describe('a signal that aborts', () => {
  const works = {
    put: (store: ArtifactStore, signal: AbortSignal) => put(store, 'text', signal),
    get: (store: ArtifactStore, signal: AbortSignal) => store.get(KEY, { signal }),
    head: (store: ArtifactStore, signal: AbortSignal) => store.head(KEY, { signal }),
    list: (store: ArtifactStore, signal: AbortSignal) => store.list('', { signal })[Symbol.asyncIterator]().next(),
    delete: (store: ArtifactStore, signal: AbortSignal) => store.delete([KEY], { signal }),
  };

  for (const [verb, work] of Object.entries(works)) {
    test(`ends ${verb} at once and with its reason, even if that is a TimeoutError`, async () => {
      server.fail(verb as 'put', { kind: 'hang', times: 100 });
      // The check of a put for its value hangs too.
      if (verb === 'put') server.fail('get', { kind: 'hang', times: 100 });
      const signal = AbortSignal.timeout(50);
      const error = await work(open({ timeoutMs: HOUR_MS }), signal).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'TimeoutError' });
      expect(error).toBe(signal.reason);
      // The store also abandons its check.
      await vi.waitFor(() => expect(server.underWay).toMatchObject({ put: 0, get: 0 }), 2000);
    });
  }

  test('reports its reason even if that looks like a network failure', async () => {
    server.fail('head', { kind: 'hang' });
    const controller = new AbortController();
    const reason = new TypeError('fetch failed');
    void server.arrival('head').then(() => controller.abort(reason));
    await expect(open().head(KEY, { signal: controller.signal })).rejects.toBe(reason);
  });

  test('sends nothing when it aborts with the last byte of the body', async () => {
    const controller = new AbortController();
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      yield new Uint8Array(3);
      controller.abort(new Error('stopped'));
    }
    const writing = open().put(KEY, body(), { ...TYPE, signal: controller.signal });
    await expect(writing).rejects.toThrow('stopped');
    expect(server.requests).toEqual([]);
  });

  test('removes a value whose put was aborted after it had arrived', async () => {
    server.fail('put', { kind: 'hangAfter' });
    const controller = new AbortController();
    const arrived = server.arrival('put');
    const writing = put(open(), 'text', controller.signal);
    await arrived;
    await vi.waitFor(() => expect(server.blobs.size).toBe(1));
    controller.abort(new Error('stopped'));
    await expect(writing).rejects.toThrow('stopped');
    await vi.waitFor(() => expect(server.blobs.size).toBe(0));
  });

  test('removes the 40 MB of a put that was aborted after all parts had been put together', async () => {
    server.fail('complete', { kind: 'hangAfter' });
    const controller = new AbortController();
    const writing = open().put(KEY, megabytes(40), { ...TYPE, signal: controller.signal });
    const outcome = expect(writing).rejects.toThrow('stopped');
    await vi.waitFor(() => expect(server.blobs.size).toBe(1), 10_000);
    controller.abort(new Error('stopped'));
    await outcome;
    await vi.waitFor(() => expect(server.blobs.size).toBe(0));
  });

  test('ends a failed put at once, and still looks for its value', async () => {
    server.fail('put', { kind: 'status', status: 403, code: 'forbidden' });
    server.fail('get', { kind: 'hang' });
    const controller = new AbortController();
    const arrived = server.arrival('get');
    const writing = put(open({ timeoutMs: HOUR_MS }), 'text', controller.signal);
    const outcome = expect(writing).rejects.toThrow('stopped');
    await arrived;
    controller.abort(new Error('stopped'));
    await outcome;
    await vi.waitFor(() => expect(server.underWay.get).toBe(0), 2000);
  });

  test('does not remove the value of another writer when a put is aborted', async () => {
    server.fail('put', { kind: 'hang' });
    const controller = new AbortController();
    const arrived = server.arrival('put');
    const writing = put(open(), 'value', controller.signal);
    await arrived;
    plant(PATHNAME, 'other');
    controller.abort(new Error('stopped'));
    await expect(writing).rejects.toThrow('stopped');
    await vi.waitFor(() => expect(server.answered.get).toBe(1));
    // A request to remove the value would have been sent before this request.
    expect(await readText(open())).toBe('other');
    expect(sent('delete')).toEqual([]);
  });
});

describe('a process that used vercelBlobStore', () => {
  const storeFile = new URL('vercel-blob-store.ts', import.meta.url).href;

  /** Runs a program in its own process, and returns its output once it has ended. */
  async function run(script: string): Promise<string> {
    const program = `
      import { vercelBlobStore } from ${JSON.stringify(storeFile)};
      const store = vercelBlobStore({ timeoutMs: 500 });
      ${script}`;
    const env = {
      ...process.env,
      VERCEL_BLOB_API_URL: server.apiUrl,
      BLOB_READ_WRITE_TOKEN: TOKEN,
      NODE_OPTIONS: '',
    };
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 20_000 });
    return stdout.trim();
  }

  test('ends by itself, at once, after a success, after a deadline and after a timeout of the caller', async () => {
    server.fail('head', { kind: 'hang', times: 2 });
    const printed = await run(`
      const code = await store.head('folder/a.txt').catch((error) => error.code);
      await store.put('folder/a.txt', [new Uint8Array(3)], { contentType: 'text/plain' });
      const { name } = await store.head('folder/b.txt', { signal: AbortSignal.timeout(50) }).catch((error) => error);
      const waitsFor = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout');
      console.log(code, name, waitsFor.length);
    `);
    expect(printed).toBe('STORE_TIMEOUT TimeoutError 0');
  });

  test('sends nothing more after a deadline, though the client still pauses before its next attempt', async () => {
    server.fail('head', { ...unavailable, times: 100 });
    await run(`await store.head('folder/a.txt').catch(() => {});`);
    expect(sent('head')).toHaveLength(1);
  });

  test('names the package to install when it is missing', async () => {
    const printed = await run(`
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(name, context, next) {
          if (name === '@vercel/blob') throw Object.assign(new Error('Cannot find it'), { code: 'ERR_MODULE_NOT_FOUND' });
          return next(name, context);
        },
      });
      const error = await store.head('folder/a.txt').catch((error) => error);
      console.log(error.code, error.message);
    `);
    expect(printed).toMatch(/^PACKAGE_MISSING .*`npm install @vercel\/blob`/);
  });
});

describe("a proxy's page in place of an artifact", () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  const pageOf = (bytes: number) => `<!doctype html>${'x'.repeat(bytes)}`.slice(0, bytes);

  /** Answers the requests for the artifact, but not for its side-car. */
  function answerWith(body: string, headers: Record<string, string | number> = {}): void {
    server.fault = (operation) => {
      const isSideCar = server.requests.at(-1)?.url.includes('.info.json');
      return operation === 'get' && !isSideCar ? { kind: 'answer', headers, body } : undefined;
    };
  }

  async function save() {
    const artifacts = scopedArtifacts(open(), { scope: 'chat-1' });
    const { name, bytes } = await artifacts.save(text, { toolName: 'run', toolCallId: 'call_1' });
    return { artifacts, name, bytes };
  }

  const surplus = [1, 5000];
  const declared = [true, false];
  const cases = surplus.flatMap((more) => declared.map((isDeclared) => ({ more, isDeclared })));

  test.each(cases)('is refused with $more more bytes, length declared: $isDeclared', async ({ more, isDeclared }) => {
    const { artifacts, name, bytes } = await save();
    const page = pageOf(bytes + more);
    answerWith(page, isDeclared ? { 'content-length': page.length } : {});
    const refused = { code: expect.stringMatching(/^(STORE_ANSWER|INCOMPLETE_READ)$/) };
    await expect(new Response(await artifacts.readStream(name).catch(rejected)).text()).rejects.toMatchObject(refused);
    await expect(artifacts.readLines(name, { start: 40, count: 2 })).rejects.toMatchObject(refused);
    await expect(artifacts.readLines(name, { start: -2 })).rejects.toMatchObject(refused);
    await expect(artifacts.readBytes(name, { start: 10, end: 20 })).rejects.toMatchObject(refused);
  });

  test('is refused when it is shorter and its length is not declared', async () => {
    const { artifacts, name, bytes } = await save();
    answerWith(pageOf(bytes - 1));
    await expect(artifacts.readBytes(name, { start: 10, end: 20 })).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
  });

  test('is refused when it claims to be a range of a value with another size', async () => {
    const { artifacts, name, bytes } = await save();
    answerWith(pageOf(10), { 'content-range': `bytes 10-19/${bytes + 1}` });
    const reading = artifacts.readStream(name, { start: 10, end: 20 });
    await expect(reading).rejects.toMatchObject({ code: 'STORE_ANSWER' });
  });

  test('is not served over HTTP', async () => {
    const { name, bytes } = await save();
    const handler = createArtifactHandler({ store: open(), authorize: () => 'chat-1', onError: () => {} });
    const page = pageOf(bytes + 1);
    answerWith(page, { 'content-length': page.length });
    const address = `https://app.test/api/artifacts/${name}`;
    for (const view of ['raw', 'lines?start=40&count=2', 'grep?pattern=doctype']) {
      const body = await handler(new Request(`${address}/${view}`)).then((response) => response.text(), String);
      expect(body).not.toContain('doctype html');
    }
  });

  test('and the value itself without a declared length are told apart', async () => {
    const { artifacts, name } = await save();
    answerWith(text);
    expect(await new Response(await artifacts.readStream(name)).text()).toBe(text);
    expect((await artifacts.readLines(name, { start: 40, count: 1 })).lines).toMatchObject([{ text: 'line 39' }]);
  });
});

/** Makes a stream that fails at its start and a stream that fails later look the same. */
function rejected(error: unknown): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.error(error) });
}
