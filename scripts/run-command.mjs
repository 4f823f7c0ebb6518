import { spawn } from 'node:child_process';

/**
 * Runs a command and returns its exit code. The command has the input and the output of this process, unless `stdio` says otherwise.
 *
 * A signal to stop is passed on, so that no server keeps running when only the outermost process receives the signal.
 *
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export async function runCommand(command, commandArguments, options = {}) {
  return (await run(command, commandArguments, { stdio: 'inherit', ...options })).exitCode;
}

/**
 * Runs a command and collects what it prints, so that the output of commands that run side by side can be printed one after the
 * other.
 *
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {import('node:child_process').SpawnOptions} [options] With a `signal`, the command ends when the signal aborts.
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
export function collectCommand(command, commandArguments, options = {}) {
  return run(command, commandArguments, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
function run(command, commandArguments, options) {
  return new Promise((resolve, reject) => {
    // On Windows the commands of npm packages are .cmd files, which only a shell can start.
    const shell = process.platform === 'win32';
    const child = spawn(command, commandArguments, { shell, ...options });
    /** @type {Buffer[]} */
    const printed = [];
    child.stdout?.on('data', (data) => printed.push(data));
    child.stderr?.on('data', (data) => printed.push(data));

    // Ctrl-C reaches the whole process group by itself: here it must only not end us before the child has ended.
    const waitForChild = () => {};
    const passOn = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    process.on('SIGINT', waitForChild).on('SIGTERM', passOn).on('SIGHUP', passOn);

    // An abort is an error too, but the command has ended only after `close`.
    child.once('error', (error) => options.signal?.aborted || reject(error));
    child.once('close', (exitCode) => {
      process.off('SIGINT', waitForChild).off('SIGTERM', passOn).off('SIGHUP', passOn);
      resolve({ exitCode: exitCode ?? 1, output: Buffer.concat(printed).toString() });
    });
  });
}
