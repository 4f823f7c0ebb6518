import type { Locator, Page } from '@playwright/test';
import { expect, test } from './chat-page.ts';

/** What the policy of a page refused, as the browser told the page. */
async function watchViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('tellViolation', (text: string) => violations.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      (globalThis as unknown as { tellViolation(text: string): void }).tellViolation(
        `${violatedDirective} ${blockedURI} ${sample}`,
      );
    });
  });
  return violations;
}

test('the demo never violates its own policy', async ({ page, chat }) => {
  const violations = await watchViolations(page);
  await page.goto('/');
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await chat.ask('Why did checkout fail last night?');
  await chat.answered();
  await page.getByRole('button', { name: /tokens/ }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('article', { name: 'Agent', exact: true })).toBeVisible();
  await chat.ask('Fix the failing test');
  await page.getByRole('button', { name: 'Allow' }).click();
  await chat.answered();
  // The full output, beside the chat and as a page.
  const link = chat.card('readServerLogs').getByRole('link', { name: 'Open full output' });
  const address = await link.getAttribute('href');
  await link.click();
  const panel = page.getByRole('complementary', { name: 'Output' });
  await useViewer(panel);
  await page.goto(address ?? '');
  await expect(panel).toHaveCount(0);
  await useViewer(page.getByRole('main'));
  expect(violations).toEqual([]);
});

/** Looks at lines, searches and selects. */
async function useViewer(viewer: Locator): Promise<void> {
  await expect(viewer.locator('li[data-line="1"]')).toContainText('2026-');
  await viewer.getByLabel('Find in the output').fill('ERROR');
  await viewer.getByLabel('Find in the output').press('Enter');
  await expect(viewer.locator('[data-search-status]')).toContainText('matches');
  await viewer.locator('li.hit-row a').click();
  await expect(viewer.getByRole('button', { name: 'Copy as evidence' })).toBeVisible();
}

test('a script that was injected into a page does not run', async ({ page }) => {
  const violations = await watchViolations(page);
  await page.goto('/');
  await page.evaluate(() => {
    const image = document.createElement('img');
    image.setAttribute('onerror', 'document.title = "taken over"');
    image.src = 'data:,';
    document.body.append(image);
  });
  await expect.poll(() => violations.join()).toContain('script-src-attr inline');
  await expect(page).not.toHaveTitle('taken over');
});

test.use({ expectedErrors: [/Content Security Policy/] });
