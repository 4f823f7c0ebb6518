import { logLine } from './log-of-lines.ts';
import { expect, largeLogLines, test } from './viewer-page.ts';

const rowHeight = 24;

test('a link into the middle of 50 MB shows its lines, marked, after at most two requests for lines', async ({
  viewer,
  largeLog,
}) => {
  const requests = viewer.lineRequests();
  await viewer.page.goto(`${largeLog}#L300002-L300004`);
  await expect(viewer.row(300_002)).toContainText(logLine(300_002));
  expect(requests.length).toBeLessThanOrEqual(2);
  for (const line of [300_002, 300_003, 300_004]) await expect(viewer.row(line)).toHaveClass(/selected-row/);
  await expect(viewer.row(300_005)).not.toHaveClass(/selected-row/);
  await expect(viewer.page.getByText('Lines 300002–300004', { exact: true })).toBeVisible();
});

test('the wheel moves by pixels, the page keys move by pages, and Home and End lead to both ends', async ({
  viewer,
  largeLog,
}) => {
  const { page, scroller } = viewer;
  await viewer.open(`${largeLog}#L230000`);
  await expect(viewer.row(230_000)).toBeVisible();
  await scroller.hover();
  const before = (await viewer.shown()).first;
  for (let notch = 0; notch < 20; notch++) await page.mouse.wheel(0, 100);
  const moved = Math.round(2000 / rowHeight);
  await expect.poll(async () => Math.abs((await viewer.shown()).first - before - moved)).toBeLessThanOrEqual(1);

  const wheeled = await viewer.shown();
  await scroller.focus();
  await page.keyboard.press('PageDown');
  await expect.poll(async () => (await viewer.shown()).first).toBeGreaterThan(wheeled.first + 10);
  const paged = await viewer.shown();
  expect(Math.abs(paged.first - wheeled.last)).toBeLessThanOrEqual(2);

  await page.keyboard.press('End');
  await expect(viewer.row(largeLogLines)).toContainText(`line ${largeLogLines} `);
  expect((await viewer.shown()).last).toBe(largeLogLines);
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => (await viewer.shown()).last).toBe(largeLogLines - 1);
  await page.keyboard.press('g');
  await expect(viewer.row(1)).toContainText('line 1 ');
  expect((await viewer.shown()).first).toBe(1);
  await page.keyboard.press('j');
  await expect.poll(async () => (await viewer.shown()).first).toBe(2);
});

test('the wheel reaches the first and the last line from nearby', async ({ viewer, largeLog }) => {
  const { page, scroller } = viewer;
  await viewer.open(`${largeLog}#L100`);
  await expect(viewer.row(100)).toBeVisible();
  await scroller.hover();
  for (let notch = 0; notch < 40; notch++) await page.mouse.wheel(0, -100);
  await expect.poll(async () => (await viewer.shown()).first).toBe(1);
});

test('a link to a line after the end shows the end, and says so', async ({ viewer, largeLog }) => {
  await viewer.page.goto(`${largeLog}#L9999999`);
  await expect(viewer.page.getByText('There is no line 9,999,999: this output has 460,000 lines.')).toBeVisible();
  await expect(viewer.row(largeLogLines)).toContainText(`line ${largeLogLines} `);
});
