import { isRecord } from '../protocol/guards.ts';
import { detach } from '../text/utf.ts';
import { kindOf, type ValueKind } from './compare-values.ts';
import { isContainer, plainNotation, WHOLE_RECORD } from './fields.ts';

/** A value of the data that is short enough to show. */
export type Example = string | number | boolean;

/** A field found in the records that were inspected. */
export interface QueryField {
  name: string;
  types: ValueKind[];
}

export interface KnownField extends QueryField {
  /** Some short and different values of the field, or of its items if it is a list. */
  examples: Example[];
}

/** All of the first records are inspected. After that, one record of each batch is enough, because most fields are known. */
const FIRST_RECORDS = 1000;
const MAX_FIELDS = 200;
const MAX_KEYS_OF_RECORD = 500;
const MAX_NAME = 200;
const MAX_LEVELS = 3;
const LIST_FIELDS = 40;
const LIST_CHARS = 3000;
/** The JSON characters around a field. */
const FIELD_CHARS = 30;
const LONGEST_EXAMPLE = 60;
const MAX_EXAMPLES = 3;

/** The fields of the records with their types, for the refusal of a question that cannot be answered. */
export class FieldCatalog {
  readonly #fields = new Map<string, { kinds: Set<ValueKind>; examples: Example[] }>();
  #looked = 0;

  clear(): void {
    this.#fields.clear();
    this.#looked = 0;
  }

  look(batch: readonly unknown[]): void {
    const count = this.#looked < FIRST_RECORDS ? batch.length : Math.min(1, batch.length);
    this.#looked += batch.length;
    for (let index = 0; index < count; index++) this.#lookAt(batch[index]);
  }

  get fields(): KnownField[] {
    return [...this.#fields].map(([name, { kinds, examples }]) => ({ name, types: [...kinds], examples }));
  }

  /** As many fields as fit into an answer. */
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
      const inner = Array.isArray(value) && isRecord(value[0]) ? value[0] : value;
      if (inner !== value || !isRecord(value) || levels >= MAX_LEVELS) this.#note(name, value);
      // A name can continue through a list into its items.
      if (isRecord(inner) && levels < MAX_LEVELS) this.#lookInto(inner, { prefix: `${name}.`, levels: levels + 1 });
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

/**
 * The field that was probably meant: the same apart from case and punctuation, or the end of a path, or a part of the name. If
 * the name starts with an object or list that records have, only its fields are considered.
 */
export function similarField(fields: readonly KnownField[], wanted: string): string | undefined {
  const spoken = plainNotation(wanted);
  const plain = plainName(spoken);
  if (plain === '') return undefined;
  const all = fields.map(({ name }) => name);
  const outer = outerName(spoken, all);
  const names = outer === undefined ? all : all.filter((name) => name.startsWith(`${outer}.`));
  const last = plainName(lastKey(spoken));
  return (
    names.find((name) => plainName(name) === plain) ??
    names.find((name) => plainName(lastKey(name)) === last) ??
    names.find((name) => last.length > 2 && plainName(lastKey(name)).includes(last))
  );
}

/** The longest beginning of a name that is an object or a list in the records. */
function outerName(wanted: string, names: readonly string[]): string | undefined {
  for (let end = wanted.lastIndexOf('.'); end > 0; end = wanted.lastIndexOf('.', end - 1)) {
    const outer = wanted.slice(0, end);
    if (names.some((name) => name.startsWith(`${outer}.`))) return outer;
  }
  return undefined;
}

/** A name in lower case without punctuation, so that `avg(temp_max)` and `avg_temp_max` are equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function lastKey(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
