import { firstChars, thousands } from '../text/utf.ts';

/** The profile of one field over all records of a list: counts, range and frequent values. */
export interface ProfileField {
  /** Names of nested fields are joined with dots. */
  name: string;
  words: string;
}

const MAX_FIELDS = 200;
const MAX_DEPTH = 3;
/** The most different values of a field that are counted separately. */
const MAX_VALUES = 1000;
/** The most different values of all fields. */
const MAX_ALL_VALUES = 20_000;
const MAX_VALUE_CHARS = 64;
const MAX_FREQUENT = 5;

interface Field {
  present: number;
  nulls: number;
  numbers: number;
  least: number;
  most: number;
  /** A sum, and its rounding error. */
  sum: number;
  lost: number;
  lists: number;
  listItems: number;
  /** Objects whose fields are too deep to be counted. */
  objects: number;
  first: string | undefined;
  last: string | undefined;
  /** Counts of texts, numbers and booleans; `undefined` if there are too many different values. */
  values: Map<string, number> | undefined;
  /** There are more different values than this number. */
  moreThan: number;
  texts: number;
}

/** Counts every record of a list while it flows, in bounded memory. */
export class JsonProfile {
  readonly #fields = new Map<string, Field>();
  #values = 0;
  count = 0;

  add(record: unknown): void {
    this.count++;
    this.#addFields(record, { prefix: '', depth: 1 });
  }

  #addFields(record: unknown, { prefix, depth }: { prefix: string; depth: number }): void {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return;
    for (const name in record) {
      const value = (record as Record<string, unknown>)[name];
      const path = prefix === '' ? name : `${prefix}.${name}`;
      if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < MAX_DEPTH) {
        this.#addFields(value, { prefix: path, depth: depth + 1 });
        continue;
      }
      const field = this.#fieldOf(path);
      if (field) this.#addValue(field, value);
    }
  }

  #fieldOf(path: string): Field | undefined {
    const known = this.#fields.get(path);
    if (known || this.#fields.size === MAX_FIELDS || path.length > 4 * MAX_VALUE_CHARS) return known;
    const range = {
      least: Number.POSITIVE_INFINITY,
      most: Number.NEGATIVE_INFINITY,
      first: undefined,
      last: undefined,
    };
    const counts = { present: 0, nulls: 0, numbers: 0, sum: 0, lost: 0, lists: 0, listItems: 0, objects: 0, texts: 0 };
    const field: Field = { ...counts, ...range, values: new Map(), moreThan: 0 };
    this.#fields.set(path, field);
    return field;
  }

  #addValue(field: Field, value: unknown): void {
    field.present++;
    if (value === null) {
      field.nulls++;
      return;
    }
    if (Array.isArray(value)) {
      field.lists++;
      field.listItems += value.length;
      return;
    }
    if (typeof value === 'object') {
      field.objects++;
      return;
    }
    if (typeof value === 'number') {
      field.numbers++;
      if (value < field.least) field.least = value;
      if (value > field.most) field.most = value;
      // A plain sum would lose small numbers next to large ones.
      const next = field.sum + value;
      field.lost += Math.abs(field.sum) >= Math.abs(value) ? field.sum - next + value : value - next + field.sum;
      field.sum = next;
    } else if (typeof value === 'string') {
      field.texts++;
      if (field.first === undefined || value < field.first) field.first = value;
      if (field.last === undefined || value > field.last) field.last = value;
    }
    this.#countValue(field, value);
  }

  #countValue(field: Field, value: unknown): void {
    const { values } = field;
    if (!values) return;
    const text = String(value);
    const known = values.get(text);
    if (known !== undefined) values.set(text, known + 1);
    else if (values.size === MAX_VALUES || this.#values === MAX_ALL_VALUES || text.length > MAX_VALUE_CHARS * 4) {
      this.#values -= values.size;
      field.moreThan = values.size;
      field.values = undefined;
    } else {
      values.set(text, 1);
      this.#values++;
    }
  }

  /** The fields in order, in words. */
  finish(): ProfileField[] {
    return [...this.#fields].map(([name, field]) => ({ name, words: wordsOf(field, this.count) }));
  }
}

const DATE = /^\d{4}-\d\d-\d\d/;

function wordsOf(field: Field, records: number): string {
  const { values, moreThan, numbers, texts, nulls, lists, listItems, objects, present, first = '', last = '' } = field;
  const words: string[] = [];
  const repeats = values && values.size > 0 && values.size <= (present - nulls) / 2;
  if (numbers > 0) {
    const amount = numbers < present - nulls ? `${thousands(numbers)} numbers from ` : '';
    words.push(`${amount}${numberText(field.least)} to ${numberText(field.most)}`);
    words.push(`sum ${numberText(field.sum + field.lost)}`);
  } else if (texts > 0 && DATE.test(first) && DATE.test(last)) {
    words.push(`${shortValue(first)} to ${shortValue(last)}`);
  }
  if (values && values.size > 0) words.push(`${thousands(values.size)} different`);
  else if (moreThan > 0) words.push(`more than ${thousands(moreThan)} different`);
  else if (texts > 0) words.push('long texts');
  if (values && repeats) {
    const frequent = [...values].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, MAX_FREQUENT);
    words.push(frequent.map(([value, count]) => `${shortValue(value)} ${thousands(count)}`).join(', '));
  }
  if (lists > 0) words.push(`lists with ${thousands(listItems)} items`);
  if (objects > 0) words.push(`${thousands(objects)} objects`);
  if (nulls > 0) words.push(`null ${thousands(nulls)}`);
  if (present < records) words.push(`missing ${thousands(records - present)}`);
  return words.join('; ');
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return thousands(value);
  const rounded = Number(value.toPrecision(15));
  if (!Number.isInteger(rounded) || Math.abs(rounded) >= 1e21) return String(rounded);
  // The last digits of a larger number are unknown.
  return Number.isSafeInteger(rounded) ? thousands(rounded) : `about ${thousands(rounded)}`;
}

function shortValue(value: string): string {
  return value.length > MAX_VALUE_CHARS ? `${firstChars(value, MAX_VALUE_CHARS)}…` : value;
}
