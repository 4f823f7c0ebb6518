import { rmSync } from 'node:fs';
import { memoryStore, scopedArtifacts } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { oncePerProcess } from '../../../lib/once-per-process';

// Set before the page is loaded. On Vercel without a Blob store everything goes into a private temporary directory.
process.env.VERCEL = '1';
for (const name of ['BLOB_READ_WRITE_TOKEN', 'BLOB_STORE_ID', 'TOOL_OUTPUT_DIR']) delete process.env[name];
const request = { headers: new Headers() };
vi.mock('next/headers', () => ({ headers: async () => request.headers }));
vi.mock('next/navigation', () => ({
  notFound: () => {
    throw new Error('not found');
  },
}));
/** How often the store was asked. */
let asked = 0;
const place = memoryStore();
const counted: ArtifactStore = {
  ...place,
  get(...parameters) {
    asked++;
    return place.get(...parameters);
  },
  head(...parameters) {
    asked++;
    return place.head(...parameters);
  },
};
oncePerProcess('artifact-store', () => counted);
const { default: Page } = await import('./page');
const { dataDirectory } = await import('../../../lib/data-directory');
const { toChatKey } = await import('../../../lib/chat-key');
const { newVisitor } = await import('../../../lib/visitor');
const { visitorLimits } = await import('../../../lib/visitor-limits');
afterAll(() => rmSync(dataDirectory(), { recursive: true }));

const chat = '6f1c1d2e-8a53-4d0e-9b3a-1f2e3d4c5b6a';
const missing = 'tool_20261118_120000_read-server-logs_call_0123456789abcdef.txt';
let visitor = { id: '' };
beforeEach(async () => {
  const { visitor: known, setCookie } = await newVisitor({ headers: new Headers() });
  visitor = known;
  request.headers = new Headers({ cookie: setCookie.split(';')[0] ?? '', 'x-real-ip': known.id.slice(0, 8) });
  asked = 0;
});
const open = (name: string) => Page({ params: Promise.resolve({ name }), searchParams: Promise.resolve({ chat }) });
const readTooMuch = () =>
  visitorLimits().tookReading({ request, visitor, isNew: false }, { isSearch: false, bytes: 6e9 });

test('a visitor who read too much has to wait, and the store receives no call', async () => {
  readTooMuch();
  const html = renderToStaticMarkup(await open(missing));
  expect(html).toContain('Too many outputs in a short time');
  expect(html).toMatch(/in \d+ seconds/);
  expect(asked).toBe(0);
});

test('an existing output then looks the same as an unknown output', async () => {
  const artifacts = scopedArtifacts(place, { scope: toChatKey(visitor, chat) });
  const { name } = await artifacts.save('text', { toolName: 'runTests', toolCallId: 'call' });
  readTooMuch();
  expect(renderToStaticMarkup(await open(name))).toContain('Too many outputs in a short time');
  expect(asked).toBe(0);
});

test('names that do not exist are counted, and refused after the limit', async () => {
  let refused: Awaited<ReturnType<typeof open>> | undefined;
  let opened = 0;
  // More than the limit of 3,000, because some become available again during the test.
  for (; opened < 3_500 && refused === undefined; opened++) refused = await open(missing).catch(() => undefined);
  expect(opened).toBeGreaterThan(3_000);
  expect(refused && renderToStaticMarkup(refused)).toContain('Too many outputs in a short time');
});
