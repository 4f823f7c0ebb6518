import { expect, test } from 'vitest';
import { plainText } from './plain-text';

test.each([
  ['colours', '\u001b[31mFAIL\u001b[0m cart', 'FAIL cart'],
  ['links of a terminal', '\u001b]8;;javascript:alert(1)\u001b\\here\u001b]8;;\u001b\\', 'here'],
  ['Windows line ends', 'one\r\ntwo', 'one\ntwo'],
])('%s are left out', (_name, text, shown) => {
  expect(plainText(text)).toBe(shown);
});

test('text that would run backwards is made visible', () => {
  expect(plainText('safe\u202etxt.exe')).toBe('safe\\u202etxt.exe');
});

test('tabs, line feeds and letters of any language stay', () => {
  expect(plainText('a\tb\nžluť 猫')).toBe('a\tb\nžluť 猫');
});
