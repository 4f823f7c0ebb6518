import { expect, test } from 'vitest';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { findEverywhere, type QuoteLookup, quoteLookup } from './find-quotes.ts';
import { quotedText } from './quote-places.ts';

function lookUp(quote: string, line = 1): QuoteLookup {
  const lookup = quoteLookup({ path: 'a.txt', startLine: line, endLine: line, quote, isCut: false });
  if (!lookup) throw new Error('No such quote is looked up.');
  return lookup;
}

function wholeText(stored: string) {
  return quotedText(stored, { firstLine: 1, isBegun: true, isEnded: true });
}

test('most texts without a quote are excluded by a fast check', () => {
  const { mayBeIn } = lookUp('ERROR pool 17 exhausted');
  expect(mayBeIn(wholeText('INFO the pool of db 17 is exhausted'))).toBe(false);
  expect(mayBeIn(wholeText('\u001b[31mERROR\u001b[39m pool 17\n  exhausted'))).toBe(true);
});

test('a quote that is claimed for many places is searched once, and each claim gets its nearest place', async () => {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
  const text = Array.from({ length: 5000 }, (_, index) => (index % 1000 === 0 ? 'ERROR disk full' : 'INFO ok')).join(
    '\n',
  );
  const { path } = await artifacts.save(text, { toolName: 'readLog', toolCallId: 'call_1' });
  let searched = 0;
  const lookups = [1, 1900, 3100, 4999].map((line): QuoteLookup => {
    const lookup = lookUp('ERROR disk full', line);
    const placesIn: QuoteLookup['placesIn'] = (each) => {
      searched++;
      return lookup.placesIn(each);
    };
    return { ...lookup, placesIn };
  });
  const options = { lookups, budget: { bytes: 1e9 }, abortSignal: new AbortController().signal };
  expect(await findEverywhere(artifacts, path, options)).toBe(true);
  expect(lookups.map(({ place }) => place?.startLine)).toEqual([1, 2001, 3001, 4001]);
  expect(searched).toBe(1);
});

test.each([
  ['the first words of a quote nearly match everywhere', `${'.'.repeat(100)}!${'.'.repeat(380)} abcdefgh`, '.', 7],
  ['a quote matches everywhere, but within a word', 'abababab', 'ab', 64],
  ['a quote nearly matches everywhere', `${'a '.repeat(200)}b`, 'a ', 7],
])('a search pauses often when %s', (_, quote, repeated, pauses) => {
  const text = wholeText(repeated.repeat((64 * 1024) / repeated.length));
  const steps = [...lookUp(quote).placesIn(text)];
  expect(steps.filter((step) => step === undefined).length).toBeGreaterThan(pauses);
});
