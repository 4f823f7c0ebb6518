import { text } from 'node:stream/consumers';
import { memoryStore, scopedArtifacts, sweepArtifacts } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';
import { artifactStoreContract } from 'ai-truncate/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { serverLog, services } from '../agent/server-log';
import { sharedLogStore } from './shared-log-store';

const LOG_BYTES = 200_000;
const logOf = (hours = 12, service: (typeof services)[number] = 'checkout') =>
  [...serverLog({ service, hours, bytes: LOG_BYTES })].join('');
const call = { toolName: 'readServerLogs', toolCallId: 'call' };

describe('the contract of every store holds', () => {
  const place = memoryStore();
  const open = () => sharedLogStore(place, { logBytes: LOG_BYTES });
  for (const { name, run, skip } of artifactStoreContract({ open, cannot: {} })) test.skipIf(skip)(name, run, 60_000);
});

let place: ArtifactStore;
let store: ArtifactStore;
const artifactsOf = (scope: string) => scopedArtifacts(store, { scope });
beforeEach(() => {
  place = memoryStore();
  store = sharedLogStore(place, { logBytes: LOG_BYTES });
});

async function entriesIn(each: ArtifactStore): Promise<{ key: string; bytes: number }[]> {
  const entries: { key: string; bytes: number }[] = [];
  for await (const { key, bytes } of each.list('')) entries.push({ key, bytes });
  return entries;
}
const bytesIn = async (each: ArtifactStore) => (await entriesIn(each)).reduce((sum, { bytes }) => sum + bytes, 0);

test('the log of a service is saved once for all chats and for any number of hours', async () => {
  const saves = Array.from({ length: 40 }, (_, index) =>
    artifactsOf(`chat-${index}`).save(logOf(1 + (index % 12)), call),
  );
  await Promise.all(saves);
  expect(await bytesIn(place)).toBeLessThan(1.1 * LOG_BYTES + 40 * 1_000);
});

test('every reader gets the bytes of its own artifact, with its own size', async () => {
  for (const service of services) {
    for (const hours of [12, 7, 1]) {
      const log = logOf(hours, service);
      const artifacts = artifactsOf('chat');
      const { path, bytes } = await artifacts.save(log, call);
      expect(bytes).toBe(Buffer.byteLength(log));
      expect(await text(await artifacts.readStream(path))).toBe(log);
      expect((await artifacts.readLines(path, { start: -2 })).lines[0]?.text).toBe(log.split('\n').at(-2));
      expect(Buffer.from((await artifacts.readBytes(path, { start: 100, end: 200 })).bytes).toString()).toBe(
        log.slice(100, 200),
      );
      expect(await text(await artifacts.readStream(path, { start: bytes, end: bytes + 10 }))).toBe('');
      expect((await artifacts.info(path)).lines).toBe(log.split('\n').length);
    }
  }
});

test('a listing contains the artifacts of a scope in order, with their sizes, and no shared log', async () => {
  const artifacts = artifactsOf('chat');
  const sizes = [];
  for (const content of [logOf(3), 'other', logOf(12)]) sizes.push((await artifacts.save(content, call)).bytes);
  const listed = [];
  for await (const { bytes } of artifacts.list()) listed.push(bytes);
  expect(listed.sort()).toEqual(sizes.sort());
  const keys = (await entriesIn(store)).map(({ key }) => key);
  expect(keys).toEqual(keys.toSorted());
  expect(keys.every((key) => key.startsWith('chat/'))).toBe(true);
  const [first = ''] = keys;
  const after = [];
  for await (const { key } of store.list('chat/', { after: first })) after.push(key);
  expect(after).toEqual(keys.slice(1));
});

test('deleting a chat deletes its own artifacts only', async () => {
  const [one, other] = [artifactsOf('one'), artifactsOf('other')];
  const gone = await one.save(logOf(), call);
  const { path } = await other.save(logOf(), call);
  expect(await one.deleteAll()).toBe(1);
  await expect(one.info(gone.path)).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
  expect((await entriesIn(place)).filter(({ key }) => key.startsWith('one/'))).toEqual([]);
  expect(await text(await other.readStream(path))).toBe(logOf());
});

async function* bytesOf(content: string) {
  yield new TextEncoder().encode(content);
}

