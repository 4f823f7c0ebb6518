import { type CDPSession, devices, type Locator, type Page } from '@playwright/test';
import { expect, tallLines, test } from './viewer-page.ts';

const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
test.use(phone);

test('a finger moves by lines, and no line jumps when the finger lifts', async ({ viewer, largeLog }) => {
  const { page, scroller } = viewer;
  await viewer.open(`${largeLog}#L230000`);
  await expect(viewer.row(230_000)).toContainText('line 230000 ');
  // Until the scripts run, a finger moves what the server has drawn, by the browser's own measure.
  await expect(scroller).toBeFocused();
  const before = (await viewer.shown()).first;
  const finger = await fingerOn(page, scroller);
  await drag(finger, -240);
  const held = (await viewer.shown()).first;
  expect(held - before).toBeGreaterThanOrEqual(8);
  expect(held - before).toBeLessThanOrEqual(12);
  await lift(finger);
  // Frames in which the scrollbar goes to where the lines are.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
  });
  const after = await viewer.shown();
  expect(after.first).toBe(held);
  await expect.poll(async () => (await viewer.shown()).unfilled).toBe(0);
  expect((await viewer.shown()).first).toBe(after.first);
});

test('a finger reaches both ends of an output that is higher than an element can be', async ({ viewer, tall }) => {
  const { page, scroller } = viewer;
  await viewer.open(`${tall}#L40`);
  await expect(viewer.row(40)).toContainText('line 40 ');
  const finger = await fingerOn(page, scroller);
  for (let swipe = 0; swipe < 3; swipe++) {
    await drag(finger, 360);
    await lift(finger);
  }
  await expect.poll(async () => (await viewer.shown()).first).toBe(1);

  await page.evaluate((line) => {
    window.location.hash = `#L${line}`;
  }, tallLines - 40);
  await expect(viewer.row(tallLines - 40)).toContainText(`line ${tallLines - 40} `);
  for (let swipe = 0; swipe < 3; swipe++) {
    await drag(finger, -360);
    await lift(finger);
  }
  await expect.poll(async () => (await viewer.shown()).last).toBe(tallLines);
});

interface Finger {
  page: Page;
  scroller: Locator;
  session: CDPSession;
}

async function fingerOn(page: Page, scroller: Locator): Promise<Finger> {
  return { page, scroller, session: await page.context().newCDPSession(page) };
}

/** Moves what is under the finger by so many pixels, down or (negative) up, and holds it for a moment, so that it is no fling. */
async function drag({ page, scroller, session }: Finger, pixels: number): Promise<void> {
  const box = await scroller.boundingBox();
  if (!box) throw new Error('no scroller');
  const x = Math.round(box.x + box.width / 2);
  const y = Math.round(pixels > 0 ? box.y + 40 : box.y + box.height - 40);
  const touch = async (type: string, moved: number) => {
    await session.send('Input.dispatchTouchEvent', { type: type as 'touchMove', touchPoints: [{ x, y: y + moved }] });
    await page.evaluate(() => new Promise(requestAnimationFrame));
  };
  await touch('touchStart', 0);
  const steps = 24;
  for (let step = 1; step <= steps; step++) await touch('touchMove', (pixels * step) / steps);
  for (let step = 0; step < 10; step++) await touch('touchMove', pixels);
}

async function lift({ session }: Finger): Promise<void> {
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
