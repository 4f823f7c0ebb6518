import { expect, test } from 'vitest';
import { applyPatch } from '../agent/unified-patch';
import { diffRows } from './diff-rows';

const kindsOf = (diff: string[], path: string | undefined = 'price.ts') =>
  diffRows(diff.join('\n'), { path }).map(({ text, kind }) => `${kind} ${text}`);
const change = ['@@ -1,2 +1,2 @@', ' a', '-b', '+c'];
const changed = ['hunk @@ -1,2 +1,2 @@', 'same  a', 'removed -b', 'added +c'];

test('a header that names another file is ignored', () => {
  expect(kindsOf(['--- a/price.ts', '+++ b/price.ts', ...change])).toEqual([
    'file --- a/price.ts',
    'file +++ b/price.ts',
    ...changed,
  ]);
  expect(kindsOf(['diff --git a/README.md b/README.md', '--- a/README.md', '+++ b/README.md', ...change])).toEqual([
    'ignored diff --git a/README.md b/README.md',
    'ignored --- a/README.md',
    'ignored +++ b/README.md',
    ...changed,
  ]);
});

test('a header that almost names the file is ignored', () => {
  expect(kindsOf(['+++ b/price.ts\u200b', '+++ b/price.ts\tREADME.md', ...change]).slice(0, 2)).toEqual([
    'ignored +++ b/price.ts\u200b',
    'ignored +++ b/price.ts\tREADME.md',
  ]);
  expect(kindsOf(['+++ b/undefined'], undefined)).toEqual(['ignored +++ b/undefined']);
});

test('a header inside a hunk is a change like any other, as it is when the patch is applied', () => {
  const forged = [...change, '--- a/README.md', '+++ b/README.md'];
  expect(kindsOf(forged)).toEqual([...changed, 'removed --- a/README.md', 'added +++ b/README.md']);
  expect(applyPatch('a\nb\n-- a/README.md', forged.join('\n'))).toMatchObject({ text: 'a\nc\n++ b/README.md' });
});

test('a hunk header without numbers and a remark about the end of the file are ignored', () => {
  expect(kindsOf(['@@ README.md @@', '+x'])).toEqual(['ignored @@ README.md @@', 'ignored +x']);
  expect(kindsOf([...change, '\\ No newline at end of file'])).toEqual([
    ...changed,
    'ignored \\ No newline at end of file',
  ]);
});
