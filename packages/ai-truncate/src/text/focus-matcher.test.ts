import { expect, test } from 'vitest';
import { FocusMatcher } from './focus-matcher.ts';
import { focusTerms } from './focus-terms.ts';
import { Words } from './words.ts';

/** The terms of the question that a text contains. */
function found(question: string, text: string): string[] {
  const terms = focusTerms([question]);
  const matcher = new FocusMatcher(terms);
  const words = new Words();
  words.read(text, { from: 0, to: text.length });
  matcher.start();
  while (words.next()) matcher.read(text, words);
  return terms.flatMap(({ words: own }, index) => {
    const bits = index < 32 ? matcher.low >>> index : matcher.high >>> (index - 32);
    return (bits & 1) === 1 ? [own.join(' ')] : [];
  });
}

test.each(['license_key: 7', 'LicenseKeys = 7', 'LICENSE-KEY=7', 'the license key is 7'])(
  'licenseKey is in %j',
  (text) => {
    expect(found('licenseKey', text)).toContain('licens key');
  },
);

test('the separate words of a term are not the term', () => {
  expect(found('licenseKey', 'license of the key')).toEqual(['licens', 'key']);
});

test('a timestamp is found in other formats, and no other timestamp is', () => {
  expect(found('at 06:07:04', '[Sun Dec 04 06:07:04 2005]')).toEqual(['06 07 04']);
  expect(found('at 06:07:04', '2005-12-04T06:07:04.123Z')).toEqual(['06 07 04']);
  expect(found('at 06:07:04', '2005-12-04T07:06:04.123Z')).toEqual([]);
  expect(found('at 04:04:05', '04:04:04:05')).toEqual(['04 04 05']);
});

test('a word is found after the beginning of another word with the same spelling', () => {
  expect(found('JSONL', 'JSONLines, then JSONL')).toEqual(['jsonl']);
});

test('accents are found in both of their forms', () => {
  expect(found('résumé'.normalize('NFC'), 'the résumé'.normalize('NFD'))).toEqual(['résumé']);
});

test('the second half of 64 terms is found, too', () => {
  const question = Array.from(
    { length: 70 },
    (_, index) => `alpha${String.fromCharCode(97 + (index % 26))}${index}x`,
  ).join(' ');
  const terms = focusTerms([question]);
  for (const { text, words } of terms) expect(found(question, `a ${text} b`)).toContain(words.join(' '));
});

test('a word is looked up again after a thousand others', () => {
  const terms = focusTerms(['needle']);
  const matcher = new FocusMatcher(terms);
  const words = new Words();
  const text = `${Array.from({ length: 50_000 }, (_, index) => `ne${index}`).join(' ')} needles`;
  words.read(text, { from: 0, to: text.length });
  matcher.start();
  while (words.next()) matcher.read(text, words);
  expect(matcher.low).toBe(1);
});

test('the words of alike lines are remembered in bounded memory', () => {
  const matcher = new FocusMatcher(focusTerms(['What is 7?']));
  const words = new Words();
  let numbers = 0;
  const remember = (text: string) => {
    words.read(text, { from: 0, to: text.length });
    matcher.start();
    const steps: number[] = [];
    for (let index = 0; words.next(); index++) {
      const isFound = matcher.read(text, words);
      matcher.addStep(steps, words, { text, from: 0, index, isFound });
    }
    numbers += matcher.knownTerms(steps)?.steps?.length ?? 0;
  };
  remember('1 2 3 '.repeat(500));
  expect(numbers).toBe(0);
  for (let line = 0; line < 100_000; line++) remember('1 2 3 4 5 6 7 8 9');
  expect(numbers).toBeGreaterThan(100_000);
  expect(numbers).toBeLessThan(1_000_000);
});
