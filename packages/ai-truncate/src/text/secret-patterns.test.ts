import { describe, expect, test } from 'vitest';
import { corpusNames, readCorpus } from '../../fixtures/corpus.ts';
import { pick, secretMakers, seededRandom } from '../../fixtures/planted-secrets.ts';
import { processorMsOf } from '../../fixtures/processor-time.ts';
import { MAX_MATCH_CHARS, type RedactedCounts, redactText } from './redaction.ts';
import { redactorOf, rulesOf } from './redactor.ts';
import { secretPatterns } from './secret-patterns.ts';

const redactor = redactorOf(secretPatterns);
const before = [
  '',
  'x ',
  '"',
  "'",
  '=',
  '(',
  '\\n',
  '%3D',
  '\u001b[31m',
  '\\u001b[1;31m',
  '>',
  ',',
  'token:',
  '\t',
  '\n',
];
const behind = ['', ' y', '"', "'", ')', '\\n', '<', '\n', ',', '. ', '&x=1', '\u001b[0m', '\\"'];

describe('a secret in the format of its vendor', () => {
  test.each(Object.entries(secretMakers))('is found whatever is around it: %s', async (kind, make) => {
    const random = seededRandom(kind.length);
    for (let round = 0; round < 100; round++) {
      const { text, hidden } = make(random);
      const around = pick(random, before) + text + pick(random, behind);
      const redacted = await redactText(around, redactor);
      for (const each of hidden) expect(redacted, around).not.toContain(each);
    }
  });

  test('is found after a word if its first character belongs to no word', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'aB3/'.repeat(16)}\n-----END PRIVATE KEY-----`;
    const line = '[REDACTED:private-key]';
    expect(await redactText(`the key${key}`, redactor)).toBe(`the key${line}\n${line}\n${line}`);
  });

  test('is not searched in a longer word', async () => {
    const text = `x${secretMakers['GitHub token']?.(seededRandom(1)).text} disk-${'a1'.repeat(20)}`;
    expect(await redactText(text, redactor)).toBe(text);
  });

  test.each([
    'postgres://user:password@localhost/shop',
    'https://example.org/a:b@c',
    'mysql://root:$DB_PASSWORD@db',
    'Authorization: Bearer $ACCESS_TOKEN',
    'authorization: getAuthorizationHeaderOf(request)',
    'Authorization: Bearer <token>',
    'const key = "-----BEGIN PRIVATE KEY-----";',
    '//registry.npmjs.org/:_authToken=$NPM_TOKEN',
    'Server=db;Password={0};',
  ])('is not seen in an example: %s', async (text) => {
    expect(await redactText(text, redactor)).toBe(text);
  });

  test('with an end that never comes is replaced as far as its lines go', async () => {
    const lines = Array.from({ length: 3 }, (_, index) => String(index).repeat(64));
    const text = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, 'and then a text.'].join('\n');
    const line = '[REDACTED:private-key]';
    expect(await redactText(text, redactor)).toBe([line, line, line, line, 'and then a text.'].join('\n'));
  });
});

/** The repeats of an expression, and whether one is inside another. */
function repeatsOf(source: string): { open: string[]; nested: string[] } {
  const plain = source.replace(/\\./g, 'x').replace(/\[(?:[^\]])*\]/g, 'c');
  const open = plain.match(/[*+]|\{\d+,\}/g) ?? [];
  const nested: string[] = [];
  const groups: number[] = [];
  for (let at = 0; at < plain.length; at++) {
    if (plain[at] === '(') groups.push(at);
    if (plain[at] !== ')') continue;
    const inner = plain.slice(groups.pop() ?? 0, at + 1).replace(/^\((?:\?(?:[:=!]|<[=!]))?/, '');
    const repeat = /^\{(\d+)(?:,(\d+))?\}/.exec(plain.slice(at + 1));
    // The only repeats around a repeat have a fixed character at their end, so a text matches in one way.
    const isFixed = /^c\{\d+,\d+\} \)$/.test(inner);
    if (repeat && /\{\d+,\d+\}/.test(inner) && !isFixed && Number(repeat[2] ?? repeat[1]) > 2) nested.push(inner);
  }
  return { open, nested };
}

describe('the expressions of the table run in V8, so each of them', () => {
  const sources = secretPatterns.flatMap((pattern) =>
    rulesOf(pattern).map(({ before: name = '', rest }) => [pattern.kind, name + rest] as const),
  );

  test.each(sources)('has an end for every repeat, and no repeat in a repeat: %s %s', (_, source) => {
    expect(repeatsOf(source)).toEqual({ open: [], nested: [] });
  });

  test('the check itself sees such expressions', () => {
    expect(repeatsOf('a+').open).toEqual(['+']);
    expect(repeatsOf('(?:a{1,5}b{1,5}){1,9}').nested).toHaveLength(1);
  });

  test.each([
    'eyJ-',
    'eyJa.eyJa.',
    'eyJa.eyJ-',
    'sk-',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\\n',
    '://a:',
    '://',
    'SG.a',
    'Authorization: ',
    'Authorization: Bearer 1',
    'sig=',
    'hvs.-',
    'AKIA',
    'essionToken=',
    '-us',
    '.atlasv1.',
    ';Password=',
    'key-',
    'xoxb-1-',
    'glpat-',
    '-api-key=',
    'Bearer ',
    'a:AA',
    '1Q~',
  ])('takes little time for a text that repeats %s', async (part) => {
    const text = part.repeat(Math.ceil(300_000 / part.length));
    const took = await processorMsOf(() => redactText(text, redactor));
    // 4 MB/s. The worst text takes a fifth of this.
    expect(took).toBeLessThan(75);
  });
});

test('no line of the corpus looks like a secret', async () => {
  const counts: RedactedCounts = {};
  for (const name of corpusNames) await redactText(readCorpus(name), redactor, { counts });
  expect(counts).toEqual({});
});

test('no secret is longer than the text that is held back for it', () => {
  expect(MAX_MATCH_CHARS).toBe(16 * 1024);
});
