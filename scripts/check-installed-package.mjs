// Installs the packed library into an empty project, as an application gets it, and compiles all documented examples there. Runs
// the example of the README on each Node version that the library supports, against a local OpenAI server and log server.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { callItem, startOpenAiServer } from '../packages/ai-truncate/fixtures/openai-server.ts';
import { compileDocumentedExamples, documentedPages, exampleImports, examplePackages } from './documented-examples.mjs';
import { runCommand } from './run-command.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const library = join(root, 'packages/ai-truncate');
const nodeVersions = ['22.23.3', '24.21.0'];
const installTimeoutMs = 180_000;
const runTimeoutMs = 30_000;
const maxSentBytes = 16_384;

const log = Array.from({ length: 20_000 }, (_, index) => `${index}: GET /health 200 ${'.'.repeat(60)}`).join('\n');
const folder = mkdtempSync(join(tmpdir(), 'ai-truncate-installed-'));
const logServer = createServer((_, response) => void response.end(log));
try {
  const tarball = await pack();
  const project = join(folder, 'project');
  await install(project, [
    tarball,
    ...['ai', 'zod', '@ai-sdk/openai', ...exampleImports].map(pinned),
    ...examplePackages,
  ]);
  await compileDocumentedExamples({ project, pages: documentedPages(root) });
  await new Promise((resolve) => logServer.listen(0, '127.0.0.1', () => resolve(undefined)));
  writeFileSync(join(project, 'example.mjs'), readmeExample());
  for (const { version, command } of await nodes()) {
    await runExample({ project, version, command });
    console.log(`The example of the README runs on Node ${version}, from the packed library.`);
  }
} finally {
  logServer.close();
  rmSync(folder, { recursive: true });
}

async function pack() {
  const packFolder = join(folder, 'pack');
  await succeed('pnpm', ['--filter', 'ai-truncate', 'pack', '--pack-destination', packFolder], { cwd: root });
  return join(packFolder, readdirSync(packFolder)[0] ?? 'nothing was packed');
}

/**
 * An empty project with these packages, and no script of any of them run.
 *
 * @param {string} directory
 * @param {string[]} packages
 */
async function install(directory, packages) {
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await succeed('npm', ['install', ...quietly, ...packages], { cwd: directory, timeout: installTimeoutMs });
}

/** @param {string} name */
function pinned(name) {
  const manifest = JSON.parse(readFileSync(join(library, 'node_modules', name, 'package.json'), 'utf8'));
  return `${name}@${manifest.version}`;
}

/** Every supported version of Node. npm has binaries for Linux only, so other systems use the Node that runs this script. */
async function nodes() {
  if (process.platform !== 'linux') return [{ version: process.versions.node, command: process.execPath }];
  const binaries = `node-linux-${process.arch}`;
  const directory = join(folder, 'nodes');
  const packages = nodeVersions.map((version) => `node-${version}@npm:${binaries}@${version}`);
  await install(directory, packages);
  return nodeVersions.map((version) => ({
    version,
    command: join(directory, `node_modules/node-${version}/bin/node`),
  }));
}

/** The example of the README, with the address of the local log server. It also prints its result. */
function readmeExample() {
  const page = readFileSync(join(root, 'README.md'), 'utf8');
  const [, example] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
  const address = 'https://logs.example.com';
  if (!example?.includes(address)) throw new Error(`README.md has no example that reads ${address}.`);
  const { port } = /** @type {import('node:net').AddressInfo} */ (logServer.address());
  const code = stripTypeScriptTypes(example).replace(address, `http://127.0.0.1:${port}`);
  return `${code}\nconsole.log(JSON.stringify({ node: process.versions.node, text: result.text }));\n`;
}

/** @param {{ project: string, version: string, command: string }} options */
async function runExample({ project, version, command }) {
  const openAi = await startOpenAiServer(callItem('readServerLogs', { service: 'api' }));
  const saved = join(project, 'tool-output/chat-17');
  try {
    const env = { ...process.env, OPENAI_BASE_URL: openAi.baseURL, OPENAI_API_KEY: 'none' };
    const run = await promisify(execFile)(command, ['example.mjs'], { cwd: project, env, timeout: runTimeoutMs });
    if (run.stderr !== '') throw new Error(`The example complained:\n${run.stderr}`);
    const { node, text } = JSON.parse(run.stdout);
    if (node !== version || text !== 'done') throw new Error(`The example answered otherwise: ${run.stdout}`);
    const { input } = JSON.parse(openAi.bodies.at(-1) ?? '{}');
    const sent = Buffer.byteLength(String(input?.at(-1)?.output ?? ''));
    if (sent === 0 || sent > maxSentBytes) throw new Error(`The model saw ${sent} bytes of the log.`);
    const file = readdirSync(saved).find((name) => name.endsWith('.txt')) ?? 'no file';
    if (readFileSync(join(saved, file), 'utf8') !== log) throw new Error('The saved output is not the log.');
  } finally {
    await openAi.close();
    rmSync(join(project, 'tool-output'), { recursive: true, force: true });
  }
}

/**
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {import('node:child_process').SpawnOptions} options
 */
async function succeed(command, commandArguments, options) {
  const exitCode = await runCommand(command, commandArguments, options);
  if (exitCode !== 0) throw new Error(`${command} ${commandArguments[0]} failed (see above).`);
}
