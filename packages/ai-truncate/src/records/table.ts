import { toCell } from './cell.ts';
import { isoInstant } from './date.ts';
import { RowSplitter } from './rows.ts';

const DELIMITERS = [',', '\t', ';', '|'];
const MAX_SAMPLED_ROWS = 50;
/** Of the sampled rows, how many must have as many cells as the first: prose and logs have commas too. */
const REGULAR_SHARE = 0.8;
const REGULAR_SHARE_OF_FEW = 0.5;
const FEW_ROWS = 10;
const LONG_CELL = 40;
/** Attributes and styles have commas and semicolons in a regular number too. */
const MARKUP = /^\s*<(?:!--|(?:!doctype|\?xml|html|head|body|div|table|svg|rss|feed)\b)/i;
const CLOCK = /\d\d:\d\d:\d\d/;

/** What separates the cells of a text, judged by its beginning; `undefined` when it is no table. */
export function findDelimiter(head: string): string | undefined {
  if (MARKUP.test(head)) return undefined;
  let best: { delimiter: string; share: number; columns: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const rows = sampleRows(head, delimiter);
    const columns = rows[0]?.length ?? 0;
    if (columns < 2) continue;
    const share = rows.filter((row) => row.length === columns).length / rows.length;
    if (share < (rows.length < FEW_ROWS ? REGULAR_SHARE_OF_FEW : REGULAR_SHARE) || isLog(rows[0] ?? [])) continue;
    if (!best || share > best.share || (share === best.share && columns > best.columns))
      best = { delimiter, share, columns };
  }
  return best?.delimiter;
}

/** A log whose lines happen to have as many commas each: a time within a sentence, or before one. */
function isLog(row: readonly string[]): boolean {
  const isSentence = (cell: string): boolean => cell.length > LONG_CELL;
  return row.some((cell) => CLOCK.test(cell) && (isSentence(cell) || (row.length === 2 && row.some(isSentence))));
}

function sampleRows(head: string, delimiter: string): string[][] {
  const splitter = new RowSplitter(delimiter);
  const rows = splitter.push(head);
  // A single row without a line feed is a table too, one of nothing but names.
  return (rows.length > 0 ? rows : new RowSplitter(delimiter).push(`${head}\n`)).slice(0, MAX_SAMPLED_ROWS);
}

export interface TableColumns {
  names: string[];
  /** The first row is names; else it is a record, and the names are made up. */
  hasHeader: boolean;
}

/**
 * The names of the columns. The first row is names unless it holds a number or a date, years aside (a column each); a name
 * that is missing or stands twice gets its number.
 */
export function nameColumns(firstRow: readonly string[]): TableColumns {
  const hasHeader = firstRow.every((cell) => !isDatum(cell.trim()));
  const names = new Set<string>();
  // Which number a name gets next: with a thousand columns of one name nobody counts through all of them again.
  const nextCopies = new Map<string, number>();
  for (const [index, cell] of firstRow.entries()) {
    const wanted = (hasHeader && cell.trim()) || columnName(index);
    let name = wanted;
    let copy = nextCopies.get(wanted) ?? 2;
    while (names.has(name)) name = `${wanted}_${copy++}`;
    nextCopies.set(wanted, copy);
    names.add(name);
  }
  return { names: [...names], hasHeader };
}

export function columnName(index: number): string {
  return `column_${index + 1}`;
}

function isDatum(cell: string): boolean {
  if (/^(?:1[5-9]|2[01])\d\d$/.test(cell)) return false;
  return isoInstant(cell) !== undefined || (cell !== '' && typeof toCell(cell) !== 'string');
}
