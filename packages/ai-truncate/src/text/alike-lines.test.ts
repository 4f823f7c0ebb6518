import { expect, test } from 'vitest';
import { AlikeLines } from './alike-lines.ts';

/** For each line, the first earlier line that is alike and was found twice before. */
function foundIn(lines: readonly string[]): (number | undefined)[] {
  const alike = new AlikeLines<number>();
  return lines.map((line, index) => {
    alike.load(line);
    const known = alike.find(0, alike.length);
    if (known === undefined) alike.remember(index);
    return known ?? undefined;
  });
}

test('lines are alike if only their digits differ', () => {
  expect(foundIn(['job 1 ok', 'job 2 ok', 'job 3 ok', 'job 1 no', 'job 44 ok', 'job 4 ok'])).toEqual([
    ...[undefined, undefined, 1, undefined, undefined, 1],
  ]);
});

test.each([
  ['a digit at the end', 'abc1', 'abc'],
  ['a zero byte instead of a digit', 'a1c', 'a\0c'],
  ['the order of words', 'from east to west', 'from west to east'],
  ['a letter after the digits', '1234x', '1234y'],
  ['characters that are not ASCII', 'größe 1', 'grösse 1'],
  ['digits that are not ASCII', '１2', '２2'],
])('lines that differ in %s are not alike', (_, one, other) => {
  expect(foundIn([one, one, one, other, other])).toEqual([undefined, undefined, 1, undefined, undefined]);
});

test('a table of any number of lines finds the latest ones', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `${'x'.repeat(index % 7)} ${index.toString(36)}y`);
  const alike = new AlikeLines<string>();
  for (const line of [...lines, 'a 1', 'a 2']) {
    alike.load(line);
    if (alike.find(0, alike.length) === undefined) alike.remember(line);
  }
  alike.load('a 3');
  expect(alike.find(0, alike.length)).toBe('a 2');
});
