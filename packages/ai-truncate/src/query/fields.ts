import { isRecord } from '../protocol/guards.ts';
import { detach } from '../text/utf.ts';
import { kindOf, type ValueKind } from './compare-values.ts';

/** One name for what is no object: numbers of an array, strings of NDJSON. */
export const WHOLE_RECORD = 'value';

/** Each dot between the keys of a name doubles the ways in which it can be read. */
export const MAX_KEYS = 8;

/** Finds the value of one field; `undefined` when the record does not have it (`null` is a value). */
export type FieldReader = (record: unknown) => unknown;

/** A field that a query names, and how it is read. */
export interface UsedField {
  name: string;
  read: FieldReader;
}

/**
 * Reads a field by its name: dots lead into objects, numbers into arrays. At each level a key that is the whole rest of
 * the name comes first, so that names with dots of their own are found. Only what the data itself has is found, never what
 * objects inherit.
 *
 * @example
 * fieldReader('properties.mag')({ properties: { mag: 2.1 } }) // 2.1
 */
export function fieldReader(name: string): FieldReader {
  if (name === WHOLE_RECORD) return (record) => (isContainer(record) ? member(record, name) : record);
  const splits = Array.from(name.matchAll(/\./g), ({ index }) => {
    return { key: name.slice(0, index), read: fieldReader(name.slice(index + 1)) };
  });
  return (record) => {
    const whole = member(record, name);
    if (whole !== undefined) return whole;
    for (const { key, read } of splits) {
      const inner = member(record, key);
      const found = isContainer(inner) ? read(inner) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** A member that an object or a list has of its own. */
export function member(container: unknown, key: string): unknown {
  if (Array.isArray(container)) return /^\d{1,9}$/.test(key) ? container[Number(key)] : undefined;
  return isRecord(container) && Object.hasOwn(container, key) ? container[key] : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A value of the data that is short enough to be told. */
export type Example = string | number | boolean;

/** A field that records have, as far as they were looked at. */
export interface QueryField {
  name: string;
  types: ValueKind[];
}

export interface KnownField extends QueryField {
  /** Some values of it that are short and different; of a list, its items. */
  examples: Example[];
}

/** All of the first records are looked at; later only one of each batch, as their fields are known by then. */
const FIRST_RECORDS = 1000;
const MAX_FIELDS = 200;
const MAX_KEYS_OF_RECORD = 500;
const MAX_NAME = 200;
const MAX_LEVELS = 3;
const LIST_FIELDS = 40;
const LIST_CHARS = 3000;
/** The signs around a field, as JSON. */
const FIELD_CHARS = 30;
const LONGEST_EXAMPLE = 60;
const MAX_EXAMPLES = 3;

/** Which fields the records have, and of what types: what a question that cannot be answered is answered with. */
export class FieldCatalog {
  readonly #fields = new Map<string, { kinds: Set<ValueKind>; examples: Example[] }>();
  #looked = 0;

  look(batch: readonly unknown[]): void {
    const count = this.#looked < FIRST_RECORDS ? batch.length : Math.min(1, batch.length);
    this.#looked += batch.length;
    for (let index = 0; index < count; index++) this.#lookAt(batch[index]);
  }

  get fields(): KnownField[] {
    return [...this.#fields].map(([name, { kinds, examples }]) => ({ name, types: [...kinds], examples }));
  }

  /** As many as an answer has room for. */
  shortList(): QueryField[] {
    let room = LIST_CHARS;
    return this.fields.slice(0, LIST_FIELDS).flatMap(({ name, types }) => {
      room -= name.length + types.join(',').length + FIELD_CHARS;
      return room >= 0 ? [{ name, types }] : [];
    });
  }

  #lookAt(record: unknown): void {
    if (isContainer(record)) this.#lookInto(record, { prefix: '', levels: isRecord(record) ? 1 : MAX_LEVELS });
    else this.#note(WHOLE_RECORD, record);
  }

  #lookInto(object: object, { prefix, levels }: { prefix: string; levels: number }): void {
    let keys = 0;
    for (const key in object) {
      if (!Object.hasOwn(object, key) || keys++ === MAX_KEYS_OF_RECORD) break;
      const name = prefix + key;
      if (name.length > MAX_NAME || key === '') continue;
      const value = (object as Record<string, unknown>)[key];
      if (isRecord(value) && levels < MAX_LEVELS) this.#lookInto(value, { prefix: `${name}.`, levels: levels + 1 });
      else this.#note(name, value);
    }
  }

  #note(name: string, value: unknown): void {
    const field = this.#fields.get(name) ?? { kinds: new Set(), examples: [] };
    if (this.#fields.size === MAX_FIELDS && !this.#fields.has(name)) return;
    this.#fields.set(name, field);
    field.kinds.add(kindOf(value));
    if (field.examples.length === MAX_EXAMPLES) return;
    const example: unknown = Array.isArray(value) ? value[0] : value;
    if (isShort(example) && !field.examples.includes(example))
      field.examples.push(typeof example === 'string' ? detach(example) : example);
  }
}

function isShort(value: unknown): value is Example {
  if (typeof value === 'string') return value !== '' && value.length <= LONGEST_EXAMPLE;
  return typeof value === 'number' || typeof value === 'boolean';
}

/** The field that may have been meant: the same but for case and signs, or at the end of a path, or a part of the name. */
export function similarField(fields: readonly KnownField[], wanted: string): string | undefined {
  const plain = plainName(wanted);
  if (plain === '') return undefined;
  const names = fields.map(({ name }) => name);
  return (
    names.find((name) => plainName(name) === plain) ??
    names.find((name) => plainName(lastKey(name)) === plainName(lastKey(wanted))) ??
    names.find((name) => plain.length > 2 && plainName(name).includes(plain))
  );
}

/** A name in lower case without signs: `avg(temp_max)` and `avg_temp_max` are alike. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function lastKey(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
