import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { logLine } from './log-of-lines.ts';
import { expect, largeLogLines, test } from './viewer-page.ts';

test.describe('evidence', () => {
  test('is confirmed when its lines contain its words, and marked as different when they do not', async ({
    viewer,
    largeLog,
  }) => {
    const notice = viewer.page.locator('[data-address-notice]');
    await viewer.page.goto(
      `${largeLog}#L300000&quote=${encodeURIComponent('ERROR checkout-1 request of line 300000')}`,
    );
    await expect(notice).toHaveText('Verified: the quote is at line 300000.');
    await viewer.page.goto(`${largeLog}#L300000&quote=${encodeURIComponent('disk full')}`);
    await expect(notice).toHaveText('The output says something else at line 300000 than the quote: disk full');
    await expect(viewer.row(300_000)).toHaveClass(/selected-row/);
  });
});

test('all lines in view are filled, even when few of them fit into one answer', async ({ viewer, demo }) => {
  const long = Array.from({ length: 200 }, (_, index) => `line ${index + 1} ${'x'.repeat(20_000)}`);
  const address = await demo.keep(long.join('\n'));
  for (const line of [150, 60, 200, 1]) {
    await viewer.open(`${address}#L${line}`);
    await expect(viewer.row(line)).toContainText(`line ${line} `);
    await expect.poll(async () => (await viewer.shown()).unfilled).toBe(0);
  }
});

test('a link to a line after the end is announced by an element that was there before', async ({
  viewer,
  largeLog,
}) => {
  const { page } = viewer;
  await viewer.open(`${largeLog}#L5`);
  const selected = page.getByText('Line 5 selected');
  await expect(selected).toHaveCount(1);
  const spoken = await page.locator('[data-address-spoken][role=status]').elementHandle();
  await page.evaluate(() => {
    window.location.hash = '#L9999999';
  });
  await expect(page.locator('[data-address-notice]')).toBeVisible();
  expect(await spoken?.textContent()).toMatch(/^There is no line 9,999,999: /);
  await expect(selected).toHaveCount(0);
  await expect(page.getByText(/9999999 selected/)).toHaveCount(0);
  // Of a selection that begins before the end, as far as there are lines.
  await page.evaluate(() => {
    window.location.hash = '#L459999-L9999999';
  });
  await expect(page.getByText('Lines 459999–460000 selected')).toHaveCount(1);
});

test('a line of five million characters is shown window by window', async ({ viewer, demo }) => {
  const { page } = viewer;
  const text = Array.from({ length: 500_000 }, (_, index) => `[${String(index).padStart(7, '0')}]`).join(' ');
  const address = await demo.keep(text);
  await viewer.open(address);
  await page.getByRole('button', { name: /^… all/ }).click();
  const characters = page.locator('[data-characters]');
  await expect(characters).toContainText('[0000000] [0000001]');
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(characters).toContainText('[0000401]');
  await page.getByLabel('Go to character').fill('4000001');
  await page.getByLabel('Go to character').press('Enter');
  await expect(characters).toContainText('[0400001]');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // Straight to a place inside of the line.
  await page.goto('about:blank');
  await page.goto(`${address}#L1C4000001`);
  await expect(characters).toContainText('[0400001]');
});

