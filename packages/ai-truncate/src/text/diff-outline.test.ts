import { expect, test } from 'vitest';
import { DiffOutline } from './diff-outline.ts';
import { LineStarts, type Outline } from './outline.ts';

function outlineOf(text: string, { isNamed = false } = {}): Outline | undefined {
  const diff = new DiffOutline();
  const lines = new LineStarts((start, line) => diff.read(start, line));
  lines.push(text);
  lines.finish();
  return diff.finish({ isNamed });
}

const hunk = '@@ -1,3 +1,4 @@ function pay()\n same\n-old\n+new\n+--- a/also new\n same\n';

test('an outline of a diff has files with their changes, and hunks', () => {
  const text = `diff --git a/src/pay.ts b/src/pay.ts\nindex 1..2 100644\n--- a/src/pay.ts\n+++ b/src/pay.ts\n${hunk}@@ -9 +10,0 @@\n-gone\n\\ No newline at end of file\ndiff --git a/old.png b/new.png\nsimilarity index 100%\n`;
  expect(outlineOf(text)).toEqual({
    entries: [
      { text: 'src/pay.ts', line: 1, level: 1, changes: { added: 2, removed: 2 } },
      { text: '@@ -1,3 +1,4 @@ function pay()', line: 5, level: 2 },
      { text: '@@ -9 +10,0 @@', line: 11, level: 2 },
      { text: 'diff --git a/old.png b/new.png', line: 14, level: 1, changes: { added: 0, removed: 0 } },
    ],
    count: 4,
    files: 2,
  });
});

test('in a diff of other tools, no separate line names a file', () => {
  const text = `--- a.txt\t2026-11-20\n+++ b.txt\t2026-11-20\n${hunk}--- gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`;
  expect(outlineOf(text)?.entries.map(({ text, line }) => [text, line])).toEqual([
    ['+++ b.txt\t2026-11-20', 2],
    ['@@ -1,3 +1,4 @@ function pay()', 3],
    ['--- gone.txt', 9],
    ['@@ -1 +0,0 @@', 11],
  ]);
});

test.each([
  ['prose about a diff', 'diff --git a/x b/x\nThe header of a hunk is @@ -1 +1 @@, and then\n--- a\n+++ b\nfollow.'],
  ['hunks with other lines than they say', `diff --git a/x b/x\n${'@@ -1,9 +1,9 @@\n same\nno\n'.repeat(9)}`],
  ['a text with a small diff in it', `${'a line of a log\n'.repeat(50)}diff --git a/x b/x\n${hunk}`],
  ['a hunk without a file', hunk],
])('%s has no outline', (_, text) => {
  expect(outlineOf(text)).toBeUndefined();
});

test('a name lets a diff have more text around it', () => {
  const text = `${'a line of a message\n'.repeat(9)}diff --git a/x b/x\n${hunk}`;
  expect(outlineOf(text)).toBeUndefined();
  expect(outlineOf(text, { isNamed: true })?.count).toBe(2);
});
