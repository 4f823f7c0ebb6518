import type { Records } from './batches.ts';
import { delimitedRecords } from './delimited-records.ts';
import { findFormat, type RecordFormat } from './format.ts';
import { jsonRecords, ndjsonRecords } from './json-records.ts';
import { RecordError } from './record-error.ts';
import { atOnlyInJsonText, wrongPathText } from './record-words.ts';

export interface RecordSourceOptions {
  /** Where the array is; only for JSON. */
  at?: readonly string[] | undefined;
  /** @default told from the beginning of the content */
  format?: RecordFormat | undefined;
  abortSignal?: AbortSignal | undefined;
}

const HEAD_BYTES = 64 * 1024;
/** A first line that is longer does not tell whether others follow it. */
const LONGEST_HEAD_BYTES = 1024 * 1024;
const LINE_FEED = 10;
const MAX_KEYS = 20;
const LONGEST_KEY = 500;

/** The records of an artifact, whatever its format: JSON, NDJSON, CSV or TSV. */
export function readRecords(bytes: AsyncIterable<Uint8Array>, options: RecordSourceOptions = {}): Records {
  let records: Records | undefined;
  async function* read(): AsyncGenerator<unknown[]> {
    const at = checkedPath(options.at);
    const source = bytes[Symbol.asyncIterator]();
    try {
      const { head, isWhole } = await readHead(source);
      const format = options.format ?? findFormat(join(head), { isWhole, hasPath: at !== undefined && at.length > 0 });
      records = open(format, { bytes: rejoin(head, source), options: { ...options, at } });
      yield* records;
    } finally {
      await source.return?.();
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

interface Opening {
  bytes: AsyncIterable<Uint8Array>;
  options: RecordSourceOptions;
}

function open(format: RecordFormat, { bytes, options }: Opening): Records {
  const { at, abortSignal } = options;
  if (format === 'json') return jsonRecords(bytes, { at, abortSignal });
  // The whole document is what an empty path says too.
  if (at && at.length > 0) throw new RecordError('not found', atOnlyInJsonText(format));
  if (format === 'ndjson') return ndjsonRecords(bytes, { abortSignal });
  return delimitedRecords(bytes, { delimiter: format === 'tsv' ? '\t' : undefined, abortSignal });
}

async function readHead(source: AsyncIterator<Uint8Array>): Promise<{ head: Uint8Array[]; isWhole: boolean }> {
  const head: Uint8Array[] = [];
  let hasLine = false;
  for (let length = 0; length < (hasLine ? HEAD_BYTES : LONGEST_HEAD_BYTES); ) {
    const { done, value } = await source.next();
    if (done) return { head, isWhole: true };
    head.push(value);
    length += value.length;
    hasLine ||= value.includes(LINE_FEED);
  }
  return { head, isWhole: false };
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const bytes = new Uint8Array(Math.min(LONGEST_HEAD_BYTES, length));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - at), at);
    at = Math.min(bytes.length, at + chunk.length);
  }
  return bytes;
}

async function* rejoin(head: Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Given up one by one: they would otherwise stay in memory as long as the rest is read.
  for (let chunk = head.shift(); chunk; chunk = head.shift()) yield chunk;
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
}
