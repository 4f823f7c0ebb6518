import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countCodeLines, measureSource } from './source-sizes.mjs';

test('comments and blank lines do not count as code, in any form', () => {
  const text = `// one
/** Two
 * three */

export const four = 4; // five
/* six */ export const seven = 7;
function eight() {
  /*
   nine */
}
// ten`;
  expect(countCodeLines(text)).toBe(4);
});

test('text that looks like a comment in a string, a template or a regular expression is code', () => {
  const text = `const url = 'https://example.com';
const text = \`
// a line of \${'/*' + url} a template
\`;
const pattern = /[/*]/;
const next = '*/';`;
  expect(countCodeLines(text)).toBe(6);
});

test('a statement counts with each of its lines, even with Windows line breaks', () => {
  expect(countCodeLines('call(\r\n  // why\r\n\r\n  first,\r\n);\r\n')).toBe(3);
});

test('a folder is measured without its tests and without the requirement documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'source-sizes-'));
  try {
    mkdirSync(join(folder, 'room'));
    mkdirSync(join(folder, 'conformance'));
    writeFileSync(join(folder, 'index.ts'), 'export {};\n');
    writeFileSync(join(folder, 'room/large.ts'), '// why\nlet a = 1;\n\na = 2;\n');
    writeFileSync(join(folder, 'room/small.ts'), 'let b = 1;\nb = 2;\n');
    for (const name of [
      'room/large.test.ts',
      'room/large.property.test.ts',
      'room/large.test-d.ts',
      'conformance/a.ts',
    ]) {
      writeFileSync(join(folder, name), 'let c = 1;\n'.repeat(100));
    }
    expect(measureSource(folder)).toEqual({
      files: 3,
      medianLines: 2,
      byLines: [
        { file: 'room/large.ts', lines: 4 },
        { file: 'room/small.ts', lines: 2 },
        { file: 'index.ts', lines: 1 },
      ],
      codeLines: 5,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
