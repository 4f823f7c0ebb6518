import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Files } from 'files-sdk';
import { fs } from 'files-sdk/fs';
import { s3 } from 'files-sdk/s3';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type S3Server, startS3Server } from '../../../fixtures/s3-server.ts';
import type { ArtifactStore, StoredEntry } from '../artifact-store.ts';
import { artifactStoreContract } from '../artifact-store-contract.ts';
import { type FilesSdkStoreOptions, filesSdkStore } from './files-sdk-store.ts';

let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
});

afterEach(() => {
  server.fault = undefined;
});

afterAll(() => server.close());

function s3Files(options: { conditional?: boolean; bucket?: string; prefix?: string } = {}): Files {
  const { conditional = true, bucket = server.bucket, prefix } = options;
  const { endpoint, credentials } = server;
  const adapter = s3({ bucket, region: 'us-east-1', endpoint, forcePathStyle: true, credentials, conditional });
  return new Files({ adapter, ...(prefix && { prefix }) });
}

function s3Store(options: FilesSdkStoreOptions & Parameters<typeof s3Files>[0] = {}): ArtifactStore {
  const { timeoutMs = 5_000 } = options;
  return filesSdkStore(s3Files(options), { timeoutMs });
}

const MEGABYTE = 1_000_000;
const text = { contentType: 'text/plain' };

async function* body(bytes: number, fill = 1): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes; at += 65_536) yield new Uint8Array(Math.min(65_536, bytes - at)).fill(fill);
}

async function* failingAfter(bytes: number, failure: Error): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield* body(bytes);
  throw failure;
}

async function readAll(stream: ReadableStream<Uint8Array> | undefined): Promise<Uint8Array | undefined> {
  return stream && new Uint8Array(await new Response(stream).arrayBuffer());
}

async function listAll(store: ArtifactStore, prefix: string): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of store.list(prefix)) entries.push(entry);
  return entries;
}

/** The methods of the requests that a call sends. */
async function requestsOf(call: () => Promise<unknown>): Promise<string[]> {
  const before = server.requests.length;
  await call();
  return server.requests.slice(before).map(({ method }) => method);
}

/** Fails the first matching requests, as many as `times` says. */
function failFirst(
  count: number,
  { fault, when }: { fault: ReturnType<NonNullable<S3Server['fault']>>; when: RegExp },
): void {
  let left = count;
  server.fault = ({ method, path }) => (when.test(`${method} ${path}`) && left-- > 0 ? fault : undefined);
}

describe('the contract over the file-system adapter of files-sdk', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ai-truncate-files-sdk-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const cases = artifactStoreContract({
    open: () => filesSdkStore(new Files({ adapter: fs({ root: directory }) })),
    cannot: { createExclusively: 'the adapter has no conditional writes' },
  });
  for (const { name, run, skip } of cases) test.skipIf(skip)(name, run);

  test('refuses a second put that does not arrive at the same moment', async () => {
    const store = filesSdkStore(new Files({ adapter: fs({ root: directory }) }));
    await store.put('second/a.txt', body(10), text);
    await expect(store.put('second/a.txt', body(20), text)).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    expect((await store.head('second/a.txt'))?.bytes).toBe(10);
  });
});

describe('the contract over S3 with conditional writes', () => {
  for (const { name, run, skip } of artifactStoreContract({ open: () => s3Store() })) test.skipIf(skip)(name, run);
});

describe('the contract over S3 without conditional writes', () => {
  const cases = artifactStoreContract({
    open: () => s3Store({ conditional: false }),
    cannot: { createExclusively: 'the endpoint may ignore If-None-Match' },
  });
  for (const { name, run, skip } of cases) test.skipIf(skip)(name, run);
});

