import { expect, test } from 'vitest';
import { findStrangeSentences } from './english.mjs';

test.each([
  '// Of text it also has lines with errors.',
  '/** What holds by default. */',
  "test('what is too large is cut', run);",
  '// It starts. Where it ends, a line follows.',
  '// So does the other.',
  '// One that fails is tried again.',
  '// The reason stands in the answer.',
  '// The listener is told about each output.',
  '// It tells of errors.',
  '// The file lies in the folder.',
  '// Some results come past.',
  '// Gives a copy back.',
  '// It is read anew.',
  '// The byte behind the last line.',
  '// A file beside another.',
  "throw new Error('There is nobody to ask');",
  '// A key that is none.',
  '// Deletes what was saved.',
  '// Only for who may read it.',
  '// A preview, and all of it in the store.',
  '// Longer than those that fit, or the one before.',
  '// A name of ours.',
  '// A limit of its own.',
  '// A request of a visitor.',
  '// The store keeps an output.',
  '// The notice is for the page.',
  '// The model reads the notice.',
  '// Measures the answer of a tool.',
])('an unusual sentence is found: %s', (source) => {
  expect(findStrangeSentences(source)).toHaveLength(1);
});

test.each([
  "const question = 'What failed in the checkout?';",
  '// A file is left behind.',
  '// The server is behind a proxy.',
  '// N stands for a number; the two can be told apart.',
  '// A store that lies about sizes.',
  '// Prints the one line that matters, and those lines only.',
  '// Each package has commands of its own package manager.',
  '// Shows what it does, and what happens next.',
  '// Keeps the order, and `what is kept` of `nobody`.',
  "import { anew } from './beside/nobody.ts';",
  'const behind = what + nobody;',
])('a usual sentence is not: %s', (source) => {
  expect(findStrangeSentences(source)).toEqual([]);
});

test('the line, the words and their replacement are named', () => {
  expect(findStrangeSentences('\n\n// Fine. A key stands alone.')).toEqual([
    { line: 3, sentence: 'A key stands alone.', found: 'stands', use: '"is", "is in"' },
  ]);
});
