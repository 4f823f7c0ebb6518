import { expect, test } from '@playwright/test';
import { startDemo } from './demo-server.ts';

test('on Vercel without Blob the page says that nothing lasts', async ({ page }) => {
  const demo = await startDemo({ VERCEL: '1' });
  await page.goto(demo.url);
  await expect(page.getByText('No Blob store is connected')).toBeVisible();
  await demo.stop();
});
