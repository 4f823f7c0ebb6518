import { expect, test } from './chat-page.ts';

test('a question about the orders is answered exactly, by a query over all orders, in a table', async ({
  page,
  chat,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Which region had the highest refunds/ }).click();
  await expect(chat.card('queryOrders')).toContainText(/\d\.\d MB.*\d+ KB/);
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
  await expect(page.getByRole('article', { name: 'Agent', exact: true })).toContainText('exit status 1');
});

test('an allowed change is made, and the tests pass', async ({ page, chat }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Fix the failing test/ }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText(/2520 passed \(2520\)/).last()).toBeVisible();
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
  await expect(page.getByText(/1 failed/).last()).toBeVisible();
});

test('after a reload the request for approval is still shown, and its decision counts', async ({ page, chat }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Fix the failing test/ }).click();
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();

  await page.reload();
  await expect(chat.card('editFile')).toContainText('Needs your approval');
  await page.getByRole('button', { name: 'Allow' }).dblclick();
  await expect(page.getByText(/2520 passed \(2520\)/).last()).toBeVisible();
});

test('an unknown question is answered with the questions that the offline model knows', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Write a poem about the sea');
  await chat.answered();
  await expect(page.getByRole('article', { name: 'Agent', exact: true })).toContainText(/rules/i);
});
