import { RowSplitter } from '../text/delimited-rows.ts';
import { JsonPieces } from './json-pieces.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, JsonScanner, NONE, OPEN_ARRAY, OPEN_OBJECT } from './json-scanner.ts';
import type { Choice } from './record-places.ts';
import { RecordSurvey } from './record-survey.ts';

/** The format of the records of an output. */
export type RecordFormat = { kind: 'json' } | { kind: 'ndjson' } | { kind: 'table'; delimiter: string };

/**
 * The format of records, by the beginning of an output; `undefined` for text without records. NDJSON is a value that ends
 * before its line does, with another one in a later line. Text without a bracket at its beginning is a table or has no records.
 */
export function recordFormat(head: string): RecordFormat | undefined {
  const start = head.search(/\S/);
  if (head[start] === '{' || head[start] === '[') return { kind: isNdjson(head) ? 'ndjson' : 'json' };
  const delimiter = findDelimiter(head);
  return delimiter === undefined ? undefined : { kind: 'table', delimiter };
}

function isNdjson(head: string): boolean {
  const end = endOfFirstValue(head);
  // Only the first line break can match: with a choice, a row of blank lines would be tried from each of them.
  return end !== undefined && /^[^\S\n]*\n\s*\S/.test(head.slice(end));
}

/** The end of the first value, by its brackets; `undefined` for a value that ends after the head. */
function endOfFirstValue(head: string): number | undefined {
  const scanner = new JsonScanner();
  scanner.feed(head);
  let depth = 0;
  for (let token = scanner.next(); token !== NONE; token = scanner.next()) {
    if (token === OPEN_ARRAY || token === OPEN_OBJECT) depth++;
    else if ((token === CLOSE_ARRAY || token === CLOSE_OBJECT) && --depth === 0) return scanner.end;
  }
  return undefined;
}

/** The records of a JSON document, as far as its beginning shows them. */
export function recordsInHead(head: string, at?: readonly string[] | undefined): Choice {
  const text = new JsonPieces();
  text.append(head);
  const survey = new RecordSurvey(text, { at });
  try {
    survey.read();
    return survey.choose();
  } catch {
    return { status: 'none' };
  }
}

/** The beginning of an arriving output. It decides whether the output has records. */
export const LOOKED_AT: number = 32 * 1024;

function lookedAt(output: string): string {
  return output.slice(output.startsWith(BYTE_ORDER_MARK) ? 1 : 0, LOOKED_AT);
}

/** The record format of an output, from its first {@link LOOKED_AT} characters. */
export function formatOfBeginning(output: string): RecordFormat | undefined {
  return recordFormat(lookedAt(output));
}

/** Whether a query finds records in an output that begins so. It decides what a hint says, so it errs on the side of no. */
export function looksLikeRecords(output: string): boolean {
  const head = lookedAt(output);
  const format = recordFormat(head);
  if (format?.kind !== 'json') return format !== undefined;
  const choice = recordsInHead(head);
  if (choice.status !== 'found') return choice.status === 'several';
  return choice.place.kind !== 'document' && choice.place.holds !== 'nothing' && isOfRecords(choice.place);
}

/** A list of numbers or words can be queried too, but rarely needs to be. */
function isOfRecords({ kind, holds }: { kind: string; holds: string }): boolean {
  return kind !== 'items' || holds === 'objects' || holds === 'lists';
}

const BYTE_ORDER_MARK = '\ufeff';
const DELIMITERS = [',', '\t', ';', '|'];
const MAX_SAMPLED_ROWS = 50;
/** The share of sampled rows that have as many cells as the first row, because prose and logs have commas too. */
const REGULAR_SHARE = 0.8;
const REGULAR_SHARE_OF_FEW = 0.51;
const FEW_ROWS = 10;
const LONG_CELL = 40;
/** Attributes and styles have commas and semicolons in a regular number too. */
const MARKUP = /^\s*<(?:!--|(?:!doctype|\?xml|html|head|body|div|table|svg|rss|feed)\b)/i;
const CLOCK = /\d\d:\d\d:\d\d/;
const CLOCK_AND_WORDS = /\d\d:\d\d:\d\d\S{0,20}\s\S{1,40}\s\S/;
/** A time in the format of many loggers, with a comma before the milliseconds. */
const CLOCK_OF_LOG = /^[^\n]{0,40}\d\d:\d\d:\d\d,\d{3}\b/;

/** The separator of the cells of a text, judged by its beginning; `undefined` if it is not a table. */
export function findDelimiter(head: string): string | undefined {
  if (MARKUP.test(head) || CLOCK_OF_LOG.test(head)) return undefined;
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

/** A log whose lines happen to have the same number of commas, for example in a time before a level and words. */
function isLog(row: readonly string[]): boolean {
  const isSentence = (cell: string): boolean => cell.length > LONG_CELL;
  return row.some((cell) => {
    if (CLOCK_AND_WORDS.test(cell)) return true;
    return CLOCK.test(cell) && (isSentence(cell) || (row.length === 2 && row.some(isSentence)));
  });
}

function sampleRows(head: string, delimiter: string): string[][] {
  const fail = (): never => {
    throw noRows;
  };
  try {
    const rows = new RowSplitter(delimiter, { fail }).push(head);
    // A single row without a line feed is also a table, which has only names.
    return (rows.length > 0 ? rows : new RowSplitter(delimiter, { fail }).push(`${head}\n`)).slice(0, MAX_SAMPLED_ROWS);
  } catch (error) {
    if (error === noRows) return [];
    throw error;
  }
}

const noRows = new Error('The text has no rows.');
