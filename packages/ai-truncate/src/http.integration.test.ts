import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { scopedArtifacts } from './artifacts/scoped-artifacts.ts';
import type { ArtifactGrepEvent, ArtifactHandler } from './http.ts';
import { filesystemStore } from './stores/filesystem/filesystem-store.ts';
import { memoryStore } from './stores/memory-store.ts';

const rootDirectory = join(import.meta.dirname, '../../..');
const SECRET = 'of-the-server';
const call = { toolName: 'readServerLogs', toolCallId: 'call_1' };
const modules: Record<string, string> = {
  'ai-truncate': join(import.meta.dirname, 'index.ts'),
  'ai-truncate/http': join(import.meta.dirname, 'http.ts'),
  'ai-truncate/filesystem': join(import.meta.dirname, 'stores/filesystem/filesystem-store.ts'),
  hono: join(rootDirectory, 'node_modules/.pnpm/node_modules/hono/dist/index.js'),
};

let directory = '';
let examples: string[] = [];
let storeDirectory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(import.meta.dirname, '../node_modules/http-examples-'));
  storeDirectory = join(directory, 'tool-output');
  const page = await readFile(join(rootDirectory, 'docs/http.md'), 'utf8');
  examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map((block) => block[1] ?? '');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** One example of the page, with its packages from here and its store in a directory of this test. */
async function load<Module>(index: number): Promise<Module> {
  const linked = (examples[index] ?? '').replace(/from '([^']+)'/g, (all, name) =>
    modules[name] ? `from '${modules[name]}'` : all,
  );
  const file = join(directory, `example-${index}.ts`);
  await writeFile(file, linked.replace('filesystemStore()', `filesystemStore({ directory: '${storeDirectory}' })`));
  return await import(file);
}

describe('the route handler of docs/http.md for Next.js', () => {
  let route: { GET: ArtifactHandler; HEAD: ArtifactHandler };

  beforeEach(async () => {
    vi.stubEnv('SESSION_SECRET', SECRET);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    route ??= await load(0);
    return () => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    };
  });

  const signed = (visitor: string, secret = SECRET) =>
    `theme=dark; session=${visitor}.${createHmac('sha256', secret).update(visitor).digest('base64url')}; a=b`;

  async function statusFor(cookie: string): Promise<number> {
    const { name } = await scopedArtifacts(filesystemStore({ directory: storeDirectory }), { scope: 'visitor-1' }).save(
      'text',
      call,
    );
    const request = new Request(`https://app.test/api/artifacts/${name}/raw`, { headers: { cookie } });
    return (await route.GET(request)).status;
  }

  test('serves users their own artifacts', async () => {
    expect(await statusFor(signed('visitor-1'))).toBe(200);
  });

  test.each([
    '',
    'session=visitor-1',
    'session=visitor-1.',
    `session=visitor-1.${'A'.repeat(43)}`,
    signed('visitor-2'),
    signed('visitor-1', 'of-somebody-else'),
    signed('visitor-1', ''),
  ])('serves nothing to others: %s', async (cookie) => {
    expect(await statusFor(cookie)).toBe(404);
  });

  test('serves nothing while the server has no secret', async () => {
    vi.stubEnv('SESSION_SECRET', '');
    expect(await statusFor(signed('visitor-1', ''))).toBe(500);
    expect(console.error).toHaveBeenCalled();
  });
});

describe('the Hono application of docs/http.md', () => {
  test('serves artifacts under its path, including HEAD, and answers 401 without a session', async () => {
    const { app } = await load<{ app: { request(path: string, init?: RequestInit): Promise<Response> } }>(1);
    const name = 'tool_20260113_153045_read_call-1_0123456789abcdef.txt';
    for (const method of ['GET', 'HEAD']) {
      const response = await app.request(`/api/artifacts/${name}/lines`, { method });
      expect([response.status, response.headers.get('x-content-type-options')]).toEqual([401, 'nosniff']);
    }
    const written = await app.request(`/api/artifacts/${name}`, { method: 'POST' });
    expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await app.request('/elsewhere')).headers.get('x-content-type-options')).toBeNull();
  });
});

describe('the search of docs/http.md', () => {
  test('reads the events of a handler, however they are cut into chunks', async () => {
    const { createArtifactHandler } = await import('./http.ts');
    const store = memoryStore();
    const { name } = await scopedArtifacts(store, { scope: 'chat-1' }).save('€ hit\n'.repeat(40), call);
    const handler = createArtifactHandler({ store, authorize: () => 'chat-1' });
    const { search } = await load<{ search: (...all: unknown[]) => Promise<void> }>(2);
    vi.stubGlobal('fetch', async (path: string) => {
      const response = await handler(new Request(`https://app.test${path}`));
      const byBytes = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          for (let at = 0; at < chunk.length; at += 7) controller.enqueue(chunk.slice(at, at + 7));
        },
      });
      return new Response(response.body?.pipeThrough(byBytes), response);
    });
    const events: ArtifactGrepEvent[] = [];
    await search(name, '€ hit', (event: ArtifactGrepEvent) => events.push(event), undefined);
    await expect(search(name, '', () => {}, undefined)).rejects.toThrow('The pattern is empty');
    vi.unstubAllGlobals();
    expect(events.filter(({ type }) => type === 'match')).toHaveLength(40);
    expect(events.at(-1)).toMatchObject({ type: 'end', ended: 'complete', matches: 40 });
  });
});
