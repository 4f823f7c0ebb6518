import { describe, expect, test } from 'vitest';
import { literalsOfPattern, literalsOfText } from './pattern-literals.ts';

const exactCase = { ignoreCase: false };
const anyCase = { ignoreCase: true };

describe('a pattern that is a choice of texts', () => {
  test.each([
    ['ERROR', 'ERROR'],
    ['error|fail\\.|exception', 'error|fail.|exception'],
    ['127\\.0\\.0\\.1:80', '127.0.0.1:80'],
    ['a\\/b\\-c\\_', 'a/b-c_'],
    ['日本 🙂', '日本 🙂'],
    ['a b, c; "d"', 'a b, c; "d"'],
    ['(error|failed)', 'error|failed'],
    ['(?:error|failed)', 'error|failed'],
    ['((a))', 'a'],
    ['(refused|denied) by', 'refused by|denied by'],
    ['(a|ab)(c|d)', 'ac|ad|abc|abd'],
    ['colou?r', 'colour|color'],
    ['[Ee]rror', 'Error|error'],
    ['\\bERROR\\b', 'ERROR'],
    ['\\b(?:a|b)', 'a|b'],
  ])('is found without an engine: %s', (source, literal) => {
    expect(literalsOfPattern(source, exactCase).exact?.texts).toEqual(literal.split('|'));
  });

  test.each([
    'a.c',
    '\\d',
    'a|',
    '(a|b){2}c',
    '[a-c]',
    '[Ee][Rr][Rr][Oo]',
    '\\bfoo|bar\\b',
    'foo\\bbar',
    '^foo',
    'x'.repeat(101),
    'a|b|c|d|e|f|g|h|i',
    'a\r',
    'a+',
    '\\x41',
    '(?i:a)',
    '\\Qa.c\\E',
  ])('is not found without an engine: %s', (source) => {
    expect(literalsOfPattern(source, exactCase).exact).toBeUndefined();
  });

  test('may be in any case too, if it is ASCII', () => {
    const { exact } = literalsOfPattern('Error \\[5\\]|time-out', anyCase);
    expect(exact?.texts).toEqual(['Error [5]', 'time-out']);
    expect(exact?.find('TIME-OUT, eRROR [5]', 1)).toEqual({ start: 10, end: 19 });
    expect(exact?.isIn('error 5')).toBe(false);
  });

  test('is left to the engine in any case if it is not ASCII', () => {
    expect(literalsOfPattern('straße', anyCase).exact).toBeUndefined();
  });
});

describe('a text that is in every match', () => {
  test.each([
    ['worker-1\\B', 'worker-1'],
    ['\\d{4}-\\d{2}T23', 'T23'],
    ['status=5[0-9]+ in', 'status=5'],
    ['errors?:\\d', 'errors:|error:'],
    ['^a{2,30}bc', 'abc'],
    ['x🙂*yz', 'yz'],
    ['.*\\.json$', '.json'],
    ['ab+c', 'ab'],
    ['ab{2}cd', 'bcd'],
    ['.(ab)c', 'abc'],
    ['abc.|de+', 'abc|de'],
    ['(?:^|,)"id":"x', '"id":"x'],
    ['(abc|d.) (efg|hijk)', ' efg| hijk'],
    ['\\bfoo|bar\\b', 'foo|bar'],
  ])('is known for %s', (source, text) => {
    expect(literalsOfPattern(source, exactCase).required?.texts).toEqual(text.split('|'));
  });

  test.each(['.|cd', '(?i:a).b', '\\x41bc', '\\pNab', '\\Qab\\E.', '(ab.)?', 'a*', 'ab{|c', '(?:ab|c*).'])(
    'is not guessed for %s',
    (source) => {
      expect(literalsOfPattern(source, exactCase).required).toBeUndefined();
    },
  );

  test('is unknown in any case if it is not ASCII', () => {
    expect(literalsOfPattern('é.', anyCase).required).toBeUndefined();
    expect(literalsOfPattern('é.kn', anyCase).required?.texts).toEqual(['kn']);
  });
});

describe('a text without a pattern', () => {
  test('has no special sign', () => {
    expect(literalsOfText('(a+)+$ [|', exactCase)?.texts).toEqual(['(a+)+$ [|']);
    expect(literalsOfText('a.c', exactCase)?.isIn('abc')).toBe(false);
  });

  test.each(['', 'a\r', 'a\nb', '\ud83d', 'x'.repeat(101)])('is left to the engine if it is %j', (text) => {
    expect(literalsOfText(text, exactCase)).toBeUndefined();
  });

  test('may have 100 characters', () => {
    expect(literalsOfText('x'.repeat(100), exactCase)?.texts).toEqual(['x'.repeat(100)]);
  });

  test('is left to the engine in any case if it is not ASCII', () => {
    expect(literalsOfText('é', anyCase)).toBeUndefined();
    expect(literalsOfText('é', exactCase)?.isIn('é')).toBe(true);
  });

  test('matches the two letters outside of ASCII whose other case is ASCII', () => {
    const found = literalsOfText('ks', anyCase);
    expect(['KS', 'kS', '\u212a\u017f', 'ls'].map((text) => found?.isIn(text))).toEqual([true, true, true, false]);
    expect(literalsOfText('ks', exactCase)?.isIn('KS')).toBe(false);
  });
});

describe('a search for texts', () => {
  const found = literalsOfPattern('bb|a', exactCase).exact;

  test('finds the first of them from a place on', () => {
    expect([0, 1, 2, 4].map((from) => found?.find('a.bb', from))).toEqual([
      { start: 0, end: 1 },
      { start: 2, end: 4 },
      { start: 2, end: 4 },
      undefined,
    ]);
    expect([0, 1, 4].map((from) => found?.findEnd('a.bb', from))).toEqual([1, 4, -1]);
  });

  test('does not depend on the searches before it', () => {
    found?.find('xxxxa', 3);
    expect(found?.isIn('a')).toBe(true);
    expect(found?.isIn('a')).toBe(true);
  });
});
