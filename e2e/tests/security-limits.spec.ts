import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { conversationWith } from './conversation.ts';
import { startDemo } from './demo-server.ts';
import { startOpenAi } from './loopback-openai.ts';

test('a visitor who asks without a pause is asked to wait, and the page says how long and what to do', async ({
  baseURL: url,
}) => {
  const baseURL = url ?? '';
  const { say, visit } = conversationWith(baseURL);
  await say('hello');
  const ask = () =>
    fetch(`${baseURL}/api/chat`, {
      method: 'POST',
      headers: { cookie: visit.cookie },
      body: JSON.stringify({ id: randomUUID(), trigger: 'regenerate-message' }),
    });
  const answers = await Promise.all(Array.from({ length: 25 }, ask));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(4);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused[0]?.json()).toMatchObject({ error: { code: 'too_many_requests', action: 'wait' } });
});

test('requests for chats that do not exist are refused, and other visitors can still ask', async () => {
  const demo = await startDemo({ DEMO_LOG_MB: '1' });
  const regular = conversationWith(demo.url);
  await regular.say('hello');
  const ask = (body: object) =>
    fetch(`${demo.url}/api/chat`, { method: 'POST', body: JSON.stringify({ id: randomUUID(), ...body }) });
  const invalid = [
    { trigger: 'regenerate-message' },
    { trigger: 'nothing' },
    { trigger: 'submit-message', message: {} },
  ];
  const statuses = new Set<number>();
  for (let sent = 0; sent < 650; sent += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(invalid[index % 3] ?? {})));
    for (const { status } of answers) statuses.add(status);
  }
  const again = await regular.say('hello');
  const first = await conversationWith(demo.url).say('hello');
  await demo.stop();
  expect([...statuses].sort()).toEqual([400, 404]);
  expect([again.text, first.text]).toEqual([expect.stringContaining(' '), expect.stringContaining(' ')]);
});

test('a script that searches full outputs in a loop has to wait, and other visitors do not', async ({
  baseURL: url,
}) => {
  const baseURL = url ?? '';
  const [{ say, visit }, other] = [conversationWith(baseURL), conversationWith(baseURL)];
  await say('hello');
  await other.say('hello');
  // Whether there is such an output counts for nothing.
  const search = ({ cookie, chat }: typeof visit) =>
    fetch(`${baseURL}/api/artifacts/nothing/grep?q=x&chat=${chat}`, { headers: { cookie } });
  const statuses: number[] = [];
  while (statuses.length < 305) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => search(visit)));
    for (const answer of answers) statuses.push(answer.status);
  }
  expect(new Set(statuses.slice(0, 300))).toEqual(new Set([404]));
  const refused = await search(visit);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'; sandbox");
  expect(await refused.json()).toMatchObject({ error: { code: 'too_many_requests' } });
  expect((await search(other.visit)).status).toBe(404);
});

test('when no paid answers are left, the scripted model answers and says so', async () => {
  const openai = await startOpenAi(() => ({ say: 'An LLM says hello.' }));
  const demo = await startDemo({
    OPENAI_API_KEY: 'loopback',
    OPENAI_BASE_URL: openai.baseURL,
    DEMO_PAID_ANSWERS_PER_HOUR: '1',
    DEMO_LOG_MB: '1',
  });
  const one = conversationWith(demo.url);
  const paid = await one.say('hello');
  const requests = openai.requests.length;
  // Another visitor, without a cookie: the limit of the owner holds for all of them.
  const unpaid = await conversationWith(demo.url).say('Why did checkout fail last night?');
  await demo.stop();
  await openai.close();
  expect(paid.text).toBe('An LLM says hello.');
  expect(unpaid.text).toContain('LLM budget is used up. For now, the replies are scripted.');
  expect(unpaid.text).toContain('cut `payments.timeoutMs` from 30,000 to 300 ms');
  expect(openai.requests).toHaveLength(requests);
});

test('only the cron job may start a sweep', async () => {
  const secret = 'x'.repeat(40);
  const demo = await startDemo({ VERCEL: '1', CRON_SECRET: secret });
  const sweep = (authorization: string) => fetch(`${demo.url}/api/sweep`, { headers: { authorization } });
  const [own, wrong, none] = [await sweep(`Bearer ${secret}`), await sweep(`Bearer ${secret}x`), await sweep('')];
  const report = await own.json();
  await demo.stop();
  expect(report).toEqual({ examined: 0, deletedArtifacts: 0, deletedOrphans: 0, failed: 0, isComplete: true });
  expect([wrong.status, none.status]).toEqual([404, 404]);
  expect(demo.output()).not.toContain(secret);
});
