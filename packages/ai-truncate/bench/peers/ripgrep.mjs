// In this folder, so that its name resolves to the peers' own dependencies.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** @returns {Promise<{ command: string, version: string } | undefined>} `undefined` if it is not installed */
export async function ripgrepCommand() {
  const installed = await import('@vscode/ripgrep').then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
  for (const command of [installed, 'rg']) {
    if (command === undefined) continue;
    const version = await promisify(execFile)(command, ['--version']).then(
      ({ stdout }) => /^ripgrep \S+/.exec(stdout)?.[0],
      () => undefined,
    );
    if (version) return { command, version };
  }
  return undefined;
}
