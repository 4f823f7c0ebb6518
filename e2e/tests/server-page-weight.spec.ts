import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './viewer-page.ts';

// In kB, compressed. React and Next.js alone are 136 of them.
const chatBudget = 200;
const outputBudget = 150;

/** Words that stand in the scripts of the SDK (in its zod), and in those that draw answers. */
const engineMark = 'allowsEval';
const markdownMark = 'streamdown';

test(`an empty chat loads at most ${chatBudget} kB of scripts until the composer is used, and the rest afterwards`, async ({
  page,
}) => {
  const scripts = watchScripts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(await scripts.kilobytes()).toBeLessThan(chatBudget);
  expect(await scripts.with(engineMark)).toEqual([]);
  expect(await scripts.with(markdownMark)).toEqual([]);

  await page.getByRole('button', { name: /Why did checkout fail/ }).hover();
  await expect.poll(() => scripts.with(engineMark)).toHaveLength(1);
  expect(await scripts.with(markdownMark)).toEqual([]);
});

test(`the page of an output loads at most ${outputBudget} kB of scripts`, async ({ page, demo, context }) => {
  await demo.enter(context);
  const scripts = watchScripts(page);
  await page.goto(await demo.keep('one line\n'.repeat(5_000)), { waitUntil: 'networkidle' });
  await expect(page.getByText('one line').first()).toBeVisible();
  expect(await scripts.kilobytes()).toBeLessThan(outputBudget);
  expect(await scripts.with(engineMark)).toEqual([]);
  expect(await scripts.with(markdownMark)).toEqual([]);
});

/** Every script that a page asks for from now on, also those that it fetches by itself after it was drawn. */
function watchScripts(page: Page) {
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body());
  });
  return {
    async kilobytes(): Promise<number> {
      const scripts = await Promise.all(bodies);
      expect(scripts.length).toBeGreaterThan(3);
      return scripts.reduce((sum, body) => sum + gzipSync(body).byteLength, 0) / 1000;
    },
    /** Those in which a word stands. */
    async with(word: string): Promise<Buffer[]> {
      return (await Promise.all(bodies)).filter((body) => body.includes(word));
    },
  };
}
