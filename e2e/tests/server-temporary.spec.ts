import { expect, test } from '@playwright/test';
import { startDemo } from './demo-server.ts';

test('on Vercel without Blob the page says that a chat is lost when it is reloaded', async ({ page }) => {
  const demo = await startDemo({ VERCEL: '1' });
  await page.goto(demo.url);
  await expect(page.getByText('No Blob store is connected: this chat is lost when you reload it')).toBeVisible();
  await demo.stop();
});

test('on Vercel with a Blob store that is opened by OIDC the page does not say that a chat is lost', async ({
  page,
}) => {
  const demo = await startDemo({ VERCEL: '1', BLOB_STORE_ID: 'store_abc' });
  await page.goto(demo.url);
  await expect(page.getByLabel('Your message')).toBeVisible();
  await expect(page.getByText('No Blob store is connected')).toHaveCount(0);
  await demo.stop();
});
