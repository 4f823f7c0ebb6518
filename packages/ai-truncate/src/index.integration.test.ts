import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const packageDirectory = join(import.meta.dirname, '..');
let directory = '';

beforeAll(async () => {
  // Inside the package, so that its dependencies resolve.
  directory = await mkdtemp(join(packageDirectory, 'node_modules', 'root-bundle-'));
  await promisify(execFile)('tsdown', ['--out-dir', join(directory, 'dist'), '--no-dts'], { cwd: packageDirectory });
  // It tells bundlers that loading a module has no side effects.
  await copyFile(join(packageDirectory, 'package.json'), join(directory, 'package.json'));
}, 60_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

/** The program in one script, as a browser would load it. */
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

/** The modules that a new Node process loads for an entry, without the program itself. */
async function modulesLoadedFor(entry: string): Promise<string[]> {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(pathToFileURL(join(directory, 'dist', entry)).href)});
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return JSON.parse(stdout);
}

test('the root entry has at most 80 names', async () => {
  const source = await readFile(join(packageDirectory, 'src/index.ts'), 'utf8');
  const names = [...source.matchAll(/^export [^{]*\{([^}]*)\}/gm)].flatMap(
    ([, list = '']) => list.match(/\w+(?=,|\s*$)/g) ?? [],
  );
  expect(names).toContain('truncateToolOutputs');
  expect(names.length).toBeGreaterThan(40);
  expect(names.length).toBeLessThanOrEqual(80);
});

test('ai-truncate/ui loads at most four modules', async () => {
  const loaded = await modulesLoadedFor('ui.js');
  expect(loaded).toContain(pathToFileURL(join(directory, 'dist/ui.js')).href);
  expect(loaded.length).toBeLessThanOrEqual(4);
});

describe('the built root entry', () => {
  test('bundles for a browser and runs without Buffer and process', async () => {
    const code = await bundle(`export * from './dist/index.js';`);
    // Node modules are requested by name if there is a Node, and never imported.
    const named = new Set(code.match(/\bnode:[\w/]+|__vite-browser-external/g));
    expect([...named].sort()).toEqual(['node:async_hooks', 'node:diagnostics_channel']);
    // Globals of every browser that the SDK needs when it is loaded.
    const bare = vm.createContext({ TextEncoder, TextDecoder, TransformStream, URL });
    vm.runInContext(code, bare);
    const shown: unknown = vm.runInContext(`bundle.truncateText('€'.repeat(20000), { keep: 'tail' }).keptBytes`, bare);
    expect(shown).toBe(51_198);
  });

  test('costs at most 1 kB for isTruncatedOutput alone', async () => {
    const code = await bundle(
      `import { isTruncatedOutput } from './dist/index.js'; globalThis.found = isTruncatedOutput({});`,
    );
    expect(gzipSync(code).length).toBeLessThanOrEqual(1024);
  });
});
