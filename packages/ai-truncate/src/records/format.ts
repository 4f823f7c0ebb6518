export type RecordFormat = 'json' | 'ndjson' | 'csv' | 'tsv';

/** The keys on the way to an array of records: see `ArrayFinder`. */
const MAX_KEYS = 3;

/**
 * The format of records, told from the beginning of an artifact. NDJSON is a value that ends before its line does, with
 * another one in a later line, or a lone object that has no records in it; text without a bracket at its beginning is a table, or nothing that can be read.
 */
export function findFormat(
  head: Uint8Array,
  { isWhole, hasPath }: { isWhole: boolean; hasPath: boolean },
): RecordFormat {
  const text = new TextDecoder().decode(head);
  const start = text.search(/\S/);
  if (text[start] !== '{' && text[start] !== '[') return looksLikeLines(text) ? 'ndjson' : 'csv';
  const end = endOfValue(text, start);
  if (end === undefined) return 'json';
  const rest = text.slice(end);
  if (/^[^\S\n]*\n\s*\S/.test(rest)) return 'ndjson';
  const value = text.slice(start, end);
  return isWhole && !hasPath && text[start] === '{' && rest.trim() === '' && isRecordItself(value) ? 'ndjson' : 'json';
}

/** Where the first value ends, by its brackets; `undefined` when that is beyond the head. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Strings, one a line: `"a"\n"b"`. A table whose first cell is quoted has more in its line. */
function looksLikeLines(text: string): boolean {
  const lines = text.split('\n', 3).filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.slice(0, 2).every((line) => isParsed(line));
}

function isParsed(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'string';
  } catch {
    return false;
  }
}

/** A single line of NDJSON: an object without an array of objects that could be meant. */
function isRecordItself(text: string): boolean {
  try {
    return !holdsRecords(JSON.parse(text), 0);
  } catch {
    return false;
  }
}

function holdsRecords(value: unknown, keys: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return typeof value[0] === 'object' && value[0] !== null && !Array.isArray(value[0]);
  return keys < MAX_KEYS && Object.values(value).some((member) => holdsRecords(member, keys + 1));
}