test('a sweep deletes expired artifacts and leaves the shared log', async () => {
  const artifacts = artifactsOf('chat');
  await artifacts.save(logOf(), call);
  const { path } = await artifacts.save(logOf(), call);
  const old = (key: string) => key.replace(/tool_\d{8}/, 'tool_20200101');
  // The same artifact as one that was saved years ago.
  for (const { key } of await entriesIn(place)) {
    if (!key.startsWith('chat/') || key.includes(path.split('/').at(-1) ?? '')) continue;
    const stream = await place.get(key);
    const content = (stream ? await text(stream) : '').replace(/"20\d\d-[^"]+"/g, '"2020-01-01T00:00:00.000Z"');
    await place.delete([key]);
    await place.put(old(key), bytesOf(content), { contentType: 'text/plain' });
  }
  const aged: ArtifactStore = {
    ...store,
    async *list(prefix, options) {
      for await (const entry of store.list(prefix, options)) {
        yield entry.key.includes('tool_2020') ? { ...entry, writtenAt: new Date(0) } : entry;
      }
    },
  };
  expect(await sweepArtifacts(aged)).toMatchObject({ examined: 2, deletedArtifacts: 1, deletedOrphans: 0, failed: 0 });
  expect((await entriesIn(place)).filter(({ key }) => key.includes('tool_2020'))).toEqual([]);
  expect(await text(await artifacts.readStream(path))).toBe(logOf());
});

test.each([
  ['ends earlier', logOf().slice(0, -1)],
  ['goes on', `${logOf()}x`],
  ['differs in one character at its end', `${logOf().slice(0, -2)}!\n`],
  ['differs in its second line', logOf().replace('\n', '\n!')],
  ['begins in the middle of an hour', logOf().slice(logOf().indexOf('\n', 1_000) + 1)],
])('a text that begins like the log and %s is saved as it is', async (_, content) => {
  const artifacts = artifactsOf('chat');
  const { path, bytes } = await artifacts.save(content, call);
  expect(bytes).toBe(content.length);
  expect(await text(await artifacts.readStream(path))).toBe(content);
  expect((await entriesIn(place)).some(({ key }) => key.endsWith('.excerpt'))).toBe(false);
});

test('no name and no path opens the shared log or a reference', async () => {
  const { path } = await artifactsOf('chat').save(logOf(), call);
  const [log] = (await entriesIn(place)).filter(({ key }) => key.startsWith('shared-logs/'));
  for (const scope of ['chat', 'shared-logs', 'thief']) {
    for (const reference of [log?.key ?? '', log?.key.split('/')[1] ?? '', `${path}.excerpt`]) {
      await expect(artifactsOf(scope).info(reference)).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
    }
  }
  await expect(artifactsOf('thief').info(path)).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
});

test('a save fails when the log cannot be saved, and the next save tries again', async () => {
  let isFull = true;
  const error = new Error('no space left');
  const flaky: ArtifactStore = {
    ...place,
    put: (key, ...rest) => (isFull && key.startsWith('shared-logs/') ? Promise.reject(error) : place.put(key, ...rest)),
  };
  store = sharedLogStore(flaky, { logBytes: LOG_BYTES });
  await expect(artifactsOf('chat').save(logOf(), call)).rejects.toBe(error);
  expect(await entriesIn(place)).toEqual([]);
  isFull = false;
  const { path } = await artifactsOf('chat').save(logOf(), call);
  expect(await text(await artifactsOf('chat').readStream(path))).toBe(logOf());
});

test('a log that somebody deleted is saved again with the next output', async () => {
  await artifactsOf('chat').save(logOf(), call);
  await place.delete((await entriesIn(place)).map(({ key }) => key));
  const saves = [1, 2, 3].map(async () => {
    const { path } = await artifactsOf('chat').save(logOf(), call);
    return text(await artifactsOf('chat').readStream(path));
  });
  expect(await Promise.all(saves)).toEqual([logOf(), logOf(), logOf()]);
});

test('two servers over one place save one log', async () => {
  const other = sharedLogStore(place, { logBytes: LOG_BYTES });
  const saves = [store, other].map((each) => scopedArtifacts(each, { scope: 'chat' }).save(logOf(), call));
  await Promise.all(saves);
  expect((await entriesIn(place)).filter(({ key }) => key.startsWith('shared-logs/'))).toHaveLength(1);
});
