import { expect, type Locator, type Page } from '@playwright/test';
import { type DemoWithOutputs, startDemoWithOutputs } from './kept-output.ts';
import { logOfLines } from './log-of-lines.ts';
import { test as base } from './page-without-errors.ts';

/** The viewer as a visitor meets it. */
export interface ViewerPage {
  page: Page;
  scroller: Locator;
  row(line: number): Locator;
  /** Opens an address, and waits until rows are drawn. */
  open(url: string): Promise<void>;
  /** The requests for lines from now on. */
  lineRequests(): string[];
  /** The lines that are wholly in view, and how many rows there are in the document. */
  shown(): Promise<{ first: number; last: number; rows: number; unfilled: number }>;
}

/** 50 MB, and made in a second. */
export const largeLogLines = 460_000;
/** As an element higher than any browser lets one be, at any resolution. */
export const tallLines = 2_000_000;

interface WorkerParts {
  demo: DemoWithOutputs;
  /** The address of a log of 50 MB. */
  largeLog: string;
  /** The address of short lines, more than an element has room for. */
  tall: string;
}

export const test = base.extend<{ viewer: ViewerPage }, WorkerParts>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const demo = await startDemoWithOutputs();
      await use(demo);
      await demo.close();
    },
    { scope: 'worker' },
  ],
  largeLog: [
    async ({ demo }, use) => use(await demo.keep(logOfLines(largeLogLines))),
    { scope: 'worker', timeout: 60_000 },
  ],
  tall: [async ({ demo }, use) => use(await demo.keep(shortLines())), { scope: 'worker', timeout: 60_000 }],
  viewer: async ({ page, demo }, use) => {
    await demo.enter(page.context());
    await use(viewerOn(page));
  },
});

function* shortLines(): Generator<string> {
  for (let first = 1; first <= tallLines; first += 1000) {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${first + index} `);
    yield `${first === 1 ? '' : '\n'}${lines.join('\n')}`;
  }
}

/** The viewer on a page, also on one of another browser. */
export function viewerOn(page: Page): ViewerPage {
  const scroller = page.locator('[data-scroller]');
  return {
    page,
    scroller,
    row: (line) => page.locator(`li[data-line="${line}"]`),
    async open(url) {
      await page.goto(url);
      await expect(page.locator('li[data-line]').first()).toBeVisible();
    },
    lineRequests() {
      const requests: string[] = [];
      page.on('request', (request) => request.url().includes('/lines?') && requests.push(request.url()));
      return requests;
    },
    shown: () => scroller.evaluate(shownIn),
  };
}

function shownIn(scroller: Element): { first: number; last: number; rows: number; unfilled: number } {
  const { top } = scroller.getBoundingClientRect();
  const bottom = top + scroller.clientHeight;
  const rows = [...scroller.querySelectorAll<HTMLElement>('[data-line]')];
  const whole = rows.filter((row) => {
    const box = row.getBoundingClientRect();
    return box.top >= top - 1 && box.bottom <= bottom + 1;
  });
  return {
    first: Number(whole[0]?.dataset.line),
    last: Number(whole.at(-1)?.dataset.line),
    rows: rows.length,
    unfilled: rows.filter((row) => row.dataset.unfilled !== undefined).length,
  };
}

export { expect };
