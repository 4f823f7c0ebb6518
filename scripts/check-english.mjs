// Fails when a comment, a text or the name of a test is not plain English, as far as a pattern can see it.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findStrangeSentences } from './english.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The code of the library and its checks. */
const CHECKED = ['scripts/*.mjs', 'packages/**/*.{ts,mjs}'];
/** Tool outputs, questions about them as people ask, dependencies, and the samples of this check. */
const SKIPPED = [
  '**/{node_modules,dist}/**',
  'packages/ai-truncate/fixtures/corpus/**',
  'packages/ai-truncate/bench/usefulness/written/**',
  'scripts/{english,prose}.test.mjs',
];
/**
 * Parts of sentences that are right as they are, at most 20.
 *
 * @type {string[]}
 */
const ALLOWED = ['Yours, A.', 'ignore what was said before', 'Line numbers are those of readArtifact.'];

let count = 0;
for (const file of globSync(CHECKED, { cwd: root, exclude: SKIPPED }).sort()) {
  for (const { line, sentence, found, use } of findStrangeSentences(readFileSync(`${root}${file}`, 'utf8'))) {
    if (ALLOWED.some((part) => sentence.includes(part))) continue;
    console.error(`${file}:${line}  "${found}": use ${use}\n    ${sentence}`);
    count++;
  }
}
if (count > 0) {
  console.error(`\n${count} places are not plain English. Write these sentences as a native engineer would.`);
  process.exitCode = 1;
}
