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
  // One more than the processors of a small machine, because many tests wait for the words of an answer.
  workers: 3,
  retries: 0,
  // Long enough for a machine that does other work too. A test that passes never waits so long.
  timeout: 120_000,
  expect: { timeout: 20_000 },
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
    // Empty, so that a key on the machine of a developer does not switch the scripted model off.
    env: { OPENAI_API_KEY: '', NEXT_TELEMETRY_DISABLED: '1' },
    url: `http://127.0.0.1:${port}`,
  },
});
