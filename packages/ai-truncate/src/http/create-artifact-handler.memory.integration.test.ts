import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../fixtures/http-peak-memory.ts');
const flags = [
  '--expose-gc',
  '--max-semi-space-size=8',
  '--max-old-space-size=64',
  '--disable-warning=ExperimentalWarning',
];

interface Served {
  /** Megabytes. */
  extra: number;
  status: number;
  bytes: number;
  totalBytes: number;
}

async function serve(name: string, megabytes: number): Promise<Served> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, name, String(megabytes)]);
  return JSON.parse(stdout);
}

describe.skipIf(!existsSync('/proc/self/clear_refs'))('a server of a huge artifact', () => {
  test('needs at most 64 MB for the whole download, under a heap of 64 MB', async () => {
    const { extra, status, bytes, totalBytes } = await serve('download', 1000);
    expect([status, bytes]).toEqual([200, totalBytes]);
    expect(extra).toBeLessThanOrEqual(64);
  });

  test.each(['the last lines', 'a search that finds nothing', 'the end of one line'])(
    'needs at most 64 MB for %s, under a heap of 64 MB',
    async (name) => {
      const { extra, status, bytes } = await serve(name, 256);
      expect(status).toBe(200);
      expect(bytes).toBeGreaterThan(50);
      expect(extra).toBeLessThanOrEqual(64);
    },
  );
});
