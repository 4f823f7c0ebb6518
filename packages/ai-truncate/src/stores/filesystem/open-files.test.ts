import { type FileHandle, open, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inTemporaryDirectory } from '../../../fixtures/in-temporary-directory.ts';
import { Gate } from './open-files.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A gate whose only turn is taken, and the callers that wait for it, in the order of their turns. */
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

test('turns go alternately to the first and to the latest caller', async () => {
  const { begun, pass } = await takenGate(['a', 'b', 'c', 'd', 'e']);
  for (let turn = 0; turn < 5; turn++) await pass();
  expect(begun).toEqual(['a', 'e', 'b', 'd', 'c']);
});

test('a caller that needs a second turn gets it before a burst of first turns is over', async () => {
  const { begun, wait, pass } = await takenGate(Array.from({ length: 1000 }, (_, index) => `value ${index}`));
  await pass();
  void wait('side-car of value 0');
  await pass();
  expect(begun).toEqual(['value 0', 'side-car of value 0']);
});

test('no caller gets a turn twice, no turn is lost, and an aborted caller gets none', async () => {
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

describe('a descriptor whose number differs between Deno and Linux', () => {
  /** Whether the open file is found at its path after another program has changed something there. */
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

  test('does not make it accept a link', async () => {
    const linked = isFound(async (path) => {
      await rename(path, `${path}.moved`);
      await symlink(`${path}.moved`, path);
    });
    expect(await linked).toBe(false);
  });

  test('does not make it accept another file', async () => {
    const exchanged = isFound(async (path) => {
      await rename(path, `${path}.moved`);
      await writeFile(path, 'another');
    });
    expect(await exchanged).toBe(false);
  });
});
