// Runs every check of this repository and stops at the first that fails. It ends with the time of each step, and with one line
// that counts the tests of all runners. This is what CI runs.
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { collectCommand, runCommand } from './run-command.mjs';
import { runStages } from './run-stages.mjs';
import { formatDuration, stepTimesTable } from './step-times.mjs';
import { readTestReport } from './test-report.mjs';

const reportsFolder = fileURLToPath(new URL('../test-results/', import.meta.url));

/** @typedef {{ heading: string, command: string[], report?: string, folder?: string, env?: Record<string, string> }} Step */

/**
 * A stage starts when the previous stage has ended. Its lanes run side by side, because many steps wait for a registry, a server or a
 * time limit. A lane that measures, or that fills two processors, is alone in its stage.
 *
 * @type {Step[][][]}
 */
const stages = [
  [
    [
      { heading: 'Lint and format', command: ['pnpm', 'run', 'lint'] },
      { heading: 'One copy of the AI SDK', command: ['pnpm', 'run', 'single-copies'] },
      { heading: 'Dead code', command: ['pnpm', 'run', 'dead-code'] },
      { heading: 'Import directions', command: ['pnpm', 'run', 'import-directions'] },
      vitestStep('Tests of the scripts', 'scripts'),
    ],
    [{ heading: 'Types of every package', command: ['pnpm', 'run', 'typecheck'] }],
  ],
  [
    [vitestStep('Tests of the library', 'packages/ai-truncate')],
    [
      { heading: 'Build', command: ['pnpm', 'run', 'build'] },
      { heading: 'The package as it is published', command: ['pnpm', 'run', 'check-package'] },
      { heading: 'The package as it is installed', command: ['pnpm', 'run', 'check-installed-package'] },
      vitestStep('Tests of the demo', 'apps/demo'),
    ],
  ],
  // By itself: it measures.
  [
    [
      vitestStep('The lab and the benchmarks, at small size', 'packages/ai-truncate', [
        '--config',
        'vitest.lab.config.ts',
      ]),
    ],
  ],
  [[playwrightStep('End to end in Chromium')]],
];

const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {import('./step-times.mjs').StepTime[]} */
const times = [];
rmSync(reportsFolder, { recursive: true, force: true });
mkdirSync(reportsFolder);

const startedAt = performance.now();
const failedStep = await runStages(stages, runStep);
if (failedStep) {
  console.error(`\nStopped: "${failedStep.heading}" failed.`);
  process.exitCode = 1;
}
console.log(`\n${stepTimesTable(times, performance.now() - startedAt)}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);

/**
 * Runs one step, prints its output in one piece, and adds its tests to the total. The output of a step that is alone appears while
 * the step runs.
 *
 * @param {Step} step
 * @param {{ isAlone: boolean, signal: AbortSignal }} context
 */
async function runStep(step, { isAlone, signal }) {
  const { heading, folder, env, report } = step;
  const [command = '', ...commandArguments] = step.command;
  const startedAt = performance.now();
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { cwd: folder, env: { ...process.env, ...env }, signal };
  let exitCode;
  if (isAlone) {
    console.log(`\n=== ${heading} ===\n`);
    exitCode = await runCommand(command, commandArguments, options);
  } else {
    console.log(`Started: ${heading}`);
    const ended = await collectCommand(command, commandArguments, options);
    exitCode = ended.exitCode;
    const result = signal.aborted ? 'Interrupted, because another step failed.' : ended.output;
    console.log(`\n=== ${heading} ===\n\n${result}`);
  }
  const elapsedMs = performance.now() - startedAt;
  console.log(`\n${heading}: ${formatDuration(elapsedMs)}\n`);
  times.push({ heading, elapsedMs });
  return !signal.aborted && hasPassed(exitCode, report);
}

/**
 * @param {number} exitCode
 * @param {string} [report] The file with the test report of the step, when the step is a test runner.
 */
function hasPassed(exitCode, report) {
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
