import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './viewer-page.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the viewer, ${colorScheme}`, async ({ viewer, largeLog, demo }) => {
    const { page, scroller } = viewer;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await viewer.open(`${largeLog}#L300000-L300003`);
    await scroller.focus();
    await page.keyboard.press('e');
    await expect(page.locator('.hit-row')).toBeVisible();
    await expect(page.locator('[data-search-status]')).toContainText('matches');
    await expect(page.locator('[data-unfilled]')).toHaveCount(0);
    expect(await violationsOf(page)).toEqual([]);

    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);

    const codes = [31, 32, 33, 34, 35, 36, 90].map((code) => `\u001b[${code}mcolour ${code}\u001b[0m`).join(' ');
    await viewer.open(`${await demo.keep(`${codes}\n\u202e\u0007\n${'long '.repeat(2000)}`)}#L1-L2`);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^… all/ }).click();
    await expect(page.locator('[data-characters]')).toContainText('long');
    expect(await violationsOf(page)).toEqual([]);

    await page.goto(`${largeLog}#L9999999`);
    await page.reload();
    await expect(page.locator('[data-address-notice]')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
  });
}

async function violationsOf(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
