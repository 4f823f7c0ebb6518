import { expect, test } from 'vitest';
import { shownText, textSegments } from './text-segments';

const esc = '\u001b';

test('colours of a terminal become classes, and end where they end', () => {
  expect(textSegments(`a ${esc}[1;31mFAIL${esc}[0m b`)).toEqual([
    { text: 'a ', kind: 'plain', className: '' },
    { text: 'FAIL', kind: 'plain', className: 'text-failure font-semibold' },
    { text: ' b', kind: 'plain', className: '' },
  ]);
});

test('a colour of 256 or of 16 million does not turn its numbers into others', () => {
  expect(textSegments(`${esc}[38;5;31mx`)).toEqual([{ text: 'x', kind: 'plain', className: '' }]);
  expect(textSegments(`${esc}[38;2;31;1;4;32my`)).toEqual([{ text: 'y', kind: 'plain', className: 'text-success' }]);
});

test.each([
  ['a link of a terminal', `${esc}]8;;javascript:alert(1)${esc}\\click${esc}]8;;${esc}\\`, 'click'],
  ['a title that never ends', `before${esc}]0;title`, 'before'],
  ['cursor movements', `${esc}[2J${esc}[1;1Hhome`, 'home'],
  ['a carriage return at the end', 'windows\r', 'windows'],
  ['a carriage return inside', 'good\rbad', 'goodU+000Dbad'],
  ['text that runs backwards', 'safe\u202etxt.exe', 'safeU+202Etxt.exe'],
  ['tag characters', 'x\u{e0041}y', 'xU+E0041y'],
  ['a lone escape', `x${esc}`, 'xU+001B'],
  ['tabs and other scripts', 'a\tžluť 猫', 'a\tžluť 猫'],
  ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
])('%s is shown as what it is', (_, line, shown) => {
  expect(shownText(line)).toBe(shown);
});

test('what was written to be slow takes no time', () => {
  const startedAt = performance.now();
  textSegments(`${esc}[`.repeat(50_000));
  textSegments(`${esc}]`.repeat(50_000));
  textSegments(`${esc}[${'1;'.repeat(50_000)}m`);
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
