import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory for as long as it is used. */
export async function withTemporaryDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'ai-truncate-bench-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}
