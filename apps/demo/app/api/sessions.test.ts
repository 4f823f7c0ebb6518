import { randomUUID } from 'node:crypto';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { artifactNameOf } from 'ai-truncate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Set before the routes are loaded. On Vercel without a Blob store everything goes into a private temporary directory.
process.env.VERCEL = '1';
process.env.DEMO_LOG_MB = '1';
for (const name of ['OPENAI_API_KEY', 'BLOB_READ_WRITE_TOKEN', 'BLOB_STORE_ID', 'MCP_COMMAND', 'TOOL_OUTPUT_DIR'])
  delete process.env[name];
const { POST } = await import('./chat/route');
const { GET: getChat, DELETE: deleteChat } = await import('./chats/[id]/route');
const { GET: getArtifact } = await import('./artifacts/[...path]/route');
const { dataDirectory } = await import('../../lib/data-directory');
afterAll(() => rm(dataDirectory(), { recursive: true }));

type Headers = Record<string, string>;

const post = (body: unknown, headers: Headers = {}) =>
  POST(new Request('http://localhost/api/chat', { method: 'POST', body: JSON.stringify(body), headers }));
const said = (id: string, text: string, isNew: boolean) => ({
  id,
  trigger: 'submit-message',
  isNew,
  message: { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] },
});
const context = (id: string) => ({ params: Promise.resolve({ id }) });
const restore = (id: string, headers: Headers = {}) =>
  getChat(new Request(`http://localhost/api/chats/${id}`, { headers }), context(id));
const remove = (id: string, headers: Headers = {}) =>
  deleteChat(new Request(`http://localhost/api/chats/${id}`, { method: 'DELETE', headers }), context(id));
const download = (name: string, { chat, headers }: { chat: string; headers: Headers }) =>
  getArtifact(new Request(`http://localhost/api/artifacts/${name}/raw?chat=${chat}`, { headers }));

/** A visitor with a chat that kept an artifact. */
async function visitorWithChat() {
  const chat = randomUUID();
  const response = await post(said(chat, 'Why did checkout fail last night?', true));
  const body = await response.text();
  const [setCookie = ''] = response.headers.getSetCookie();
  const path = /tool-output[\w./-]+?tool_[\w-]+\.txt|tool_[\w-]+\.txt/.exec(body)?.[0] ?? '';
  return {
    chat,
    body,
    name: artifactNameOf(path) ?? '',
    headers: { cookie: setCookie.split(';')[0] ?? '' },
    setCookie,
  };
}

/** All that a client can tell two answers apart by. */
const seenOf = async (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text(),
});