test('characters of an output that hide, move or run something are visible and have no effect', async ({
  viewer,
  demo,
}) => {
  const hostile = [
    '<img src=x onerror=alert(1)><script>alert(2)</script>',
    '\u001b]8;;javascript:alert(3)\u001b\\click\u001b]8;;\u001b\\ \u001b[2J\u001b[1;1Hhome',
    'safe\u202etxt.exe\u0007',
  ].join('\n');
  let dialogs = 0;
  viewer.page.on('dialog', (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  await viewer.open(await demo.keep(hostile));
  await expect(viewer.row(1).locator('[data-text]')).toHaveText(
    '<img src=x onerror=alert(1)><script>alert(2)</script>',
  );
  await expect(viewer.row(2).locator('[data-text]')).toHaveText(
    'U+001B]8;;javascript:alert(3)U+001B\\clickU+001B]8;;U+001B\\ U+001B[2JU+001B[1;1Hhome',
  );
  await expect(viewer.row(3).locator('[data-text]')).toHaveText('safeU+202Etxt.exeU+0007');
  expect(dialogs).toBe(0);
});

test('JSON on one line can be shown indented', async ({ viewer, demo }) => {
  const { page } = viewer;
  await viewer.open(await demo.keep('{"id":12345678901234567890,"items":[1,2]}', { mediaType: 'application/json' }));
  await page.getByRole('button', { name: 'Formatted' }).click();
  await expect(page.locator('[data-pretty]')).toHaveText(
    '{\n  "id": 12345678901234567890,\n  "items": [\n    1,\n    2\n  ]\n}',
  );
});

test('an empty output and an output that is not text say so', async ({ viewer, demo }) => {
  const { page } = viewer;
  await page.goto(await demo.keep(''));
  await expect(page.getByText('This tool returned nothing.')).toBeVisible();
  await page.goto(await demo.keep(new Uint8Array([0, 255, 1, 254]), { mediaType: 'application/octet-stream' }));
  await expect(page.getByText(/This is not text, but 4 B of application\/octet-stream/)).toBeVisible();
  await expect(page.getByRole('link', { name: /^Download/ })).toBeVisible();
});

test('the page of an output handles its keys at once', async ({ viewer, largeLog }) => {
  const { page, scroller } = viewer;
  await viewer.open(largeLog);
  await expect(scroller).toBeFocused();
  await page.keyboard.press('Shift+G');
  await expect(viewer.row(largeLogLines)).toBeVisible();
  await page.keyboard.press('Control+f');
  await expect(page.getByLabel('Find in the output')).toBeFocused();
});

test('? lists the keys, and Escape closes the list', async ({ viewer, largeLog }) => {
  const { page, scroller } = viewer;
  await viewer.open(largeLog);
  await scroller.focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(scroller).toBeFocused();
  await page.keyboard.press('/');
  await expect(page.getByLabel('Find in the output')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press(':');
  await expect(page.getByLabel('Go to line')).toBeFocused();
});

test('Ctrl+F opens the search of the viewer, and a second Ctrl+F the search of the browser', async ({
  viewer,
  largeLog,
}) => {
  const { page, scroller } = viewer;
  await viewer.open(largeLog);
  await page.evaluate(() => {
    const presses: KeyboardEvent[] = [];
    Object.assign(window, { presses });
    window.addEventListener('keydown', (event) => event.key === 'f' && presses.push(event), { capture: true });
  });
  await scroller.focus();
  await page.keyboard.press('Control+f');
  await expect(page.getByLabel('Find in the output')).toBeFocused();
  await page.keyboard.press('Control+f');
  const taken = await page.evaluate(() =>
    (window as unknown as { presses: KeyboardEvent[] }).presses.map(({ defaultPrevented }) => defaultPrevented),
  );
  expect(taken).toEqual([true, false]);
});

test('the first lines are in the page before a script has run, and are not requested again', async ({
  viewer,
  largeLog,
}) => {
  const { page } = viewer;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const response = await page.goto(largeLog);
  expect(await response?.text()).toContain(`data-text="true">${logLine(1)}<`);
  await page.waitForLoadState('networkidle');
  await expect(viewer.row(1)).toContainText(logLine(1));
  expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the page has the first two hundred lines and a download', async ({ page, demo, largeLog, viewer: _ }) => {
    await page.goto(largeLog);
    await expect(page.locator('noscript [data-line="1"]')).toContainText(logLine(1));
    await expect(page.locator('noscript [data-line="200"]')).toContainText('line 200 ');
    await expect(page.locator('[data-line="201"]')).toHaveCount(0);
    const href = await page.getByRole('link', { name: /^Download/ }).getAttribute('href');
    expect(href).toContain(`/raw?chat=${demo.chat}`);
    await expect(page.getByLabel('Find in the output')).toBeHidden();
  });
});

test.describe('when the server is not reached', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });
  test('the rows say so, and Retry fills them', async ({ viewer, largeLog }) => {
    const { page } = viewer;
    await page.route('**/lines?*', (route) => route.abort());
    await page.goto(`${largeLog}#L299900`);
    await expect(page.getByText('The server cannot be reached.')).toBeVisible();
    await page.unroute('**/lines?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(viewer.row(299_900)).toContainText(logLine(299_900).slice(0, 20));
    await expect(page.getByText('The server cannot be reached.')).toHaveCount(0);
  });
});

