import { expect, it } from 'vitest';
import { quotedText } from './quoted-text.ts';
import { soughtQuote } from './sought-quote.ts';

it('knows at a glance most texts in which it cannot be', () => {
  const { mayStandIn } = soughtQuote('ERROR pool 17 exhausted', { isCut: false });
  const text = (stored: string) => quotedText(stored, { firstLine: 1, isBegun: true, isEnded: true });
  expect(mayStandIn(text('INFO the pool of db 17 is exhausted'))).toBe(false);
  expect(mayStandIn(text('\u001b[31mERROR\u001b[39m pool 17\n  exhausted'))).toBe(true);
});
