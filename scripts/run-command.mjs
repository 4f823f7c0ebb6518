import { spawn } from 'node:child_process';

/**
 * Runs a command in the foreground and answers its exit code.
 *
 * A request to stop is passed on, so that no server stays behind when only the outermost process is told to end.
 *
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function runCommand(command, commandArguments, options = {}) {
  return new Promise((resolve, reject) => {
    // On Windows the commands of npm packages are .cmd files, which only a shell can start.
    const shell = process.platform === 'win32';
    const child = spawn(command, commandArguments, { stdio: 'inherit', shell, ...options });

    // Ctrl-C reaches the whole process group by itself: here it must only not end us before the child has ended.
    const waitForChild = () => {};
    const passOn = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    process.on('SIGINT', waitForChild).on('SIGTERM', passOn).on('SIGHUP', passOn);

    child.once('error', reject);
    child.once('close', (exitCode) => {
      process.off('SIGINT', waitForChild).off('SIGTERM', passOn).off('SIGHUP', passOn);
      resolve(exitCode ?? 1);
    });
  });
}