describe('a chat of one visitor', () => {
  let one: Awaited<ReturnType<typeof visitorWithChat>>;
  let other: Awaited<ReturnType<typeof visitorWithChat>>;
  beforeAll(async () => {
    [one, other] = [await visitorWithChat(), await visitorWithChat()];
  });

  test('comes with a cookie, which finds its chat and the artifacts in it again', async () => {
    expect(one.setCookie).toContain('HttpOnly');
    expect((await restore(one.chat, one.headers)).status).toBe(200);
    expect((await download(one.name, one)).status).toBe(200);
    const next = await post(said(one.chat, 'search for rollback', false), one.headers);
    expect(await next.text()).toContain('rollback');
    expect(next.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    ['another visitor', () => other.headers],
    ['nobody', () => ({})],
    [
      'somebody with a forged cookie',
      () => ({ cookie: one.headers.cookie.replace(/\.(.)/, (_match, first) => (first === 'A' ? '.B' : '.A')) }),
    ],
  ])('is as unknown for %s as a chat that never existed', async (_, headersOf) => {
    const headers = headersOf();
    const missing = randomUUID();
    expect(await seenOf(await restore(one.chat, headers))).toEqual(await seenOf(await restore(missing, headers)));
    expect(await seenOf(await remove(one.chat, headers))).toEqual(await seenOf(await remove(missing, headers)));
    expect(await seenOf(await post(said(one.chat, 'hello', false), headers))).toEqual(
      await seenOf(await post(said(missing, 'hello', false), headers)),
    );
    const foreign = await seenOf(await download(one.name, { chat: one.chat, headers }));
    expect(foreign).toEqual(await seenOf(await download(one.name, { chat: missing, headers })));
    expect(foreign.status).toBe(404);
    expect((await restore(one.chat, headers)).status).toBe(404);
  });

  test('is not shown to a visitor who starts a new chat with its id', async () => {
    const begun = await post(said(one.chat, 'Run the tests. What failed?', true), other.headers);
    expect(begun.status).toBe(200);
    expect(await begun.text()).not.toContain('rollback');
    const { messages } = await (await restore(one.chat, one.headers)).json();
    expect(JSON.stringify(messages)).not.toContain('Run the tests');
  });

  test('shows its artifacts in no other chat of the same visitor', async () => {
    expect((await download(one.name, { chat: randomUUID(), headers: one.headers })).status).toBe(404);
  });
});

describe('a chat that its visitor deletes', () => {
  test('is gone with its artifacts, and other chats stay', async () => {
    const [one, other] = [await visitorWithChat(), await visitorWithChat()];
    expect((await remove(one.chat, one.headers)).status).toBe(204);
    expect((await restore(one.chat, one.headers)).status).toBe(404);
    expect((await download(one.name, one)).status).toBe(404);
    expect((await remove(one.chat, one.headers)).status).toBe(404);
    expect((await restore(other.chat, other.headers)).status).toBe(200);
    expect((await download(other.name, other)).status).toBe(200);
    const folder = join(dataDirectory(), 'chats', `${/visitor=(\w+)/.exec(one.headers.cookie)?.[1]}-${one.chat}`);
    await expect(access(folder)).rejects.toThrow('ENOENT');
  });
});

describe('over TLS', () => {
  const overTls = { 'x-forwarded-proto': 'https' };

  test('a visitor gets a cookie that no other site of the domain can set, and is recognised by it', async () => {
    const chat = randomUUID();
    const response = await post(said(chat, 'hello', true), overTls);
    await response.text();
    const [cookie = ''] = response.headers.getSetCookie()[0]?.split(';') ?? [];
    expect(cookie).toMatch(/^__Host-visitor=/);
    expect((await restore(chat, { ...overTls, cookie })).status).toBe(200);
    const planted = cookie.replace('__Host-', '');
    expect((await restore(chat, { ...overTls, cookie: planted })).status).toBe(404);
  });

  test('a visitor with an older cookie gets a new one instead of an error', async () => {
    const { headers } = await visitorWithChat();
    const response = await post(said(randomUUID(), 'hello', true), { ...overTls, ...headers });
    await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-visitor=/);
  });
});

describe('a page of another site', () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  test('can neither ask nor delete in the name of a visitor', async () => {
    const { chat, headers: own } = await visitorWithChat();
    const asked = await post(said(randomUUID(), 'hello', true), { ...own, ...headers });
    expect(asked.status).toBe(403);
    expect(asked.headers.getSetCookie()).toEqual([]);
    expect((await remove(chat, { ...own, ...headers })).status).toBe(403);
    expect((await restore(chat, own)).status).toBe(200);
  });
});

describe('a visitor who loads a chat again and again', () => {
  test('has to wait, because loads count as reads', async () => {
    const { chat, headers } = await visitorWithChat();
    // More than the 3,000, since some come back meanwhile.
    const answers = await Promise.all(Array.from({ length: 3_500 }, () => restore(chat, headers)));
    const [shown, refused] = [200, 429].map((wanted) => answers.filter(({ status }) => status === wanted));
    expect(shown?.length).toBeGreaterThanOrEqual(3_000);
    expect(refused?.length).toBe(answers.length - (shown?.length ?? 0));
    expect(Number(refused?.[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
