import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type ChatPage, expect, test } from './chat-page.ts';
import { type ScriptedAnswers, toolCall, words } from './scripted-answers.ts';
import { conflict, doneTask, dryRun, patch, truncatedLog, workingTask } from './tool-outputs.ts';

test.use({ expectedErrors: [/status of 404/] });

const output = (value: unknown) => [{ type: 'tool-output-available', output: value }];
const everything = [
  ...toolCall('readServerLogs', { input: { service: 'checkout', hours: 24 }, outcome: output(truncatedLog()) }),
  ...toolCall('readServerLogs', { outcome: output(truncatedLog({ path: null })) }),
  ...toolCall('task', { input: { agent: 'explore', prompt: 'Find it' }, outcome: output(doneTask) }),
  ...toolCall('editFile', { input: { path: 'price.ts', patch, dryRun: true }, outcome: output(dryRun) }),
  ...toolCall('editFile', { outcome: output(conflict) }),
  ...toolCall('queryOrders', { outcome: [{ type: 'tool-output-error', errorText: 'No connection.' }] }),
  ...words(
    '**It failed.**\n\n1. [docs](https://ai-sdk.dev)\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n`x`\n\n```\ncode\n```',
  ),
];

const pages: { name: string; show: (page: Page, chat: ChatPage, answers: ScriptedAnswers) => Promise<void> }[] = [
  { name: 'the landing page', show: async () => {} },
  {
    name: 'a chat with every kind of card',
    show: async (page, chat, answers) => {
      answers.add({ chunks: everything });
      await chat.ask('Show everything');
      await expect(page.getByText('It failed.')).toBeVisible();
    },
  },
  {
    name: 'a chat at work',
    show: async (page, chat, answers) => {
      const outcome = [{ type: 'tool-output-available', output: workingTask, preliminary: true }];
      answers.add({ chunks: toolCall('task', { outcome }), end: 'open' });
      await chat.ask('Work');
      await expect(page.getByText('Step 3 of 12')).toBeVisible();
    },
  },
  {
    name: 'a question for approval',
    show: async (page, chat, answers) => {
      const outcome = [{ type: 'tool-approval-request', approvalId: 'a' }];
      answers.add({ chunks: toolCall('editFile', { input: { path: 'price.ts', patch, dryRun: false }, outcome }) });
      await chat.ask('Fix it');
      await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
    },
  },
  {
    name: 'the costs of a chat',
    show: async (page, chat, answers) => {
      answers.add({ chunks: [...everything, { type: 'message-metadata', messageMetadata: costs }] });
      await chat.ask('Show everything');
      await expect(page.getByText('It failed.')).toBeVisible();
      await page.getByRole('button', { name: /tokens/ }).click();
      await page.getByText('How we count').click();
    },
  },
  {
    name: 'a failure',
    show: async (page, chat, answers) => {
      answers.add({ chunks: [{ type: 'error', errorText: 'The model is overloaded.' }] });
      await chat.ask('Fail');
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    },
  },
];

const costs = {
  steps: [
    { inputTokens: 900, outputTokens: 40, isEstimated: true },
    { inputTokens: 4900, outputTokens: 140, isEstimated: true },
  ],
  calls: [
    {
      toolCallId: 'log',
      toolName: 'readServerLogs',
      step: 0,
      originalChars: 41_943_040,
      originalBytes: 41_943_040,
      sentChars: 12_000,
    },
    {
      toolCallId: 'task',
      toolName: 'task',
      step: 0,
      originalChars: 900,
      originalBytes: 900,
      sentChars: 900,
      subAgentTokens: 9740,
    },
  ],
};

for (const colorScheme of ['light', 'dark'] as const) {
  for (const { name, show } of pages) {
    test(`axe finds nothing in ${name}, ${colorScheme}`, async ({ page, chat, answers }) => {
      // What moves has a colour between two: it is measured when it stands.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto('/');
      await show(page, chat, answers);
      expect(await violationsOf(page)).toEqual([]);
    });
  }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in a full output and in an unknown address, ${colorScheme}`, async ({ page, chat }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/');
    await chat.ask('Run the tests. What failed?');
    await chat.answered();
    await page
      .getByRole('article', { name: 'Agent', exact: true })
      .getByRole('link', { name: /^run-tests/ })
      .click();
    await expect(page.locator('.selected-row').first()).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);

    await page.goto('/c/00000000-0000-4000-8000-000000000000');
    expect(await violationsOf(page)).toEqual([]);
  });
}

async function violationsOf(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

test('screen readers announce milestones, not each word', async ({ page, chat, answers }) => {
  await page.goto('/');
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const status = document.querySelector('[data-milestones]');
    if (status)
      new MutationObserver(() => heard.push(status.textContent)).observe(status, {
        childList: true,
        characterData: true,
        subtree: true,
      });
  });
  answers.add({
    chunks: [...toolCall('readServerLogs', { outcome: output(truncatedLog()) }), ...words('word '.repeat(200))],
    pauseMs: 5,
  });
  await chat.ask('Why?');
  await expect(chat.milestones).toContainText('The answer is complete.');
  const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  expect(heard.length).toBeLessThanOrEqual(3);
  expect(heard.join(' ')).toContain('readServerLogs is done: 40.0 MB, of which the model reads 1.4 KB.');
});

test('the costs are opened and closed by keyboard, and the focus returns', async ({ page, chat, answers }) => {
  answers.add({ chunks: [...words('Done.'), { type: 'message-metadata', messageMetadata: costs }] });
  await page.goto('/');
  await chat.ask('Why?');
  await expect(page.getByText('Done.', { exact: true })).toBeVisible();
  const meter = page.getByRole('button', { name: /tokens/ });
  await meter.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Context with and without ai-truncate' })).toBeVisible();
  await expect(page.getByRole('meter')).toHaveAttribute(
    'aria-valuetext',
    'about 5k of 200k tokens used; about 10.5M kept out',
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(meter).toBeFocused();
});

test('with forced colours the parts of the page are still distinct', async ({ page, chat, answers }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  answers.add({ chunks: toolCall('readServerLogs', { outcome: output(truncatedLog()) }) });
  await page.goto('/');
  await chat.ask('Why?');
  const card = chat.card('readServerLogs');
  await expect(card).toContainText('Done');
  expect(await card.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px');
});

test('with reduced motion no element is animated', async ({ page, chat, answers }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  answers.add({ chunks: toolCall('readServerLogs'), end: 'open' });
  await page.goto('/');
  await chat.ask('Why?');
  await expect(chat.card('readServerLogs')).toContainText('Running');
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});
