import { type FileHandle, open, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inTemporaryDirectory } from '../../../fixtures/in-temporary-directory.ts';
import { Gate } from './open-files.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A gate whose one turn is taken, and those who wait for it, as they get it. */
async function takenGate(names: readonly string[]) {
  const gate = new Gate(1);
  await gate.enter(undefined);
  const begun: string[] = [];
  const wait = (name: string, signal?: AbortSignal) =>
    gate.enter(signal).then(
      () => begun.push(name),
      () => {},
    );
  for (const name of names) void wait(name);
  const pass = async () => {
    gate.leave();
    await settled();
  };
  return { gate, begun, wait, pass };
}

test('turns go to who has waited longest and to who asked last, by turns', async () => {
  const { begun, pass } = await takenGate(['a', 'b', 'c', 'd', 'e']);
  for (let turn = 0; turn < 5; turn++) await pass();
  expect(begun).toEqual(['a', 'e', 'b', 'd', 'c']);
});

test('who needs a second turn has it before a burst that has had none is over', async () => {
  const { begun, wait, pass } = await takenGate(Array.from({ length: 1000 }, (_, index) => `value ${index}`));
  await pass();
  void wait('side-car of value 0');
  await pass();
  expect(begun).toEqual(['value 0', 'side-car of value 0']);
});

test('nobody gets a turn twice, none is lost, and who gave up gets none', async () => {
  const { gate, begun, wait, pass } = await takenGate([]);
  const controller = new AbortController();
  for (let index = 0; index < 500; index++) {
    void wait(`${index}`);
    if (index % 3 === 0) void wait(`gives up ${index}`, controller.signal);
    if (index % 2 === 0) await pass();
  }
  controller.abort();
  await settled();
  while (gate.isContended) {
    const before = begun.length;
    await pass();
    expect(begun.length).toBe(before + 1);
  }
  expect(begun.length).toBe(new Set(begun).size);
  expect(begun.filter((name) => !name.startsWith('gives up'))).toHaveLength(500);
  // The turn is free again.
  gate.leave();
  await gate.enter(undefined);
  expect(gate.isContended).toBe(false);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('a descriptor that Deno counts otherwise than Linux', () => {
  /** Whether the open file is found at its path, after what somebody else does there. */
  async function isFound(meddle: (path: string) => Promise<void>): Promise<boolean> {
    vi.stubGlobal('Deno', {});
    vi.resetModules();
    const { isAt } = await import('./open-files.ts');
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
