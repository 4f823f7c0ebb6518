import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { namesNewline, patternTokens, unsupportedIn, withUnicodeEscapes } from './pattern-syntax.ts';

describe('the tokens of an expression', () => {
  const kinds = (source: string) => Array.from(patternTokens(source), ({ kind, text }) => `${kind} ${text}`);

  test.each<[string, string[]]>([
    ['', []],
    ['a🙂', ['plain a', 'plain 🙂']],
    ['\\d\\\\n', ['escape \\d', 'escape \\\\', 'plain n']],
    ['a\\', ['plain a', 'escape \\']],
    ['\\Qa.b\\E+', ['quote \\Qa.b\\E', 'plain +']],
    ['\\Qa\\', ['quote \\Qa\\']],
    ['\\Qa\\E\\Qb', ['quote \\Qa\\E', 'quote \\Qb']],
    ['[a-c]x', ['class [a-c]', 'plain x']],
    ['[]a]b', ['class []a]', 'plain b']],
    ['[^]a]b', ['class [^]a]', 'plain b']],
    ['[[:alpha:]]b', ['class [[:alpha:]]', 'plain b']],
    ['[\\]]b', ['class [\\]]', 'plain b']],
    ['[ab', ['class [ab']],
  ])('are known in %j', (source, tokens) => {
    expect(kinds(source)).toEqual(tokens);
  });

  test('join to the expression, whatever it is', () => {
    const signs = fc.constantFrom(...'[]^\\QE:|()a-\n', '[:', ':]', '🙂', '\ud83d', '\\Q', '\\E');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 20 }), (parts) => {
        const source = parts.join('');
        expect(Array.from(patternTokens(source), ({ text }) => text).join('')).toBe(source);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a line break', () => {
  test.each(['a\nb', 'a\\nb', '\\Qa\nb\\E', '(\\n)', '\\\\\\n'])('is required by %j', (source) => {
    expect(namesNewline(source)).toBe(true);
  });

  test.each(['', 'n', '\\\\n', '[\\n]', '[^\n]', '[\n ]x', '\\Q\\n\\E', '\\s'])('is not required by %j', (source) => {
    expect(namesNewline(source)).toBe(false);
  });
});

describe('an escape of JavaScript', () => {
  test.each([
    ['\\u00e9', '\\x{00e9}'],
    ['\\u{1F642}', '\\x{1F642}'],
    ['[\\u0041-\\u0043]', '[\\x{0041}-\\x{0043}]'],
    ['\\u00e99', '\\x{00e9}9'],
  ])('is an escape of RE2: %s', (source, expected) => {
    expect(withUnicodeEscapes(source)).toBe(expected);
  });

  test.each(['\\\\u0041', '\\u12', '\\u{}', '\\u{1234567}', 'u0041', '\\d', '\\'])('is not seen in %s', (source) => {
    expect(withUnicodeEscapes(source)).toBe(source);
  });
});

describe('a construct that RE2 does not have', () => {
  test.each([
    ['a(?=b)', 'lookAround', '(?='],
    ['a(?!b)', 'lookAround', '(?!'],
    ['(?<=a)b', 'lookAround', '(?<='],
    ['(?<!a)b', 'lookAround', '(?<!'],
    ['(a)\\1', 'backReference', '\\1'],
    ['(?P<x>a)\\k<x>', 'backReference', '\\k'],
    ['(?P<x>a)(?P=x)', 'backReference', '(?P='],
    ['(?>a)', 'possessive', '(?>'],
    ['a++', 'possessive', '++'],
    ['a*+', 'possessive', '*+'],
    ['a?+', 'possessive', '?+'],
    ['a{2}+', 'possessive', '}+'],
    ['(?=a)b++', 'lookAround', '(?='],
  ])('is named, the first one: %s', (source, kind, found) => {
    expect(unsupportedIn(source)).toEqual({ kind, found });
    expect(() => RE2JS.compile(source)).toThrow();
  });

  test.each(['', '\\++', '[(?=]', '\\Q(?=a)++\\E', 'a+?', '(?:a)+', '(?P<x>a)', '(?<x>a)', '\\(?=', '[\\1]', '\\0'])(
    'is not seen in %j',
    (source) => {
      expect(unsupportedIn(source)).toBeUndefined();
    },
  );
});
