/** @typedef {{ heading: string, elapsedMs: number }} StepTime */

/**
 * The time of each step in the order in which they ended, and the total below a line. The total is less than the sum of the steps
 * when some of them ran side by side.
 *
 * @param {readonly StepTime[]} times
 * @param {number} totalMs
 */
export function stepTimesTable(times, totalMs) {
  const rows = [...times, { heading: 'Total', elapsedMs: totalMs }].map(({ heading, elapsedMs }) => ({
    heading,
    duration: formatDuration(elapsedMs),
  }));
  const headingWidth = Math.max(...rows.map(({ heading }) => heading.length));
  const durationWidth = Math.max(...rows.map(({ duration }) => duration.length));
  const lines = rows.map(
    ({ heading, duration }) => `${heading.padEnd(headingWidth)}  ${duration.padStart(durationWidth)}`,
  );
  return lines.toSpliced(-1, 0, '-'.repeat(headingWidth + 2 + durationWidth)).join('\n');
}

/**
 * Whole seconds, and minutes when there are any: `7 s`, `2 min 05 s`.
 *
 * @param {number} elapsedMs
 */
export function formatDuration(elapsedMs) {
  const seconds = Math.round(elapsedMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
