import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';

/** In kB, compressed. Two thirds are React, Next.js and `ai` with its zod: what is drawn later must not come on top of that. */
const budget = 260;

test('the first page loads few scripts, and what draws answers comes later', async ({ page }) => {
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body());
  });
  await page.goto('/');
  const scripts = await Promise.all(bodies);
  const kilobytes = scripts.reduce((sum, body) => sum + gzipSync(body).byteLength, 0) / 1000;
  expect(scripts.length).toBeGreaterThan(3);
  expect(kilobytes).toBeLessThan(budget);
  expect(scripts.filter((body) => body.includes('streamdown'))).toEqual([]);
});
