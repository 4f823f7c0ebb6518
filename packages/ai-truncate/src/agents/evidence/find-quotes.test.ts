import { expect, test } from 'vitest';
import { quoteLookup } from './find-quotes.ts';
import { quotedText } from './quote-places.ts';

test('most texts in which a quote cannot be are known at a glance', () => {
  const claim = { path: 'a.txt', start_line: 1, end_line: 1, quote: 'ERROR pool 17 exhausted', isCut: false };
  const mayBeIn = (stored: string) =>
    quoteLookup(claim)?.mayBeIn(quotedText(stored, { firstLine: 1, isBegun: true, isEnded: true }));
  expect(mayBeIn('INFO the pool of db 17 is exhausted')).toBe(false);
  expect(mayBeIn('\u001b[31mERROR\u001b[39m pool 17\n  exhausted')).toBe(true);
});
