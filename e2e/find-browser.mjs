import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

// The first has no window to draw: tests take half the time in it.
const systemBrowsers = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The path of the Chromium to test in: the one that E2E_CHROMIUM names, else Playwright's own, else one of the system.
 *
 * @returns {string | undefined}
 */
export function findBrowser() {
  return process.env.E2E_CHROMIUM || [chromium.executablePath(), ...systemBrowsers].find((path) => existsSync(path));
}
