import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a new directory that goes when its use has ended, well or not. */
export async function inTemporaryDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'ai-truncate-lab-')));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}
