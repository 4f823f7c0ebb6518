import { CLOSE_ARRAY, CLOSE_OBJECT, JsonScanner, NONE, OPEN_ARRAY, OPEN_OBJECT } from '../json/json-scanner.ts';
import { MAX_KEYS_TO_ARRAY } from './array-finder.ts';
import { delimitedRecords } from './delimited-records.ts';
import { jsonRecords, ndjsonRecords } from './json-records.ts';
import { type Records, textsOf } from './record-text.ts';
import { atOnlyInJsonText, RecordError, wrongPathText } from './record-words.ts';

type RecordFormat = 'json' | 'ndjson' | 'csv';

export interface RecordSourceOptions {
  /** Where the array is; only for JSON. */
  at?: readonly string[] | undefined;
  abortSignal?: AbortSignal | undefined;
}

const HEAD_CHARS = 64 * 1024;
/** A first line that is longer does not tell whether others follow it. */
const LONGEST_HEAD_CHARS = 1024 * 1024;
const MAX_KEYS = 20;
const LONGEST_KEY = 500;

/** The records of an artifact, whatever its format: JSON, NDJSON, CSV or TSV. */
export function readRecords(bytes: AsyncIterable<Uint8Array>, options: RecordSourceOptions = {}): Records {
  let records: Records | undefined;
  async function* read(): AsyncGenerator<unknown[]> {
    const at = checkedPath(options.at);
    const texts = textsOf(bytes);
    try {
      const { head, isWhole } = await readHead(texts);
      const hasPath = at !== undefined && at.length > 0;
      const format = findFormat(head.join('').slice(0, LONGEST_HEAD_CHARS), { isWhole, hasPath });
      // The whole document is what an empty path says too.
      if (format !== 'json' && hasPath) throw new RecordError('not found', atOnlyInJsonText(format));
      const all = rejoin(head, texts);
      const { abortSignal } = options;
      if (format === 'json') records = jsonRecords(all, { at, abortSignal });
      else records = format === 'ndjson' ? ndjsonRecords(all, { abortSignal }) : delimitedRecords(all, { abortSignal });
      yield* records;
    } finally {
      await texts.return(undefined);
    }
  }
  return { [Symbol.asyncIterator]: read, notes: () => records?.notes?.() ?? [] };
}

/** A model gives it. One text is one key, or the keys between its dots. */
function checkedPath(at: unknown): readonly string[] | undefined {
  if (at === undefined || at === null) return undefined;
  const keys: unknown[] | undefined =
    typeof at === 'string' ? at.split('.', MAX_KEYS + 1) : Array.isArray(at) ? at : undefined;
  const isKey = (key: unknown): key is string => typeof key === 'string' && key.length <= LONGEST_KEY;
  if (keys && keys.length <= MAX_KEYS && Array.from(keys).every(isKey)) return keys as string[];
  throw new RecordError('not found', wrongPathText(MAX_KEYS));
}

async function readHead(texts: AsyncIterator<string>): Promise<{ head: string[]; isWhole: boolean }> {
  const head: string[] = [];
  let hasLine = false;
  for (let length = 0; length < (hasLine ? HEAD_CHARS : LONGEST_HEAD_CHARS); ) {
    const { done, value } = await texts.next();
    if (done) return { head, isWhole: true };
    head.push(value);
    length += value.length;
    hasLine ||= value.includes('\n');
  }
  return { head, isWhole: false };
}

async function* rejoin(head: string[], texts: AsyncIterable<string>): AsyncGenerator<string> {
  // Given up one by one: they would otherwise stay in memory as long as the rest is read.
  for (let text = head.shift(); text !== undefined; text = head.shift()) yield text;
  yield* texts;
}

/**
 * The format of records, told from the beginning of an artifact. NDJSON is a value that ends before its line does, with
 * another one in a later line, or a lone object that has no records in it; text without a bracket at its beginning is a
 * table, or nothing that can be read.
 */
function findFormat(text: string, { isWhole, hasPath }: { isWhole: boolean; hasPath: boolean }): RecordFormat {
  const start = text.search(/\S/);
  if (text[start] !== '{' && text[start] !== '[') return 'csv';
  const end = endOfFirstValue(text);
  if (end === undefined) return 'json';
  const rest = text.slice(end);
  if (/^[^\S\n]*\n\s*\S/.test(rest)) return 'ndjson';
  const value = text.slice(start, end);
  return isWhole && !hasPath && text[start] === '{' && rest.trim() === '' && isRecordItself(value) ? 'ndjson' : 'json';
}

/** Where the first value ends, by its brackets; `undefined` when that is beyond the head. */
function endOfFirstValue(text: string): number | undefined {
  const scanner = new JsonScanner();
  scanner.feed(text);
  let depth = 0;
  for (let token = scanner.next(); token !== NONE; token = scanner.next()) {
    if (token === OPEN_ARRAY || token === OPEN_OBJECT) depth++;
    else if ((token === CLOSE_ARRAY || token === CLOSE_OBJECT) && --depth === 0) return scanner.end;
  }
  return undefined;
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
  return keys < MAX_KEYS_TO_ARRAY && Object.values(value).some((member) => holdsRecords(member, keys + 1));
}
