import { expect, test } from 'vitest';
import { isMet } from './targets.mjs';

test('a figure may be as large as its target, not larger', () => {
  expect([9, 10, 11].map((measured) => isMet({ name: 'files', measured, atMost: 10 }))).toEqual([true, true, false]);
});

test('a figure may be as small as its target, not smaller', () => {
  expect([9, 10, 11].map((measured) => isMet({ name: 'lines', measured, atLeast: 10 }))).toEqual([false, true, true]);
});
