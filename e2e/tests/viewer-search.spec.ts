import { expect, largeLogLines, test } from './viewer-page.ts';

test('a search shows its first match at once, lists all matches, and wraps around at the end', async ({
  viewer,
  largeLog,
}) => {
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

test('the number of matches is announced by an element that was there before, and the progress is only shown', async ({
  viewer,
  largeLog,
}) => {
  const { page } = viewer;
  await viewer.open(largeLog);
  const spoken = await page.locator('[data-search-spoken][role=status]').elementHandle();
  const saidWords = spoken?.evaluate(
    (element) =>
      new Promise<string[]>((resolve) => {
        const all: string[] = [];
        new MutationObserver(() => {
          all.push(element.textContent ?? '');
          if (all.at(-1)?.includes('match')) resolve(all);
        }).observe(element, { childList: true, characterData: true, subtree: true });
      }),
  );
  const field = page.getByLabel('Find in the output');
  await field.fill('request of line 450000');
  await field.press('Enter');
  expect((await saidWords)?.filter((words) => words !== 'Searching…')).toEqual(['1 of 1 match']);
  await expect(page.locator('[data-search-status]')).toHaveText('1 of 1 match');
  await expect(page.locator('[data-search-status]')).toHaveAttribute('aria-hidden', 'true');
});

test('a search that finds too much ends at 500 matches, and continues after the last match', async ({
  viewer,
  largeLog,
}) => {
  const { page } = viewer;
  await viewer.open(largeLog);
  const field = page.getByLabel('Find in the output');
  await field.fill('INFO');
  await field.press('Enter');
  await expect(page.locator('[data-search-status]')).toHaveText('1 of 500+ matches');
  await page.getByRole('button', { name: 'Search on from here' }).click();
  await expect(viewer.row(501)).toHaveClass(/hit-row/);
});

test('a step to a match that has not arrived yet happens once it arrives', async ({ viewer, largeLog }) => {
  const { page } = viewer;
  await viewer.open(largeLog);
  const search = await page.evaluateHandle(() => {
    const { readable, writable } = new TransformStream();
    const { fetch } = window;
    window.fetch = async (input, init) =>
      String(input).includes('/grep?') ? new Response(readable) : fetch(input, init);
    const [encoder, writer] = [new TextEncoder(), writable.getWriter()];
    return { tell: (event: object) => void writer.write(encoder.encode(`${JSON.stringify(event)}\n`)) };
  });
  const tell = (event: object) => search.evaluate(({ tell }, event) => tell(event), event);
  const field = page.getByLabel('Find in the output');
  await field.fill('anything');
  await field.press('Enter');
  await tell({ type: 'match', line: 1000, text: 'anything' });
  await expect(viewer.row(1000)).toHaveClass(/hit-row/);
  await field.press('Enter');
  await tell({ type: 'match', line: 2000, text: 'anything' });
  await expect(viewer.row(2000)).toHaveClass(/hit-row/);
  await tell({ type: 'match', line: 3000, text: 'anything' });
  await expect(page.locator('[data-search-status]')).toContainText('3 matches');
  await expect(viewer.row(2000)).toHaveClass(/hit-row/);
  // Behind the last one there is the first.
  await field.press('Enter');
  await expect(viewer.row(3000)).toHaveClass(/hit-row/);
  await field.press('Enter');
  await tell({ type: 'end', ended: 'complete', matches: 3, searchedTo: 5e7, totalBytes: 5e7 });
  await expect(viewer.row(1000)).toHaveClass(/hit-row/);
});

test('the error keys go from error to error, from the line in view', async ({ viewer, largeLog }) => {
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

test('the previous key goes back through all matches, including the matches from before the search continued', async ({
  viewer,
  largeLog,
}) => {
  const { page, scroller } = viewer;
  await viewer.open(largeLog);
  const field = page.getByLabel('Find in the output');
  await field.fill('INFO');
  await field.press('Enter');
  await expect(page.locator('[data-search-status]')).toContainText('1 of 500+ matches');
  await field.press('Shift+Enter');
  await expect(page.locator('[data-search-status]')).toContainText('1 of 500+ matches');
  await page.getByRole('button', { name: 'Search on from here' }).click();
  await expect(viewer.row(501)).toHaveClass(/hit-row/);
  await field.press('Shift+Enter');
  await expect(viewer.row(500)).toHaveClass(/hit-row/);
  await expect(page.locator('[data-search-status]')).toContainText('500 of 500+ matches');
  await field.press('Enter');
  await expect(viewer.row(501)).toHaveClass(/hit-row/);

  await scroller.focus();
  await page.keyboard.press('Shift+G');
  await expect(viewer.row(largeLogLines)).toBeVisible();
  await expect(page.locator('[data-search-status]')).toContainText('1 of 500+ matches from line 501 on');
  await page.keyboard.press('Shift+N');
  await expect(viewer.row(1001)).toHaveClass(/hit-row/);
});

test('a search that takes too long continues when the visitor asks for it', async ({ viewer, largeLog }) => {
  const { page, scroller } = viewer;
  await viewer.open(`${largeLog}#L300000`);
  const end = {
    type: 'end',
    ended: 'deadline',
    next: '400000:1:44000000',
    matches: 0,
    searchedTo: 44e6,
    totalBytes: 5e7,
  };
  await page.route('**/grep?*', (route) => route.fulfill({ body: `${JSON.stringify(end)}\n` }));
  await scroller.focus();
  await page.keyboard.press('e');
  await expect(page.locator('[data-search-status]')).toHaveText('0 matches, timed out at 88 %');
  const asked = page.waitForRequest('**/grep?*');
  await page.getByRole('button', { name: 'Search on from here' }).click();
  expect(new URL((await asked).url()).searchParams.get('from')).toBe('400000:1:44000000');
});

test('an expression that makes other engines run forever gets an answer', async ({ viewer, demo }) => {
  const { page } = viewer;
  await viewer.open(await demo.keep('a'.repeat(1_000_000)));
  const field = page.getByLabel('Find in the output');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await field.fill('(a+)+$b');
  await field.press('Enter');
  await expect(page.locator('[data-search-status]')).toHaveText('No match');
});

test.describe('a search that the visitor stops', () => {
  test('is stopped on the server too', async ({ viewer, largeLog }) => {
    const { page } = viewer;
    await viewer.open(largeLog);
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('/grep?'));
    const field = page.getByLabel('Find in the output');
    // No word of it can be looked for first, and no line has so many: it lasts.
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await field.fill('(?:[a-z0-9]+[^a-z0-9]+){60,90}$');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await stopped;
    await expect(page.locator('[data-search-status]')).toContainText('stopped at');
  });
});

test.describe('an invalid expression', () => {
  test.use({ expectedErrors: [/status of 400/] });
  test('says why', async ({ viewer, largeLog }) => {
    const { page } = viewer;
    await viewer.open(largeLog);
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await page.getByLabel('Find in the output').fill('(unclosed');
    await page.getByLabel('Find in the output').press('Enter');
    await expect(page.locator('[data-search-status]')).toContainText(/^The pattern is not an RE2 expression: missing/);
  });
});
