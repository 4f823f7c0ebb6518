import { describe, expect, test } from 'vitest';
import { type ConfigSection, sectionOf, subsectionOf, textOf, wholeNumberOf, wordOf } from './config-section.ts';

const section = (values: Record<string, unknown>, at = 'limits'): ConfigSection => ({ at, values });

describe('a section', () => {
  test('has its values and its place', () => {
    expect(sectionOf({ a: 1 }, { at: 'limits' })).toEqual({ at: 'limits', values: { a: 1 } });
    expect(subsectionOf(section({ tools: { a: 1 } }), 'tools')).toEqual({ at: 'limits.tools', values: { a: 1 } });
    expect(subsectionOf(section({ tools: {} }, ''), 'tools').at).toBe('tools');
  });

  test.each([undefined, null])('is empty if it is %s', (value) => {
    expect(sectionOf(value, { at: 'limits', keys: ['a'] })).toEqual({ at: 'limits', values: {} });
    expect(subsectionOf(section({ tools: value }), 'tools').values).toEqual({});
  });

  test.each([[new Map()], [[]], ['text'], [7], [true], [new Date()]])('is no plain object if it is %o', (value) => {
    expect(() => sectionOf(value, { at: 'limits' })).toThrow('`limits` must be a plain object');
    expect(() => sectionOf(value, { at: '' })).toThrow('`object` must be a plain object');
    expect(() => subsectionOf(section({ tools: value }), 'tools')).toThrow('`limits.tools` must be');
  });

  test('may have known keys only', () => {
    expect(() => sectionOf({ lines: 1 }, { at: 'limits', keys: ['lines'] })).not.toThrow();
    expect(() => sectionOf({ line: 1 }, { at: 'limits', keys: ['lines'] })).toThrow(
      'Unknown key `limits.line`. Did you mean `lines`?',
    );
    const outer = section({ tools: { line: 1 } });
    expect(() => subsectionOf(outer, 'tools', ['lines'])).toThrow('`limits.tools.line`');
  });
});

describe('a setting', () => {
  test('is read by its type', () => {
    const values = section({ count: 5, word: 'head', text: 'gpt' });
    expect(wholeNumberOf(values, 'count', { min: 1 })).toBe(5);
    expect(wordOf(values, 'word', ['head', 'tail'])).toBe('head');
    expect(textOf(values, 'text')).toBe('gpt');
  });

  test.each([[{}], [{ a: null }], [{ a: undefined }]])('is missing in %o', (values) => {
    expect(wholeNumberOf(section(values), 'a', { min: 1 })).toBeUndefined();
    expect(wordOf(section(values), 'a', ['head'])).toBeUndefined();
    expect(textOf(section(values), 'a')).toBeUndefined();
  });

  test.each(['constructor', 'toString', '__proto__'])('is never inherited: %s', (key) => {
    expect(textOf(section({}), key)).toBeUndefined();
    expect(textOf(section(JSON.parse(`{"${key}":"own"}`)), key)).toBe('own');
    expect(subsectionOf(section({}), key).values).toEqual({});
  });

  test.each([[0], [1.5], ['5'], [Number.NaN], [11]])('is no whole number in its range if it is %o', (value) => {
    const read = () => wholeNumberOf(section({ count: value }), 'count', { min: 1, max: 10 });
    expect(read).toThrow('`limits.count` must be');
  });

  test.each([['Head'], [''], [1], [['head']]])('is no known word if it is %o', (value) => {
    expect(() => wordOf(section({ word: value }, ''), 'word', ['head', 'tail'])).toThrow(
      '`word` must be one of head, tail',
    );
  });

  test.each([[''], [7], [{}], [['x']]])('is no text if it is %o', (value) => {
    expect(() => textOf(section({ text: value }), 'text')).toThrow('`limits.text` must be a string');
  });
});