describe('writing to S3', () => {
  test('sends a value of up to 8 MB in one request that cannot overwrite', async () => {
    expect(await requestsOf(() => s3Store().put('small/a.bin', body(8 * MEGABYTE), text))).toEqual(['PUT']);
    expect(server.requests.at(-1)?.isConditional).toBe(true);
  });

  test('checks first when it cannot write conditionally', async () => {
    const store = s3Store({ conditional: false });
    expect(await requestsOf(() => store.put('small/b.bin', body(10), text))).toEqual(['HEAD', 'PUT']);
    await expect(store.put('small/b.bin', body(20), text)).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    expect((await store.head('small/b.bin'))?.bytes).toBe(10);
  });

  test('sends a larger value in parts, and refuses to overwrite', async () => {
    const store = s3Store();
    const before = server.requests.length;
    await store.put('large/a.bin', body(9 * MEGABYTE), text);
    const parts = server.requests.slice(before).filter(({ path }) => path.includes('partNumber='));
    expect(parts).toHaveLength(2);
    await expect(store.put('large/a.bin', body(9 * MEGABYTE + 1), text)).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    expect((await store.head('large/a.bin'))?.bytes).toBe(9 * MEGABYTE);
  });

  test('holds at most 40 MB of the 100 MB that it streams', async () => {
    const store = s3Store();
    const before = server.bytesReceived;
    let given = 0;
    let mostHeld = 0;
    async function* counted() {
      for await (const chunk of body(100 * MEGABYTE)) {
        given += chunk.length;
        mostHeld = Math.max(mostHeld, given - (server.bytesReceived - before));
        yield chunk;
      }
    }
    await store.put('large/b.bin', counted(), text);
    expect((await store.head('large/b.bin'))?.bytes).toBe(100 * MEGABYTE);
    expect(mostHeld / MEGABYTE).toBeLessThan(40);
  });

  test('stores the content type for other users of the bucket', async () => {
    await s3Store().put('small/c.txt', body(10), { contentType: 'text/plain; charset=utf-8' });
    const file = await s3Files().head('tool-output/small/c.txt');
    expect(file.type).toBe('text/plain; charset=utf-8');
  });

  test.each([9, 30])(
    'stores nothing when the source of a stream fails after %i MB, and rejects with its error',
    async (size) => {
      const store = s3Store();
      const failure = new Error('the tool failed');
      const before = server.requests.length;
      await expect(store.put('large/c.bin', failingAfter(size * MEGABYTE, failure), text)).rejects.toBe(failure);
      // This server refuses the deletion, and the error of the adapter differs from the error of the source.
      expect(server.requests.slice(before).some(({ method }) => method === 'DELETE')).toBe(true);
      expect(await store.head('large/c.bin')).toBeUndefined();
    },
  );

  test('stores nothing when the signal aborts, and closes the source of the stream', async () => {
    const store = s3Store();
    const controller = new AbortController();
    const reason = new Error('stopped');
    let isClosed = false;
    async function* endless() {
      try {
        while (true) yield new Uint8Array(MEGABYTE);
      } finally {
        isClosed = true;
      }
    }
    server.fault = ({ path }) => {
      if (path.includes('partNumber=3')) controller.abort(reason);
      return undefined;
    };
    const put = store.put('large/d.bin', endless(), { ...text, signal: controller.signal });
    await expect(put).rejects.toBe(reason);
    expect(await store.head('large/d.bin')).toBeUndefined();
    await expect.poll(() => isClosed).toBe(true);
  });

  test('refuses a bucket that does not exist', async () => {
    const store = s3Store({ bucket: 'missing' });
    await expect(store.put('a/a.txt', body(10), text)).rejects.toMatchObject({ code: 'NotFound' });
    await expect(store.put('a/a.txt', body(9 * MEGABYTE), text)).rejects.toMatchObject({ code: 'NotFound' });
    await expect(store.get('a/a.txt')).rejects.toMatchObject({ code: 'NotFound' });
    await expect(listAll(store, '')).rejects.toMatchObject({ code: 'NotFound' });
    await expect(store.delete(['a/a.txt'])).rejects.toMatchObject({ code: 'NotFound' });
  });
});

