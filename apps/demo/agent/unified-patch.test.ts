import { expect, test } from 'vitest';
import { processorMsOf } from '../fixtures/processor-ms';
import { applyPatch } from './unified-patch';

const file = 'one\ntwo\nthree\nfour\nfive\n';

test('a patch changes only the lines that it names', () => {
  expect(applyPatch(file, '--- a/x\n+++ b/x\n@@ -2,2 +2,3 @@\n two\n-three\n+drei\n+dreieinhalb\n')).toEqual({
    status: 'patched',
    text: 'one\ntwo\ndrei\ndreieinhalb\nfour\nfive\n',
    diff: '@@ -2,2 +2,3 @@\n two\n-three\n+drei\n+dreieinhalb',
    linesAdded: 2,
    linesRemoved: 1,
  });
});

test('a hunk counts the lines that earlier hunks added', () => {
  const result = applyPatch(file, '@@ -1,1 +1,2 @@\n one\n+one and a half\n@@ -5,1 +6,1 @@\n-five\n+FIVE');
  expect(result).toMatchObject({ status: 'patched', text: 'one\none and a half\ntwo\nthree\nfour\nFIVE\n' });
});

test('a wrong line number is accepted when the lines occur only once', () => {
  expect(applyPatch(file, '@@ -90,1 +90,1 @@\n-four\n+4')).toMatchObject({
    text: 'one\ntwo\nthree\n4\nfive\n',
    diff: '@@ -4,1 +4,1 @@\n-four\n+4',
  });
  expect(applyPatch('a\na\n', '@@ -90,1 +90,1 @@\n-a\n+b')).toMatchObject({ status: 'conflict' });
});

test('a patch of another version of the file is a conflict, and the conflict names the missing lines', () => {
  expect(applyPatch(file, '@@ -2,1 +2,1 @@\n-zwei\n+2')).toEqual({
    status: 'conflict',
    message: 'The lines of the hunk at line 2 are not in the file as it is now, beginning with "zwei".',
  });
});

test.each([
  ['', 'has no hunk'],
  ['replace two by 2', 'has no hunk'],
  ['@@ -2,1 +2,1 @@\ntwo', 'begins with "t"'],
  ['@@ -2,1 +2,1 @@\n two', 'changes nothing'],
])('%j is not a patch', (patch, reason) => {
  expect(applyPatch(file, patch)).toMatchObject({ status: 'malformed', message: expect.stringContaining(reason) });
});

test('a hunk of repeated lines is applied only if it fits in exactly one place', () => {
  for (let seed = 0; seed < 512; seed++) {
    const lines = Array.from({ length: 9 }, (_, index) => ((seed >> index) & 1 ? 'a' : 'b'));
    for (let start = 0; start < 6; start++) {
      const hunk = lines.slice(start, start + 3 + (seed % 4));
      const places = lines.filter((_, index) => hunk.every((line, offset) => lines[index + offset] === line)).length;
      const patch = ['@@ -90,1 +90,1 @@', ...hunk.map((line) => ` ${line}`), '+end'].join('\n');
      expect(applyPatch(lines.join('\n'), patch).status).toBe(places === 1 ? 'patched' : 'conflict');
    }
  }
});

test('a hunk of thousands of equal lines is placed in linear time', () => {
  const patch = `@@ -90,1 +90,1 @@\n${' \n'.repeat(16_000)} b\n+c`;
  const ms = processorMsOf(() => expect(applyPatch('\n'.repeat(64_000), patch).status).toBe('conflict'));
  expect(ms).toBeLessThan(250);
});

test('a patch of more than 100 hunks is refused', () => {
  expect(applyPatch(file, '@@ -1,1 +1,1 @@\n-no\n+yes\n'.repeat(101))).toMatchObject({ status: 'malformed' });
});
