import { Session } from 'node:inspector/promises';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs a call and returns the files below a folder that ran code for it. Load the modules and run the call once before, so that
 * code that runs only at loading does not count.
 *
 * @param {() => Promise<void>} run
 * @param {string} folder
 * @returns {Promise<string[]>} Sorted paths, relative to the folder.
 */
export async function touchedFiles(run, folder) {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Taking the counts sets them back to zero.
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return filesThatRan(result, folder);
  } finally {
    session.disconnect();
  }
}

/**
 * @param {readonly import('node:inspector').Profiler.ScriptCoverage[]} coverage
 * @param {string} folder
 * @returns {string[]}
 */
export function filesThatRan(coverage, folder) {
  const files = new Set();
  for (const { url, functions } of coverage) {
    if (!url.startsWith('file:')) continue;
    const file = relative(folder, fileURLToPath(url));
    const hasRun = functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
    if (hasRun && !file.startsWith('..')) files.add(file.split(sep).join('/'));
  }
  return [...files].sort();
}
