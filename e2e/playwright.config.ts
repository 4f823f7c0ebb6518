import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './find-browser.mjs';
import { findFreePort } from './free-port.ts';

// Playwright reads this file once more in every worker: the environment carries the first answer there.
process.env.E2E_PORT ??= String(await findFreePort());
const port = process.env.E2E_PORT;

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  retries: 0,
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // A trace of every test, kept or not, would be a third of the time: ask for it with `--trace on`.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findBrowser(),
      // Nothing may leave the machine: neither the page nor the browser's own background requests.
      args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    },
  },
  projects: [{ name: 'chromium', use: devices['Desktop Chrome'] }],
  webServer: {
    command: `node_modules/.bin/next start --hostname 127.0.0.1 --port ${port}`,
    cwd: '../apps/demo',
    // Empty, so that a key on the machine of a developer does not switch the offline model off.
    env: { OPENAI_API_KEY: '', NEXT_TELEMETRY_DISABLED: '1' },
    url: `http://127.0.0.1:${port}`,
  },
});
