// Prints how many source files of the library run for one call, set-up excluded, and fails when a target is missed:
// `pnpm run files-touched`. With `--list`, prints the files too.
import { fileURLToPath } from 'node:url';
import { filesystemPut, grepOfArtifact, oversizedString } from '../packages/ai-truncate/fixtures/typical-calls.ts';
import { printFigures } from './targets.mjs';
import { touchedFiles } from './touched-files.mjs';

const source = fileURLToPath(new URL('../packages/ai-truncate/src', import.meta.url));
const WARM_UP_CALLS = 3;

const measured = [
  { name: 'an oversized string, from execute to the prompt', atMost: 45, files: await filesOf(oversizedString()) },
  { name: 'a call of grepArtifacts', atMost: 32, files: await filesOf(await grepOfArtifact()) },
  { name: 'a put of filesystemStore', atMost: 8, files: await filesOf(filesystemPut()) },
];
const isFewEnough = printFigures(measured.map(({ files, ...figure }) => ({ ...figure, measured: files.length })));

if (process.argv.includes('--list')) {
  for (const { name, files } of measured) console.log(`\n${name}:\n  ${files.join('\n  ')}`);
}
if (!isFewEnough) process.exitCode = 1;

/** @param {import('../packages/ai-truncate/fixtures/typical-calls.ts').TypicalCall} call */
async function filesOf({ run, tidy }) {
  try {
    for (let count = 0; count < WARM_UP_CALLS; count++) await run();
    return await touchedFiles(run, source);
  } finally {
    await tidy?.();
  }
}
