import { expect, test } from 'vitest';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { meteredArtifacts } from './metered-artifacts.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
const CHUNK = 64 * 1024;

async function saved(bytes: number): Promise<string> {
  return (await artifacts.save('x'.repeat(bytes), { toolName: 'readLog', toolCallId: 'call_1' })).path;
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

test('a running stream ends when the budget is used up', async () => {
  const path = await saved(100 * CHUNK);
  const meter = meteredArtifacts(artifacts, { maxBytes: 2 * CHUNK });
  const stream = await meter.artifacts.readStream(path, {});
  await expect(readAll(stream)).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
  expect(meter.bytesRead()).toBeLessThanOrEqual(3 * CHUNK);
});

test('reads at the same time share the budget', async () => {
  const path = await saved(20 * CHUNK);
  const meter = meteredArtifacts(artifacts, { maxBytes: 10 * CHUNK });
  const streams = await Promise.all(Array.from({ length: 6 }, () => meter.artifacts.readStream(path, {})));
  const ended = await Promise.allSettled(streams.map(readAll));
  expect(ended.map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
  expect(meter.bytesRead()).toBeLessThanOrEqual(16 * CHUNK);
  expect(meter.isSpent()).toBe(true);
});
