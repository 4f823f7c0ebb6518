import { isRecord } from '../protocol/guards.ts';
import { outerRecords } from '../records/row-shaper.ts';
import { isoParts, setOwn } from '../records/values.ts';

/** The name of a value that is not an object: a number of a list, a string of NDJSON. */
export const WHOLE_RECORD = 'value';

/** The limit of dots inside keys, because each dot doubles the number of ways to read a name. */
export const MAX_KEYS = 8;

/** The name that leads from an item of a list to its record. */
const OUTER_RECORD = 'parent';

/** Finds the value of one field; `undefined` when the record does not have it (`null` is a value). */
export type FieldReader = (record: unknown) => unknown;

/** A field that a query names, and the function that reads it. */
export interface UsedField {
  name: string;
  read: FieldReader;
}

/** The values that a name finds in the items of a list, such as `authors.name`. */
export class ListedValues {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

/** The values for a condition or an aggregate, one by one; `undefined` for a value that is not in a list. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (value instanceof ListedValues) return value.values;
  return Array.isArray(value) ? value : undefined;
}

/** A value for a row, in which the values of a list are an array. */
export function plainValue(value: unknown): unknown {
  return value instanceof ListedValues ? value.values : value;
}

/**
 * Reads a field by its name. A dot leads into an object, a number to an item of a list, and any other name to all items of a
 * list. At each level, a key that equals the rest of the name is tried first, so that keys with dots are found. A last name such
 * as `length` or `year` is a part of the value. Only members that the data itself has are found, never inherited ones. If no
 * record has the name as it is written, a name in the notation of another language (`items[].name`, `$.name`, `len(name)`) is
 * translated.
 */
export function fieldReader(name: string): FieldReader {
  const read = dottedReader(name);
  const other = plainNotation(name);
  if (other === name) return read;
  const readOther = dottedReader(other);
  return (record) => {
    const value = read(record);
    return value === undefined ? readOther(record) : value;
  };
}

function dottedReader(name: string): FieldReader {
  const splits = Array.from(name.matchAll(/\./g), ({ index }) => {
    const rest = name.slice(index + 1);
    return { key: name.slice(0, index), read: dottedReader(rest), part: partReader(rest) };
  });
  const read = (record: unknown): unknown => {
    const whole = member(record, name);
    if (whole !== undefined) return whole;
    for (const { key, read: readRest, part } of splits) {
      const inner = member(record, key);
      const found = isContainer(inner) ? readRest(inner) : undefined;
      const value = found === undefined ? part?.(inner) : found;
      if (value !== undefined) return value;
    }
    return Array.isArray(record) ? listedValues(record, read) : undefined;
  };
  if (name !== WHOLE_RECORD) return read;
  return (record) => (isContainer(record) ? read(record) : record);
}

function listedValues(items: readonly unknown[], read: FieldReader): ListedValues | undefined {
  const values: unknown[] = [];
  for (const item of items) {
    const value = isContainer(item) ? read(item) : undefined;
    const inner = itemsOf(value);
    if (inner) for (const each of inner) values.push(each);
    else if (value !== undefined) values.push(value);
  }
  return values.length > 0 ? new ListedValues(values) : undefined;
}

/** The last names that read a part of a value. */
const PARTS: Record<string, (value: unknown) => number | undefined> = {
  length: lengthOf,
  year: (value) => isoParts(value)?.year,
  month: (value) => isoParts(value)?.month,
  day: (value) => isoParts(value)?.day,
  hour: (value) => isoParts(value)?.hour,
};

export const partNames: string[] = Object.keys(PARTS);

function partReader(name: string): FieldReader | undefined {
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (!part) return undefined;
  return (value) => {
    // A list has its own length, but the year of a list is the year of each item.
    if (!Array.isArray(value) || name === 'length') return part(value);
    const parts = value.map(part).filter((each) => each !== undefined);
    return parts.length > 0 ? new ListedValues(parts) : undefined;
  };
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : undefined;
}

const CALL = /^(len|length|size|year|month|day|hour)\s*\((.+)\)$/i;

/** Translates a name in the notation of another language: `$.items[0].name`, `items[*].name`, `len(name)`. */
export function plainNotation(name: string): string {
  const [, call, inner = ''] = CALL.exec(name.trim()) ?? [];
  if (call !== undefined && inner.trim() !== '') {
    const part = call.toLowerCase();
    return `${plainNotation(inner.trim())}.${part === 'len' || part === 'size' ? 'length' : part}`;
  }
  const plain = name
    .replace(/^\$\.?/, '')
    .replace(/\[(?:\*)?\]/g, '')
    .replace(/\[(\d+)\]/g, '.$1')
    .replace(/\[(["'])(.+?)\1\]/g, '.$2')
    .replace(/^\./, '');
  return plain === '' ? name : plain;
}

/** An own member of an object or a list, or the record that contains an item. */
export function member(container: unknown, key: string): unknown {
  if (Array.isArray(container) && /^\d{1,9}$/.test(key)) return container[Number(key)];
  if (isRecord(container) && Object.hasOwn(container, key)) return container[key];
  return key === OUTER_RECORD && isContainer(container) ? outerRecords.get(container) : undefined;
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The record once for each item of the lists in a name, with the item in place of its list. */
export function onePerItem(records: readonly unknown[], { name, most }: { name: string; most: number }): unknown[] {
  const plain = plainNotation(name);
  let all = [...records];
  // A list inside a list takes another round.
  for (let round = 0; round < MAX_KEYS; round++) {
    let hasList = false;
    const next: unknown[] = [];
    for (const record of all) {
      if (next.length === most) break;
      // Two lists of a record have as many pairs of items as the product of their lengths.
      const room = most - next.length;
      const items = withEachItem(record, { name: member(record, name) === undefined ? plain : name, most: room });
      hasList ||= items !== undefined;
      for (const item of items?.slice(0, room) ?? [record]) next.push(item);
    }
    all = next;
    if (!hasList) return all;
  }
  return all;
}

function withEachItem(record: unknown, { name, most }: { name: string; most: number }): unknown[] | undefined {
  if (!isRecord(record)) return undefined;
  const own = member(record, name);
  if (Array.isArray(own))
    return copies(record, { key: name, values: own.length > 0 ? own.slice(0, most) : [undefined] });
  if (own !== undefined) return undefined;
  for (const { index } of name.matchAll(/\./g)) {
    const [key, rest] = [name.slice(0, index), name.slice(index + 1)];
    const inner = member(record, key);
    if (Array.isArray(inner)) {
      const isPlace = /^\d{1,9}(?:\.|$)/.test(rest) || rest === 'length';
      return isPlace
        ? undefined
        : copies(record, { key, values: inner.length > 0 ? inner.slice(0, most) : [undefined] });
    }
    const values = withEachItem(inner, { name: rest, most });
    if (values) return copies(record, { key, values });
  }
  return undefined;
}

function copies(record: Record<string, unknown>, { key, values }: { key: string; values: unknown[] }): unknown[] {
  return values.map((value) => {
    const copy = { ...record, [key]: value };
    if (outerRecords.has(record)) outerRecords.set(copy, outerRecords.get(record));
    return copy;
  });
}

/** The record with the members that some names lead to, because a copy for each item of a list would copy all others, too. */
export function withMembers(record: unknown, names: readonly string[]): unknown {
  if (!isRecord(record)) return record;
  const part: Record<string, unknown> = {};
  for (const name of names.flatMap((each) => [each, plainNotation(each)])) {
    const ends = [...Array.from(name.matchAll(/\./g), ({ index }) => index), name.length];
    for (const key of ends.map((end) => name.slice(0, end))) {
      if (Object.hasOwn(record, key)) setOwn(part, key, record[key]);
    }
  }
  if (outerRecords.has(record)) outerRecords.set(part, outerRecords.get(record));
  return part;
}
