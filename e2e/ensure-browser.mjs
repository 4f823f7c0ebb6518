// Makes sure that there is a Chromium to test in: one that is here, else Playwright's download, else Debian's package.
import { spawnSync } from 'node:child_process';
import { findBrowser } from './find-browser.mjs';

if (!findBrowser()) {
  console.log('No Chromium on this machine: installing one.');
  // Playwright's own fits best, but its download host is not reachable everywhere.
  const isInstalled = run('playwright', ['install', 'chromium']) || installFromDebian();
  if (!isInstalled || !findBrowser()) {
    console.error(
      '\nThere is no Chromium and none could be installed: install Chromium or Chrome, or name one in E2E_CHROMIUM, and run the command again.\n',
    );
    process.exit(1);
  }
}
console.log(`Testing in ${findBrowser()}`);

function installFromDebian() {
  const isRoot = process.getuid?.() === 0;
  return (
    isRoot &&
    run('apt-get', ['update', '--quiet']) &&
    ['chromium-headless-shell', 'chromium'].some((name) =>
      run('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', name]),
    )
  );
}

/**
 * Runs a command silently; when it fails, one line says why.
 *
 * @param {string} command
 * @param {string[]} commandArguments
 */
function run(command, commandArguments) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error, stderr } = spawnSync(command, commandArguments, {
    env: environment,
    encoding: 'utf8',
  });
  if (status !== 0) {
    const reason =
      error?.message ?? stderr.split('\n').find((line) => /^(E|Error): /.test(line)) ?? `exit code ${status}`;
    console.log(`\`${command} ${commandArguments.join(' ')}\` failed: ${reason}`);
  }
  return status === 0;
}
