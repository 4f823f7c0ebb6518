import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { ALL_CASES } from '../fixtures/property-runs.ts';
import { thousands } from '../src/text/utf.ts';
import type { LabPromise, LabTrial, TrialSize } from './lab-promise.ts';

const packageDirectory = join(import.meta.dirname, '..');
const vitest = join(packageDirectory, 'node_modules/vitest/vitest.mjs');
const TEST_TIMEOUT_MS = 20 * 60_000;
/** One file is enough to show that the trial works. */
const SMALL_FILE = 'src/preview/truncate-text.property.test.ts';

/** The part of Vitest's JSON report that this trial reads. */
interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: { message: string; assertionResults: { failureMessages: string[] }[] }[];
}

const allCases: LabTrial = {
  name: 'every case of the properties that npm test samples',
  target: '0 properties with a counterexample',
  async run(size) {
    const files = size === 'small' ? [SMALL_FILE] : sampledTestFiles();
    const report = await runVitest(files, size);
    const { numPassedTests: passed, numFailedTests: failed, numFailedTestSuites: broken } = report;
    const first = report.testResults
      .flatMap(({ message, assertionResults }) => [
        ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
        message,
      ])
      .find((message) => message);
    return {
      status: failed + broken === 0 && passed >= files.length ? 'met' : 'missed',
      how: `${files.length} test files that run a sample of their cases in npm test, each property with all its cases, up to 100,000, from a new seed`,
      measured: `${thousands(failed)} of ${thousands(passed + failed)} tests failed${first ? `; first: ${first}` : ''}`,
    };
  },
};

/** Properties that hold for every input, with more inputs than `npm test` has time for. */
export const properties: LabPromise = {
  promise: 'Properties hold for a hundred thousand cases',
  trials: [allCases],
};

function sampledTestFiles(): string[] {
  return readdirSync(join(packageDirectory, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('src', name))
    .filter((path) => readFileSync(join(packageDirectory, path), 'utf8').includes('propertyRuns({'))
    .sort();
}

async function runVitest(files: readonly string[], size: TrialSize): Promise<VitestReport> {
  return inTemporaryDirectory(async (directory) => {
    const report = join(directory, 'report.json');
    const options = ['--reporter=json', `--outputFile=${report}`, `--testTimeout=${TEST_TIMEOUT_MS}`];
    const child = spawn(process.execPath, [vitest, 'run', ...options, ...files], {
      cwd: packageDirectory,
      env: { ...process.env, ...(size === 'full' && { [ALL_CASES]: '1' }) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'close');
    return JSON.parse(await readFile(report, 'utf8'));
  });
}
