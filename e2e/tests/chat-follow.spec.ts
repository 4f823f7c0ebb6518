import { expect, test } from './chat-page.ts';

test('a page that is opened during an answer shows the answer grow to its end', async ({ page, chat, context }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await expect(chat.card('readServerLogs')).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText('Thinking', { exact: true })).toBeVisible();
  await expect(other.getByText('This message has no answer')).toHaveCount(0);

  await chat.answered();
  const answer = page.getByRole('article', { name: 'Agent', exact: true });
  await expect(other.getByRole('article', { name: 'Agent', exact: true }).locator('p')).toHaveText(
    await answer.locator('p').allTextContents(),
  );
  await expect(other.getByText('Thinking', { exact: true })).toHaveCount(0);
  await expect(other.getByRole('note')).toHaveCount(0);
});

test('a reload in the middle of an answer shows the part that the server has', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await expect(chat.card('readServerLogs')).toBeVisible();
  await page.reload();

  await expect(page.getByRole('note').filter({ hasText: 'This answer was not finished' })).toBeVisible();
  await expect(page.getByText('This message has no answer')).toHaveCount(0);
  await expect(chat.card('readServerLogs')).toBeVisible();
  const { messages, isAnswering } = await (await page.request.get(`/api/chats/${page.url().split('/').at(-1)}`)).json();
  expect(isAnswering).toBe(false);
  const calls = messages[1].parts.filter(({ type }: { type: string }) => type.startsWith('tool-'));
  await expect(page.getByRole('article', { name: /^Tool call/ })).toHaveCount(calls.length);
});

test('a page that cannot load an unfinished answer says so, and offers a reload', async ({ page, chat, context }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await expect(chat.card('readServerLogs')).toBeVisible();
  const other = await context.newPage();
  await other.route('**/api/chats/*', (route) => route.fulfill({ status: 503 }));
  await other.goto(page.url());
  const note = other.getByRole('note').filter({ hasText: 'This answer is still being written' });
  await expect(note).toBeVisible();

  await chat.answered();
  await other.unrouteAll();
  await note.getByRole('button', { name: 'Reload this chat' }).click();
  await expect(note).toHaveCount(0);
  await expect(other.getByRole('article', { name: 'Tool call task' })).toContainText('finding');
});
