import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { focusTerms } from './focus-terms.ts';
import { LineReader } from './line-reader.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const words = Array.from({ length: 64 }, (_, index) => `term${LETTERS[index % 26]}${LETTERS[Math.floor(index / 26)]}x`);
/** Lines with other terms each. */
const pairs = words.flatMap((word, index) => words.slice(index + 1, index + 9).map((other) => `${word} ${other}`));

test('short lines that match the question take little memory even if their neighbors are long', () => {
  const reader = new LineReader(focusTerms([words.join(' ')]));
  const neighbors = `${'z'.repeat(600)}\n`.repeat(3);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < 40; round++) for (const pair of pairs) reader.push(`${pair}\n${neighbors}`);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(12_000_000);
  expect(reader.finish().focused.length).toBeGreaterThan(100);
});
