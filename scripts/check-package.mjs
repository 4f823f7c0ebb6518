// Packs the library as `pnpm publish` would, and checks the tarball: its exports (publint) and its types (attw).
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

const packFolder = mkdtempSync(join(tmpdir(), 'ai-truncate-pack-'));
try {
  await check('pnpm', ['--filter', 'ai-truncate', 'pack', '--pack-destination', packFolder]);
  const tarball = join(packFolder, readdirSync(packFolder)[0] ?? 'nothing was packed');
  await check('publint', ['run', '--strict', tarball]);
  // The library is ESM only: CommonJS callers are not promised anything.
  await check('attw', ['--profile', 'esm-only', tarball]);
} finally {
  rmSync(packFolder, { recursive: true });
}

/**
 * @param {string} command
 * @param {string[]} commandArguments
 */
async function check(command, commandArguments) {
  const exitCode = await runCommand(command, commandArguments);
  if (exitCode !== 0) {
    throw new Error(`${command} found a problem in the packed library (see above).`);
  }
}
