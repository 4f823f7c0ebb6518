import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const MOST_BUSY_MS = 10_000;

/** Runs a program to its end, without a shell. */
export const run: (program: string, options: string[]) => Promise<unknown> = promisify(execFile);

/** The reason why no disk can be mounted here, or `undefined`. */
export function whyNoDisks(): string | undefined {
  if (process.platform !== 'linux') return 'mounts a small disk, which needs Linux';
  if (process.getuid?.() !== 0) return 'mounts a small disk, which needs root: in CI, or a container that may mount';
  const directory = mkdtempSync(join(tmpdir(), 'ai-truncate-lab-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', directory], { stdio: 'pipe' });
    execFileSync('umount', [directory]);
  } catch (error) {
    return `mounts a small disk, which this machine refuses: ${error instanceof Error ? error.message : error}`;
  } finally {
    rmdirSync(directory);
  }
}

/** Mounts a disk for as long as it is used. */
export async function withDisk<T>(
  { directory, options }: { directory: string; options: readonly string[] },
  use: () => Promise<T>,
): Promise<T> {
  await run('mount', [...options, directory]);
  try {
    return await use();
  } finally {
    await unmount(directory);
  }
}

/** Programs that read all disks of the machine, or still clean up, keep this disk busy for a moment. */
async function unmount(directory: string): Promise<void> {
  const endsAt = performance.now() + MOST_BUSY_MS;
  while (true) {
    try {
      await run('umount', [directory]);
      return;
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await delay(100);
    }
  }
}
