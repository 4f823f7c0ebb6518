import { RecordError, type RecordProblem } from '../json/json-pieces.ts';
import type { JsonList, RecordPlace } from '../json/record-places.ts';
import { thousands } from '../text/utf.ts';

/** Why records could not be read; `undefined` for an error of another kind. */
export function recordProblem(error: unknown): { problem: RecordProblem; message: string } | undefined {
  return error instanceof RecordError ? error : undefined;
}

// Texts for the model about records that cannot be found. They are short, and name the next step.

export function noArrayText(places: readonly RecordPlace[], at: readonly string[] | undefined): string {
  const missing =
    at === undefined ? 'The JSON has no list of records' : `There is no list of records at ${shownPath(at)}`;
  if (places.length === 0) return `${missing}${at === undefined ? '' : ', or at any other place'}.`;
  return `${missing}. Records are at: ${listed(places)}. Name one with \`at\`.`;
}

export function severalArraysText(places: readonly RecordPlace[]): string {
  return `The JSON has records at several places: ${listed(places)}. Name one with \`at\`.`;
}

export function otherPlacesText(places: readonly RecordPlace[]): string {
  return `Other records, for \`at\`: ${listed(places)}.`;
}

function listed(places: readonly RecordPlace[]): string {
  return [...new Set(places.map((place) => `${shownPath(place.at)} (${sizeOf(place)})`))].join(', ');
}

function sizeOf({ kind, holds, count, names }: RecordPlace): string {
  if (kind === 'columns') return `columns of ${thousands(count)}`;
  if (kind === 'members') return `${thousands(count)} by key`;
  return `${thousands(count)}${holds === 'objects' || names ? '' : ' without names'}`;
}

function shownPath(at: readonly string[]): string {
  return JSON.stringify(at.map((key) => (key.length > 60 ? `${key.slice(0, 60)}…` : key)));
}

const MAX_SHOWN_PLACE = 120;

/** The place of records in an answer; `undefined` for the items of a document. */
export function placeName({ at, rest = [], kind }: Pick<RecordPlace, 'at' | 'rest' | 'kind'>): string | undefined {
  const name = [...at, ...rest].join('.');
  if (name === '') return kind === 'document' ? 'the whole document' : undefined;
  return `\`${name.length > MAX_SHOWN_PLACE ? `${name.slice(0, MAX_SHOWN_PLACE)}…` : name}\``;
}

/** Facts about how records were read, in addition to their place. */
export function recordNotes(
  { kind, rest, columns: all = [] }: RecordPlace,
  { columns = [], hasHeaderRow }: { columns?: readonly JsonList[] | undefined; hasHeaderRow: boolean },
): string[] {
  const notes: string[] = [];
  if (kind === 'document') notes.push('The document has no list of records, so it is read as one record.');
  if (kind === 'columns' && columns.length < all.length)
    notes.push(`Rows show ${columns.length} of ${all.length} columns; name others with \`select\`.`);
  if (hasHeaderRow) notes.push('The first row has the names of the fields.');
  if (rest) notes.push('Fields of the record around an item: `parent.<name>`.');
  return notes;
}

export function tooManyColumnsUsedText(columns: number, most: number): string {
  return `The query needs ${thousands(columns)} columns at once, but at most ${most} can be read. Name fewer columns.`;
}

export const noTableText: string =
  'This is neither JSON nor a table, because its lines do not have a regular number of cells.';

export function tooManyColumnsText(columns: number): string {
  return `A row has ${thousands(columns)} cells, which is too many for a table.`;
}

export function raggedText({ short, long }: { short: number; long: number }): string {
  const rows = [short > 0 ? `${rowsHave(short)} fewer cells` : '', long > 0 ? `${rowsHave(long)} more cells` : ''];
  return `${rows.filter(Boolean).join(' and ')} than the first row.`;
}

function rowsHave(count: number): string {
  return count === 1 ? '1 row has' : `${thousands(count)} rows have`;
}

export const atInTableText: string = 'The records of a table are its rows, which have no lists inside. Leave `at` out.';

export function noListInLinesText(at: readonly string[]): string {
  return `No line has a list at ${shownPath(at)}. The records of NDJSON are its lines. Leave \`at\` out, or name a list in each line.`;
}

export function wrongPathText(maxKeys: number): string {
  return `\`at\` must be a list of at most ${maxKeys} keys that lead to the array of records in the JSON, such as ["data", "items"].`;
}
