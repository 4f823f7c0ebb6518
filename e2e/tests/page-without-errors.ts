import { test as base, expect } from '@playwright/test';

interface PageOptions {
  /** Errors of the browser that belong to the test: the status of a request that is refused on purpose. */
  expectedErrors: RegExp[];
}

/**
 * A test that also fails when the browser reports an error (an exception, a console error, a file that is missing), or when
 * the page asks for anything that is not on this machine.
 */
export const test = base.extend<PageOptions & { pageErrors: undefined }>({
  expectedErrors: [[], { option: true }],
  pageErrors: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      const elsewhere: string[] = [];
      page.on('request', (request) => isElsewhere(request.url()) && elsewhere.push(request.url()));
      await use(undefined);
      expect(
        errors.filter((error) => !expectedErrors.some((expected) => expected.test(error))),
        'errors in the console of the browser',
      ).toEqual([]);
      expect(elsewhere, 'requests that leave the machine').toEqual([]);
    },
    { auto: true },
  ],
});

function isElsewhere(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol.startsWith('http') && hostname !== '127.0.0.1';
}
