import { readFile } from 'node:fs/promises';
import { logLine } from './log-of-lines.ts';
import { expect, test } from './viewer-page.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const colours = new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, 'g');

test('a range that is selected by number is in the address, and the address selects it again', async ({
  viewer,
  largeLog,
}) => {
  const { page } = viewer;
  await viewer.open(`${largeLog}#L299990`);
  await viewer.row(299_990).getByRole('link').click();
  await viewer
    .row(299_993)
    .getByRole('link')
    .click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(/#L299990-L299993$/);
  await page.reload();
  for (const line of [299_990, 299_993]) await expect(viewer.row(line)).toHaveClass(/selected-row/);
  await expect(viewer.row(299_994)).not.toHaveClass(/selected-row/);
  // Against the direction of reading too.
  await viewer
    .row(299_988)
    .getByRole('link')
    .click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(/#L299988-L299990$/);
});

test('lines are copied without numbers and colours, raw, as evidence, and as a link', async ({ viewer, largeLog }) => {
  const { page } = viewer;
  await viewer.open(`${largeLog}#L299999-L300001`);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const lines = [299_999, 300_000, 300_001].map(logLine).join('\n');
  const plain = lines.replaceAll(colours, '');

  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.locator('[data-selection-status]')).toHaveText('Copied');
  expect(await clipboard()).toBe(plain);
  await page.getByRole('button', { name: 'Copy raw' }).click();
  await expect.poll(clipboard).toBe(lines);
  await page.getByRole('button', { name: 'Copy as evidence' }).click();
  const name = new URL(largeLog).pathname.split('/').at(-1);
  await expect.poll(clipboard).toBe(`${name}:299999-300001\n\`\`\`\n${plain}\n\`\`\`\n`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(clipboard).toBe(`${largeLog}#L299999-L300001`);
});

test('with the focus on the lines, c copies the selected lines and y copies the link to them', async ({
  viewer,
  largeLog,
}) => {
  const { page, scroller } = viewer;
  await viewer.open(`${largeLog}#L41-L42`);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const status = page.locator('[data-selection-status]');
  await expect(status).toBeAttached();
  await scroller.press('c');
  await expect(status).toHaveText('Copied');
  expect(await clipboard()).toBe(`${logLine(41)}\n${logLine(42)}`);
  await scroller.press('y');
  await expect(status).toHaveText('Link copied');
  expect(await clipboard()).toBe(`${largeLog}#L41-L42`);
});

test('a browser that allows a copy only during a click copies lines too', async ({ viewer, largeLog }) => {
  const { page } = viewer;
  await page.addInitScript(() => {
    let isHandled = false;
    window.addEventListener('click', () => (isHandled = true), { capture: true });
    window.addEventListener('click', () => (isHandled = false));
    for (const name of ['write', 'writeText'] as const) {
      const allowed = navigator.clipboard[name].bind(navigator.clipboard) as (data: unknown) => Promise<void>;
      const refused = () => Promise.reject(new DOMException('No click is handled.', 'NotAllowedError'));
      Object.assign(navigator.clipboard, { [name]: (data: unknown) => (isHandled ? allowed(data) : refused()) });
    }
  });
  await viewer.open(`${largeLog}#L41-L42`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.locator('[data-selection-status]')).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${logLine(41)}\n${logLine(42)}`);
});

test.describe('lines that cannot be fetched', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });
  test('are not copied, and the page says why', async ({ viewer, largeLog }) => {
    const { page } = viewer;
    await viewer.open(`${largeLog}#L41-L42`);
    await page.route('**/raw?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(page.locator('[data-selection-status]')).toHaveText('The server cannot be reached.');
  });
});

test('a copy by the browser itself has no line numbers either', async ({ viewer, largeLog }) => {
  const { page } = viewer;
  await viewer.open(`${largeLog}#L10`);
  const selected = await viewer.row(10).evaluate((row) => {
    const selection = getSelection();
    selection?.selectAllChildren(row);
    return String(selection);
  });
  expect(selected.trim()).toBe(logLine(10));
  await expect(page.getByLabel('Line 10', { exact: true })).toBeVisible();
});

test('lines download byte for byte, even when they start with a byte order mark or are not text', async ({
  viewer,
  demo,
}) => {
  const { page } = viewer;
  const bytes = Buffer.concat([Buffer.from('\ufefffirst '), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('\nsecond')]);
  await viewer.open(`${await demo.keep(bytes)}#L1`);
  const lines = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download lines' }).click();
  const saved = await readFile(await (await lines).path());
  expect(saved.toString('hex')).toBe(bytes.subarray(0, bytes.indexOf('\n')).toString('hex'));
});

test('selected lines and the full output download byte for byte', async ({ viewer, demo }) => {
  const { page } = viewer;
  const text = ['first', '\u001b[32mžluť\u001b[0m', 'third', ''].join('\n');
  await viewer.open(`${await demo.keep(text)}#L2-L3`);
  const lines = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download lines' }).click();
  expect((await readFile(await (await lines).path())).toString()).toBe('\u001b[32mžluť\u001b[0m\nthird');
  const whole = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download/ }).click();
  expect((await readFile(await (await whole).path())).toString()).toBe(text);
});
