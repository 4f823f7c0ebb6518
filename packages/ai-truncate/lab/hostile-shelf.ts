import { setTimeout as sleep } from 'node:timers/promises';
import { artifactRoute } from '../fixtures/artifact-route.ts';
import { callReader } from '../fixtures/call-reader.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { ReaderName } from '../src/readers/create-artifact-tools.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import type { TrialSize } from './lab-promise.ts';
import { seededRandom } from './seeded-random.ts';

/** A function that takes a pattern from a model or a client. */
export interface Asked {
  by: string;
  asks(pattern: string): Promise<Outcome>;
}

const ROUTE_PATIENCE_MS = 2000;

export type Outcome = 'complete' | 'partial' | 'refused' | 'late';

/** Artifacts in which a hostile pattern causes the most work, and the functions that search them. */
export async function hostileShelf(size: TrialSize): Promise<Asked[]> {
  const chars = { full: 1_000_000, small: 60_000 }[size];
  const random = seededRandom(11);
  const words = ['aaaa', 'ab', 'aé ', 'b', 'cab'];
  const mixed = Array.from({ length: chars / 20 }, () => random.oneOf(words).repeat(5)).join('');
  const rows = Array.from({ length: chars / 4000 }, (_, id) => JSON.stringify({ id, text: `${'a'.repeat(4000)}!` }));

  const store = memoryStore();
  const route = artifactRoute(store);
  const oneLine = await route.save(`${'a'.repeat(chars)}!`);
  await route.save(`${'a'.repeat(199)}!\n`.repeat(chars / 200));
  await route.save(mixed.replace(/.{5000}/g, '$&\n'));
  const records = await route.save(rows.join('\n'), 'application/x-ndjson');
  const few = scopedArtifacts(store, { scope: 'chat-1' });
  const many = scopedArtifacts(store, { scope: 'many' });
  const longNames = { toolName: 'a'.repeat(32), toolCallId: 'a'.repeat(24) };
  for (let index = 0; index < 1000; index++) await many.save('x', longNames);

  async function ask(reader: ReaderName, input: object): Promise<Outcome> {
    const { output } = await callReader(reader === 'globArtifacts' ? many : few, reader, input);
    return output.status === 'success' ? 'complete' : output.status === 'partial' ? 'partial' : 'refused';
  }

  const where = (pattern: string) => [{ field: 'text', op: 'matches', value: pattern }];
  return [
    { by: 'grepArtifacts', asks: (pattern) => ask('grepArtifacts', { pattern }) },
    { by: 'globArtifacts', asks: (pattern) => ask('globArtifacts', { pattern }) },
    { by: 'queryArtifact', asks: (pattern) => ask('queryArtifact', { path: records, where: where(pattern) }) },
    {
      by: 'the route',
      asks: async (pattern) => searched(await route.get(`${oneLine}/grep?q=${encodeURIComponent(pattern)}`)),
    },
  ];
}

/** The events of a search whose client disconnects after two seconds. */
async function searched(response: Response): Promise<Outcome> {
  if (response.status !== 200 || !response.body) return 'refused';
  const reader = response.body.getReader();
  let text = '';
  async function readOn(): Promise<void> {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      text += Buffer.from(chunk.value).toString();
  }
  const leaving = new AbortController();
  const patience = sleep(ROUTE_PATIENCE_MS, undefined, { signal: leaving.signal }).catch(() => undefined);
  await Promise.race([readOn(), patience]);
  leaving.abort();
  await reader.cancel();
  if (text === '') return 'late';
  const told = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  if (told.type === 'error') return 'refused';
  return told.type === 'end' && told.ended === 'complete' ? 'complete' : 'partial';
}
