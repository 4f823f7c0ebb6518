import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it, test, vi } from 'vitest';
import { compileSearchPattern, type SearchPattern, type SearchPatternOptions } from './pattern.ts';

function compiled(source: string, options?: SearchPatternOptions): SearchPattern {
  const result = compileSearchPattern(source, options);
  if (!result.ok) throw new Error(result.message);
  return result.pattern;
}

function refusal(source: unknown, options?: SearchPatternOptions): string {
  const result = compileSearchPattern(source as string, options);
  return result.ok ? `accepted: ${source}` : result.message;
}

describe('a pattern that stands for some texts', () => {
  it.each([
    ['ERROR', 'ERROR'],
    ['error|fail\\.|exception', 'error|fail.|exception'],
    ['127\\.0\\.0\\.1:80', '127.0.0.1:80'],
    ['a\\/b\\-c\\_', 'a/b-c_'],
    ['日本 🙂', '日本 🙂'],
    ['a b, c; "d"', 'a b, c; "d"'],
    ['(error|failed)', 'error|failed'],
    ['(?:error|failed)', 'error|failed'],
  ])('is found without an engine: %s', (source, literal) => {
    expect(compiled(source).literals).toEqual({ texts: literal.split('|'), ignoreCase: false });
  });

  it.each([
    'a.c',
    '\\d',
    'a|',
    '(a|b)c',
    '((a))',
    '[ab]',
    'x'.repeat(101),
    'a|b|c|d|e|f|g|h|i',
    'a\r',
    'a+',
    '\\bfoo',
    '\\x41',
    '(?i:a)',
    '\\Qa.c\\E',
  ])('is not %s', (source) => {
    expect(compiled(source).literals).toBeUndefined();
  });

  it('is any text in literal mode', () => {
    expect(compiled('(a+)+$ [|', { literal: true }).literals?.texts).toEqual(['(a+)+$ [|']);
    expect(compiled(`(${'x'.repeat(200)}[`, { literal: true }).test(`a (${'x'.repeat(200)}[`)).toBe(true);
  });

  it('is found without an engine in any case too, where it is of ASCII', () => {
    const pattern = compiled('Error \\[5\\]|time-out', { ignoreCase: true });
    expect(pattern.literals).toEqual({ texts: ['Error [5]', 'time-out'], ignoreCase: true });
    expect(pattern.find('TIME-OUT, eRROR [5]', 1)).toEqual({ start: 10, end: 19 });
    expect(pattern.test('error 5')).toBe(false);
    expect(compiled('(?i)error').literals).toEqual({ texts: ['error'], ignoreCase: true });
  });

  it('is matched in any case by an engine where it is not, also in literal mode', () => {
    const pattern = compiled('Straße (1)', { literal: true, ignoreCase: true });
    expect(pattern.literals).toBeUndefined();
    expect(pattern.test('STRAßE (1)')).toBe(true);
    expect(pattern.test('STRAßE 1')).toBe(false);
  });
});

describe('a text that is in every match', () => {
  it.each([
    ['worker-1\\b', 'worker-1'],
    ['\\d{4}-\\d{2}T23', 'T23'],
    ['status=5[0-9]+ in', 'status=5'],
    ['errors?:', 'error'],
    ['^a{2,30}bc', 'bc'],
    ['x🙂*yz', 'yz'],
    ['.*\\.json$', '.json'],
    ['ab+c', 'ab'],
  ])('is known of %s', (source, text) => {
    expect(compiled(source).required).toEqual({ texts: [text], ignoreCase: false });
  });

  it.each(['(ab)c', 'ab.|cd', '\\x41bc', '\\pNab', '\\Qab\\E.', '[ab]c?', 'a*', 'ab{|c'])(
    'is not guessed at: %s',
    (source) => {
      expect(compiled(source).required).toBeUndefined();
    },
  );

  it('is none in any case where it is not of ASCII', () => {
    expect(compiled('é.', { ignoreCase: true }).required).toBeUndefined();
  });
});

describe('an expression', () => {
  it.each([
    ['\\u00e9', 'é'],
    ['\\u{1F642}', '🙂'],
    ['[\\u0041-\\u0043]+d', 'ABCd'],
    ['\\\\u0041.', '\\u0041!'],
    ['\\Qa.b\\E+', 'a.bb'],
    ['(?<year>\\d{4})-', '2026-'],
    ['(?i)error', 'ERROR'],
    ['[^\\n]x', 'ax'],
    ['[]a]b', ']b'],
  ])('%s finds %s', (source, text) => {
    expect(compiled(source).test(text)).toBe(true);
  });

  it('tells where it matches, from a place on', () => {
    expect(compiled('b+').find('abb abbb', 3)).toEqual({ start: 5, end: 8 });
  });

  it('is searched in smaller steps when it is large', () => {
    expect(compiled('(a?){190}a{190}$').window).toBeLessThan(compiled('(a+)+$').window);
  });
});

