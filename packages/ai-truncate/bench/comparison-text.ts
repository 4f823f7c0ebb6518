import { cell } from '../lab/figures.ts';
import type { Cell, ComparedRow, Comparison, Rival, Timed } from './compare.ts';
import { MEGABYTE } from './inputs.ts';
import { table } from './measure.ts';

export interface ComparisonText {
  /** The measured operation, in a sentence or two. */
  caption: string;
  /** The row whose times are absolute. All other times are multiples of it. Without it, all times are absolute. */
  base?: string;
  /** Every rival is also compared with this row, which does more than they do. */
  alsoWith?: Rival;
  /** Shows the bytes per second of the base. */
  tellsThroughput?: boolean;
}

/** Two times with a higher ratio than this count as equal. */
const SAME = 0.95;

/**
 * A comparison as a table that shows how the time of each row grows. Below it is a list of the cases in which a rival is
 * faster, with the reasons.
 */
export function comparisonText(
  comparison: Comparison,
  { caption, base, alsoWith, tellsThroughput = false }: ComparisonText,
): string {
  const { columns, rows, rounds } = comparison;
  const baseRow = rows.find(({ name }) => name === base);
  if (base !== undefined && !baseRow) throw new Error(`No row "${base}" to compare with.`);
  const grows = new Set(columns.map(({ bytes }) => bytes)).size > 1;
  const cellsOf = (row: ComparedRow): string[] => [
    row.name,
    ...row.cells.map((each, at) => {
      if ('without' in each) return each.without;
      const { milliseconds } = each;
      const bytes = tellsThroughput ? (columns[at]?.bytes ?? 0) : 0;
      if (!baseRow || row === baseRow) return timeText(milliseconds) + throughputText(bytes, milliseconds);
      const base = timedOf(baseRow.cells[at]);
      const ratio = ratioText(milliseconds / base.milliseconds);
      return areApart(each, base) ? ratio : `~${ratio}`;
    }),
    ...(grows ? [growthText(comparison, row)] : []),
  ];
  const lastCells = ['rounds', ...rounds.map(String), ...(grows ? [''] : [])];
  const head = ['', ...columns.map(({ name }) => name), ...(grows ? ['growth'] : [])];
  const lines = [...rows.map(cellsOf), lastCells].map((line) => line.map(cell));
  const wins = rows.flatMap((row) => {
    const rivals = row.rival ? [row.rival, alsoWith] : [];
    return rivals.flatMap((rival) => (rival ? winText(comparison, row, rival) : []));
  });
  return [caption, table(head.map(cell), lines), ...(wins.length > 0 ? [wins.join('\n')] : [])].join('\n\n');
}

function timedOf(each: Cell | undefined): Timed {
  const nothing = { milliseconds: Number.NaN, low: Number.NaN, high: Number.NaN };
  return each && 'milliseconds' in each ? each : nothing;
}

/** Whether the middle halves of the rounds of both do not overlap. A smaller difference may be chance. */
function areApart(one: Timed, other: Timed): boolean {
  return one.high < other.low || one.low > other.high;
}

/**
 * How much longer the largest input takes than an input of a megabyte, for which fixed costs are small, and how much larger it
 * is.
 */
function growthText({ columns }: Comparison, { cells }: ComparedRow): string {
  const measured = cells.flatMap((each, at) => {
    const bytes = columns[at]?.bytes ?? Number.NaN;
    return 'milliseconds' in each ? [{ bytes, milliseconds: each.milliseconds }] : [];
  });
  const last = measured.at(-1);
  const first = measured.find(({ bytes }) => bytes >= MEGABYTE && bytes < (last?.bytes ?? 0)) ?? measured[0];
  if (!first || !last || first === last) return '';
  return `${ratioText(last.milliseconds / first.milliseconds)} for ${ratioText(last.bytes / first.bytes)}`;
}

/** Derived from the figures. Empty if the rival is never faster. */
function winText({ columns, rows }: Comparison, { name, cells }: ComparedRow, rival: Rival): string[] {
  const ours = rows.find((row) => row.name === rival.of);
  if (!ours) throw new Error(`"${name}" is compared with "${rival.of}", which is not a row.`);
  const wins = cells.flatMap((each, at) => {
    const [theirs, own] = [timedOf(each), timedOf(ours.cells[at])];
    const ratio = theirs.milliseconds / own.milliseconds;
    return ratio < SAME && areApart(theirs, own) ? [`${columns[at]?.name} (${ratioText(ratio)})`] : [];
  });
  if (wins.length === 0) return [];
  return [`- **${name} is faster** than ${rival.of} at ${wins.join(', ')}: ${rival.because}.`];
}

function ratioText(ratio: number): string {
  if (ratio >= 10) return `×${Math.round(ratio).toLocaleString('en-US')}`;
  return `×${ratio >= 0.095 ? ratio.toFixed(2) : ratio.toPrecision(2)}`;
}

function timeText(milliseconds: number): string {
  if (milliseconds < 0.001) return `${threeDigits(milliseconds * 1_000_000)} ns`;
  if (milliseconds < 1) return `${threeDigits(milliseconds * 1000)} µs`;
  return milliseconds < 1000 ? `${threeDigits(milliseconds)} ms` : `${threeDigits(milliseconds / 1000)} s`;
}

function throughputText(bytes: number, milliseconds: number): string {
  return bytes < MEGABYTE ? '' : `, ${threeDigits((bytes / MEGABYTE / milliseconds) * 1000)} MB/s`;
}

function threeDigits(number: number): string {
  return number < 100 ? number.toPrecision(3) : Math.round(number).toLocaleString('en-US');
}
