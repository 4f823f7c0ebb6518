// Lighthouse on one page. Here and not beside, so that its name resolves to this folder's own installation.
import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';

// As in the other tests, nothing may leave the machine. Chromium has no sandbox for the root user, as whom containers run.
const flags = ['--headless=new', '--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/**
 * Looks at a page in a browser of its own, as somebody does who was never there.
 *
 * @param {string} address
 * @param {{ chromePath: string | undefined, formFactor: 'mobile' | 'desktop', cookie: string }} options
 * @returns {Promise<import('../lighthouse-report.ts').LighthouseReport>}
 */
export async function audit(address, { chromePath, formFactor, cookie }) {
  const browser = await launch({ chromePath, chromeFlags: flags });
  try {
    const result = await lighthouse(
      address,
      { port: browser.port, logLevel: 'error', output: 'json', extraHeaders: { cookie } },
      formFactor === 'desktop' ? desktopConfig : undefined,
    );
    if (!result || result.lhr.runtimeError) {
      throw new Error(`Lighthouse could not look at ${address}: ${result?.lhr.runtimeError?.message ?? 'no result'}`);
    }
    return result.lhr;
  } finally {
    browser.kill();
  }
}
