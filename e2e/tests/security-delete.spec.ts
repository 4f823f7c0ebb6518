import { expect, test } from './chat-page.ts';

test('a chat is deleted with its outputs, after a confirmation that can be declined', async ({ page, chat }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Delete this chat' })).toHaveCount(0);
  await chat.ask('Run the tests. What failed?');
  await chat.answered();
  const output = await chat.card('runTests').getByRole('link', { name: 'Open full output' }).getAttribute('href');
  const address = page.url();
  const statusOf = async (path: string) => (await page.request.get(path)).status();

  const button = page.getByRole('button', { name: 'Delete this chat' });
  await button.press('Enter');
  await page.getByRole('dialog', { name: 'Delete this chat?' }).getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(button).toBeFocused();
  expect([await statusOf(address), await statusOf(output ?? '')]).toEqual([200, 200]);

  await button.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL('/');
  expect([await statusOf(address), await statusOf(output ?? '')]).toEqual([404, 404]);
});

test('a chat that is being answered cannot be deleted, and the page says so', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('hello');
  await chat.answered();
  await page.route('**/api/chats/*', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'busy', message: 'This chat is still answering.' } } }),
  );
  await page.getByRole('button', { name: 'Delete this chat' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('This chat is still answering.');
});

test.use({ expectedErrors: [/status of 409/] });
