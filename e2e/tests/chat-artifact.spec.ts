import { readFile } from 'node:fs/promises';
import { expect, test } from './chat-page.ts';

test('the full output is shown unchanged, and downloads completely', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Run the tests. What failed?');
  await chat.answered();
  await chat.card('runTests').getByRole('link', { name: 'Open full output' }).click();
  const panel = page.getByRole('complementary', { name: 'Output' });
  await expect(panel.locator('[data-line="1"]')).toBeVisible();

  const download = page.waitForEvent('download');
  await panel.getByRole('link', { name: /^Download/ }).click();
  const saved = await readFile(await (await download).path());
  const lines = saved.toString().split('\n');
  expect(lines.length).toBeGreaterThan(2000);
  // Colours are kept in the file; on the page they are colours.
  const escapeCharacter = String.fromCharCode(27);
  const plain = lines.map((line) => line.replaceAll(new RegExp(`${escapeCharacter}\\[[0-9;]*m`, 'g'), ''));
  expect(plain.slice(0, 10).join('\n')).not.toBe(lines.slice(0, 10).join('\n'));
  await expect(panel.locator('[data-unfilled]')).toHaveCount(0);
  const shown = await panel.locator('[data-text]').allTextContents();
  expect(shown.length).toBeGreaterThan(5);
  expect(shown).toEqual(plain.slice(0, shown.length));
});

test('an output of another chat is not found', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Run the tests. What failed?');
  await chat.answered();
  const href = await chat.card('runTests').getByRole('link', { name: 'Open full output' }).getAttribute('href');
  const response = await page.goto(`${href?.replace(/chat=.*/, 'chat=00000000-0000-4000-8000-000000000000')}`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This output is not here');
});

test.use({ expectedErrors: [/status of 404/] });
