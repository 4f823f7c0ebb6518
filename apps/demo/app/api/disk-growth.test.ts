import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

// Set before the routes are loaded. On Vercel without a Blob store everything goes into a private temporary directory.
process.env.VERCEL = '1';
process.env.DEMO_LOG_MB = '3';
for (const name of ['OPENAI_API_KEY', 'BLOB_READ_WRITE_TOKEN', 'BLOB_STORE_ID', 'MCP_COMMAND', 'TOOL_OUTPUT_DIR'])
  delete process.env[name];
const { POST } = await import('./chat/route');
const { dataDirectory } = await import('../../lib/data-directory');
const { visitorLimits } = await import('../../lib/visitor-limits');
afterAll(() => rmSync(dataDirectory(), { recursive: true }));

const LOG_BYTES = 3_000_000;
/** Side-cars, references and chat logs of one question take at most this much, in blocks of a disk. */
const SMALL_FILES_BYTES = 120_000;

/** Asks as a client that keeps no cookie does. */
async function ask(text: string, { network = String(randomUUID()) } = {}): Promise<Response> {
  const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  const body = JSON.stringify({ id: randomUUID(), trigger: 'submit-message', isNew: true, message });
  const request = new Request('http://localhost/api/chat', { method: 'POST', body, headers: { 'x-real-ip': network } });
  const response = await POST(request);
  await response.clone().text();
  return response;
}

const bytesOnDisk = () =>
  readdirSync(dataDirectory(), { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(dataDirectory(), path)))
    .reduce((sum, { blocks }) => sum + blocks * 512, 0);

/** How many bytes these questions add to the data directory. */
async function growthOf(questions: readonly string[]): Promise<number> {
  const before = bytesOnDisk();
  const answers = await Promise.all(questions.map((question) => ask(question)));
  expect(answers.map(({ status }) => status)).toEqual(questions.map(() => 200));
  return bytesOnDisk() - before;
}

const times = (count: number, question: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => question(index));

test('24 clients without a cookie that read the logs at the same time add each log to the disk once', async () => {
  const services = ['checkout', 'payments', 'inventory'];
  const growth = await growthOf(times(24, (index) => `call readServerLogs {"service":"${services[index % 3]}"}`));
  expect(growth).toBeLessThan(3.3 * LOG_BYTES + 24 * SMALL_FILES_BYTES);
});

test('other numbers of hours, even fractions, add no log', async () => {
  const growth = await growthOf(
    times(
      30,
      (index) => `call readServerLogs {"service":"checkout","hours":${index < 12 ? 6 + index / 10 : 1 + index / 3}}`,
    ),
  );
  expect(growth).toBeLessThan(24 * SMALL_FILES_BYTES);
});

test('bytes that a tool saved count for the network of its visitor, and the next question has to wait', async () => {
  const network = '203.0.113.7';
  const request = { headers: new Headers({ 'x-real-ip': network }) };
  visitorLimits().tookSavedBytes({ request, visitor: { id: 'before' }, isNew: false }, 198e6);
  const statuses: number[] = [];
  for (const question of ['call queryOrders {}', 'hello']) statuses.push((await ask(question, { network })).status);
  expect(statuses).toEqual([200, 429]);
  expect((await ask('hello')).status).toBe(200);
});
