import { pace } from '../pace.ts';
import { ArrayFinder } from './array.ts';
import { type BorderOptions, RecordBorders } from './borders.ts';
import { RecordBuffer } from './buffer.ts';
import { inPieces, withoutByteOrderMark } from './chunks.ts';
import { findBroken, parseRecords } from './parse.ts';
import { RecordError } from './record-error.ts';
import { noArrayText, severalArraysText } from './record-words.ts';

/** With more, one record could be a step that stands still: see `MAX_WEIGHT` of the borders too. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;

export interface JsonRecordsOptions {
  /**
   * The keys that lead to the array, outermost first; `[]` is the document itself. With duplicate keys the first array wins.
   * @default the only array of objects that at most three keys lead to
   */
  at?: readonly string[] | undefined;
  /** @default 8 MB */
  maxRecordBytes?: number;
  abortSignal?: AbortSignal | undefined;
}

/**
 * The records of one array inside JSON bytes, some hundred at a time: the document is never in memory. Borders are found
 * in the bytes, records are parsed natively, so each record is what `JSON.parse` gives for it, except that integers beyond
 * 2^53 are a `bigint`. Anything else is a `RecordError` that names the byte: a comma without a record, a bracket that does
 * not match, an end inside, text after the end, several arrays that could be meant.
 *
 * @example
 * for await (const records of jsonRecords(bytes, { at: ['features'] })) count += records.length;
 */
export async function* jsonRecords(
  bytes: AsyncIterable<Uint8Array>,
  options: JsonRecordsOptions = {},
): AsyncGenerator<unknown[]> {
  const { at, maxRecordBytes = MAX_RECORD_BYTES, abortSignal } = options;
  const finder = new ArrayFinder(at);
  const records = new RecordReader({ separator: 'comma', maxRecordBytes });
  const { buffer } = records;
  for await (const piece of pace(withoutByteOrderMark(inPieces(bytes)), { abortSignal })) {
    buffer.append(piece);
    if (!finder.found) {
      const length = buffer.length;
      const place = finder.scan(buffer.bytes, { from: 0, length, base: buffer.base });
      buffer.discard(place);
    }
    if (finder.found && !records.isClosed) {
      const batch = records.read();
      if (records.isClosed) finder.leaveRecords();
      if (batch) yield batch;
    }
    if (records.isClosed) {
      finder.scan(buffer.bytes, { from: 0, length: buffer.length, base: buffer.base });
      buffer.discard(buffer.length);
    }
  }
  if (finder.found && !records.isClosed)
    throw new RecordError(
      'broken',
      `The JSON ends inside the array of records, after record ${records.count}: it is cut off.`,
    );
  finder.finish();
  if (!finder.found) throw new RecordError('not found', noArrayText(finder.arrays, at));
  const meant = finder.arrays.filter(({ holdsObjects }) => holdsObjects);
  if (!at && finder.found.at.length > 0 && meant.length > 1)
    throw new RecordError('not found', severalArraysText(meant));
}

/**
 * The records of NDJSON: one JSON value a line. Blank lines are skipped; a broken line is a `RecordError` that names it,
 * also one whose value goes on in the next line.
 */
export async function* ndjsonRecords(
  bytes: AsyncIterable<Uint8Array>,
  options: Omit<JsonRecordsOptions, 'at'> = {},
): AsyncGenerator<unknown[]> {
  const { maxRecordBytes = MAX_RECORD_BYTES, abortSignal } = options;
  const records = new RecordReader({ separator: 'newline', maxRecordBytes });
  for await (const piece of pace(withoutByteOrderMark(inPieces(bytes)), { abortSignal })) {
    records.buffer.append(piece);
    const batch = records.read();
    if (batch) yield batch;
  }
  const last = records.finish();
  if (last) yield last;
}

/** Batches of whole records out of a buffer. */
class RecordReader {
  readonly buffer: RecordBuffer = new RecordBuffer();
  readonly #borders: RecordBorders;
  readonly #isLines: boolean;
  // A mark that is not the first thing of the document belongs to a text.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #scanned = 0;
  /** Records handed on. */
  count = 0;

  constructor(options: BorderOptions) {
    this.#isLines = options.separator === 'newline';
    this.#borders = new RecordBorders(options);
  }

  get isClosed(): boolean {
    return this.#borders.isClosed;
  }

  read(): unknown[] | undefined {
    const { bytes, length, base } = this.buffer;
    this.#scanned = this.#borders.scan(bytes, { from: this.#scanned, length, base });
    return this.#take();
  }

  finish(): unknown[] | undefined {
    this.#borders.finish(this.buffer.length);
    return this.#take();
  }

  #take(): unknown[] | undefined {
    const { start, end } = this.#borders;
    const batch = end < 0 ? undefined : this.#parse(this.buffer.bytes.subarray(start, end));
    const done = this.#borders.take(this.#scanned);
    this.buffer.discard(done);
    this.#scanned -= done;
    return batch;
  }

  #parse(bytes: Uint8Array): unknown[] {
    const text = this.#decoder.decode(bytes);
    const { count, hasEscapedKey, start, startLine } = this.#borders;
    try {
      const records = parseRecords(text, { count, hasEscapedKey });
      this.count += records.length;
      return records;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const { index, lines, place, reason } = findBroken(bytes);
      const name = this.#isLines
        ? `Line ${startLine + lines}`
        : `Record ${this.count + index + 1} (at byte ${this.buffer.base + start + place})`;
      throw new RecordError('broken', `${name} is no JSON: ${reason}`);
    }
  }
}
