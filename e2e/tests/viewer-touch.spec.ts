import { devices } from '@playwright/test';
import { expect, test } from './viewer-page.ts';

const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
test.use(phone);

test('a finger moves lines, not shares of the whole, and nothing jumps when it lifts', async ({ viewer, largeLog }) => {
  const { page, scroller } = viewer;
  await viewer.open(`${largeLog}#L230000`);
  await expect(viewer.row(230_000)).toContainText('line 230000 ');
  const box = await scroller.boundingBox();
  if (!box) throw new Error('no scroller');
  const before = (await viewer.shown()).first;
  const session = await page.context().newCDPSession(page);
  const x = Math.round(box.x + box.width / 2);
  const y = Math.round(box.y + box.height - 40);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let step = 1; step <= 24; step++) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - step * 10 }] });
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  // Held for a moment, so that it is a drag and no fling.
  for (let step = 0; step < 10; step++) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - 240 }] });
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const ended = scroller.evaluate((element) =>
    new Promise((resolve) => element.addEventListener('scrollend', resolve, { once: true })).then(() => undefined),
  );
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await ended;
  const after = await viewer.shown();
  expect(after.first - before).toBeGreaterThanOrEqual(8);
  expect(after.first - before).toBeLessThanOrEqual(12);
  await expect.poll(async () => (await viewer.shown()).unfilled).toBe(0);
  expect((await viewer.shown()).first).toBe(after.first);
});
