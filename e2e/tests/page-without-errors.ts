import { test as base, expect } from '@playwright/test';

/** A test that also fails when the browser reports an error: an exception, a console error, a file that is missing. */
export const test = base.extend<{ pageErrors: undefined }>({
  pageErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await use(undefined);
      expect(errors, 'errors in the console of the browser').toEqual([]);
    },
    { auto: true },
  ],
});
