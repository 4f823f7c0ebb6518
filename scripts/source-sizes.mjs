import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * How large a folder of TypeScript is. Tests are not counted.
 *
 * @typedef {object} SourceSizes
 * @property {number} files
 * @property {number} medianLines Lines of a file, comments and blank lines included.
 * @property {{ file: string, lines: number }[]} byLines Every file, the largest first.
 * @property {number} codeLines Lines of all files, without comments and blank lines.
 */

/**
 * Measures the source files below a folder, without tests and without `conformance/`.
 *
 * @param {string} folder
 * @returns {SourceSizes}
 */
export function measureSource(folder) {
  const sources = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !/\.test(-d)?\.ts$/.test(file) && !file.startsWith('conformance/'))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
  const byLines = sources
    .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
    .sort((one, other) => other.lines - one.lines || one.file.localeCompare(other.file));
  return {
    files: sources.length,
    medianLines: median(byLines.map(({ lines }) => lines)),
    byLines,
    codeLines: sources.reduce((total, { text }) => total + countCodeLines(text), 0),
  };
}

/**
 * Counts the lines of TypeScript that hold code. The compiler tells code from comments, because only a parser knows whether
 * `//` starts a comment or is part of a string, a template or a regular expression.
 *
 * @param {string} text
 * @returns {number}
 */
export function countCodeLines(text) {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest);
  const lines = text.split(/\r?\n/);
  const withCode = new Set();
  markLines(file);
  return withCode.size;

  /** @param {ts.Node} node */
  function markLines(node) {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    for (const child of children) markLines(child);
    if (children.length > 0 || node.getStart(file) === node.end) return;
    const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
    const last = file.getLineAndCharacterOfPosition(node.end).line;
    for (let line = first; line <= last; line++) {
      if (lines[line]?.trim()) withCode.add(line);
    }
  }
}

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
