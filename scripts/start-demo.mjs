// Builds the library and the demo, then serves the demo on this machine only.
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.mjs';

const host = '127.0.0.1';
const port = Number(process.env.PORT ?? 3000);
const demoFolder = fileURLToPath(new URL('../apps/demo/', import.meta.url));

await requireFreePort();

const buildExitCode = await runCommand('turbo', ['run', 'build', '--filter=demo...', '--output-logs=errors-only']);
if (buildExitCode !== 0) {
  process.exit(buildExitCode);
}

console.log(`\nThe demo is at http://${host}:${port} (Ctrl-C stops it).\n`);
// The command itself instead of `pnpm exec`: one process less between a request to stop and the server.
const nextCommand = fileURLToPath(new URL('../apps/demo/node_modules/.bin/next', import.meta.url));
process.exitCode = await runCommand(nextCommand, ['start', '--hostname', host, '--port', String(port)], {
  cwd: demoFolder,
});

/** Checks the port before the build, which takes a minute. */
async function requireFreePort() {
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    stop(`PORT is "${process.env.PORT}", which is no port: choose a number from 1 to 65535.`);
  }
  const error = await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
  if (error) {
    stop(
      `Port ${port} cannot be used (${error.code}): choose another one, for example \`PORT=${port + 1} npm run demo\`.`,
    );
  }
}

/** @param {string} sentence */
function stop(sentence) {
  console.error(`\n${sentence}\n`);
  process.exit(1);
}
