import { expect, test } from './chat-page.ts';
import { words } from './scripted-answers.ts';

const step = { inputTokens: 1000, outputTokens: 100 };
const log = {
  toolCallId: 'log',
  toolName: 'readServerLogs',
  step: 0,
  originalChars: 4_000_000,
  originalBytes: 4_000_000,
  sentChars: 4000,
};

test('each side of the comparison says whether it was run, and the savings include the cost of sub-agents', async ({
  page,
  chat,
  answers,
}) => {
  const task = {
    toolCallId: 'task',
    toolName: 'task',
    step: 1,
    originalChars: 400,
    originalBytes: 400,
    sentChars: 400,
    subAgentTokens: 7000,
  };
  const messageMetadata = {
    contextWindow: 400_000,
    steps: [step, step, step].map((cost) => ({ ...cost, isEstimated: false })),
    calls: [log, task],
  };
  answers.add({ chunks: [...words('Done.'), { type: 'message-metadata', messageMetadata }] });
  await page.goto('/');
  await chat.ask('Why?');
  await page.getByRole('button', { name: '1.1k of 400k tokens' }).click();

  const dialog = page.getByRole('dialog');
  const side = (name: string) => dialog.locator('section').filter({ has: page.getByRole('heading', { name }) });
  await expect(side('Without ai-truncate')).toContainText('calculated');
  await expect(side('Without ai-truncate')).toContainText('All 3 requests≈2M');
  await expect(side('Without ai-truncate')).toContainText('Does not fit a window of 400k tokens.');
  await expect(side('With ai-truncate')).toContainText('measured, counted by the provider');
  await expect(side('With ai-truncate')).toContainText('All 3 requests and sub-agents10.3k');
  await expect(side('With ai-truncate')).toContainText('Of these, sub-agents7k');
  await expect(dialog.getByRole('row', { name: /^readServerLogs/ })).toContainText('3.8 MB≈1M≈1k—');
});

test('estimated numbers have an about sign', async ({ page, chat, answers }) => {
  const messageMetadata = { steps: [{ ...step, isEstimated: true }], calls: [] };
  answers.add({ chunks: [...words('Done.'), { type: 'message-metadata', messageMetadata }] });
  await page.goto('/');
  await chat.ask('Why?');
  await page.getByRole('button', { name: '≈1.1k of 200k tokens' }).click();
  await expect(page.getByRole('dialog')).toContainText('measured, ≈ 4 characters per token');
  await expect(page.getByRole('dialog')).toContainText('Nothing saved: no output was large enough.');
});
