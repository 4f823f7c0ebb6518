import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const packageDirectory = join(import.meta.dirname, '..');
let directory = '';

beforeAll(async () => {
  // Inside the package, so that its dependencies resolve.
  directory = await mkdtemp(join(packageDirectory, 'node_modules', 'root-bundle-'));
  await promisify(execFile)('tsdown', ['--out-dir', join(directory, 'dist'), '--no-dts'], { cwd: packageDirectory });
  // It tells bundlers that no module does anything by being loaded.
  await copyFile(join(packageDirectory, 'package.json'), join(directory, 'package.json'));
}, 60_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

/** The program as a browser would load it, in one script. */
async function bundle(program: string): Promise<string> {
  const entry = join(directory, 'entry.js');
  await writeFile(entry, program);
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2023', lib: { entry, formats: ['iife'], name: 'bundle' } },
  });
  const output = [result].flat()[0];
  if (!output || !('output' in output)) throw new Error('vite built nothing');
  return output.output[0].code;
}

describe('the root entry as it is built', () => {
  it('bundles for a browser and runs where there is neither Buffer nor process', async () => {
    const code = await bundle(`export * from './dist/index.js';`);
    // Asked for by name where there is a Node; none is imported.
    const named = new Set(code.match(/\bnode:[\w/]+|__vite-browser-external/g));
    expect([...named].sort()).toEqual(['node:async_hooks', 'node:diagnostics_channel']);
    // What every browser has, and the SDK asks for when it is loaded.
    const bare = vm.createContext({ TextEncoder, TextDecoder, TransformStream, URL });
    vm.runInContext(code, bare);
    const shown: unknown = vm.runInContext(`bundle.truncateText('€'.repeat(20000), { keep: 'tail' }).keptBytes`, bare);
    expect(shown).toBe(51_198);
  });

  it('costs at most 1 kB for isTruncatedOutput alone', async () => {
    const code = await bundle(
      `import { isTruncatedOutput } from './dist/index.js'; globalThis.found = isTruncatedOutput({});`,
    );
    expect(gzipSync(code).length).toBeLessThanOrEqual(1024);
  });
});