describe('what RE2 cannot do is refused, with what to do instead', () => {
  it.each(['foo(?=bar)', 'foo(?!bar)', '(?<=foo)bar', '(?<!foo)bar'])('look-around: %s', (source) => {
    expect(refusal(source)).toMatch(/^RE2 has no look-around \(`\(\?<?[=!]`\)\. .*read the context lines/);
  });

  it.each(['(a)\\1', '(?<n>a)\\k<n>', '(?P<n>a)(?P=n)'])('back-references: %s', (source) => {
    expect(refusal(source)).toMatch(/^RE2 has no back-references/);
  });

  it.each(['a++', '(?>a)', 'a*+b', 'a{2}+'])('atomic groups and possessive repeats: %s', (source) => {
    expect(refusal(source)).toMatch(/^RE2 has no atomic groups or possessive repeats/);
  });

  it('is not seen where the signs stand for themselves', () => {
    expect(refusal('[(?=]\\(\\?=(')).toMatch(/no RE2 expression: missing closing \)/);
  });

  it.each(['(', '(a\\)', '[a', 'a**', '*a', '\\p{Foo}', 'a\\', '[z-a]'])('bad syntax: %s', (source) => {
    expect(refusal(source)).toMatch(/^The pattern is no RE2 expression: .+ Escape signs/);
  });

  it.each(['a\\nb', 'a\nb', '\\r\\n', '\\Qa\nb\\E'])('line breaks: %s', (source) => {
    expect(refusal(source)).toMatch(/a line break is never found/);
  });

  it('line breaks, in literal mode only real ones', () => {
    expect(refusal('a\nb', { literal: true })).toMatch(/a line break is never found/);
    expect(compiled('a\\nb', { literal: true }).literals?.texts).toEqual(['a\\nb']);
  });

  it.each([
    '((a?){50}){20}a{1000}$',
    '[\\p{L}]{1,1000}!{1,1000}',
    '(?i)(.{1,1000}){1}x',
    '(a{1,100}){1,100}$',
    'a{1001}',
    '((((a{100}){100}){100}){100})',
  ])('repeats that multiply: %s', (source) => {
    expect(refusal(source)).toMatch(/^The pattern is too large/);
  });

  it.each([
    ['', /empty/],
    ['a'.repeat(513), /has 513 characters, at most 512/],
    [undefined, /must be a string/],
    [['a'], /must be a string/],
  ])('no pattern at all: %s', (source, message) => {
    expect(refusal(source)).toMatch(message);
  });
});

describe('a pattern that takes long to compile', () => {
  test.each([
    ['counted repeats in a row', 'a{0,1000}'.repeat(56)],
    ['counted repeats of the start of a line', '(?:^){1000}'.repeat(46)],
    ['counted repeats of groups in groups', `${'('.repeat(70)}a${'){0,9}'.repeat(70)}`],
    ['a counted repeat of a choice', '(?:ab|cd|ef|gh|ij|kl){0,900}'],
    ['a counted repeat of a choice of nothing', `(?:${'(?:)*|'.repeat(70)}a){900}`],
    ['a counted repeat of a choice of places', `(?:${'^|'.repeat(80)}$){0,600}`],
    ['Unicode classes in a row', '\\pL'.repeat(150)],
    ['Unicode classes in a class', `[${'\\p{L}'.repeat(80)}]`],
  ])('is refused before it is compiled: %s', (_, source) => {
    const compile = vi.spyOn(RE2JS, 'compile');
    expect(refusal(source)).toMatch(/^The pattern is too large/);
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  });

  test.each([
    'a{1,499}',
    '(?:ab){450}',
    '(?:a|b|c|d|e){900}',
    '(?P<name>ab){200}',
    '(?:ERROR_A|ERROR_B|ERROR_C|ERROR_D){90}',
    '(?:(?:(?:a){9}){9}){9}',
    '\\Qab\\E{100}c.',
    '\\p{L}{900}',
    'x{,5}{a{5',
  ])('is not mistaken for one that is small enough: %s', (source) => {
    expect(compiled(source).test('!')).toBe(false);
  });
});

it('any pattern of a model gives a pattern or a short message, and throws nothing', () => {
  const sign = fc.constantFrom(
    ...'ab\\()[]{}*+?|^$.,:=!<>-&0123PpLQEnuxk\n\0'.split(''),
    '(?',
    '\\p{L}',
    '[[:alpha:]]',
    '{1,999}',
    '\ud83d',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(sign, { maxLength: 200 }).map((signs) => signs.join('')),
        fc.string(),
      ),
      fc.boolean(),
      (source, literal) => {
        const result = compileSearchPattern(source, { literal });
        if (!result.ok) expect(result.message.length).toBeLessThan(450);
        else expect(typeof result.pattern.test('aab')).toBe('boolean');
      },
    ),
    { numRuns: 5000 },
  );
});

it('what stands for some texts means the same to the engine of JavaScript', () => {
  const sign = fc.constantFrom(...'ab|.*/\\-_"()[]{}^$|+? é'.split(''), '\\.', '\\(', '\\\\');
  fc.assert(
    fc.property(
      fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => signs.join('')),
      (source) => {
        const result = compileSearchPattern(source);
        for (const literal of (result.ok && result.pattern.literals?.texts) || []) {
          expect(new RegExp(`^(?:${source})$`).test(literal)).toBe(true);
        }
      },
    ),
    { numRuns: 5000 },
  );
});
