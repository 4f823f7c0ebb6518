import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barestText, longestWords, type QuoteWording, quotePattern, quoteWordings, weightOf } from './quote-pattern.ts';

const wordingsOf = (quote: string, { isCut = false } = {}) => quoteWordings(quote, { isCut });
const textsOf = (quote: string) => wordingsOf(quote).map(({ lines }) => lines.map(({ text }) => text).join('\n'));

/** The first text that a quote finds. */
function find(quote: string, text: string): string | undefined {
  const [wording] = wordingsOf(quote);
  return wording && quotePattern(wording).expression.exec(text)?.[0];
}

describe('the ways to read a quote', () => {
  test.each<[string, string, string[]]>([
    ['as it is', 'disk full', ['disk full']],
    ['without the space around it', ' disk full \n', ['disk full']],
    ['without returns', 'a\r\nb\r', ['a\nb']],
    ['in composed form', 'e\u0301', ['é']],
    ['without line numbers', '7: a\n8: b', ['7: a\n8: b', 'a\nb']],
    ['without the ellipsis of an excerpt', '…sk full…', ['…sk full…', 'sk full']],
    ['without three dots', '... full...', ['... full...', 'full']],
    ['without backticks', '`disk full`', ['`disk full`', 'disk full']],
    ['without the note about a line that goes on', '3: a … (this line goes on)', ['3: a … (this line goes on)', 'a']],
  ])('are %s', (_, quote, expected) => {
    expect(textsOf(quote)).toEqual(expected);
  });

  test.each(['', ' ', '…', '```', '3: …', '{}', '\u202e'])('do not exist without a letter or digit: %j', (quote) => {
    expect(textsOf(quote).filter((text) => text !== '3: …')).toEqual([]);
  });

  test('say where text was left out', () => {
    const [asItIs, bare] = wordingsOf('…sk full…');
    expect(asItIs).toMatchObject({ isOpenBefore: false, isOpenAfter: false });
    expect(bare).toMatchObject({ isOpenBefore: true, isOpenAfter: true });
    expect(wordingsOf('disk full', { isCut: true })).toMatchObject([{ isOpenAfter: true }]);
    expect(wordingsOf('`disk full`', { isCut: true }).at(-1)).toMatchObject({ isOpenAfter: true });
  });

  test('are one, which is exact, if it has invisible characters', () => {
    expect(wordingsOf('`7: a\u200bb`')).toMatchObject([{ isExact: true, lines: [{ text: '`7: a\u200bb`' }] }]);
  });

  test('know the numbers that readers add, and parts of lines', () => {
    const lines = (quote: string) => wordingsOf(quote).at(-1)?.lines;
    expect(lines('7: a\n8: b')).toEqual([
      { text: 'a', number: 7, isPart: false },
      { text: 'b', number: 8, isPart: false },
    ]);
    expect(lines('7:301: a')).toEqual([{ text: 'a', number: 7, isPart: true }]);
    expect(lines('7 (from character 301): a')).toEqual([{ text: 'a', number: 7, isPart: true }]);
  });

  test('leave numbers that do not count up, and times of day', () => {
    expect(wordingsOf('7: a\n9: b').at(-1)?.lines).toEqual([{ text: 'a', number: 7, isPart: false }, { text: '9: b' }]);
    expect(textsOf('09:30 a')).toEqual(['09:30 a']);
    expect(textsOf('0: a')).toEqual(['0: a']);
  });

  test('share their barest text', () => {
    expect(barestText(wordingsOf('`7: disk full`'))).toBe('disk full');
    expect(barestText([])).toBe('');
  });
});

describe('the pattern of a quote', () => {
  test('finds its words, whatever white space is between them', () => {
    const word = fc.string({ unit: fc.constantFrom(...'ab1.*+?()[]|\\^$/-é🙂'), minLength: 1, maxLength: 4 });
    const space = fc.constantFrom(' ', '  ', '\n', '\t', '\r\n', ' \n ');
    const words = fc.array(fc.tuple(word, space, space), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(words, word, word, (parts, before, after) => {
        const join = (index: 1 | 2) => parts.map((part, at) => (at === 0 ? '' : part[index]) + part[0]).join('');
        const [quote, stored] = [join(1), join(2)];
        fc.pre(/[\p{L}\p{N}]/u.test(quote));
        // A wording of numbers alone may be JSON, whose layout is free.
        fc.pre(/[a-zé]/.test(quote));
        expect(find(quote, `${before}#${stored}#${after}`)).toBe(stored);
        expect(find(quote, `#${stored.slice(1)}#`)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['a b', 'ab'],
    ['ab', 'a b'],
    ['a.c', 'abc'],
    ['5', '6'],
  ])('does not find other text: %j in %j', (quote, text) => {
    expect(find(quote, text)).toBeUndefined();
  });

  test('finds JSON in another layout, but no other text in it', () => {
    expect(find('{"a": [1, 2]}', 'x {\n  "a":[ 1,2 ]\n}')).toBe('{\n  "a":[ 1,2 ]\n}');
    expect(find('{"a": "b c"}', '{"a":"b  c"}')).toBe('{"a":"b  c"}');
    expect(find('{"a": "b c"}', '{"a":"bc"}')).toBeUndefined();
    expect(find('"a": 12', '"a":1 2')).toBeUndefined();
    expect(find('10:30', '10 :30')).toBeUndefined();
  });

  test('finds a quote with invisible characters only as it is', () => {
    expect(find('a\u200b b', 'x a\u200b b')).toBe('a\u200b b');
    expect(find('a\u200b b', 'a\u200b  b')).toBeUndefined();
    expect(find('a\u200b b', 'a b')).toBeUndefined();
  });

  test('has an empty group at the beginning of each numbered line', () => {
    const wording = wordingsOf('7: one\n8: two').at(-1) as QuoteWording;
    const { expression, numbered } = quotePattern(wording);
    expect(numbered.map(({ number }) => number)).toEqual([7, 8]);
    const text = 'x one\n  two';
    expect(expression.exec(text)?.indices?.slice(1)).toEqual([
      [2, 2],
      [8, 8],
    ]);
  });
});

describe('the weight of a text', () => {
  test.each([
    ['', 0],
    [' \n\t', 0],
    ['ab c', 3],
    ['日本', 4],
    ['ひカ한', 6],
    ['a日', 3],
  ])('for %j is %i', (text, weight) => {
    expect(weightOf(text)).toBe(weight);
  });
});

describe('the longest words', () => {
  test('are at most four, longest first', () => {
    expect(longestWords('a disk is full on server-42 tonight').map(([word]) => word)).toEqual([
      'tonight',
      'server',
      'disk',
      'full',
    ]);
  });

  test('are ASCII words, or otherwise words of any script in both forms', () => {
    expect(longestWords('Größe disk')).toEqual([['disk'], ['Gr'], ['e']]);
    expect(longestWords('é')).toEqual([['é', 'e\u0301']]);
    expect(longestWords('… !')).toEqual([]);
  });

  test('have at most 100 characters', () => {
    expect(longestWords('x'.repeat(1_000_000))).toEqual([['x'.repeat(100)]]);
  });

  test('are never codes that readers show', () => {
    expect(longestWords('a\\u{202e}b &lt;c')).toEqual([['a'], ['b'], ['c']]);
  });
});
