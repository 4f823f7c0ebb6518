import { expect, test } from 'vitest';
import { processorMsOf } from '../fixtures/processor-ms';
import { shownText, textSegments } from './text-segments';

const esc = '\u001b';

test('colours of a terminal become classes, and end where they end', () => {
  expect(textSegments(`a ${esc}[1;31mFAIL${esc}[0m b`)).toEqual([
    { text: 'a ', kind: 'plain', className: '' },
    { text: 'FAIL', kind: 'plain', className: 'text-failure font-semibold' },
    { text: ' b', kind: 'plain', className: '' },
  ]);
});

test('the numbers of 256-colour and 24-bit sequences are not read as other colours', () => {
  expect(textSegments(`${esc}[38;5;31mx`)).toEqual([{ text: 'x', kind: 'plain', className: '' }]);
  expect(textSegments(`${esc}[38;2;31;1;4;32my`)).toEqual([{ text: 'y', kind: 'plain', className: 'text-success' }]);
});

test.each([
  ['a colour', `${esc}[31mFAIL${esc}[0m cart`, 'FAIL cart'],
  ['Windows line ends', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['words in a link of a terminal', `${esc}]8;;pay the bill${esc}\\click`, 'U+001B]8;;pay the billU+001B\\click'],
  ['words in a title over lines', `${esc}]0;delete\nall\u0007 safe`, 'U+001B]0;delete\nallU+0007 safe'],
  ['a title that never ends', `before${esc}]0;title`, 'beforeU+001B]0;title'],
  ['words in a string for a device', `${esc}Psecret${esc}\\`, 'U+001BPsecretU+001B\\'],
  ['sequences of eight bits', '\u009d0;secret\u009c \u009b5000E', 'U+009D0;secretU+009C U+009B5000E'],
  ['numbers in a cursor movement', `pay ${esc}[5000E`, 'pay U+001B[5000E'],
  ['numbers that are no colour', `${esc}[31415926m`, 'U+001B[31415926m'],
  ['a carriage return at the end', 'windows\r', 'windows'],
  ['a carriage return inside', 'good\rbad', 'goodU+000Dbad'],
  ['text that runs backwards', 'safe\u202etxt.exe', 'safeU+202Etxt.exe'],
  ['tag characters', 'x\u{e0041}y', 'xU+E0041y'],
  ['bytes in variation selectors', 'x\u{e0141}😀\ufe0f\ufe0f', 'xU+E0141😀\ufe0fU+FE0F'],
  ['fillers and joiners that nothing needs', 'a\u3164b\u034fc\u200dd', 'aU+3164bU+034FcU+200Dd'],
  ['composed emoji', '👩\u200d💻 ✔\ufe0f 1\ufe0f\u20e3', '👩\u200d💻 ✔\ufe0f 1\ufe0f\u20e3'],
  ['half of a character', 'x\ud83dy', 'xU+D83Dy'],
  ['line separators', 'a\u2028b\u0085c', 'aU+2028bU+0085c'],
  ['a lone escape', `x${esc}`, 'xU+001B'],
  ['tabs and other scripts', 'a\tžluť 猫', 'a\tžluť 猫'],
  ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
])('%s is shown for what it is', (_, line, shown) => {
  expect(shownText(line)).toBe(shown);
});

test('a text with 50,000 hidden characters is drawn completely, in about 2,000 elements', () => {
  const segments = textSegments('a\u200b'.repeat(50_000));
  expect(segments.length).toBeLessThan(2_100);
  expect(segments.map(({ text }) => text).join('')).toBe('aU+200B'.repeat(50_000));
});

test.each([`${esc}[`.repeat(50_000), `${esc}]`.repeat(50_000), `${esc}[${'1;'.repeat(50_000)}m`])(
  'a text of unfinished sequences takes linear time (%#)',
  (text) => {
    expect(processorMsOf(() => textSegments(text))).toBeLessThan(500);
  },
);
