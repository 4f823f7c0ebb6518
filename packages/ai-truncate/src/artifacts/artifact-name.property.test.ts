import { resolve, sep } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requireKey } from '../stores/artifact-store.ts';
import { artifactKey, createArtifactName, infoKey, parseKey, toScopeKey } from './artifact-name.ts';

const pieces = [
  '..',
  '/',
  '\\',
  '.',
  '%2e%2e',
  '．．／',
  '\0',
  'con',
  'NUL',
  'aux.c',
  'C:',
  '//host/share',
  'é',
  'e\u0301',
  '\u202e',
  '\ud800',
  '\u{1f642}',
  '__proto__',
  'constructor',
  'https://x.blob.vercel-storage.com/a',
  ' ',
  '-',
  '_',
  '~',
  '$DATA',
  ':',
  '*',
  '?',
  '\n',
  'a',
  'A',
  'ß',
  'İ',
  '1',
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', 'x'.repeat(1500), '日'.repeat(600)),
);
const call = fc.record({ scope: hostile, toolName: hostile, toolCallId: hostile });

const BATCHES = 10_000;
const BATCH = 100;
const root = resolve('/srv/artifacts');
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

it('a million hostile scopes, tool names and call ids give keys without escapes, collisions, merged owners or reserved names', async () => {
  const ownerOf = new Map<string, string>();
  const folded = new Set<string>();
  let names = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: BATCH, maxLength: BATCH }), async (calls) => {
      const scopeKeys = await Promise.all(calls.map(({ scope }) => toScopeKey(scope || 'none')));
      calls.forEach(({ scope, ...ids }, index) => {
        const scopeKey = scopeKeys[index] ?? '';
        const name = createArtifactName({ ...ids, mediaType: 'text/plain', createdAt: new Date() });
        const key = artifactKey(scopeKey, name);
        check(key, { name, scopeKey });
        const owner = ownerOf.get(scopeKey) ?? (scope || 'none');
        if (owner !== (scope || 'none')) throw new Error(`${JSON.stringify([owner, scope])} are both ${scopeKey}`);
        ownerOf.set(scopeKey, owner);
        folded.add(key.slice(-20));
        names++;
      });
    }),
    { numRuns: BATCHES, endOnFailure: true },
  );

  expect(folded.size).toBe(names);
}, 300_000);

function check(key: string, { name, scopeKey }: { name: string; scopeKey: string }): void {
  requireKey(key);
  requireKey(infoKey(key));
  const isInside = resolve(root, infoKey(key)).startsWith(`${root}${sep}${scopeKey}${sep}`);
  const isReserved = device.test(name) || device.test(scopeKey);
  const isPlain = key === key.normalize('NFKC').toLowerCase();
  if (!isInside || isReserved || !isPlain || infoKey(name).length > 120 || parseKey(infoKey(key))?.name !== name) {
    throw new Error(`not a safe key: ${key}`);
  }
}
