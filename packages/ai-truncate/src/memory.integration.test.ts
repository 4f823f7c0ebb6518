import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../fixtures/peak-memory.ts');
// The young generation of V8 grows to 100 MB with whatever makes many short-lived strings; 8 MB show what is ours.
const flags = ['--expose-gc', '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];

async function extraMegabytes(name: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, name]);
  return Number(stdout);
}

// What the whole way of an output needs is a promise of the lab: `lab/bounded-memory.ts`.
describe.skipIf(!existsSync('/proc/self/clear_refs'))('scanning and sampling, paced', () => {
  it('needs at most 72 MB beyond a 100 MB value, of which 48 MB go where V8 joins the texts of the value', async () => {
    expect(await extraMegabytes('scan and sample a 100 MB value')).toBeLessThanOrEqual(72);
  });

  it('needs at most a fifth of one copy beyond a 50 MB string', async () => {
    expect(await extraMegabytes('scan and sample a 50 MB string')).toBeLessThanOrEqual(10);
  });
});
