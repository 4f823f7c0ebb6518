import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LITERAL,
  MAX_DEPTH,
  NONE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  STRING,
} from '../json/json-scanner.ts';
import { pace } from '../pace.ts';
import { firstChars } from '../text/utf.ts';
import { ArrayFinder } from './array-finder.ts';
import { isInteger, MAX_SAFE_DIGITS, type RecordCare, readCarefully } from './exact-json.ts';
import { RecordText } from './record-text.ts';
import { noArrayText, RecordError, type RecordProblem, severalArraysText } from './record-words.ts';

/** With more, one record could be a step that stands still. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;
/** What one record may cost to parse: a hundred thousand keys are one long step, however few bytes they are. */
const MAX_WEIGHT = 1_000_000;
const KEY_WEIGHT = 40;
const CONTAINER_WEIGHT = 10;
const MAX_REASON = 160;

export interface JsonRecordsOptions {
  /**
   * The keys that lead to the array, outermost first; `[]` is the document itself. With duplicate keys the first array wins.
   * @default the only array of objects that at most three keys lead to
   */
  at?: readonly string[] | undefined;
  abortSignal?: AbortSignal | undefined;
}

/**
 * The records of one array inside JSON text, some hundred at a time: the document is never in memory. Borders are found by
 * the scanner, records are parsed natively, so each record is what `JSON.parse` gives for it, except that integers beyond
 * 2^53 are a `bigint`. Anything else is a `RecordError` that names the byte: a comma without a record, a bracket that does
 * not match, an end inside, text after the end, several arrays that could be meant.
 *
 * @example
 * for await (const records of jsonRecords(textsOf(bytes), { at: ['features'] })) count += records.length;
 */
