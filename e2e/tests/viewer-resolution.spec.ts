import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../find-browser.mjs';
import { logLine } from './log-of-lines.ts';
import { expect, largeLogLines, tallLines, test, viewerOn } from './viewer-page.ts';

// Emulated, a resolution does not change how high an element may be: the browser has to be started with it.
const asLaunched = { viewport: null, deviceScaleFactor: undefined };

/** A browser with the resolution of a screen, and with the scrollbars that tests usually have not. */
function launch(scale: number): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: [
      `--force-device-scale-factor=${scale}`,
      '--window-size=1280,800',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

for (const scale of [1, 2, 3]) {
  test(`at ${scale} device pixels per pixel every line is in its place`, async ({ demo, tall }) => {
    const browser = await launch(scale);
    try {
      const context = await browser.newContext(asLaunched);
      await demo.enter(context);
      const viewer = viewerOn(await context.newPage());
      await viewer.open(`${tall}#L1900001`);
      expect(await viewer.page.evaluate(() => devicePixelRatio)).toBe(scale);
      await expect(viewer.row(1_900_001)).toContainText('line 1900001 ');
      const { first, last } = await viewer.shown();
      expect(first).toBeLessThan(1_900_001);
      expect(last).toBeGreaterThan(1_900_001);
      await viewer.scroller.hover();
      for (let notch = 0; notch < 12; notch++) await viewer.page.mouse.wheel(0, 100);
      await expect.poll(async () => Math.abs((await viewer.shown()).first - first - 50)).toBeLessThanOrEqual(1);
      await viewer.scroller.focus();
      await viewer.page.keyboard.press('End');
      await expect(viewer.row(tallLines)).toContainText(`line ${tallLines} `);
      expect((await viewer.shown()).last).toBe(tallLines);
    } finally {
      await browser.close();
    }
  });
}

test('the scrollbar moves to its share of the lines, and does not wait for the lines that it passes', async ({
  demo,
  largeLog,
}) => {
  const browser = await launch(1);
  try {
    const context = await browser.newContext(asLaunched);
    await demo.enter(context);
    const { page, scroller, open, lineRequests, shown, row } = viewerOn(await context.newPage());
    await open(largeLog);
    const requests = lineRequests();
    const box = await scroller.boundingBox();
    if (!box) throw new Error('no scroller');
    const bar = box.x + box.width - 4;
    const grip = box.y + 20;
    await page.mouse.move(bar, grip);
    await page.mouse.down();
    for (let step = 1; step <= 50; step++) {
      await page.mouse.move(bar, grip + (step / 50) * (box.height / 2));
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await page.mouse.up();
    await expect.poll(async () => (await shown()).unfilled).toBe(0);
    const { first, rows } = await shown();
    expect(first).toBeGreaterThan(largeLogLines * 0.4);
    expect(first).toBeLessThan(largeLogLines * 0.6);
    expect(rows).toBeLessThanOrEqual(60);
    expect(requests.length).toBeLessThanOrEqual(70);
    // Colours stand between the words of the level.
    await expect(row(first + 1)).toContainText(logLine(first + 1).slice(40));
  } finally {
    await browser.close();
  }
});
