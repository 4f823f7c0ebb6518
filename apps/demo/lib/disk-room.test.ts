import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore, scopedArtifacts } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CHAT_ROOM_BYTES, createDiskRoom, type DiskRoom, storeWithinRoom } from './disk-room';

// A folder without permissions would not do, because root can read it.
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' });
  const opendir = async (path: string) => (path.endsWith('lost+found') ? Promise.reject(denied) : real.opendir(path));
  return { ...real, opendir };
});

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'disk-room-'));
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(() => rm(directory, { recursive: true }));

const full = expect.objectContaining({ code: 'STORE_FULL', message: expect.stringContaining('is full') });

test('existing files count, in all folders', async () => {
  await mkdir(join(directory, 'one', 'two'), { recursive: true });
  await writeFile(join(directory, 'one', 'two', 'file'), 'x'.repeat(60_000));
  const room = createDiskRoom({ directories: [directory, join(directory, 'missing')], maxBytes: 100_000 });
  await room.take(30_000);
  await expect(room.take(30_000)).rejects.toEqual(full);
});

test('files of a directory inside another one count once', async () => {
  const path = join(directory, 'one', 'two');
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'file'), 'x'.repeat(60_000));
  await createDiskRoom({ directories: [directory, path, directory], maxBytes: 100_000 }).take(30_000);
});

test('an unreadable folder does not count', async () => {
  await mkdir(join(directory, 'lost+found'));
  await createDiskRoom({ directories: [directory], maxBytes: 1_000_000 }).take(1_000);
});

test('many saves at once take no more than the free space', async () => {
  const room = createDiskRoom({ directories: [], maxBytes: 10_000 });
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => room.take(1_000)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

test('deleted files free their space after a minute', async () => {
  const path = join(directory, 'large');
  await writeFile(path, 'x'.repeat(90_000));
  await rm(join(directory, 'one'), { recursive: true, force: true });
  let ms = 0;
  const room = createDiskRoom({ directories: [directory], maxBytes: 100_000, now: () => ms });
  await expect(room.take(50_000)).rejects.toEqual(full);
  await rm(path);
  await expect(room.take(50_000)).rejects.toEqual(full);
  ms = 60_000;
  await room.take(50_000);
});

test('outputs leave room for chats', async () => {
  const room = createDiskRoom({ directories: [], maxBytes: CHAT_ROOM_BYTES + 10_000 });
  const artifacts = scopedArtifacts(storeWithinRoom(memoryStore(), { room }), { scope: 'chat' });
  await expect(artifacts.save('x'.repeat(20_000), call)).rejects.toEqual(full);
  await room.take(20_000);
});

const call = { toolName: 'queryOrders', toolCallId: 'call' };
const boundless: DiskRoom = { take: async () => {} };

test.each(['ENOSPC', 'EDQUOT'])('a store that fails with %s is full', async (code) => {
  const broken: ArtifactStore = {
    ...memoryStore(),
    put: () => Promise.reject(Object.assign(new Error('write'), { code })),
  };
  const artifacts = scopedArtifacts(storeWithinRoom(broken, { room: boundless }), { scope: 'chat' });
  await expect(artifacts.save('text', call)).rejects.toEqual(full);
});

test('any other failure of a store is passed on unchanged', async () => {
  const error = Object.assign(new Error('read-only'), { code: 'EROFS' });
  const broken: ArtifactStore = { ...memoryStore(), put: () => Promise.reject(error) };
  const artifacts = scopedArtifacts(storeWithinRoom(broken, { room: boundless }), { scope: 'chat' });
  await expect(artifacts.save('text', call)).rejects.toBe(error);
});
