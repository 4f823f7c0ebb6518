import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pick, secretMakers, seededRandom } from '../../fixtures/planted-secrets.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { finished } from '../pace.ts';
import { BLOCK_CHARS, MAX_MATCH_CHARS, type RedactedCounts, Redaction, redactText } from './redaction.ts';
import { redactorOf } from './redactor.ts';
import { secretPatterns } from './secret-patterns.ts';

const makers = Object.values(secretMakers);
const redactor = redactorOf([
  ...secretPatterns,
  { kind: 'account', pattern: 'ACC-[0-9]{6}' },
  { kind: 'note', pattern: '(?s)<note>.*?</note>' },
  { kind: 'blob', pattern: '[x]{200,}' },
]);

/** A text around borders of blocks, with secrets at random places. */
function textOf(random: () => number): string {
  const parts: string[] = [];
  const count = 1 + Math.floor(random() * 30);
  for (let index = 0; index < count; index++) {
    const filler = pick(random, ['a line of a log\n', 'é支付\ud83d\ude00 ', '-----', 'eyJ', 'sk-', '://', '\r\n', ' ']);
    parts.push(filler.repeat(Math.floor(random() ** 4 * 4000)));
    const other = [
      `ACC-${Math.floor(random() * 900_000) + 100_000}`,
      '<note>\nof two lines\n</note>',
      'x'.repeat(20_000),
    ];
    parts.push(random() < 0.7 ? pick(random, makers)(random).text : pick(random, other));
    parts.push(pick(random, ['\n', ' ', '"', ',']));
  }
  const text = parts.join('');
  // Secrets near the end of a block.
  const front = random() < 0.5 ? '.'.repeat(BLOCK_CHARS - Math.floor(random() * 300)) : '';
  return front + text;
}

function inChunks(text: string, random: () => number): { text: string; counts: RedactedCounts } {
  const counts: RedactedCounts = {};
  const redaction = new Redaction(redactor, { counts });
  let done = '';
  const most = pick(random, [3, 100, 5000, BLOCK_CHARS, 500_000]);
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + Math.floor(random() * most);
    done += finished(redaction.push(text.slice(at, end)));
    at = end;
  }
  return { text: done + finished(redaction.finish()), counts };
}

test('a redacted text does not depend on the chunks in which it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = seededRandom(seed);
      const text = textOf(random);
      const counts: RedactedCounts = {};
      const whole = await redactText(text, redactor, { counts });
      expect(inChunks(text, random)).toEqual({ text: whole, counts });
    }),
    { numRuns: propertyRuns({ sample: 60, full: 5000 }) },
  );
});

test('lines keep their numbers, and text without secrets stays', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const text = textOf(seededRandom(seed));
      const redacted = await redactText(text, redactor);
      expect(redacted.split('\n')).toHaveLength(text.split('\n').length);
      // The text between two replacements is part of the original text, in the same order.
      let at = 0;
      for (const part of redacted.split(/\[REDACTED:[\w-]+\]/)) {
        const found = text.indexOf(part, at);
        expect(found).toBeGreaterThanOrEqual(at);
        at = found + part.length;
      }
    }),
    { numRuns: propertyRuns({ sample: 60, full: 5000 }) },
  );
});

test('a redacted text does not change again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const once = await redactText(textOf(seededRandom(seed)), redactor);
      const counts: RedactedCounts = {};
      expect(await redactText(once, redactor, { counts })).toBe(once);
      expect(counts).toEqual({});
    }),
    { numRuns: propertyRuns({ sample: 40, full: 2000 }) },
  );
});

test.each([0, 1, MAX_MATCH_CHARS, BLOCK_CHARS, 200_000])('a stream holds back little text: chunks of %i', (size) => {
  const redaction = new Redaction(redactor, { counts: {} });
  let held = 0;
  for (let index = 0; index < 40; index++) {
    const chunk = 'a line of a log\n'.repeat(1 + Math.floor(size / 16));
    held += chunk.length - finished(redaction.push(chunk)).length;
    expect(held).toBeLessThanOrEqual(BLOCK_CHARS + MAX_MATCH_CHARS + 64);
  }
});

test('a secret is replaced as a whole at any place around the border of a block', async () => {
  const random = seededRandom(1);
  for (const make of makers) {
    const { text } = make(random);
    // Also at places between the first characters of a secret and the name of its vendor.
    for (let before = 1; before <= 48; before++) {
      const front = `${'.'.repeat(BLOCK_CHARS - before - 1)} `;
      const alone = await redactText(` ${text} `, redactor);
      const redacted = await redactText(`${front}${text} `, redactor);
      expect(redacted.slice(front.length - 1)).toBe(alone);
    }
  }
});
