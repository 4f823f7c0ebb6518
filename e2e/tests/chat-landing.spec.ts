import { expect, test } from './chat-page.ts';

test('an empty chat explains what the library does, how to install it, and which model answers', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Huge tool outputs. Small context. Nothing lost.');
  await expect(page.getByText('npm install ai-truncate')).toBeVisible();
  await expect(page.getByRole('figure')).toContainText('const tools = truncateToolOutputs(');
  await expect(
    page.getByText('No LLM runs here: the replies are scripted. Tools, truncation, storage and search are real.'),
  ).toBeVisible();
});

test('the install command and the code are copied with one click', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(clipboard).toBe('npm install ai-truncate');

  await page.getByRole('button', { name: 'Copy code' }).click();
  await expect.poll(clipboard).toContain('{ store, scope: chatId, explore: { model } },');
  expect(await clipboard()).not.toContain('const tools = { readServerLogs');
});

test('one click asks a suggested prompt, and the composer has the focus afterwards', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({ chunks: [] });
  await page.goto('/');
  await page.getByRole('button', { name: /Why did checkout fail last night/ }).click();

  await expect(page.getByRole('article', { name: 'You' })).toHaveText('Why did checkout fail last night?');
  await expect(chat.composer).toBeFocused();
  await expect.poll(() => answers.sent).toHaveLength(1);
  expect(answers.sent[0]?.body).toMatchObject({ isNew: true, trigger: 'submit-message' });
  expect(new URL(page.url()).pathname).toBe(`/c/${answers.sent[0]?.body.id}`);
});

test('without scripts the page says what it is', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('npm install ai-truncate')).toBeVisible();
  await context.close();
});

test('a chosen theme is applied at the first paint, and remembered', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();

  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  const dark = await background();
  expect(dark).not.toBe(light);

  // Read while the document is parsed: before anything of it was painted.
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      document.documentElement.dataset.firstBackground ??= getComputedStyle(document.body).backgroundColor;
    });
  });
  await page.reload();
  expect(await page.evaluate(() => document.documentElement.dataset.firstBackground)).toBe(dark);
});

test('at 320 pixels no part of the page is cut off', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.getByRole('button', { name: /Fix the failing test/ }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: /Fix the failing test/ })).toBeInViewport();
});

test('the first Tab moves the focus to the composer', async ({ page, chat }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to message box' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.composer).toBeFocused();
});

for (const width of [320, 390]) {
  test(`the header is one line of text at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 700 });
    await page.goto('/');
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: 'ai-truncate' })).toBeVisible();
    for (const name of ['ai-truncate', 'Scripted · no LLM']) {
      const box = await header.getByText(name, { exact: true }).boundingBox();
      expect(box?.height).toBeLessThan(30);
    }
  });
}
