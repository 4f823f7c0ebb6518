import { expect, test } from 'vitest';
import { foldWord, Words } from './words.ts';

function wordsOf(text: string): string[] {
  const words = new Words();
  words.read(text, { from: 0, to: text.length });
  const found: string[] = [];
  while (words.next()) found.push(text.slice(words.start, words.end));
  return found;
}

test.each([
  ['order 48215 failed', ['order', '48215', 'failed']],
  ['licenseKey license_key LICENSE-KEY', ['license', 'Key', 'license', 'key', 'LICENSE', 'KEY']],
  ['HTTPServer parseURL2', ['HTTP', 'Server', 'parse', 'URL2']],
  ['2026-11-20T06:07:04Z', ['2026', '11', '20', '06', '07', '04']],
  ['src/pay.ts:88:11 - TS2345', ['src', 'pay', 'ts', '88', '11', 'TS2345']],
  ['5 Tests, 5T and 5Z', ['5', 'Tests', '5T', 'and', '5']],
  ['größte Änderung', ['größte', 'Änderung']],
  ['支付网关 拒', ['支付', '付网', '网关', '拒']],
  ['ログin', ['ログ', 'in']],
  ['🚀deploy🚀', ['deploy']],
  ['', []],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test.each([
  ['fails', 'failed', 'failing', 'fail', 'Fail', 'FAILED'],
  ['retry', 'retries', 'retried'],
  ['stop', 'stopped', 'stopping', 'stops'],
  ['charge', 'charges', 'charged'],
  ['process', 'processes', 'processed'],
  ['ｔｉｍｅｏｕｔ', 'timeout', 'timeouts'],
])('%s and its other forms are the same word', (...forms) => {
  expect(new Set(forms.map(foldWord)).size).toBe(1);
});

test('words of other meaning stay apart', () => {
  const words = ['status', 'state', 'order', 'payment', 'page', 'past', '2026', '2025'];
  expect(new Set(words.map(foldWord)).size).toBe(words.length);
});

test('the same word has the same spelling wherever it is, and other words have others', () => {
  const spellings = (text: string) => {
    const words = new Words();
    words.read(text, { from: 0, to: text.length });
    const found: number[] = [];
    while (words.next()) found.push(words.spelling);
    return found;
  };
  const [first, second, third, fourth] = spellings('04 ok 04 26');
  expect(first).toBe(third);
  expect(new Set([first, second, fourth]).size).toBe(3);
});

test('the spelling of a word has no character of the next one', () => {
  const words = new Words();
  const spellingOf = (text: string) => {
    words.read(text, { from: 0, to: text.length });
    words.next();
    return words.spelling;
  };
  expect(spellingOf('HTTPServer')).toBe(spellingOf('HTTP'));
  expect(spellingOf('HTTPServer')).not.toBe(spellingOf('HTTPS'));
});
