import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startBlobServer } from '../../fixtures/blob-server.ts';
import { redirectBlobHosts } from '../../fixtures/redirect-blob-hosts.ts';
import { serveHandler } from '../../fixtures/serve-handler.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { vercelBlobStore } from '../stores/vercel-blob/vercel-blob-store.ts';
import { createArtifactHandler } from './create-artifact-handler.ts';

const call = { toolName: 'readServerLogs', toolCallId: 'call_1' };
const MEGABYTE = 1024 * 1024;

const closings: (() => unknown)[] = [];
let errors: unknown[] = [];

beforeEach(() => {
  errors = [];
});

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function openBlob(): Promise<ArtifactStore> {
  const server = await startBlobServer();
  closings.push(
    () => server.close(),
    redirectBlobHosts(server.origin),
    () => vi.unstubAllEnvs(),
  );
  vi.stubEnv('VERCEL_BLOB_API_URL', server.apiUrl);
  return vercelBlobStore({ token: 'vercel_blob_rw_store_secret' });
}

async function openFiles(): Promise<ArtifactStore> {
  const directory = await mkdtemp(join(tmpdir(), 'ai-truncate-http-'));
  closings.push(() => rm(directory, { recursive: true }));
  return filesystemStore({ directory: join(directory, 'store') });
}

/** A real socket, with a session by cookie. */
async function serve(store: ArtifactStore): Promise<string> {
  const handler = createArtifactHandler({
    store,
    authorize: ({ headers }) => /^session=(.+)$/.exec(headers.get('cookie') ?? '')?.[1],
    onError: (error) => errors.push(error),
  });
  const { origin, close } = await serveHandler(handler);
  closings.push(close);
  return `${origin}/api/artifacts`;
}

const visitor = { headers: { cookie: 'session=chat-1' } };

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1} €`).join('\n');

describe.each([
  ['memory', async () => memoryStore()],
  ['files', openFiles],
  ['Vercel Blob', openBlob],
])('a handler over %s, on a real socket', (_, open) => {
  test('serves every view of a large artifact', async () => {
    const store = await open();
    const base = await serve(store);
    const text = numbered(300_000);
    const { name } = await scopedArtifacts(store, { scope: 'chat-1' }).save(text, call);
    const address = `${base}/${name}`;

    expect(await (await fetch(address, visitor)).json()).toMatchObject({ name, lines: 300_000, ...call });
    const raw = await fetch(`${address}/raw`, visitor);
    expect(raw.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(sha256(Buffer.from(await raw.arrayBuffer()))).toBe(sha256(text));
    const range = await fetch(`${address}/raw`, { headers: { ...visitor.headers, range: 'bytes=-15' } });
    expect([range.status, await range.text()]).toEqual([206, 'line 300000 €']);
    const lines = await (await fetch(`${address}/lines?start=299999&count=5`, visitor)).json();
    expect(lines).toMatchObject({ lines: [{ text: 'line 299999 €' }, { number: 300_000 }], totalLines: 300_000 });
    const chars = await (await fetch(`${address}/chars?line=299999&start=6&count=6`, visitor)).json();
    expect(chars).toMatchObject({ text: '299999', isEnd: false });
    const matches = await (await fetch(`${address}/grep?q=99999%20%E2%82%AC`, visitor)).text();
    expect(matches.match(/"line":\d*/g)).toEqual(['"line":99999', '"line":199999', '"line":299999']);
    const head = await fetch(`${address}/raw`, { method: 'HEAD', ...visitor });
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(Buffer.byteLength(text)), '']);
    expect(errors).toEqual([]);
  });

  test('serves nothing to another user', async () => {
    const store = await open();
    const base = await serve(store);
    const { name } = await scopedArtifacts(store, { scope: 'chat-1' }).save('secret', call);
    for (const headers of [{}, { cookie: 'session=chat-2' }] as Record<string, string>[]) {
      for (const view of ['', '/raw', '/lines', '/chars', '/grep?q=s']) {
        const response = await fetch(`${base}/${name}${view}`, { headers });
        expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
      }
    }
  });
});

describe('a client that disconnects', () => {
  interface Endless {
    store: ArtifactStore;
    reads: () => number;
    begun: Promise<void>;
    cancelled: Promise<void>;
  }

  /** Endless bytes, counted. Reports when they are read, and when the stream is canceled. */
  function endless(bytes: number): Endless {
    const store = memoryStore();
    let reads = 0;
    let onBegin = () => {};
    let onCancel = () => {};
    const begun = new Promise<void>((resolve) => {
      onBegin = resolve;
    });
    const cancelled = new Promise<void>((resolve) => {
      onCancel = resolve;
    });
    const read = () =>
      new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          pull(controller) {
            reads++;
            onBegin();
            controller.enqueue(new Uint8Array(bytes).fill(120));
          },
          cancel: () => onCancel(),
        },
        { highWaterMark: 0 },
      );
    return {
      store: {
        ...store,
        async get(key, options) {
          if (!key.endsWith('.info.json')) return read();
          const json = JSON.parse(await new Response(await store.get(key, options)).text());
          return new Response(JSON.stringify({ ...json, bytes: 2 ** 40 })).body as never;
        },
      },
      reads: () => reads,
      begun,
      cancelled,
    };
  }

  function request(address: string): Promise<{ request: ClientRequest; response: IncomingMessage }> {
    return new Promise((resolve, reject) => {
      const sent = get(address, visitor, (response) => resolve({ request: sent, response }));
      sent.on('error', reject);
    });
  }

  test.each(['raw', 'grep?q=needle', 'chars?start=99999999999'])('ends the reading of the store: %s', async (view) => {
    const { store, begun, cancelled } = endless(MEGABYTE);
    const base = await serve(store);
    const { name } = await scopedArtifacts(store, { scope: 'chat-1' }).save('x', call);
    const gone = new AbortController();
    const answer = fetch(`${base}/${name}/${view}`, { ...visitor, signal: gone.signal });
    const isOver = expect(answer.then((response) => response.arrayBuffer())).rejects.toThrow('aborted');
    await begun;
    gone.abort();
    await cancelled;
    await isOver;
    expect(errors).toEqual([]);
  });

  test('or reads slowly never receives more than the socket accepts', async () => {
    const { store, reads, begun, cancelled } = endless(MEGABYTE);
    const base = await serve(store);
    const { name } = await scopedArtifacts(store, { scope: 'chat-1' }).save('x', call);
    const { request: sent, response } = await request(`${base}/${name}/raw`);
    response.pause();
    await begun;
    // Waits until the number of reads no longer grows.
    for (let before = -1; before !== reads(); ) {
      before = reads();
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(reads()).toBeGreaterThan(0);
    expect(reads()).toBeLessThan(32);
    sent.destroy();
    await cancelled;
    expect(errors).toEqual([]);
  });
});

describe('an artifact that the store loses halfway', () => {
  test('is a broken connection, and never a download that looks complete', async () => {
    const store = memoryStore();
    const base = await serve({
      ...store,
      get: (key, options) => store.get(key, key.endsWith('.info.json') ? options : { ...options, end: 3 * MEGABYTE }),
    });
    const { name } = await scopedArtifacts(store, { scope: 'chat-1' }).save('x'.repeat(4 * MEGABYTE), call);
    const response = await fetch(`${base}/${name}/raw`, visitor);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
    expect(errors).toMatchObject([{ code: 'INCOMPLETE_READ' }]);
  });
});

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
