import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { artifactRoute } from '../../fixtures/artifact-route.ts';
import { processorMsOf } from '../../fixtures/processor-time.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { parseArtifactName } from '../artifacts/artifact-name.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { parseArtifactAddress } from './artifact-address.ts';

const SECRET = 'only-chat-2-may-read-this';
const store = memoryStore();
const keys: string[] = [];
const watched = artifactRoute({
  ...store,
  get(key, options) {
    keys.push(key);
    return store.get(key, options);
  },
});

const fragments = [
  '..',
  '.',
  '',
  '%2e%2e',
  '..%2f',
  '%2F',
  '%5c..%5c',
  '%00',
  '%0d%0aSet-Cookie:a=b',
  '．．／',
  'chat-2',
  'tool-output',
  'con',
  'C:',
  'https:',
  'raw',
  'lines',
  'grep',
  '__proto__',
  'constructor',
  '.info.json',
  '.rsc',
  ';x=1',
  '%E0%A4%A',
  '%ff',
  '\u202e',
  'x'.repeat(5000),
];

describe('any address', () => {
  test('reads nothing but one valid name, in the folder of the owner, and never fails the server', async () => {
    const mine = await watched.save('mine');
    const { name: foreign } = await scopedArtifacts(store, { scope: 'chat-2' }).save(SECRET, {
      toolName: 'read',
      toolCallId: 'call_2',
    });
    const id = foreign.slice(-20, -4);
    const fragment = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...fragments) },
      { weight: 2, arbitrary: fc.constantFrom(mine, foreign, id, `chat-2/${foreign}`, `${foreign}.info.json`) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    );
    const path = fc
      .array(fc.tuple(fragment, fc.constantFrom('/', '', '//', '%2f', '\\', '?', '#', '?id=', '&name=')), {
        maxLength: 6,
      })
      .map((parts) => parts.flat().join(''));
    const statuses: Record<number, number> = {};
    const property = fc.asyncProperty(path, async (text) => {
      keys.length = 0;
      const response = await watched.get(text);
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      expect([200, 400, 404, 422]).toContain(response.status);
      expect(await response.text()).not.toContain(SECRET);
      for (const key of keys) {
        expect(key).toMatch(/^chat-1\//);
        expect(parseArtifactName(key.slice('chat-1/'.length).replace(/\.info\.json$/, ''))).toBeDefined();
      }
    });
    const numRuns = propertyRuns({ sample: 2000, full: 10_000 });
    await fc.assert(property, { numRuns });
    expect(watched.errors).toEqual([]);
    // If all addresses led nowhere, the test would prove nothing.
    expect(statuses[200]).toBeGreaterThan(numRuns / 50);
    expect(statuses[404]).toBeGreaterThan(numRuns / 5);
  });

  test('with a megabyte is parsed at once', async () => {
    for (const text of ['/'.repeat(1_000_000), 'tool_'.repeat(200_000), `${'a/'.repeat(500_000)}raw`]) {
      const parse = () => expect(parseArtifactAddress(`https://app.test/${text}`).name).toBe('');
      expect(await processorMsOf(parse)).toBeLessThan(500);
    }
  });
});
