import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../fixtures/peak-memory.ts');
// The young generation of V8 grows to 100 MB with whatever makes many short-lived strings; 8 MB show what is ours.
const flags = ['--expose-gc', '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];

async function extraMegabytes(name: string, moreFlags: string[] = []): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...moreFlags, script, name]);
  return Number(stdout);
}

describe.skipIf(!existsSync('/proc/self/clear_refs'))('scanning and sampling, paced', () => {
  it('needs at most 96 MB beyond a 100 MB value', async () => {
    expect(await extraMegabytes('scan and sample a 100 MB value')).toBeLessThanOrEqual(96);
  });

  it('needs at most a fifth of one copy beyond a 50 MB string', async () => {
    expect(await extraMegabytes('scan and sample a 50 MB string')).toBeLessThanOrEqual(10);
  });
});

describe.skipIf(!existsSync('/proc/self/clear_refs'))('saving a stream of 1 GB as a file', () => {
  const smallHeap = ['--max-old-space-size=64'];

  it.each(['save a 1 GB stream', 'save a 1 GB stream in one line'])(
    'needs at most 40 MB, under a heap of 64 MB: %s',
    async (name) => {
      expect(await extraMegabytes(name, smallHeap)).toBeLessThanOrEqual(40);
    },
  );
});

describe.skipIf(!existsSync('/proc/self/clear_refs'))('truncating a stream of 1 GB and keeping it as a file', () => {
  it('needs at most 64 MB, under a heap of 64 MB', async () => {
    expect(await extraMegabytes('truncate a 1 GB stream', ['--max-old-space-size=64'])).toBeLessThanOrEqual(64);
  });
});

describe.skipIf(!existsSync('/proc/self/clear_refs'))('an agent whose tool gives a stream of 1 GB', () => {
  it.each([
    'run a tool that promises a 1 GB web stream',
    'run a tool that returns a 1 GB web stream',
    'run a tool that promises a 1 GB Readable',
    'run a tool that returns a 1 GB Readable',
  ])('needs at most 64 MB, under a heap of 64 MB: %s', async (name) => {
    expect(await extraMegabytes(name, ['--max-old-space-size=64'])).toBeLessThanOrEqual(64);
  });
});
