import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { MAX_MATCH_CHARS, type RedactedCounts, redactText } from './redaction.ts';
import { createRedactor, type RedactOption, redactorOf } from './redactor.ts';
import { secretPatterns } from './secret-patterns.ts';

async function redacted(text: string, option: RedactOption): Promise<{ text: string; counts: RedactedCounts }> {
  const counts: RedactedCounts = {};
  return { text: await redactText(text, redactorOf(option), { counts }), counts };
}

describe('patterns', () => {
  test('in RE2 syntax are replaced by their kind, and counted', async () => {
    const patterns = ['ACME-[0-9]{4}', { kind: 'email', pattern: '[a-z]+@[a-z]+\\.org' }];
    expect(await redacted('ACME-1234 of ann@example.org and bob@example.org', patterns)).toEqual({
      text: '[REDACTED:custom] of [REDACTED:email] and [REDACTED:email]',
      counts: { custom: 1, email: 2 },
    });
  });

  test('may be replaced by a text of the application', async () => {
    const replacement = (kind: string) => `<${kind}>`;
    const { text } = await redacted('a1b22', { patterns: [{ kind: 'number', pattern: '\\d+' }], replacement });
    expect(text).toBe('a<number>b<number>');
  });

  test('see lines: `^` and `$` match at their ends', async () => {
    expect((await redacted('a\nab\nb', ['^b$', '^ab$'])).text).toBe('a\n[REDACTED:custom]\n[REDACTED:custom]');
  });

  test('that overlap replace the text once', async () => {
    const patterns = [
      { kind: 'one', pattern: 'abcd' },
      { kind: 'two', pattern: 'cdef' },
    ];
    expect(await redacted('-abcdef-', patterns)).toEqual({ text: '-[REDACTED:one]-', counts: { one: 1 } });
    expect((await redacted('-abcdcdef-', patterns)).text).toBe('-[REDACTED:one][REDACTED:two]-');
  });

  test('are replaced line by line, so that lines keep their numbers', async () => {
    const pattern = '(?s)BEGIN.*?END';
    const { text, counts } = await redacted('1\r\n x BEGIN\r\n\r\nsecret\nEND y\n6', [pattern]);
    expect(text).toBe('1\r\n x [REDACTED:custom]\r\n\r\n[REDACTED:custom]\n[REDACTED:custom] y\n6');
    expect(counts).toEqual({ custom: 1 });
  });

  test('that match more than 16 KiB are replaced in pieces', async () => {
    const long = 'x'.repeat(3 * MAX_MATCH_CHARS - 5);
    const { text, counts } = await redacted(`a${long}b${long}c`, ['x+']);
    expect(text).toMatch(/^a(?:\[REDACTED:custom\]){3}b(?:\[REDACTED:custom\]){3}c$/);
    expect(counts).toEqual({ custom: 6 });
  });

  test('are compiled once for each option', () => {
    const option = ['ab+'];
    expect(redactorOf(option)).toBe(redactorOf(option));
  });
});

describe('a wrong option', () => {
  test.each<[unknown, string]>([
    [[], '`redact` must be a list of 1 to 200 patterns; got an array.'],
    ['secret', "`redact` must be a list of patterns, or an object with `patterns`; got 'secret'."],
    [{ pattern: ['a'] }, 'Unknown option `redact.pattern`. Did you mean `patterns`?'],
    [{ patterns: 'a' }, "`redact.patterns` must be a list of 1 to 200 patterns; got 'a'."],
    [{ patterns: ['a'], replacement: '***' }, "`redact.replacement` must be a function; got '***'."],
    [{ patterns: ['a'], replacement: () => 'a\nb' }, '`redact.replacement` must be a function that returns one line'],
    [[/secret-\d+/], "`redact[0]` must be a text in RE2 syntax, not a `RegExp`: 'secret-\\d+'."],
    [['a', 5], '`redact[1]` must be a pattern in RE2 syntax, an object with `kind` and `pattern`, or one of'],
    [[{ kind: 'a b', pattern: 'x' }], '`redact[0].kind` must be a name of letters, digits, `_`, `-`, `.` and `:`'],
    [[{ kind: 'a', regex: 'x' }], 'Unknown option `redact[0].regex`. Known: kind, pattern.'],
    [[''], "`redact[0]` must be a pattern in RE2 syntax; got ''."],
    [['(?=a)b'], '`redact[0]` must be a pattern in RE2 syntax (invalid or unsupported Perl syntax'],
    [['a*'], "`redact[0]` must be a pattern that does not match the empty text; got 'a*'."],
    [['a'.repeat(600)], '`redact[0]` must be a pattern of at most 512 characters'],
    [['(?:[ab]{100}){100}'], '`redact[0]` must be a smaller pattern'],
    [['[ab]{300}'], '`redact[0]` must be a smaller pattern'],
  ])('is refused with its name: %o', (option, message) => {
    expect(() => createRedactor(option as never)).toThrow(InvalidOptionError);
    expect(() => createRedactor(option as never)).toThrow(message);
  });

  test('is accepted if only kinds are left out', () => {
    const withoutTokens = secretPatterns.filter(({ kind }) => kind !== 'jwt');
    expect(() => createRedactor(withoutTokens)).not.toThrow();
  });
});
