import { devices } from '@playwright/test';
import { expect, test } from './chat-page.ts';
import { toolCall, words } from './scripted-answers.ts';

test('Enter sends the message, and Shift+Enter starts a new line', async ({ page, chat, answers }) => {
  answers.add({ chunks: words('Both lines arrived.') });
  await page.goto('/');
  await chat.composer.pressSequentially('One');
  await chat.composer.press('Shift+Enter');
  await chat.composer.pressSequentially('Two');
  await chat.composer.press('Enter');

  await expect(page.getByText('Both lines arrived.')).toBeVisible();
  expect(answers.sent[0]?.body.message.parts).toEqual([{ type: 'text', text: 'One\nTwo' }]);
  await expect(chat.composer).toHaveValue('');
});

test('an empty message is not sent', async ({ page, chat, answers }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await chat.composer.fill('  \n ');
  await chat.composer.press('Enter');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  expect(answers.sent).toEqual([]);
});

test('no message is sent while an answer arrives, and the text in the composer stays', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({ chunks: words('It begins'), end: 'open' });
  await page.goto('/');
  await chat.ask('First');
  await expect(page.getByText('It begins')).toBeVisible();
  await chat.composer.fill('Second');
  await chat.composer.press('Enter');
  await expect(chat.composer).toHaveValue('Second');
  expect(answers.sent).toHaveLength(1);
});

for (const { name, stop } of [
  { name: 'the stop button', stop: 'click' },
  { name: 'Escape', stop: 'Escape' },
] as const) {
  test(`${name} ends the answer on the server too, and the call is shown as stopped`, async ({
    page,
    chat,
    answers,
  }) => {
    answers.add({ chunks: [...words('I look.'), ...toolCall('readServerLogs')], end: 'open' });
    await page.goto('/');
    await chat.ask('Why?');
    await expect(chat.card('readServerLogs')).toContainText('Running');

    if (stop === 'click') await page.getByRole('button', { name: 'Stop' }).click();
    else await page.keyboard.press(stop);

    await answers.sent[0]?.aborted;
    await expect(chat.card('readServerLogs')).toContainText('Stopped');
    await expect(page.getByText('I look.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  });
}

test.describe('on a phone', () => {
  const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
  test.use(phone);
  test('a tap on a prompt does not move the focus to the composer, which would open the keyboard', async ({
    page,
    chat,
    answers,
  }) => {
    answers.add({ chunks: words('An answer.') });
    await page.goto('/');
    await page.getByRole('button', { name: /Why did checkout fail last night/ }).tap();
    await expect(page.getByText('An answer.')).toBeVisible();
    await expect(chat.composer).not.toBeFocused();
  });
});
