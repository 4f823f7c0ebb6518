import { expect, test } from 'vitest';
import { toldByCount, toldByLine, toldByNumber, toldByPassage, toldByRecord } from './told.ts';

test('a line tells a fact with any indentation and line number, but not in parts of two lines', () => {
  const isToldBy = toldByLine(['htop', '3.2.2-2']);
  expect(isToldBy('12:   htop    3.2.2-2  amd64')).toBe(true);
  expect(isToldBy('htop 1.0\ntop 3.2.2-2')).toBe(false);
  expect(isToldBy(`htop ${'x'.repeat(2_000)} 3.2.2-2`)).toBe(false);
});

test('a passage of a page counts with and without markup, but only from one place', () => {
  const isToldBy = toldByPassage(['fn retain(&mut self, f: F)']);
  expect(isToldBy('<span class="fn">fn</span> <a href="#x">retain</a>(&amp;mut self, f: F)')).toBe(true);
  expect(isToldBy('fn retain(&mut\n self, f: F)')).toBe(true);
  expect(isToldBy('fn retain_mut(&mut self, f: F)')).toBe(false);
  expect(toldByPassage(['Gipps', 'ed.'])(`Gipps ${'x '.repeat(500)} ed.`)).toBe(false);
});

test('a record tells a fact in any form of JSON, but not with the value of the next record', () => {
  const isToldBy = toldByRecord({ start: '"name":"acorn"', value: '"version":"8.1.0"', within: 60 });
  expect(isToldBy('{ "name": "acorn",\n  "license": "MIT",\n  "version": "8.1.0" }')).toBe(true);
  expect(isToldBy('[{"name":"acorn-walk","version":"8.1.0"}]')).toBe(false);
  expect(isToldBy(`[{"name":"acorn"},${'{"name":"other"},'.repeat(9)}{"version":"8.1.0"}]`)).toBe(false);
});

test('a count is the number directly after its value', () => {
  const isToldBy = toldByCount({ value: 'MIT', count: 2_000 });
  for (const shown of ['MIT 2,000, ISC 7', '"MIT": 2000', 'MIT × 2000']) expect(isToldBy(shown)).toBe(true);
  for (const shown of ['MIT 20000', 'MIT and ISC 2000', 'MIT', 'ISC 2000']) expect(isToldBy(shown)).toBe(false);
});

test('a number is no part of a larger one', () => {
  const isToldBy = toldByNumber(12_345);
  expect(isToldBy('sum 12,345; more')).toBe(true);
  expect(isToldBy('sum 12345.')).toBe(true);
  for (const shown of ['112,345', '12,345,678', '123450', '12345.5']) expect(isToldBy(shown)).toBe(false);
});
