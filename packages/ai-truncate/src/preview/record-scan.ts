import { JsonProfile, type ProfileField } from '../json/json-profile.ts';
import { formatOfBeginning, LOOKED_AT } from '../json/record-format.ts';
import type { Steps } from '../pace.ts';
import { TableProfile } from '../text/table-profile.ts';
import { detach } from '../text/utf.ts';

/** The records of an output, and the profile of all of them. */
export type ScannedRecords = ScannedNdjson | ScannedTable;

interface Profile {
  fields: readonly ProfileField[];
  /** The number of records that the profile counts. */
  count: number;
}

export interface ScannedNdjson extends Profile {
  kind: 'ndjson';
  /** All records, including records that are too large to be counted. */
  total: number;
}

export interface ScannedTable extends Profile {
  kind: 'table';
  delimiter: string;
  columns: number;
  hasHeader: boolean;
  /** A row has line breaks inside quotes. */
  hasLongRows: boolean;
  /** The starts of the last rows in the text, in characters. */
  lastStarts: readonly number[];
}

/** For fewer records, a profile would not be shorter than the records. */
const MIN_RECORDS = 8;
/** The least share of rows with as many cells as the first row. An output with a smaller share is shown as text. */
const REGULAR_SHARE = 0.9;

/** Detects whether an output is NDJSON or a table, and counts its records while it arrives, in bounded memory. */
export class RecordScan {
  #head = '';
  #reader: NdjsonReader | TableReader | undefined;
  #isDecided = false;

  /** The chunks can have any size. */
  push(text: string): void {
    if (this.#isDecided) {
      this.#reader?.push(text);
      return;
    }
    this.#head += text;
    // A byte order mark is not one of the characters that decide.
    if (this.#head.length > LOOKED_AT) this.#decide();
  }

  #decide(): void {
    const head = this.#head;
    this.#head = '';
    this.#isDecided = true;
    const format = formatOfBeginning(head);
    if (format?.kind === 'ndjson') this.#reader = new NdjsonReader();
    if (format?.kind === 'table') this.#reader = new TableReader(format.delimiter);
    this.#reader?.push(head);
  }

  /** Called after the last chunk. */
  *finish(): Steps<ScannedRecords | undefined> {
    if (!this.#isDecided) this.#decide();
    return this.#reader && (yield* this.#reader.finish());
  }
}

/** A longer record is not counted. */
const MAX_RECORD_CHARS = 256 * 1024;
/** If more lines are not JSON, nothing is counted. An error for each line would take a hundred times as long as a record. */
const MAX_BROKEN = 1000;

class NdjsonReader {
  readonly #profile = new JsonProfile();
  /** The pieces of the line that is not complete after the last chunk. */
  #open: string[] = [];
  #openChars = 0;
  #total = 0;
  #broken = 0;

  push(text: string): void {
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      if (this.#openChars === 0) this.#read(text, { from, to });
      else {
        this.#grow(text.slice(from, to));
        this.#endOpen();
      }
      from = to + 1;
    }
    if (from < text.length) this.#grow(detach(text.slice(from)));
    this.#profile.endChunk();
  }

  #grow(text: string): void {
    this.#openChars += text.length;
    if (this.#openChars > MAX_RECORD_CHARS) this.#open = [];
    else this.#open.push(text);
  }

  #endOpen(): void {
    const line = this.#open.join('');
    if (this.#openChars > MAX_RECORD_CHARS) this.#total++;
    else this.#read(line, { from: 0, to: line.length });
    this.#open = [];
    this.#openChars = 0;
  }

  #read(text: string, range: { from: number; to: number }): void {
    if (isBlank(text, range)) return;
    this.#total++;
    if (range.to - range.from > MAX_RECORD_CHARS || this.#broken > MAX_BROKEN) return;
    if (!this.#profile.addText(text, range)) this.#broken++;
  }

  *finish(): Steps<ScannedRecords | undefined> {
    if (this.#openChars > 0) this.#endOpen();
    if (this.#broken > MAX_BROKEN) return undefined;
    const { count } = this.#profile;
    const fields = yield* this.#profile.finish();
    return { kind: 'ndjson', fields: count < MIN_RECORDS ? [] : fields, count, total: this.#total };
  }
}

function isBlank(text: string, { from, to }: { from: number; to: number }): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) > 0x20) return false;
  return true;
}

class TableReader {
  readonly #delimiter: string;
  readonly #profile: TableProfile;
  #isFinished = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#profile = new TableProfile(delimiter);
  }

  push(text: string): void {
    this.#profile.push(text);
  }

  *finish(): Steps<ScannedRecords | undefined> {
    const profile = this.#profile;
    if (!this.#isFinished) profile.finish();
    this.#isFinished = true;
    const { count, columns, hasHeader, hasLongRows, regular, lastStarts } = profile;
    if (profile.isBroken || count < MIN_RECORDS || regular < count * REGULAR_SHARE) return undefined;
    const fields: ProfileField[] = [];
    for (const { name, field } of profile.fields) {
      fields.push({ name, summary: field.finish() });
      yield;
    }
    // Lines of code end with a semicolon, and lines of a list with a comma.
    const isOfLines = columns === 2 && fields[1]?.summary.nulls === fields[1]?.summary.present;
    if (isOfLines) return undefined;
    return {
      ...{ kind: 'table', delimiter: this.#delimiter, fields, count },
      ...{ columns, hasHeader, hasLongRows, lastStarts },
    };
  }
}
