import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDescriptors, put, temporaryHome } from '../../../fixtures/filesystem-home.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import { filesystemStore } from './filesystem-store.ts';

const needsProc = process.platform === 'linux' ? false : 'only Linux shows the open descriptors of a process';
const BYTES = 3_000_000;

describe.skipIf(needsProc)('a reader', () => {
  let directory = '';
  let store: ArtifactStore;
  beforeEach(async () => {
    directory = join(temporaryHome(), 'root');
    store = filesystemStore({ directory });
    await put(store, 'folder/a.bin', new Uint8Array(BYTES).fill(7));
  });

  async function openReader(options = {}): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const stream = await store.get('folder/a.bin', options);
    if (!stream) throw new Error('nothing was stored');
    return stream.getReader();
  }

  it.each([{ start: 10, end: 60_000 }, {}])('that forgets its stream holds no descriptor: %j', async (range) => {
    const reader = await openReader(range);
    expect(await openDescriptors(directory)).toBe(0);
    await reader.read();
    expect(await openDescriptors(directory)).toBe(0);
  });

  it('is one of many that need few descriptors, however many read at once', async () => {
    const readers = await Promise.all(Array.from({ length: 200 }, () => openReader()));
    let isRead = false;
    let most = 0;
    const reading = Promise.all(readers.map((reader) => reader.read())).then((results) => {
      isRead = true;
      return results;
    });
    while (!isRead) most = Math.max(most, await openDescriptors(directory));
    expect((await reading).every(({ value }) => value?.length)).toBe(true);
    expect(most).toBeLessThanOrEqual(32);
  });

  it('ends with the reason of a signal that aborts while it reads', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const reader = await openReader({ signal: controller.signal });
    const reading = reader.read();
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('ends with the reason of a signal that aborts between two reads', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const reader = await openReader({ signal: controller.signal });
    await reader.read();
    controller.abort(reason);
    await expect(reader.read()).rejects.toBe(reason);
  });

  it('reads no further than it is asked to, and is told of an end that went', async () => {
    const reader = await openReader();
    const { value } = await reader.read();
    expect(value?.length).toBeLessThanOrEqual(1_048_576);
    truncateSync(join(directory, 'folder/a.bin'), 1_500_000);
    await expect(reader.read()).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
    expect(await openDescriptors(directory)).toBe(0);
  });

  it('is told when the value is deleted in the middle', async () => {
    const reader = await openReader();
    await reader.read();
    await store.delete(['folder/a.bin']);
    await expect(reader.read()).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
  });

  it('does not go on with another value of the same key', async () => {
    const reader = await openReader();
    await reader.read();
    rmSync(join(directory, 'folder/a.bin'));
    await put(store, 'folder/a.bin', new Uint8Array(BYTES).fill(8));
    await expect(reader.read()).rejects.toMatchObject({ code: 'INCOMPLETE_READ' });
  });
});
