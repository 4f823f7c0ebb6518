import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { filesThatRan, touchedFiles } from './touched-files.mjs';

test('a file counts when one of its functions ran, and not when it was only loaded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touched-files-'));
  try {
    for (const name of ['caller', 'callee', 'idle']) {
      writeFileSync(
        join(folder, `${name}.mjs`),
        `export const value = 1;\nexport function run(next) { return next?.(); }\n`,
      );
    }
    const [caller, callee] = await Promise.all(
      ['caller', 'callee', 'idle'].map(
        (name) => import(/* @vite-ignore */ pathToFileURL(join(folder, `${name}.mjs`)).href),
      ),
    );
    const call = async () => caller.run(callee.run);
    await call();
    expect(await touchedFiles(call, folder)).toEqual(['callee.mjs', 'caller.mjs']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('files outside the folder and modules of Node do not count', () => {
  const ran = [{ functionName: 'run', isBlockCoverage: false, ranges: [{ startOffset: 0, endOffset: 9, count: 2 }] }];
  const coverage = ['file:///app/src/room/file.ts', 'file:///app/other.ts', 'node:fs', ''].map((url, index) => ({
    scriptId: String(index),
    url,
    functions: ran,
  }));
  expect(filesThatRan(coverage, '/app/src')).toEqual(['room/file.ts']);
});
