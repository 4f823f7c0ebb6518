import { expect, test } from './chat-page.ts';

test('after a reload the chat shows the same messages and costs, and continues', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await chat.answered();
  const answer = page.getByRole('article', { name: 'Agent', exact: true });
  const paragraphs = await answer.locator('p').allTextContents();
  const meter = await page.getByRole('button', { name: /tokens/ }).textContent();

  await page.reload();
  await expect(answer.locator('p')).toHaveText(paragraphs);
  await expect(page.getByRole('button', { name: /tokens/ })).toHaveText(meter ?? 'no meter');
  await expect(chat.milestones).toHaveText('');

  await chat.ask('Run the tests. What failed?');
  await expect(page.getByRole('article', { name: 'Agent', exact: true })).toHaveCount(2);
  await chat.answered();
});

test('the page receives a log of 40 MB in less than 60 kB', async ({ page, chat }) => {
  let bytes = 0;
  // Counted on the way: the browser does not always keep the body of a stream for the test.
  await page.route('**/api/chat', async (route) => {
    const response = await route.fetch();
    bytes = (await response.body()).length;
    await route.fulfill({ response });
  });
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await expect(chat.card('readServerLogs')).toContainText(/\d\d\.\d MB/);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(60_000);
});

test('the next message contains no tool output', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await chat.answered();
  const request = page.waitForRequest('**/api/chat');
  await chat.ask('Thanks');
  expect((await request).postDataBuffer()?.length).toBeLessThan(1000);
});

test('after a reload a stopped answer is still shown, and the chat continues', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await expect(chat.card('readServerLogs')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();

  await page.reload();
  await expect(page.getByRole('article', { name: 'You' })).toHaveText('Why did checkout fail last night?');
  await expect(page.getByText('Running', { exact: true })).toHaveCount(0);
  await chat.ask('Run the tests. What failed?');
  await expect(chat.card('runTests')).toContainText('Done');
  await chat.answered();
});

test('Retry sends a first message again that never arrived', async ({ page, chat, context }) => {
  await page.goto('/');
  await context.setOffline(true);
  await chat.ask('Run the tests. What failed?');
  await expect(page.getByRole('alert').filter({ hasText: 'This was not sent' })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(chat.card('runTests')).toContainText('Done');
  await chat.answered();
  await page.reload();
  await expect(page.getByRole('article', { name: 'You' })).toHaveCount(1);
});

test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });
