// Prints how large the source of the library is, and fails when a target is missed: `pnpm run house`.
import { fileURLToPath } from 'node:url';
import { measureSource } from './source-sizes.mjs';
import { printFigures } from './targets.mjs';

const MOST_FILE_LINES = 300;
const LARGEST_SHOWN = 10;

const { files, medianLines, byLines, codeLines } = measureSource(
  fileURLToPath(new URL('../packages/ai-truncate/src', import.meta.url)),
);
const isSmallEnough = printFigures([
  { name: 'source files', measured: files, atMost: 260 },
  { name: 'median lines of a file', measured: medianLines, atLeast: 70 },
  { name: 'lines of the largest file', measured: byLines[0]?.lines ?? 0, atMost: MOST_FILE_LINES },
  { name: 'lines of code, without comments and blanks', measured: codeLines, atMost: 17_500 },
]);

const tooLong = byLines.filter(({ lines }) => lines > MOST_FILE_LINES);
const shown = byLines.slice(0, Math.max(LARGEST_SHOWN, tooLong.length));
console.log(
  `\nThe largest files:\n${shown.map(({ file, lines }) => `${String(lines).padStart(5)}  ${file}`).join('\n')}`,
);
if (!isSmallEnough) {
  console.error('\nMerge what does the same, or delete what is no longer needed. Do not write longer lines.');
  process.exitCode = 1;
}
