import { expect, test } from 'vitest';
import { preview, scannedOutput } from '../../fixtures/scanned-output.ts';
import { chooseFacts } from './facts.ts';
import { ours } from './previews.ts';
import { chooseRealFacts } from './real-facts.ts';
import { shownOf } from './real-score.ts';
import { scoreFact } from './score.ts';

const facts = chooseFacts();
const limits = { maxLines: 2000, maxBytes: 16_000 };

test('there are at least 300 facts, and the same facts each time', () => {
  expect(facts.length).toBeGreaterThanOrEqual(300);
  expect(chooseFacts().map(({ search }) => search)).toEqual(facts.map(({ search }) => search));
});

test('the full output states every fact except for sums', () => {
  const untold = facts.filter(({ text, isToldBy }) => !isToldBy(text)).map(({ kind }) => kind);
  expect(new Set(untold)).toEqual(new Set(['a total of records']));
});

test('auto shows more facts than the start, the end, or both ends of the output', () => {
  const told = { auto: 0, head: 0, tail: 0, ends: 0 };
  for (const { text, isToldBy } of facts) {
    const scanned = scannedOutput(text);
    for (const keep of ['auto', 'head', 'tail', 'ends'] as const) {
      if (isToldBy(preview(scanned, { keep, limits }).text)) told[keep]++;
    }
  }
  expect(told.auto).toBeGreaterThan(Math.max(told.head, told.tail, told.ends));
});

test('with its question, auto shows most facts of real outputs in 16 KB', async () => {
  const sample = chooseRealFacts().filter((_, index) => index % 12 === 0);
  const missed: string[] = [];
  for (const { output, question, isToldBy } of sample) {
    const shown = await shownOf(output, { bytes: 16_384, question });
    if (!isToldBy(shown)) missed.push(question);
  }
  expect(missed.length).toBeLessThanOrEqual(sample.length / 5);
});

test('the readers find facts that the preview does not show, for a small part of the tokens of the output', async () => {
  const sample = facts.filter((_, index) => index % 40 === 0);
  for (const fact of sample) {
    const { isFound, tokensOfCalls, tokensOfOutput } = await scoreFact(fact, { maker: ours('auto'), bytes: 16_384 });
    expect({ fact: fact.search, isFound }).toEqual({ fact: fact.search, isFound: true });
    expect(tokensOfCalls).toBeLessThan(tokensOfOutput / 10);
  }
});
