import { expect, test } from './chat-page.ts';

test('by mouse, a visitor asks why checkout failed and gets a verified line from the middle of 40 MB', async ({
  page,
  chat,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Why did checkout fail last night/ }).click();

  await expect(chat.card('readServerLogs')).toContainText(/\d\d\.\d MB.*\d+ KB/);
  await chat.answered();
  const found = chat.card('task').getByRole('list', { name: 'Evidence' }).getByRole('listitem').first();
  await expect(found).toContainText('Verified quote');
  const quote = (await found.getByRole('blockquote').textContent())?.split('\n')[0] ?? '';
  expect(quote).not.toBe('');

  await found.getByRole('link').click();
  const output = page.getByRole('complementary', { name: 'Output' });
  const line = output.locator('.selected-row').first();
  await expect(line).toBeInViewport();
  await expect(line).toContainText(quote);

  await output.getByRole('button', { name: 'Close the output' }).click();
  await expect(output).toHaveCount(0);
  await expect(chat.card('task')).toContainText('Verified quote');
});

test('by keyboard alone, a visitor gets the same verified line', async ({ page, chat }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(chat.composer).toBeFocused();
  await page.keyboard.type('Why did checkout fail last night?');
  await page.keyboard.press('Enter');
  await expect(chat.milestones).toContainText('The answer is complete.');

  const link = chat.conversation.getByRole('link', { name: /^read-server-logs:/ }).last();
  while (!(await link.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Output' }).locator('.selected-row').first()).toBeInViewport();
});

test('at 320 pixels, a visitor gets the same verified line', async ({ page, chat }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await expect(chat.card('task')).toContainText('Verified quote');
  await chat.answered();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expect(chat.composer).toBeInViewport();
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`at ${width} pixels, the size of the log and of its preview stays in view when the answer has ended`, async ({
    page,
    chat,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/');
    await chat.ask('Why did checkout fail last night?');
    const strip = page.getByRole('region', { name: 'Result of readServerLogs' });
    await expect(strip).toBeInViewport({ ratio: 1, timeout: 60_000 });
    await expect(strip).toContainText(/39\.\d MB.*\d\d KB/);
    await expect(strip).toContainText(/417,896.*\d+ lines/);
    await expect(strip).toContainText(/10\.\dM tokens kept out/);

    await strip.getByRole('button', { name: 'Compare' }).click();
    await expect(page.getByRole('dialog')).toContainText('Without ai-truncate');
    await page.keyboard.press('Escape');
    await strip.getByRole('link', { name: 'Open full output' }).click();
    await expect(page.getByRole('complementary', { name: 'Output' })).toContainText('checkout-1');
  });
}