describe('listing and deleting in S3', () => {
  test('lists 1,500 values in order, each once, and deletes a thousand with one request', async () => {
    const store = s3Store({ conditional: false });
    const keys = Array.from({ length: 1_500 }, (_, index) => `many/n${(index * 7919) % 1_500}.txt`);
    await server.plant(keys.map((key) => `tool-output/${key}`));
    const entries = await listAll(store, 'many/');
    expect(entries.map(({ key }) => key)).toEqual(keys.toSorted());
    expect(await requestsOf(() => store.delete(keys.slice(0, 1_000)))).toEqual(['POST']);
    await store.delete(keys.slice(1_000));
    expect(await listAll(store, 'many/')).toEqual([]);
  });

  test('lists from a key on a later page, and continues when a whole page was deleted during the listing', async () => {
    const store = s3Store();
    const keys = Array.from({ length: 1_010 }, (_, index) => `gone/n${1_000 + index}.txt`);
    await server.plant(keys.map((key) => `tool-output/${key}`));
    const [last = ''] = keys.slice(-3);
    const rest: string[] = [];
    for await (const { key } of store.list('gone/', { after: last })) rest.push(key);
    expect(rest).toEqual(keys.slice(-2));
    const listed: string[] = [];
    for await (const { key } of store.list('gone/')) {
      listed.push(key);
      if (listed.length === 1_000) await store.delete(listed);
    }
    expect(listed).toEqual(keys);
  });

  test('ends a listing at once when the signal aborts while a later page hangs', async () => {
    const store = s3Store({ timeoutMs: 60_000 });
    await server.plant(Array.from({ length: 1_010 }, (_, index) => `tool-output/pages/n${index}.txt`));
    const controller = new AbortController();
    const reason = new Error('stopped');
    server.fault = ({ path }) => {
      if (!path.includes('continuation-token=')) return undefined;
      controller.abort(reason);
      return 'hang';
    };
    let listed = 0;
    const listing = async () => {
      for await (const _ of store.list('pages/', { signal: controller.signal })) listed++;
    };
    await expect(listing()).rejects.toBe(reason);
    expect(listed).toBe(1_000);
  });

  test('ignores other objects in the bucket', async () => {
    const store = filesSdkStore(s3Files(), { prefix: 'shared/' });
    const files = s3Files();
    for (const key of [
      'other/a.txt',
      'shared/README.md',
      'shared/UPPER/a.txt',
      'shared/deep/er/a.txt',
      'shared/ours/a.txt',
    ]) {
      await files.upload(key, 'x');
    }
    expect((await listAll(store, '')).map(({ key }) => key)).toEqual(['ours/a.txt']);
  });

  test('also works under the prefix of a `Files`', async () => {
    const store = s3Store({ prefix: 'tenants/one' });
    await store.put('mine/a.txt', body(5), text);
    expect((await listAll(store, 'mine/')).map(({ key }) => key)).toEqual(['mine/a.txt']);
    expect((await s3Files().head('tenants/one/tool-output/mine/a.txt')).size).toBe(5);
    await store.delete(['mine/a.txt']);
    expect(await store.head('mine/a.txt')).toBeUndefined();
  });

  test('sends no hostile key to the provider', async () => {
    const store = s3Store();
    const requests = await requestsOf(async () => {
      await expect(store.put('../a.txt', body(1), text)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      await expect(store.get('a/../../b.txt')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      await expect(store.head('/a/b.txt')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      await expect(store.delete(['a/b.txt', 'a/b?versionId=1'])).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      await expect(listAll(store, 'a/../')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    });
    expect(requests).toEqual([]);
  });
});

describe('failures of S3', () => {
  const unavailable = { status: 503, code: 'ServiceUnavailable' };

  test('survives a short outage of the backend in every method', async () => {
    const store = s3Store();
    // More failures than the AWS client retries.
    const flaky = () => failFirst(4, { fault: unavailable, when: /./ });
    flaky();
    await store.put('flaky/a.txt', body(10), text);
    flaky();
    expect((await store.head('flaky/a.txt'))?.bytes).toBe(10);
    flaky();
    expect((await readAll(await store.get('flaky/a.txt')))?.length).toBe(10);
    flaky();
    expect(await listAll(store, 'flaky/')).toHaveLength(1);
    flaky();
    await store.delete(['flaky/a.txt']);
    server.fault = undefined;
    expect(await store.head('flaky/a.txt')).toBeUndefined();
  });

  test('gives up with the error of the backend when the outage lasts', async () => {
    server.fault = () => unavailable;
    await expect(s3Store().put('down/a.txt', body(10), text)).rejects.toMatchObject({ code: 'Provider' });
    await expect(s3Store().get('down/a.txt')).rejects.toMatchObject({ code: 'Provider' });
    await expect(s3Store().head('down/a.txt')).rejects.toMatchObject({ code: 'Provider' });
  });

  test('also retries after a lost connection', async () => {
    const store = s3Store();
    failFirst(4, { fault: 'reset', when: /^PUT/ });
    await store.put('reset/a.txt', body(10), text);
    expect((await store.head('reset/a.txt'))?.bytes).toBe(10);
  });

  test('ends every method at its deadline when the backend hangs', async () => {
    const store = s3Store({ timeoutMs: 100 });
    server.fault = () => 'hang';
    const timeout = { code: 'STORE_TIMEOUT', message: expect.stringContaining('within 100 ms') };
    await expect(store.put('hang/a.txt', body(10), text)).rejects.toMatchObject(timeout);
    await expect(store.put('hang/a.bin', body(9 * MEGABYTE), text)).rejects.toMatchObject(timeout);
    await expect(store.get('hang/a.txt')).rejects.toMatchObject(timeout);
    await expect(store.head('hang/a.txt')).rejects.toMatchObject(timeout);
    await expect(listAll(store, '')).rejects.toMatchObject(timeout);
    await expect(store.delete(['hang/a.txt'])).rejects.toMatchObject(timeout);
  });

  test('ends a stream at its deadline when its parts hang', async () => {
    server.fault = ({ path }) => (path.includes('partNumber=') ? 'hang' : undefined);
    const put = s3Store({ timeoutMs: 300 }).put('hang/b.bin', body(60 * MEGABYTE), text);
    await expect(put).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
  });

  test('does not count the time of the source', async () => {
    const store = s3Store({ timeoutMs: 400 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    async function* slow() {
      yield* body(6 * MEGABYTE);
      await vi.advanceTimersByTimeAsync(600);
      yield* body(6 * MEGABYTE);
      await vi.advanceTimersByTimeAsync(600);
      yield new Uint8Array(1);
    }
    await store.put('slow/a.bin', slow(), text);
    expect((await store.head('slow/a.bin'))?.bytes).toBe(12 * MEGABYTE + 1);
  });

  test('rejects with the reason of the signal at once when the backend hangs', async () => {
    const store = s3Store({ timeoutMs: 60_000 });
    const reason = new Error('stopped');
    const underWay = server.underWay;
    server.fault = () => 'hang';
    const calls: ((signal: AbortSignal) => Promise<unknown>)[] = [
      (signal) => store.put('hang/a.txt', body(10), { ...text, signal }),
      (signal) => store.get('hang/a.txt', { signal }),
      (signal) => store.head('hang/a.txt', { signal }),
      (signal) => store.list('hang/', { signal })[Symbol.asyncIterator]().next(),
      (signal) => store.delete(['hang/a.txt'], { signal }),
    ];
    for (const call of calls) {
      const controller = new AbortController();
      const before = server.requests.length;
      const outcome = expect(call(controller.signal)).rejects.toBe(reason);
      await expect.poll(() => server.requests.length).toBeGreaterThan(before);
      controller.abort(reason);
      await outcome;
    }
    // The check after an aborted put has its own deadline.
    await expect.poll(() => server.underWay, { timeout: 10_000 }).toBeLessThanOrEqual(underWay);
  });

  test('does not wait for a delete that hangs when another one has failed', async () => {
    const underWay = server.underWay;
    server.fault = ({ path }) => (path.includes('a.txt') ? 'hang' : { status: 403, code: 'AccessDenied' });
    const deleted = s3Store({ timeoutMs: 60_000 }).delete(['together/a.txt', 'together/b.txt']);
    await expect(deleted).rejects.toMatchObject({ code: 'Unauthorized' });
    await expect.poll(() => server.underWay, { timeout: 5_000 }).toBeLessThanOrEqual(underWay);
  });

  test('recognizes its own value when only the answer to the write was lost', async () => {
    const store = s3Store();
    failFirst(1, { fault: 'do, then reset', when: /^PUT/ });
    await store.put('lost/a.txt', body(10), text);
    expect((await store.head('lost/a.txt'))?.bytes).toBe(10);
  });

  test('recognizes its own value when the write was never answered', async () => {
    const store = s3Store({ timeoutMs: 500 });
    failFirst(1, { fault: 'do, then hang', when: /^PUT/ });
    await store.put('lost/b.txt', body(10), text);
    expect((await store.head('lost/b.txt'))?.bytes).toBe(10);
  });

  test('does not mistake the equal value of another writer for its own', async () => {
    const store = s3Store();
    await store.put('lost/c.txt', body(10), text);
    failFirst(1, { fault: 'do, then reset', when: /^PUT/ });
    await expect(store.put('lost/c.txt', body(10), text)).rejects.toMatchObject({ code: 'KEY_EXISTS' });
    expect((await store.head('lost/c.txt'))?.bytes).toBe(10);
  });

  test('recognizes its own stream when the answer to the last request was lost', async () => {
    const store = s3Store();
    failFirst(1, { fault: 'do, then reset', when: /^POST .*uploadId=/ });
    await store.put('lost/d.bin', body(9 * MEGABYTE), text);
    expect((await store.head('lost/d.bin'))?.bytes).toBe(9 * MEGABYTE);
  });

  test('removes a value that was stored after the caller had aborted', async () => {
    const store = s3Store();
    const controller = new AbortController();
    failFirst(1, { fault: 'do, then hang', when: /^PUT/ });
    const put = store.put('lost/e.txt', body(10), { ...text, signal: controller.signal });
    const outcome = expect(put).rejects.toThrow('stopped');
    await expect.poll(async () => (await store.head('lost/e.txt'))?.bytes).toBe(10);
    controller.abort(new Error('stopped'));
    await outcome;
    await expect.poll(() => store.head('lost/e.txt')).toBeUndefined();
  });

  test('never mistakes refused credentials for a missing key', async () => {
    const store = s3Store();
    server.fault = () => ({ status: 403, code: 'AccessDenied' });
    const refused = { code: 'Unauthorized' };
    const requests = await requestsOf(async () => {
      await expect(store.put('denied/a.txt', body(10), text)).rejects.toMatchObject(refused);
      await expect(store.get('denied/a.txt')).rejects.toMatchObject(refused);
      await expect(store.head('denied/a.txt')).rejects.toMatchObject(refused);
      await expect(listAll(store, '')).rejects.toMatchObject(refused);
      await expect(store.delete(['denied/a.txt'])).rejects.toMatchObject(refused);
    });
    expect(requests).toEqual(['PUT', 'GET', 'HEAD', 'GET', 'DELETE']);
  });
});

describe('reading a value from S3', () => {
  beforeAll(() => s3Store().put('read/a.bin', body(4 * MEGABYTE), text));

  test('ends with an error when the connection breaks in the middle', async () => {
    failFirst(1, { fault: 'reset half-way', when: /^GET/ });
    const stream = await s3Store().get('read/a.bin');
    await expect(readAll(stream)).rejects.toThrow();
  });

  test('ends with the reason of a signal that aborts in the middle', async () => {
    const controller = new AbortController();
    const stream = await s3Store().get('read/a.bin', { signal: controller.signal });
    const reader = stream?.getReader();
    await reader?.read();
    controller.abort(new Error('stopped'));
    await expect(reader?.read()).rejects.toThrow('stopped');
  });

  test('requests only the wanted bytes', async () => {
    const before = server.requests.length;
    await readAll(await s3Store().get('read/a.bin', { start: 10, end: 20 }));
    expect(server.requests.slice(before)).toMatchObject([{ method: 'GET', range: 'bytes=10-19' }]);
  });
});
