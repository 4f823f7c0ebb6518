import { type FileHandle, open, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inTemporaryDirectory } from '../../../fixtures/in-temporary-directory.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('a descriptor that Deno counts otherwise than Linux', () => {
  /** Whether the open file is found at its path, after what somebody else does there. */
  async function isFound(meddle: (path: string) => Promise<void>): Promise<boolean> {
    vi.stubGlobal('Deno', {});
    vi.resetModules();
    const { isAt } = await import('./own-files.ts');
    return inTemporaryDirectory(async (directory) => {
      const path = join(directory, 'output.txt');
      await writeFile(path, 'output');
      await using file = await open(path);
      await using other = await open(directory);
      const stats = await file.stat();
      await meddle(path);
      return isAt(path, { file: { fd: other.fd } as FileHandle, stats });
    });
  }

  test('does not make a store refuse its own file', async () => {
    expect(await isFound(async () => {})).toBe(true);
  });

  test('does not make it take a link', async () => {
    const linked = isFound(async (path) => {
      await rename(path, `${path}.moved`);
      await symlink(`${path}.moved`, path);
    });
    expect(await linked).toBe(false);
  });

  test('does not make it take another file', async () => {
    const exchanged = isFound(async (path) => {
      await rename(path, `${path}.moved`);
      await writeFile(path, 'another');
    });
    expect(await exchanged).toBe(false);
  });
});