test.describe('a part that could not be loaded', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('of JSON is requested again when it is opened again', async ({ viewer, demo }) => {
    const { page } = viewer;
    await viewer.open(await demo.keep('{"items":[1]}', { mediaType: 'application/json' }));
    const dialog = page.getByRole('dialog', { name: 'Formatted JSON' });
    await page.route('**/raw?*', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Formatted' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('The server cannot be reached.');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Formatted' }).click();
    await expect(dialog.locator('[data-pretty]')).toHaveText('{\n  "items": [\n    1\n  ]\n}');
    await expect(dialog.getByRole('alert')).toHaveCount(0);
  });

  test('of a giant line is requested by Retry', async ({ viewer, demo }) => {
    const { page } = viewer;
    await viewer.open(await demo.keep('long '.repeat(2000)));
    await page.route('**/chars?*', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: /^… all/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Line 1' });
    await expect(dialog.getByRole('status')).toHaveText('The server cannot be reached.');
    const retry = dialog.getByRole('button', { name: 'Retry' });
    await retry.click();
    await expect(page.locator('[data-characters]')).toContainText('long');
    await expect(retry).toHaveCount(0);
  });

  test('of the page itself is requested by Retry', async ({ viewer, demo }) => {
    const { page, scroller } = viewer;
    const scripts = '**/_next/static/chunks/**';
    await viewer.open(await demo.keep('first\nsecond'));
    await page.waitForLoadState('networkidle');
    await page.route(scripts, (route) => route.abort());
    await scroller.press('?');
    const alert = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded.' });
    await expect(alert).toBeVisible();
    await page.unroute(scripts);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
});

test('lines that load slowly have their numbers, their space and a message before they arrive', async ({
  viewer,
  largeLog,
}) => {
  const { page } = viewer;
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/lines?*', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(`${largeLog}#L300000`);
  const row = viewer.row(300_000);
  await expect(row).toHaveAttribute('data-unfilled');
  await expect(row.getByLabel('Line 300,000', { exact: true })).toBeVisible();
  const boxes = await Promise.all([299_999, 300_000, 300_001].map((line) => viewer.row(line).boundingBox()));
  const [before, target, behind] = boxes.map((box) => box?.y ?? Number.NaN);
  expect(target).toBeCloseTo((before ?? 0) + 24, 0);
  expect(behind).toBeCloseTo((before ?? 0) + 48, 0);
  await expect(page.locator('[data-waiting][role=status]')).toHaveText(
    /^Still fetching lines 299,9\d\d to 300,0\d\d…$/,
  );

  arrive();
  await expect(row).toContainText(logLine(300_000).slice(0, 20));
  await expect(page.locator('[data-waiting]')).toBeEmpty();
  expect((await row.boundingBox())?.y).toBe(target);
});

test.describe('when the server says that there were too many requests', () => {
  test.use({ expectedErrors: [/status of 429/] });
  test('the rows say so, and are filled without a click after the wait', async ({ viewer, largeLog }) => {
    const { page } = viewer;
    const refusal = {
      status: 429,
      headers: { 'retry-after': '2' },
      json: { error: { code: 'too_many_requests', message: 'That was much reading in a short time.' } },
    };
    await page.route('**/lines?*', (route) => route.fulfill(refusal), { times: 1 });
    await page.goto(`${largeLog}#L299900`);
    const alert = page.getByText(
      'That was much reading in a short time. Try again in 2 s. This page does so by itself.',
    );
    await expect(alert).toBeVisible();
    await expect(viewer.row(299_900)).toContainText(logLine(299_900).slice(0, 20));
    await expect(alert).toHaveCount(0);
  });
});

test.describe('after its retention', () => {
  test.use({ expectedErrors: [/status of 404/] });
  const name = 'tool_20260113_153045_read-server-logs_call-123_7f3k9q2m4x8p1z5c.txt';
  const words = 'It is saved for 7 days, and its name has the date 2026-01-13, so it has expired.';

  test('an expired output says so by its name, and an unknown output only says that it is not here', async ({
    viewer: { page },
    demo,
  }) => {
    const response = await page.goto(`${demo.server.url}/a/${name}?chat=${demo.chat}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByText(words)).toBeVisible();
    // Of another name nobody learns more.
    const recent = `tool_${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_')}_a_b_7f3k9q2m4x8p1z5c.txt`;
    await page.goto(`${demo.server.url}/a/${recent}?chat=${demo.chat}`);
    await expect(page.getByText('It belongs to another chat, or was deleted.')).toBeVisible();
  });
});

test.describe('when the store fails', () => {
  test.use({ expectedErrors: [/status of 500|Server Components render|Minified React error/] });
  test('an output is not called missing, and Retry shows it once the store works again', async ({ viewer, demo }) => {
    const { page } = viewer;
    const address = await demo.keep('first\nsecond');
    const name = new URL(address).pathname.split('/').at(-1);
    const files = await readdir(demo.directory, { recursive: true });
    const info = join(demo.directory, files.find((file) => file.endsWith(`${name}.info.json`)) ?? '');
    await rename(info, `${info}.away`);
    await mkdir(info);
    expect((await page.goto(address))?.status()).toBe(500);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page failed');
    await expect(page.getByText(/The log of the server names it \d+\./)).toBeVisible();
    await rmdir(info);
    await rename(`${info}.away`, info);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(viewer.row(2)).toContainText('second');
  });
});

test.describe('for another visitor', () => {
  test.use({ expectedErrors: [/status of 404/] });
  test('an output is as unknown as an output that never existed', async ({ page, largeLog }) => {
    const response = await page.goto(largeLog);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This output is not here');
  });
});
