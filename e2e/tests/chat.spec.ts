import { expect } from '@playwright/test';
import { test } from './page-without-errors.ts';

test('a visitor asks about the logs and gets an answer that names the failure', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText('Offline model: rules, no LLM.')).toBeVisible();

  await page.getByRole('button', { name: 'Why did checkout fail last night?' }).click();

  await expect(page.getByRole('region', { name: 'Tool call' })).toContainText(
    /20,000 lines, 1\.\d MB → \d+ lines, \d+ KB/,
  );
  await expect(page.getByText('checkout-2 failed: order 48213 was not charged')).toBeVisible();
  await expect(page.getByText('The log gives the cause: the certificate of payments.internal expired')).toBeVisible();
});

test('the conversation works by keyboard alone', async ({ page }) => {
  await page.goto('/');
  const question = page.getByLabel('Your question');
  while (!(await question.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('What happened to checkout?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('The answer is complete');

  await page.keyboard.press('Shift+Tab');
  await expect(page.getByText('The lines that the model received')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('pre')).toContainText('ERROR checkout-2 order 48213 was not charged');
});

test('a second question follows the first', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'What can you do?' }).click();
  await expect(page.getByText('I can do one thing')).toBeVisible();

  await page.getByLabel('Your question').fill('Then read the logs');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('checkout-2 failed: order 48213 was not charged')).toBeVisible();
});

test('a request without messages is refused', async ({ request }) => {
  const response = await request.post('/api/chat', { data: { messages: 'none' } });
  expect(response.status()).toBe(400);
});
