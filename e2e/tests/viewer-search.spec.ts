import { expect, largeLogLines, test } from './viewer-page.ts';

test('a search tells its first match at once, lists all, and goes around the end', async ({ viewer, largeLog }) => {
  const { page } = viewer;
  await viewer.open(largeLog);
  const field = page.getByLabel('Find in the output');
  await field.fill('request of line 45000');
  await field.press('Enter');
  await expect(viewer.row(45_000)).toHaveClass(/hit-row/);
  await expect(page.locator('[data-search-status]')).toHaveText('1 of 11 matches');

  const matches = page.getByRole('group', { name: 'Matches' }).getByRole('button');
  await expect(matches).toHaveCount(11);
  await field.press('Enter');
  await expect(viewer.row(450_000)).toHaveClass(/hit-row/);
  await field.press('Shift+Enter');
  await expect(viewer.row(45_000)).toHaveClass(/hit-row/);
  await field.press('Shift+Enter');
  await expect(viewer.row(450_009)).toHaveClass(/hit-row/);
  await matches.nth(3).click();
  await expect(viewer.row(450_002)).toHaveClass(/hit-row/);
  await expect(page.locator('[data-search-status]')).toHaveText('4 of 11 matches');
});

test('a search that finds too much ends at 500, and goes on behind the last', async ({ viewer, largeLog }) => {
  const { page } = viewer;
  await viewer.open(largeLog);
  const field = page.getByLabel('Find in the output');
  await field.fill('INFO');
  await field.press('Enter');
  await expect(page.locator('[data-search-status]')).toHaveText(
    '1 of the first 500 matches: next ones follow the last',
  );
  await page.getByRole('button', { name: 'Search on from here' }).click();
  await expect(viewer.row(501)).toHaveClass(/hit-row/);
});

test('errors are gone to one after the other, from the line in view', async ({ viewer, largeLog }) => {
  const { page, scroller } = viewer;
  await viewer.open(`${largeLog}#L200100`);
  await expect(viewer.row(200_100)).toContainText('line 200100 ');
  await scroller.focus();
  await page.keyboard.press('e');
  await expect(viewer.row(201_000)).toHaveClass(/hit-row/);
  await page.keyboard.press('e');
  await expect(viewer.row(202_000)).toHaveClass(/hit-row/);
  await page.keyboard.press('E');
  await expect(viewer.row(201_000)).toHaveClass(/hit-row/);
  // Its colour is one that can be read, and nothing of the sequence is seen.
  await expect(viewer.row(201_000).locator('.text-failure')).toHaveText('ERROR');
});

test('an expression that would take for ever elsewhere is answered', async ({ viewer, demo }) => {
  const { page } = viewer;
  await viewer.open(await demo.keep('a'.repeat(1_000_000)));
  const field = page.getByLabel('Find in the output');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await field.fill('(a+)+$b');
  const startedAt = Date.now();
  await field.press('Enter');
  await expect(page.locator('[data-search-status]')).toHaveText('No match');
  expect(Date.now() - startedAt).toBeLessThan(5000);
});

test.describe('a search that is not waited for', () => {
  test('is stopped on the server too', async ({ viewer, largeLog }) => {
    const { page } = viewer;
    await viewer.open(largeLog);
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('/grep?'));
    const field = page.getByLabel('Find in the output');
    await field.fill(`no line says this, not even ${largeLogLines}`);
    await field.press('Enter');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await stopped;
    await expect(page.locator('[data-search-status]')).toContainText('stopped at');
  });
});

test.describe('an expression that is none', () => {
  test.use({ expectedErrors: [/status of 400/] });
  test('says why', async ({ viewer, largeLog }) => {
    const { page } = viewer;
    await viewer.open(largeLog);
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await page.getByLabel('Find in the output').fill('(unclosed');
    await page.getByLabel('Find in the output').press('Enter');
    await expect(page.locator('[data-search-status]')).toContainText(/missing|unclosed|paren/i);
  });
});
