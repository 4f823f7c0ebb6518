import { describe, expect, test } from 'vitest';
import { findProse, splitSentences } from './prose.mjs';

describe('the prose of a source file', () => {
  test('is its comments, its strings of several words and its test names', () => {
    const source = `// A comment over
// two lines.
import { a } from 'node:fs';
/** An option. */
const b = 'several words of text'; /* A block. */
test('fails', () => throwing("it says so loudly"));`;
    expect(findProse(source)).toEqual([
      { kind: 'comment', line: 1, text: 'A comment over\ntwo lines.' },
      { kind: 'comment', line: 4, text: 'An option.' },
      { kind: 'string', line: 5, text: 'several words of text' },
      { kind: 'comment', line: 5, text: 'A block.' },
      { kind: 'test name', line: 6, text: 'fails' },
      { kind: 'string', line: 6, text: 'it says so loudly' },
    ]);
  });

  test('has the names of test.each, and of groups', () => {
    const source = `describe('a', () => test.each([1, 2])('b %s', run));
test.skip('c', run);`;
    expect(findProse(source).map(({ kind, text }) => [kind, text])).toEqual([
      ['test name', 'a'],
      ['test name', 'b %s'],
      ['test name', 'c'],
    ]);
  });

  test('has no code: neither values in templates, nor patterns, nor samples in JSDoc', () => {
    const source = `/**
 * Makes it.
 *
 * @example
 * // never seen
 *
 * make();
 */
const a = \`one \${\`two \${{ b: '}' }.b} of three four\`} five six\`;
const c = value / 2 / 3; // Divided.
const e = 'for all of it { await work(); }; stop();';
const d = text.replace(/[/'"\`] *\\/\\/ no comment/g, '');`;
    expect(findProse(source).map(({ text }) => text)).toEqual([
      'Makes it.',
      'one … five six',
      'two … of three four',
      'Divided.',
    ]);
  });

  test('has escaped characters as they are', () => {
    expect(findProse(String.raw`const a = 'it isn\'t one\nline';`)[0]?.text).toBe("it isn't one\nline");
  });
});

describe('sentences', () => {
  test('end at a full stop, a question mark or a colon before a capital letter, and at a blank line', () => {
    expect(splitSentences('One of\n1.5 e.g. this. Two? `three`: four\n\nfive')).toEqual([
      'One of 1.5 e.g. this.',
      'Two?',
      '`three`: four',
      'five',
    ]);
  });

  test('start at each tag of JSDoc, without the tag', () => {
    expect(splitSentences('Runs.\n@param {string} name The name. It is short.\n@returns {number} How many.')).toEqual([
      'Runs.',
      'The name.',
      'It is short.',
      'How many.',
    ]);
  });
});
