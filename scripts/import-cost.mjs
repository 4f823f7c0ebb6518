// Prints what an import of the built library costs a cold Node on top of `ai`: `pnpm run import-cost`. Fails when the root
// entry costs more than its target. A busy machine says too much: only the fastest of many processes counts.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { printFigures } from './targets.mjs';

const ROUNDS = 21;
const MOST_ROOT_MS = 25;
const library = fileURLToPath(new URL('../packages/ai-truncate', import.meta.url));

const fastest = { ai: Number.POSITIVE_INFINITY, root: Number.POSITIVE_INFINITY, ui: Number.POSITIVE_INFINITY };
for (let round = 0; round < ROUNDS; round++) {
  const withRoot = coldImports('./dist/index.js');
  const withUi = coldImports('./dist/ui.js');
  fastest.ai = Math.min(fastest.ai, withRoot.aiMs, withUi.aiMs);
  fastest.root = Math.min(fastest.root, withRoot.entryMs);
  fastest.ui = Math.min(fastest.ui, withUi.entryMs);
}

const isCheapEnough = printFigures([
  { name: 'milliseconds of ai-truncate on top of ai', measured: fastest.root, atMost: MOST_ROOT_MS },
]);
const percent = Math.round((100 * fastest.root) / fastest.ai);
console.log(`\nai itself takes ${fastest.ai.toFixed(1)} ms, so ai-truncate adds ${percent} %.`);
console.log(`ai-truncate/ui takes ${fastest.ui.toFixed(1)} ms on top of ai.`);
if (!isCheapEnough) process.exitCode = 1;

/**
 * Imports `ai` and then an entry of the library in a fresh Node, and answers how long each took.
 *
 * @param {string} entry
 * @returns {{ aiMs: number, entryMs: number }}
 */
function coldImports(entry) {
  const program = `
    const started = performance.now();
    await import('ai');
    const between = performance.now();
    await import('${entry}');
    console.log(JSON.stringify({ aiMs: between - started, entryMs: performance.now() - between }));`;
  // Inside the package, so that Node finds `ai`.
  const options = /** @type {const} */ ({ cwd: library, encoding: 'utf8' });
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], options));
}
