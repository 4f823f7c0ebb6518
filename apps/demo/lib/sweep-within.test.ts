import { memoryStore, scopedArtifacts } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';
import { afterEach, expect, test, vi } from 'vitest';
import { sweepWithin } from './sweep-within';

const DAY_MS = 86_400_000;
afterEach(() => vi.useRealTimers());

/** Kept so long ago. */
async function storeWith(count: number, { ageDays }: { ageDays: number }): Promise<ArtifactStore> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ageDays * DAY_MS });
  const store = memoryStore();
  const artifacts = scopedArtifacts(store, { scope: 'chat', sweep: false });
  for (let index = 0; index < count; index++) {
    await artifacts.save(`output ${index}`, { toolName: 'readDoc', toolCallId: String(index) });
  }
  vi.useRealTimers();
  return store;
}

async function keysOf(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

test.each([
  ['has expired is deleted', { ageDays: 8 }, 3],
  ['has not expired stays', { ageDays: 6 }, 0],
])('an artifact that %s', async (_, age, deletedArtifacts) => {
  const store = await storeWith(3, age);
  const swept = await sweepWithin(store, { budgetMs: 5_000, retentionDays: undefined });
  expect(swept).toMatchObject({ examined: 3, deletedArtifacts, isComplete: true });
  expect(await keysOf(store)).toHaveLength(2 * (3 - deletedArtifacts));
});

test('a sweep stops when its time is over, and says that artifacts are left', async () => {
  const store = await storeWith(1, { ageDays: 8 });
  expect(await sweepWithin(store, { budgetMs: 0, retentionDays: 1 })).toMatchObject({ examined: 0, isComplete: false });
});
