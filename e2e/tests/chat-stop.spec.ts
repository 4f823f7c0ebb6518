import { expect, test } from './chat-page.ts';
import { toolCall, words } from './scripted-answers.ts';

const output = { type: 'tool-output-available', output: 'All is well.' };

test('an answer that was stopped between two steps says so, and can be requested again', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({ chunks: toolCall('runTests', { outcome: [output] }), end: 'open' });
  answers.add({ chunks: words('Here is all of it.') });
  await page.goto('/');
  await chat.ask('Run the tests');
  await expect(chat.card('runTests')).toContainText('Done');
  await page.keyboard.press('Escape');

  const note = page.getByRole('note').filter({ hasText: 'This answer was not finished' });
  await expect(note).toBeVisible();
  await expect(chat.milestones).toHaveText('The answer ended before it was complete.');
  await note.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Here is all of it.')).toBeVisible();
  await expect(note).toHaveCount(0);
});

test('after a reload a stopped answer still says so, and can be requested again', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await expect(chat.card('readServerLogs')).toContainText(/\d MB/);
  await page.keyboard.press('Escape');
  const note = page.getByRole('note').filter({ hasText: 'This answer was not finished' });
  await expect(note).toBeVisible();

  await page.reload();
  await expect(note).toBeVisible();
  await note.getByRole('button', { name: 'Retry' }).click();
  await expect(chat.card('task')).toContainText('finding');
  await chat.answered();
  await expect(note).toHaveCount(0);
});
