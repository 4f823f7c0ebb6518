/**
 * - `broken`: the text breaks the rules of its format.
 * - `too large`: one record is larger than can be read without standing still.
 * - `not found`: there are no records where they were looked for.
 * - `no table`: the text is in no format that has records.
 */
export type RecordProblem = 'broken' | 'too large' | 'not found' | 'no table';

/** Why records cannot be read, in words for the model that asked. Never leaves the readers: they turn it into an answer. */
export class RecordError extends Error {
  readonly problem: RecordProblem;

  constructor(problem: RecordProblem, message: string) {
    super(message);
    this.name = 'RecordError';
    this.problem = problem;
  }
}

/** An array of the document, by the keys that lead to it. */
export interface FoundArray {
  at: string[];
  holdsObjects: boolean;
}

// What a model reads when records cannot be found. Short, and each names the next step.

export function noArrayText(arrays: readonly FoundArray[], at: readonly string[] | undefined): string {
  const where = at === undefined ? 'The JSON has no array of objects' : `There is no array at ${shownPath(at)}`;
  if (arrays.length === 0) return `${where}${at === undefined ? '' : ', nor is there another array of objects'}.`;
  return `${where}. Arrays that exist: ${listed(arrays)}. Name one with \`at\`.`;
}

export function severalArraysText(arrays: readonly FoundArray[]): string {
  return `The JSON has several arrays of objects: ${listed(arrays)}. Name one with \`at\`.`;
}

function listed(arrays: readonly FoundArray[]): string {
  const names = arrays.map(({ at, holdsObjects }) => `${shownPath(at)}${holdsObjects ? '' : ' (no objects)'}`);
  return [...new Set(names)].join(', ');
}

function shownPath(at: readonly string[]): string {
  return JSON.stringify(at.map((key) => (key.length > 60 ? `${key.slice(0, 60)}…` : key)));
}

export const noTableText: string = 'This is no JSON, and no table either: its lines have no regular number of cells.';

export function tooManyColumnsText(columns: number): string {
  return `A row has ${columns} cells: too many for a table.`;
}

export function raggedText({ short, long }: { short: number; long: number }): string {
  const rows = [short > 0 ? `${short} rows have fewer cells` : '', long > 0 ? `${long} rows have more cells` : ''];
  return `${rows.filter(Boolean).join(' and ')} than the first row.`;
}

export function atOnlyInJsonText(format: string): string {
  return `\`at\` is only for JSON; this is ${format.toUpperCase()}, whose records are its ${format === 'ndjson' ? 'lines' : 'rows'}. Leave \`at\` out.`;
}

export function wrongPathText(maxKeys: number): string {
  return `\`at\` must be a list of at most ${maxKeys} keys, such as ["data", "items"]: the way to the array of records in the JSON.`;
}