export async function* jsonRecords(
  texts: AsyncIterable<string>,
  options: JsonRecordsOptions = {},
): AsyncGenerator<unknown[]> {
  const { at, abortSignal } = options;
  const text = new RecordText();
  const finder = new ArrayFinder(text, at);
  const records = new RecordReader(text, { isLines: false });
  for await (const piece of pace(texts, { abortSignal })) {
    text.append(piece);
    if (!finder.found) finder.read();
    if (finder.found && !records.isClosed) {
      records.read();
      const batch = records.take();
      if (records.isClosed) finder.leaveRecords();
      if (batch) yield batch;
    }
    if (records.isClosed) finder.read();
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
  texts: AsyncIterable<string>,
  options: Omit<JsonRecordsOptions, 'at'> = {},
): AsyncGenerator<unknown[]> {
  const { abortSignal } = options;
  const text = new RecordText();
  const records = new RecordReader(text, { isLines: true });
  for await (const piece of pace(texts, { abortSignal })) {
    text.append(piece, 0);
    for (let from = 0; from <= piece.length; ) {
      const newline = piece.indexOf('\n', from);
      const end = newline < 0 ? piece.length : newline;
      text.scanner.extend(end);
      records.read();
      if (newline >= 0) records.endLine();
      from = end + 1;
    }
    const batch = records.take();
    if (batch) yield batch;
  }
  records.endLine();
  const last = records.take();
  if (last) yield last;
}

/** A record in the text. */
type RecordPlace = RecordCare & {
  start: number;
  end: number;
  /** Counted from 1; only where lines are records. */
  line: number;
};

/**
 * Finds where records end, and takes whole ones. Whether a record is right is judged by the parser. A right document is
 * always cut right; a wrong cut of a broken one cannot pass the parser.
 */
class RecordReader {
  readonly #text: RecordText;
  readonly #isLines: boolean;
  #depth = 0;
  #weight = 0;
  #line = 1;
  #isAfterComma = false;
  #open: RecordPlace | undefined;
  /** The whole records that were not taken yet. */
  #whole: RecordPlace[] = [];

  /** The bracket of the array was reached. */
  isClosed = false;
  /** Records taken. */
  count = 0;

  constructor(text: RecordText, { isLines }: { isLines: boolean }) {
    this.#text = text;
    this.#isLines = isLines;
  }

  /** Reads on, to the limit of the scanner or right behind the array. */
  read(): void {
    const { scanner } = this.#text;
    let depth = this.#depth;
    let weight = this.#weight;
    for (let token = scanner.next(); token !== NONE; token = scanner.next()) {
      if (token === COMMA) {
        weight++;
        if (depth > 0) continue;
        this.#endBeforeComma(scanner.start);
        weight = 0;
        continue;
      }
      if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) {
        if (depth-- > 0) continue;
        this.#close(token, scanner.start);
        return;
      }
      const record = this.#open ?? this.#openRecord();
      if (token === COLON) {
        weight += KEY_WEIGHT;
        // The last string was the key.
        if (scanner.escapeUnits > 0) record.hasEscapedKey = true;
      } else if (token === LITERAL) {
        if (scanner.end - scanner.start > MAX_SAFE_DIGITS && isInteger(scanner.raw)) record.hasLongInteger = true;
      } else if (token === OPEN_ARRAY || token === OPEN_OBJECT) {
        weight += CONTAINER_WEIGHT;
        if (++depth > MAX_DEPTH) throw this.#error('too large', `is nested deeper than ${MAX_DEPTH} levels`);
      }
    }
    if (scanner.open !== NONE) this.#open ??= this.#openRecord();
    this.#depth = depth;
    this.#weight = weight;
    if (weight > MAX_WEIGHT) throw this.#error('too large', 'has too many members for one record');
  }

  /** Ends a line, or the text, which may end without a line feed. */
  endLine(): void {
    const { scanner } = this.#text;
    // A literal that ends with its line is no token of `read`.
    if (this.#open && scanner.open === LITERAL)
      this.#open.hasLongInteger ||= scanner.end - scanner.start > MAX_SAFE_DIGITS;
    scanner.endLiteral();
    if (this.#depth > 0 || scanner.open === STRING) throw this.#error('broken', 'is not closed at the end of its line');
    this.#endRecord(scanner.end);
    this.#line++;
    this.#weight = 0;
  }

  /** The whole records; all but an open one is done with. */
  take(): unknown[] | undefined {
    const batch = this.#whole.length === 0 ? undefined : this.#parse(this.#whole);
    this.#whole = [];
    this.#text.discardTo(this.#open?.start ?? this.#text.scanner.end);
    if (this.#open && this.#text.keptBytes > MAX_RECORD_BYTES)
      throw this.#error('too large', `is larger than ${MAX_RECORD_BYTES} bytes`);
    return batch;
  }

  #parse(places: readonly RecordPlace[]): unknown[] {
    const [first, last] = [places[0] as RecordPlace, places.at(-1) as RecordPlace];
    try {
      const text = this.#isLines
        ? places.map((place) => this.#textOf(place)).join(',')
        : this.#textOf({ start: first.start, end: last.end });
      // Brackets around a giant would be a copy of it.
      const records = places.length === 1 ? [JSON.parse(text)] : (JSON.parse(`[${text}]`) as unknown[]);
      for (const [index, place] of places.entries()) {
        if (place.hasEscapedKey || place.hasLongInteger)
          records[index] = readCarefully(this.#textOf(place), { ...place, parsed: records[index] });
      }
      this.count += places.length;
      return records;
    } catch (error) {
      throw error instanceof SyntaxError ? this.#parserError(places) : error;
    }
  }

  #textOf({ start, end }: { start: number; end: number }): string {
    return this.#text.slice(start, end);
  }

  /** Names the first record that the parser refuses. */
  #parserError(places: readonly RecordPlace[]): RecordError {
    const reasons = places.map((place) => reasonOf(this.#textOf(place)));
    const broken = Math.max(0, reasons.findIndex(Boolean));
    const { start, line } = places[broken] as RecordPlace;
    const name = this.#isLines
      ? `Line ${line}`
      : `Record ${this.count + broken + 1} (at byte ${this.#text.byteAt(start)})`;
    return new RecordError('broken', `${name} is no JSON: ${reasons[broken] ?? 'a bracket is missing'}`);
  }

  #openRecord(): RecordPlace {
    const { start } = this.#text.scanner;
    this.#open = { start, end: start, line: this.#line, hasEscapedKey: false, hasLongInteger: false };
    return this.#open;
  }

  #endRecord(end: number): void {
    if (!this.#open) return;
    this.#open.end = end;
    this.#whole.push(this.#open);
    this.#open = undefined;
  }

  #endBeforeComma(position: number): void {
    if (this.#isLines) throw this.#error('broken', 'has more than one value');
    if (!this.#open) throw this.#error('broken', 'is missing before a comma', position);
    this.#endRecord(position);
    this.#isAfterComma = true;
  }

  #close(token: number, position: number): void {
    if (this.#isLines || token !== CLOSE_ARRAY)
      throw this.#error('broken', 'closes a bracket that is not open', this.#open?.start ?? position);
    if (!this.#open && this.#isAfterComma) throw this.#error('broken', 'is missing after a comma', position);
    this.#endRecord(position);
    this.isClosed = true;
  }

  #error(problem: RecordProblem, message: string, position: number = this.#open?.start ?? 0): RecordError {
    const name = this.#isLines ? `Line ${this.#line}` : `The record at byte ${this.#text.byteAt(position)}`;
    return new RecordError(problem, `${name} ${message}.`);
  }
}

function reasonOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return firstChars(String((error as Error).message), MAX_REASON);
  }
}
