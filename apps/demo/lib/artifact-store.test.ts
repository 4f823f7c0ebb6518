import { text } from 'node:stream/consumers';
import { memoryStore, scopedArtifacts } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';
import { expect, test, vi } from 'vitest';
import { serverLog } from '../agent/server-log';
import { boundedStore } from './artifact-store';
import { DiskFullError, type DiskRoom } from './disk-room';

const LOG_BYTES = 200_000;
const call = { toolName: 'readServerLogs', toolCallId: 'call' };
const log = [...serverLog({ service: 'checkout', hours: 12, bytes: LOG_BYTES })].join('');

const expired = 'chat/tool_20200101_120000_query-orders_call_0123456789abcdef.txt';
const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);

test('a full disk deletes expired artifacts, and no others', async () => {
  let isFull = false;
  const room: DiskRoom = {
    async take() {
      if (isFull) throw new DiskFullError();
    },
  };
  const place = memoryStore();
  /** Old enough that a sweep would delete a side-car without its artifact. */
  const old: ArtifactStore = {
    ...place,
    async *list(prefix, options) {
      for await (const entry of place.list(prefix, options)) {
        yield { ...entry, writtenAt: entry.key.startsWith(expired) ? new Date(0) : twoDaysAgo };
      }
    },
  };
  const store = boundedStore(old, { room, logBytes: LOG_BYTES, retentionDays: 7 });
  const artifacts = scopedArtifacts(store, { scope: 'chat', sweep: false });
  vi.useFakeTimers({ toFake: ['Date'], now: twoDaysAgo });
  const shared = await artifacts.save(log, call);
  const other = await artifacts.save('other', call);
  vi.useRealTimers();
  for (const key of [expired, `${expired}.info.json`]) await place.put(key, once('{}'), { contentType: 'text/plain' });

  isFull = true;
  await expect(artifacts.save('more', call)).rejects.toMatchObject({ code: 'STORE_FULL' });
  await vi.waitFor(async () => expect(await place.head(expired)).toBeUndefined());
  expect(await text(await artifacts.readStream(shared.path))).toBe(log);
  expect(await text(await artifacts.readStream(other.path))).toBe('other');
});

async function* once(content: string) {
  yield new TextEncoder().encode(content);
}
