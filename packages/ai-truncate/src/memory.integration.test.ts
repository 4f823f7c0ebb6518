import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../fixtures/peak-memory.ts');
// The young generation of V8 grows to 100 MB with code that makes many short-lived strings. With 8 MB, the memory of the
// library shows.
const flags = ['--expose-gc', '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];

async function extraMegabytes(name: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, name]);
  return Number(stdout);
}

// The memory for all steps of an output is a promise of the lab: `lab/bounded-memory.ts`.
describe.skipIf(!existsSync('/proc/self/clear_refs'))('scanning and sampling, paced', () => {
  test('needs at most 72 MB in addition to a 100 MB value, 48 MB of them for V8 to join the texts of the value', async () => {
    expect(await extraMegabytes('scan and sample a 100 MB value')).toBeLessThanOrEqual(72);
  });

  test('needs at most a fifth of one copy in addition to a 50 MB string', async () => {
    expect(await extraMegabytes('scan and sample a 50 MB string')).toBeLessThanOrEqual(10);
  });
});
