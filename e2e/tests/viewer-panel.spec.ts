import { expect, test } from './chat-page.ts';

test('a link of the chat opens the output beside it, at its lines; Back closes it and the focus returns', async ({
  page,
  chat,
}) => {
  await page.goto('/');
  await chat.ask('Run the tests. What failed?');
  await chat.answered();
  const chip = page
    .getByRole('article', { name: 'Agent', exact: true })
    .getByRole('link', { name: /^run-tests/ })
    .first();
  await chip.click();
  const panel = page.getByRole('complementary', { name: 'Output' });
  await expect(panel.locator('.selected-row').first()).toBeVisible();
  await expect(chat.composer).toBeVisible();
  await expect(page).toHaveURL(/\/c\/[\w-]+#output\/tool_[^/]+\/L\d+/);
  const url = page.url();

  await page.goBack();
  await expect(panel).toHaveCount(0);
  await expect(chip).toBeFocused();

  await chip.click();
  await expect(panel.locator('[data-scroller]')).toBeFocused();
  // The selection first, then the panel.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(chip).toBeFocused();

  await page.goto('about:blank');
  await page.goto(url);
  await expect(panel.locator('.selected-row').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Close the output' }).click();
  await expect(panel).toHaveCount(0);
  await expect(page).toHaveURL(/\/c\/[\w-]+$/);
});

test('every piece of evidence leads to lines that hold its words', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await chat.answered();
  const pieces = page.getByRole('list', { name: 'Evidence' }).getByRole('link');
  const count = await pieces.count();
  expect(count).toBeGreaterThan(0);
  const notice = page.locator('[data-address-notice]');
  for (let index = 0; index < count; index++) {
    await pieces.nth(index).click();
    await expect(notice).toHaveText(/^The quote stands at lines? /);
    await expect(page.locator('.selected-row').first()).toBeVisible();
  }
});

test('with Ctrl a link opens its page in another tab', async ({ page, chat, context }) => {
  await page.goto('/');
  await chat.ask('Run the tests. What failed?');
  await chat.answered();
  const opened = context.waitForEvent('page');
  await chat
    .card('runTests')
    .getByRole('link', { name: 'Open full output' })
    .click({ modifiers: ['ControlOrMeta'] });
  await expect((await opened).locator('li[data-line="1"]')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Output' })).toHaveCount(0);
});
