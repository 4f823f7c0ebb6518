// Lighthouse on one page. Here and not beside, so that its name resolves to this folder's own installation.
import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';

// As in the other tests, nothing may leave the machine. Chromium has no sandbox for the root user, as whom containers run.
const flags = ['--headless=new', '--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

const tries = 3;

/** @typedef {{ chromePath: string | undefined, formFactor: 'mobile' | 'desktop', cookie: string }} AuditOptions */

/**
 * Looks at a page in a browser of its own, as somebody does who was never there. Now and then Chromium records no trace,
 * and Lighthouse says to run it again.
 *
 * @param {string} address
 * @param {AuditOptions} options
 * @returns {Promise<import('../lighthouse-report.ts').LighthouseReport>}
 */
export async function audit(address, options) {
  const failures = [];
  while (failures.length < tries) {
    const report = await tryAudit(address, options);
    if (report && !report.runtimeError) return report;
    failures.push(report?.runtimeError?.message ?? 'no result');
  }
  throw new Error(`Lighthouse could not look at ${address}: ${failures.join('; ')}`);
}

/**
 * @param {string} address
 * @param {AuditOptions} options
 */
async function tryAudit(address, { chromePath, formFactor, cookie }) {
  const browser = await launch({ chromePath, chromeFlags: flags });
  try {
    const result = await lighthouse(
      address,
      { port: browser.port, logLevel: 'error', output: 'json', extraHeaders: { cookie } },
      formFactor === 'desktop' ? desktopConfig : undefined,
    );
    return result?.lhr;
  } finally {
    browser.kill();
  }
}
