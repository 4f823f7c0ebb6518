import { setOwn } from '../records/values.ts';
import {
  type Accumulator,
  AggregateRoom,
  accumulatorOf,
  addRecord,
  type GroupAggregate,
  valueKey,
} from './aggregate.ts';
import { shownRow } from './answer-rows.ts';
import { type CheckedQuery, type QueryAggregate, reject } from './arguments.ts';
import { MAX_ITEMS } from './condition.ts';
import { plainName } from './field-catalog.ts';
import { itemsOf, onePerItem, type UsedField, withMembers } from './fields.ts';
import { argumentTexts } from './query-words.ts';

const MAX_GROUPS = 10_000;
const MAX_KEY_CHARS = 4_000_000;
const MAX_NAME_CHARS = 1500;

interface Group {
  row: Record<string, unknown>;
  accumulators: Accumulator[];
}

/** Gathers records into groups in bounded memory. Records that do not fit are counted, never silently ignored. */
export class Groups {
  readonly #fields: readonly UsedField[];
  readonly #aggregates: readonly GroupAggregate[];
  readonly #groups = new Map<string, Group>();
  /** Room for the different values of all groups. Once it is full, counts of different values are too low. */
  readonly room: AggregateRoom = new AggregateRoom();
  #keyChars = 0;
  /** Records of groups for which there was no room. */
  leftOut = 0;
  /** A record has more items than are inspected one by one. */
  cutsLists = false;
  /** For each field, the records that do not have it. */
  readonly lacking: number[];

  /** All names that the query uses. */
  readonly #names: readonly string[];

  constructor(options: {
    fields: readonly UsedField[];
    aggregates: readonly GroupAggregate[];
    names: readonly string[];
  }) {
    this.#names = options.names;
    this.#fields = options.fields;
    this.#aggregates = options.aggregates;
    this.lacking = this.#fields.map(() => 0);
    // Without a field, all records are one group, even if there are no records.
    if (this.#fields.length === 0) this.#open('', []);
  }

  get count(): number {
    return this.#groups.size;
  }

  /** Adds a record. If a group field is in a list, adds it once for each item for which `holds` is true. */
  add(record: unknown, holds: (item: unknown) => boolean): void {
    const values = this.#fields.map(({ read }) => read(record));
    if (values.every((value) => itemsOf(value) === undefined)) {
      this.#addTo(values, record);
      return;
    }
    let items: unknown[] = [withMembers(record, this.#names)];
    for (const { name } of this.#fields) items = onePerItem(items, { name, most: MAX_ITEMS });
    this.cutsLists ||= items.length >= MAX_ITEMS;
    for (const item of items)
      if (holds(item))
        this.#addTo(
          this.#fields.map(({ read }) => read(item)),
          item,
        );
  }

  #addTo(values: unknown[], record: unknown): void {
    for (const [index, value] of values.entries())
      if (value === undefined) this.lacking[index] = (this.lacking[index] ?? 0) + 1;
    const key = listKey(values);
    const hasRoom = this.#groups.size < MAX_GROUPS && this.#keyChars + key.length <= MAX_KEY_CHARS;
    const group = this.#groups.get(key) ?? (hasRoom ? this.#open(key, values) : undefined);
    if (!group) this.leftOut++;
    for (const [index, accumulator] of group?.accumulators.entries() ?? [])
      addRecord(accumulator, { record, aggregate: this.#aggregates[index] as GroupAggregate });
  }

  /** One row per group, by the names of its columns. */
  *rows(): Generator<Record<string, unknown>> {
    for (const { row, accumulators } of this.#groups.values()) {
      for (const [index, { name }] of this.#aggregates.entries()) setOwn(row, name, accumulators[index]?.result());
      yield row;
    }
  }

  #open(key: string, values: readonly unknown[]): Group {
    const whole: Record<string, unknown> = {};
    for (const [index, { name }] of this.#fields.entries())
      if (values[index] !== undefined) setOwn(whole, name, values[index]);
    // A group is identified by its whole key, and shown with a short key.
    const row = shownRow(whole, { maxChars: MAX_NAME_CHARS });
    const group = { row, accumulators: this.#aggregates.map((each) => accumulatorOf(each, this.room)) };
    this.#keyChars += key.length;
    this.#groups.set(key, group);
    return group;
  }
}

/**
 * The columns of groups that are shown, and by which they are sorted. Throws a `QueryArgumentError` for a column that groups do
 * not have.
 */
export function groupColumns(
  { groupBy, select, sort }: CheckedQuery,
  aggregates: readonly GroupAggregate[],
): Pick<CheckedQuery, 'select' | 'sort'> {
  const names = aggregates.map(({ name }) => name);
  const columns = [...groupBy, ...names];
  const find = (wanted: string): string => {
    const [one, another] = aggregates.filter(({ field, op }) => field === wanted || op === wanted);
    return (
      columns.find((name) => name === wanted) ??
      columns.find((name) => plainName(name) === plainName(wanted)) ??
      (another ? undefined : one?.name) ??
      reject(argumentTexts.selectInGroups(wanted, columns))
    );
  };
  const [first = ''] = names;
  return {
    select: select.length > 0 ? select.map(find) : columns,
    sort:
      sort.length > 0
        ? sort.map((each) => ({ ...each, field: find(each.field) }))
        : [{ field: first, direction: 'desc' }],
  };
}

/** The column of an aggregate, such as `count` or `avg(temp_max)`. It is numbered if a field has that name: `count_2`. */
export function aggregateName({ op, field }: QueryAggregate, groupBy: readonly string[]): string {
  const wanted = field === undefined ? op : `${op}(${field})`;
  let name = wanted;
  for (let copy = 2; groupBy.includes(name); copy++) name = `${wanted}_${copy}`;
  return name;
}

/** One text for several values. Each value is preceded by its length, so that no other list of values has the same text. */
function listKey(values: readonly unknown[]): string {
  if (values.length === 1) return valueKey(values[0]);
  const keys = values.map(valueKey);
  return keys.map((key) => `${key.length}:${key}`).join('');
}
