import { expect, test } from './chat-page.ts';
import { scriptAnswers, words } from './scripted-answers.ts';

test('a link in the chat opens the output next to it, at its lines, and Back closes it and returns the focus', async ({
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

test('every piece of evidence links to lines that contain its words', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Why did checkout fail last night?');
  await chat.answered();
  const pieces = page.getByRole('list', { name: 'Evidence' }).getByRole('link');
  const count = await pieces.count();
  expect(count).toBeGreaterThan(0);
  const notice = page.locator('[data-address-notice]');
  for (let index = 0; index < count; index++) {
    await pieces.nth(index).click();
    await expect(notice).toHaveText(/^Verified: the quote is at lines? /);
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

test.describe('an expired output', () => {
  test.use({ expectedErrors: [/status of 404/] });
  test('says so in the panel, by its name', async ({ page, chat }) => {
    await page.goto('/');
    await chat.ask('Run the tests. What failed?');
    await chat.answered();
    const url = page.url();
    await page.goto('about:blank');
    await page.goto(`${url}#output/tool_20260113_153045_run-tests_call-1_7f3k9q2m4x8p1z5c.txt/L5`);
    const panel = page.getByRole('complementary', { name: 'Output' });
    await expect(panel.getByRole('alert')).toHaveText(
      'This output is not here. It is saved for 7 days, and its name has the date 2026-01-13, so it has expired.',
    );
    await expect(panel.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  });
});

test('the panel works with the keyboard alone, from the link that opens it and back to that link', async ({
  page,
  chat,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await chat.ask('Run the tests. What failed?');
  await chat.answered();
  const chip = chat.card('runTests').getByRole('link', { name: 'Open full output' });
  await chip.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Output' });
  const scroller = panel.locator('[data-scroller]');
  await expect(scroller).toBeFocused();

  await page.keyboard.press('/');
  await page.keyboard.type('fail');
  await page.keyboard.press('Enter');
  const hit = panel.locator('.hit-row');
  await expect(panel.locator('[data-search-status]')).toContainText(/^1 of /);
  await page.keyboard.press('Enter');
  await expect(panel.locator('[data-search-status]')).toContainText(/^2 of /);
  await page.keyboard.press('Escape');
  await expect(scroller).toBeFocused();

  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(panel.locator('[data-search-status]')).toContainText(/^1 of /);
  await expect(hit).toBeVisible();
  await page.keyboard.press('e');
  await expect(panel.locator('[data-search-status]')).toContainText(/^2 of /);
  await page.keyboard.press('Shift+E');
  await expect(panel.locator('[data-search-status]')).toContainText(/^1 of /);

  await page.keyboard.press(':');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await expect(scroller).toBeFocused();
  await expect(panel.locator('li[data-line="7"]')).toHaveClass(/selected-row/);
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page).toHaveURL(/\/L7-L9$/);
  // The key would pass over a button that is not drawn yet.
  const copy = panel.getByRole('button', { name: 'Copy', exact: true });
  await expect(copy).toBeVisible();
  await expect(scroller).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(copy).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel.locator('[data-selection-status]')).toHaveText('Copied');
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toHaveLength(3);

  // The search, the selection, the panel.
  await scroller.focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(chip).toBeFocused();
});

test('Escape in the panel does not end a running answer, and Escape in the chat ends it', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Run the tests. What failed?');
  await chat.answered();
  const answers = await scriptAnswers(page);
  answers.add({ chunks: words('It begins'), end: 'open' });
  await chat.ask('And now?');
  await expect(page.getByText('It begins')).toBeVisible();
  await chat.card('runTests').getByRole('link', { name: 'Open full output' }).click();
  const panel = page.getByRole('complementary', { name: 'Output' });
  const scroller = panel.locator('[data-scroller]');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await expect(scroller).toBeFocused();

  for (const key of ['/', ':']) {
    await page.keyboard.press(key);
    await expect(scroller).not.toBeFocused();
    await page.keyboard.press('Escape');
    await expect(scroller).toBeFocused();
    await expect(stop).toBeVisible();
  }
  await panel.locator('li[data-line="2"]').getByRole('link').click();
  await expect(panel.locator('.selected-row')).toHaveCount(1);
  // From a button too.
  await panel.getByRole('button', { name: 'Copy', exact: true }).focus();
  await page.keyboard.press('Escape');
  await expect(panel.locator('.selected-row')).toHaveCount(0);
  await expect(stop).toBeVisible();
  await panel.getByRole('button', { name: 'Keyboard shortcuts' }).focus();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(stop).toBeVisible();

  await page.keyboard.press('Escape');
  await answers.sent[0]?.aborted;
  await expect(stop).toHaveCount(0);
  await answers.close();
});

for (const width of [390, 1280]) {
  test(`at ${width} px the focus returns to the link, or to the composer when no link opened the panel`, async ({
    page,
    chat,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    await chat.ask('Run the tests. What failed?');
    await chat.answered();
    const link = chat.card('runTests').getByRole('link', { name: 'Open full output' });
    const panel = page.getByRole('complementary', { name: 'Output' });
    const close = panel.getByRole('button', { name: 'Close the output' });
    await link.click();
    const url = page.url();
    await close.click();
    await expect(panel).toHaveCount(0);
    await expect(link).toBeFocused();

    await page.goto('about:blank');
    await page.goto(url);
    await close.click();
    await expect(panel).toHaveCount(0);
    await expect(chat.composer).toBeFocused();
  });
}
