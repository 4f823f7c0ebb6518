// Runs every check of this repository in order and stops at the first that fails. It ends with the time of each step, and with one
// line that counts the tests of all runners. This is what CI runs.
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.mjs';
import { formatDuration, stepTimesTable } from './step-times.mjs';
import { readTestReport } from './test-report.mjs';

const reportsFolder = fileURLToPath(new URL('../test-results/', import.meta.url));

/** @typedef {{ heading: string, command: string[], report?: string, folder?: string, env?: Record<string, string> }} Step */

/** @type {Step[]} */
const steps = [
  { heading: 'Lint and format', command: ['pnpm', 'run', 'lint'] },
  { heading: 'One copy of the AI SDK', command: ['pnpm', 'run', 'single-copies'] },
  { heading: 'Dead code', command: ['pnpm', 'run', 'dead-code'] },
  { heading: 'Import directions', command: ['pnpm', 'run', 'import-directions'] },
  { heading: 'Types of every package', command: ['pnpm', 'run', 'typecheck'] },
  vitestStep('Tests of the scripts', 'scripts'),
  vitestStep('Tests of the library', 'packages/ai-truncate'),
  vitestStep('Tests of the demo', 'apps/demo'),
  { heading: 'Build', command: ['pnpm', 'run', 'build'] },
  { heading: 'The package as it is published', command: ['pnpm', 'run', 'check-package'] },
  { heading: 'The package as it is installed', command: ['pnpm', 'run', 'check-installed-package'] },
  // By itself: it measures.
  vitestStep('The lab and the benchmarks, at small size', 'packages/ai-truncate', ['--config', 'vitest.lab.config.ts']),
  playwrightStep('End to end in Chromium'),
];

const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {import('./step-times.mjs').StepTime[]} */
const times = [];
rmSync(reportsFolder, { recursive: true, force: true });
mkdirSync(reportsFolder);

for (const step of steps) {
  console.log(`\n=== ${step.heading} ===\n`);
  const startedAt = performance.now();
  const hasPassed = await passes(step);
  const elapsedMs = performance.now() - startedAt;
  times.push({ heading: step.heading, elapsedMs });
  console.log(`\n${step.heading}: ${formatDuration(elapsedMs)}`);
  if (!hasPassed) {
    console.error(`\nStopped: "${step.heading}" failed.`);
    process.exitCode = 1;
    break;
  }
}

console.log(`\n${stepTimesTable(times)}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);

/**
 * Runs one step and adds its tests to the total.
 *
 * @param {Step} step
 */
async function passes({ command: [command = '', ...commandArguments], report, folder, env }) {
  const exitCode = await runCommand(command, commandArguments, { cwd: folder, env: { ...process.env, ...env } });
  const counts = report ? readTestReport(report) : undefined;
  total.passed += counts?.passed ?? 0;
  total.failed += counts?.failed ?? 0;
  total.skipped += counts?.skipped ?? 0;

  const ranNoTest = report !== undefined && !(counts && counts.passed + counts.failed > 0);
  if (ranNoTest) {
    console.error('\nNot one test ran.');
  }
  const failed = exitCode !== 0 || ranNoTest;
  if (failed && !counts?.failed) {
    // A check that is not a test, or a runner that broke: without this the closing line would say that nothing failed.
    total.failed += 1;
  }
  return !failed;
}

/**
 * @param {string} heading
 * @param {string} folder
 * @param {string[]} [options]
 * @returns {Step}
 */
function vitestStep(heading, folder, options = []) {
  const report = `${reportsFolder}${heading.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // Through pnpm, so that tests find the commands of their own package.
  return { heading, command: ['pnpm', 'exec', 'vitest', 'run', ...options, ...reporters], folder, report };
}

/**
 * @param {string} heading
 * @returns {Step}
 */
function playwrightStep(heading) {
  const report = `${reportsFolder}e2e.json`;
  const command = ['pnpm', 'run', 'e2e', '--reporter=list,json'];
  return { heading, command, report, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } };
}
