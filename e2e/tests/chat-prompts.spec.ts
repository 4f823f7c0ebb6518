import { expect, test } from './chat-page.ts';

test('a question about the orders is answered exactly, by a query over all orders, in a table', async ({
  page,
  chat,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Which region had the highest refunds/ }).click();
  await expect(chat.card('queryOrders')).toContainText(/\d\.\d MB.*\d+ KB/);
  await expect(page.getByRole('article', { name: 'Tool call queryArtifact', exact: true }).first()).toContainText(
    'status = refunded · by region',
  );
  await expect(chat.card('queryArtifact')).toContainText('Done');
  await chat.answered();
  await expect(page.getByRole('table').getByRole('row')).not.toHaveCount(0);
});

test('coloured output is shown without its colours, with the failure from its middle', async ({ page, chat }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Run the tests/ }).click();
  const preview = chat.card('runTests').locator('[data-preview]');
  await expect(preview).toContainText('✓ shipping');
  // Shown at once, without a scroll: the line that matters, not the first one.
  const region = await preview.locator('..').boundingBox();
  const failure = await preview.locator('[data-kind="salient"]').first().boundingBox();
  expect(failure?.y).toBeGreaterThan(region?.y ?? Number.POSITIVE_INFINITY);
  expect(failure?.y).toBeLessThan((region?.y ?? 0) + (region?.height ?? 0));
  expect(await preview.evaluate((element) => element.textContent?.includes('\u001b'))).toBe(false);
  await chat.answered();
  await expect(page.getByRole('article', { name: 'Agent', exact: true })).toContainText('1 of 2,520 tests failed');
});

test('an allowed change is made, and the tests pass', async ({ page, chat }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Fix the failing test/ }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('All 2,520 tests pass.').last()).toBeVisible();
  await expect(chat.card('editFile')).toContainText('Done');
  await expect(chat.card('editFile')).not.toContainText('dry run');
});

test('a denied change is not made', async ({ page, chat }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Fix the failing test/ }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(chat.card('editFile')).toContainText('You denied this');
  await chat.answered();

  await chat.ask('Run the tests. What failed?');
  await chat.answered();
  await expect(page.getByText('1 of 2,520 tests failed').last()).toBeVisible();
});

test('after a reload the request for approval is still shown, and its decision counts', async ({ page, chat }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Fix the failing test/ }).click();
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();

  await page.reload();
  await expect(chat.card('editFile')).toContainText('Needs your approval');
  await page.getByRole('button', { name: 'Allow' }).dblclick();
  await expect(page.getByText('All 2,520 tests pass.').last()).toBeVisible();
});

test('an unknown question is answered with its unknown words, and with questions as buttons', async ({
  page,
  chat,
}) => {
  await page.goto('/');
  await chat.ask('How many orders were not refunded?');
  await chat.answered();
  await expect(page.getByRole('article', { name: 'Agent', exact: true })).toContainText('I did not understand “not”.');

  const suggestions = page.getByRole('list', { name: 'Suggested questions' });
  await suggestions.getByRole('button', { name: 'How many orders were refunded in July?' }).click();
  await expect(page.getByRole('article', { name: 'Agent', exact: true }).last()).toContainText(
    /\d+ refunded orders in July 2026/,
  );
  await chat.answered();
  await expect(suggestions).toHaveCount(1);
  await expect(suggestions.getByRole('button', { name: 'Why were orders refunded?' })).toBeVisible();
});

test('the badge says that no LLM answers, and how to use a key', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Scripted · no LLM' }).click();
  const note = page.getByRole('note', { name: 'About the scripted replies' });
  await expect(note).toContainText('The replies are scripted');
  await expect(note).toContainText('OPENAI_API_KEY');
  await page.keyboard.press('Escape');
  await expect(note).toBeHidden();
});
