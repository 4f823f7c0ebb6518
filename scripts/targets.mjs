/**
 * A figure and its target: either `atMost` or `atLeast`.
 *
 * @typedef {{ name: string, measured: number, atMost?: number, atLeast?: number }} Figure
 */

/**
 * Prints figures next to their targets.
 *
 * @param {readonly Figure[]} figures
 * @returns {boolean} Whether every target is met.
 */
export function printFigures(figures) {
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const figure of figures) {
    const { name, measured, atMost, atLeast } = figure;
    const target = atMost === undefined ? `at least ${format(atLeast ?? 0)}` : `at most ${format(atMost)}`;
    console.log(
      `${isMet(figure) ? 'met   ' : 'MISSED'}  ${name.padEnd(width)}  ${format(measured)} (target: ${target})`,
    );
  }
  return figures.every(isMet);
}

/**
 * @param {Figure} figure
 * @returns {boolean}
 */
export function isMet({ measured, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }) {
  return measured <= atMost && measured >= atLeast;
}

/** @param {number} value */
function format(value) {
  return value.toLocaleString('en', { maximumFractionDigits: 1 });
}
