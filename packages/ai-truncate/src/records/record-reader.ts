import { type JsonPieces, RecordError, type RecordProblem } from '../json/json-pieces.ts';
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
import { isRecord } from '../protocol/guards.ts';
import { firstChars } from '../text/utf.ts';
import { isInteger, MAX_SAFE_DIGITS, type RecordCare, readCarefully } from './exact-json.ts';
import { setOwn } from './values.ts';

/** A larger record could block the event loop in one step. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;
/** The most members of one record, because parsing a hundred thousand keys is one long step, even if they are short. */
const MAX_WEIGHT = 1_000_000;
const KEY_WEIGHT = 40;
const CONTAINER_WEIGHT = 10;
const MAX_REASON = 160;

/** The fields of a row made from a member of an object, and the field of a value that is not an object. */
const KEY = 'key';
const VALUE = 'value';

/** A record in the text. */
type RecordPlace = RecordCare & {
  start: number;
  end: number;
  /** Counted from 1. Known only if records are lines. */
  line: number;
  /** The end of a member's key, and the start of its value; 0 before they are known. */
  keyEnd: number;
  valueStart: number;
};

/** Whether records are the items of a list, the members of an object, or lines. */
type RecordKind = 'items' | 'members' | 'lines';

/**
 * Finds the ends of records and takes complete records. The parser decides whether a record is valid. A valid document is always
 * split correctly, and a wrong split of a broken document cannot pass the parser.
 */
export class RecordReader {
  readonly #text: JsonPieces;
  readonly #kind: RecordKind;
  #depth = 0;
  #weight = 0;
  #line = 1;
  #isAfterComma = false;
  #open: RecordPlace | undefined;
  /** The complete records that were not yet taken. */
  #whole: RecordPlace[] = [];

  /** The closing bracket of the array was reached. */
  isClosed = false;
  /** The number of taken records, and how many of them are objects. */
  count = 0;
  objects = 0;

  constructor(text: JsonPieces, kind: RecordKind) {
    this.#text = text;
    this.#kind = kind;
  }

  get #isLines(): boolean {
    return this.#kind === 'lines';
  }

  /** Continues up to the limit of the scanner, or to the end of the array. */
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
      if (record.valueStart === -1) record.valueStart = scanner.start;
      else if (record.valueStart === 0 && this.#kind === 'members' && this.#readKey(record, token)) continue;
      if (token === COLON) {
        weight += KEY_WEIGHT;
        // The last string is a key.
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

  /** Reads the key of a member, or the colon after it. Returns whether the token belongs to them. */
  #readKey(record: RecordPlace, token: number): boolean {
    const { scanner } = this.#text;
    if (record.keyEnd === 0 && token === STRING) record.keyEnd = scanner.end;
    else if (record.keyEnd > 0 && token === COLON && record.valueStart === 0) record.valueStart = -1;
    else throw this.#error('broken', 'is not a member with a key');
    return true;
  }

  /** Ends a line, or the text if it has no final line feed. */
  endLine(): void {
    const { scanner } = this.#text;
    // A literal that ends with its line is not a token in `read`.
    if (this.#open && scanner.open === LITERAL)
      this.#open.hasLongInteger ||= scanner.end - scanner.start > MAX_SAFE_DIGITS;
    scanner.endLiteral();
    if (this.#depth > 0 || scanner.open === STRING) throw this.#error('broken', 'is not closed at the end of its line');
    this.#endRecord(scanner.end);
    this.#line++;
    this.#weight = 0;
  }

  /** The complete records. After this call, only an open record is left. */
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
      const text =
        this.#kind === 'items'
          ? this.#text.slice(first.start, last.end)
          : places.map((place) => this.#textOf(place)).join(',');
      // Adding brackets to a very large record would copy it.
      const records = places.length === 1 ? [JSON.parse(text)] : (JSON.parse(`[${text}]`) as unknown[]);
      for (const [index, place] of places.entries()) {
        if (place.hasEscapedKey || place.hasLongInteger)
          records[index] = readCarefully(this.#textOf(place), { ...place, parsed: records[index] });
      }
      this.count += places.length;
      return this.#kind === 'members' ? records.map((value, index) => this.#toMember(value, places[index])) : records;
    } catch (error) {
      throw error instanceof SyntaxError ? this.#parserError(places) : error;
    }
  }

  #textOf({ valueStart, end }: RecordPlace): string {
    return this.#text.slice(valueStart, end);
  }

  /** The value of a member with its key, as a row. */
  #toMember(value: unknown, place: RecordPlace | undefined): Record<string, unknown> {
    const key = JSON.parse(this.#text.slice(place?.start ?? 0, place?.keyEnd ?? 0)) as string;
    if (!isRecord(value)) return { [KEY]: key, [VALUE]: value };
    this.objects++;
    const row: Record<string, unknown> = { [Object.hasOwn(value, KEY) ? `${KEY}_2` : KEY]: key };
    for (const name in value) setOwn(row, name, value[name]);
    return row;
  }

  /** Names the first record that the parser refuses. */
  #parserError(places: readonly RecordPlace[]): RecordError {
    const reasons = places.map((place) => reasonOf(this.#textOf(place)));
    const broken = Math.max(0, reasons.findIndex(Boolean));
    const { start, line } = places[broken] as RecordPlace;
    const name = this.#isLines
      ? `Line ${line}`
      : `Record ${this.count + broken + 1} (at byte ${this.#text.byteAt(start)})`;
    return new RecordError('broken', `${name} is not valid JSON: ${reasons[broken] ?? 'a bracket is missing'}`);
  }

  #openRecord(): RecordPlace {
    const { start } = this.#text.scanner;
    const valueStart = this.#kind === 'members' ? 0 : start;
    const care = { hasEscapedKey: false, hasLongInteger: false };
    this.#open = { start, end: start, line: this.#line, keyEnd: 0, valueStart, ...care };
    return this.#open;
  }

  #endRecord(end: number): void {
    if (!this.#open) return;
    if (this.#open.valueStart <= 0 && this.#kind === 'members')
      throw this.#error('broken', 'is not a member with a key');
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
    if (this.#isLines || token !== (this.#kind === 'members' ? CLOSE_OBJECT : CLOSE_ARRAY))
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
