import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test, vi } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
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

describe('a choice of texts', () => {
  test('is found without an engine', () => {
    expect(compiled('error|fail\\.').literals?.texts).toEqual(['error', 'fail.']);
    expect(compiled('(?i)error').literals?.texts).toEqual(['error']);
  });

  test('is any text in literal mode', () => {
    expect(compiled('(a+)+$ [|', { literal: true }).literals?.texts).toEqual(['(a+)+$ [|']);
    expect(compiled(`(${'x'.repeat(200)}[`, { literal: true }).test(`a (${'x'.repeat(200)}[`)).toBe(true);
  });

  test('is matched in any case by the engine if it is not ASCII, also in literal mode', () => {
    const pattern = compiled('Straße (1)', { literal: true, ignoreCase: true });
    expect(pattern.literals).toBeUndefined();
    expect(pattern.test('STRAßE (1)')).toBe(true);
    expect(pattern.test('STRAßE 1')).toBe(false);
  });
});

describe('an expression', () => {
  test.each([
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

  test('reports the place of its match, from a given place on', () => {
    expect(compiled('b+').find('abb abbb', 3)).toEqual({ start: 5, end: 8 });
  });

  test('is searched in smaller steps if it is large', () => {
    expect(compiled('(a?){190}a{190}$').window).toBeLessThan(compiled('(a+)+$').window);
  });
});

describe('syntax that RE2 does not support is refused, with an alternative', () => {
  test.each(['foo(?=bar)', 'foo(?!bar)', '(?<=foo)bar', '(?<!foo)bar'])('look-around: %s', (source) => {
    expect(refusal(source)).toMatch(/^RE2 has no look-around \(`\(\?<?[=!]`\)\. .*read the context lines/);
  });

  test.each(['(a)\\1', '(?<n>a)\\k<n>', '(?P<n>a)(?P=n)'])('back-references: %s', (source) => {
    expect(refusal(source)).toMatch(/^RE2 has no back-references/);
  });

  test.each(['a++', '(?>a)', 'a*+b', 'a{2}+'])('atomic groups and possessive repeats: %s', (source) => {
    expect(refusal(source)).toMatch(/^RE2 has no atomic groups or possessive repeats/);
  });

  test('is accepted if the signs are literal', () => {
    expect(refusal('[(?=]\\(\\?=(')).toMatch(/not an RE2 expression: missing closing \)/);
  });

  test.each(['(', '(a\\)', '[a', 'a**', '*a', '\\p{Foo}', 'a\\', '[z-a]'])('bad syntax: %s', (source) => {
    expect(refusal(source)).toMatch(/^The pattern is not an RE2 expression: .+ Escape literal signs/);
  });

  test.each(['a\\nb', 'a\nb', '\\r\\n', '\\Qa\nb\\E'])('line breaks: %s', (source) => {
    expect(refusal(source)).toMatch(/a line break is never found/);
  });

  test('line breaks, but in literal mode only real ones', () => {
    expect(refusal('a\nb', { literal: true })).toMatch(/a line break is never found/);
    expect(compiled('a\\nb', { literal: true }).literals?.texts).toEqual(['a\\nb']);
  });

  test.each([
    '((a?){50}){20}a{1000}$',
    '[\\p{L}]{1,1000}!{1,1000}',
    '(?i)(.{1,1000}){1}x',
    '(a{1,100}){1,100}$',
    'a{1001}',
    '((((a{100}){100}){100}){100})',
  ])('repeats that multiply: %s', (source) => {
    expect(refusal(source)).toMatch(/^The pattern is too large/);
  });

  test.each([
    ['', /empty/],
    ['a'.repeat(513), /has 513 characters, but at most 512/],
    [undefined, /must be a string/],
    [['a'], /must be a string/],
  ])('an unusable pattern: %s', (source, message) => {
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
  ])('is not confused with a small one: %s', (source) => {
    expect(compiled(source).test('!')).toBe(false);
  });
});

test('any pattern of a model results in a pattern or a short message, and never throws', () => {
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
    { numRuns: propertyRuns({ sample: 1000, full: 5000 }) },
  );
});
