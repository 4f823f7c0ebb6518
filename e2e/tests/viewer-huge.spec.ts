import { logLine, logOfLines } from './log-of-lines.ts';
import { test as base, expect } from './viewer-page.ts';

/** More than 500 MB. */
const lines = 5_000_000;

const test = base.extend<object, { hugeLog: string }>({
  hugeLog: [async ({ demo }, use) => use(await demo.keep(logOfLines(lines))), { scope: 'worker', timeout: 120_000 }],
});

// In one worker: half a gigabyte is made once.
test.describe.configure({ mode: 'default' });

test('a link into the middle of five million lines shows its line, marked, after at most two requests for lines', async ({
  viewer,
  hugeLog,
}) => {
  const requests = viewer.lineRequests();
  await viewer.page.goto(`${hugeLog}#L3000002`);
  await expect(viewer.row(3_000_002)).toContainText(logLine(3_000_002));
  expect(requests.length).toBeLessThanOrEqual(2);
  await expect(viewer.row(3_000_002)).toHaveClass(/selected-row/);
});

test('two hundred jumps through them leave few rows, all filled, and little memory', async ({ viewer, hugeLog }) => {
  const { page } = viewer;
  await viewer.open(hugeLog);
  await page.evaluate(async () => {
    for (let jump = 1; jump <= 200; jump++) {
      location.hash = `#L${jump * 24_000}`;
      // As long as it takes to be drawn, and for most of the lines to arrive.
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    }
  });
  await expect.poll(async () => (await viewer.shown()).unfilled).toBe(0);
  await expect(viewer.row(4_800_000)).toContainText(logLine(4_800_000).slice(0, 20));
  expect((await viewer.shown()).rows).toBeLessThanOrEqual(60);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  expect(usedSize / 1e6).toBeLessThan(60);
});
