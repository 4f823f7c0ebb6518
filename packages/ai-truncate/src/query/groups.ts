import { setOwn } from '../records/values.ts';
import { type Accumulator, type AggregateFacts, accumulatorOf, type DistinctRoom, valueKey } from './aggregate.ts';
import { shownRow } from './answer-rows.ts';
import { type CheckedQuery, type QueryAggregate, reject } from './arguments.ts';
import { type FieldReader, plainName, type UsedField } from './fields.ts';
import { argumentTexts } from './query-words.ts';

const MAX_GROUPS = 10_000;
const MAX_KEY_CHARS = 4_000_000;
const MAX_DISTINCT = 100_000;
const MAX_DISTINCT_CHARS = 4_000_000;
const MAX_NAME_CHARS = 1500;

/** An aggregate with the reader of its field; without a field, records are counted. */
export interface GroupAggregate {
  /** Of its column. */
  name: string;
  aggregate: QueryAggregate;
  read: FieldReader | undefined;
  facts: AggregateFacts;
}

interface Group {
  row: Record<string, unknown>;
  accumulators: Accumulator[];
}

/** Gathers records into groups. Memory is bounded: what finds no room is counted, never silently left out. */
export class Groups {
  readonly #fields: readonly UsedField[];
  readonly #aggregates: readonly GroupAggregate[];
  readonly #groups = new Map<string, Group>();
  readonly #room: DistinctRoom = { values: MAX_DISTINCT, chars: MAX_DISTINCT_CHARS, isFull: false };
  #keyChars = 0;
  /** Records of groups for which there was no room. */
  leftOut = 0;

  constructor(options: { fields: readonly UsedField[]; aggregates: readonly GroupAggregate[] }) {
    this.#fields = options.fields;
    this.#aggregates = options.aggregates;
    // Without a field all records are one group, also when there are none.
    if (this.#fields.length === 0) this.#groups.set('', this.#open([]));
  }

  get count(): number {
    return this.#groups.size;
  }

  /** Some set of different values found no room: its number is too small. */
  get isDistinctFull(): boolean {
    return this.#room.isFull;
  }

  add(record: unknown): void {
    const group = this.#groupOf(record);
    if (!group) {
      this.leftOut++;
      return;
    }
    for (const [index, { read }] of this.#aggregates.entries()) {
      const value = read ? read(record) : true;
      if (value !== null && value !== undefined) group.accumulators[index]?.add(value);
    }
  }

  /** One row a group, by the names of its columns. */
  *rows(): Generator<Record<string, unknown>> {
    for (const { row, accumulators } of this.#groups.values()) {
      for (const [index, { name }] of this.#aggregates.entries()) setOwn(row, name, accumulators[index]?.result());
      yield row;
    }
  }

  #groupOf(record: unknown): Group | undefined {
    if (this.#fields.length === 0) return this.#groups.get('');
    const values = this.#fields.map(({ read }) => read(record));
    const key = listKey(values);
    const known = this.#groups.get(key);
    if (known) return known;
    if (this.#groups.size === MAX_GROUPS || this.#keyChars + key.length > MAX_KEY_CHARS) return undefined;
    this.#keyChars += key.length;
    const group = this.#open(values);
    this.#groups.set(key, group);
    return group;
  }

  #open(values: readonly unknown[]): Group {
    const row: Record<string, unknown> = {};
    for (const [index, { name }] of this.#fields.entries())
      if (values[index] !== undefined) setOwn(row, name, values[index]);
    const accumulators = this.#aggregates.map(({ aggregate, facts }) =>
      accumulatorOf(aggregate, { facts, room: this.#room }),
    );
    // A group is told by its whole key and shown by a short one.
    return { row: shownRow(row, { maxChars: MAX_NAME_CHARS }), accumulators };
  }
}

/** The columns of groups that are shown and sorted by. */
export type GroupColumns = Pick<CheckedQuery, 'select' | 'sort'>;

/** Throws a `QueryArgumentError` for a column that groups do not have. `names` are the columns of the aggregates. */
export function groupColumns(query: CheckedQuery, names: readonly string[]): GroupColumns {
  const { groupBy, aggregate, select, sort } = query;
  const columns = [...groupBy, ...names];
  const find = (wanted: string): string => {
    const byField = names.filter((_, index) => aggregate[index]?.field === wanted || aggregate[index]?.op === wanted);
    return (
      columns.find((name) => name === wanted) ??
      columns.find((name) => plainName(name) === plainName(wanted)) ??
      (byField.length === 1 ? byField[0] : undefined) ??
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

/** The columns of all aggregates: `count`, `avg(temp_max)`. One that is named as a field of the groups gets a number: `count_2`. */
export function aggregateNames({ groupBy, aggregate }: CheckedQuery): string[] {
  return aggregate.map(({ op, field }) => {
    const wanted = field === undefined ? op : `${op}(${field})`;
    let name = wanted;
    for (let copy = 2; groupBy.includes(name); copy++) name = `${wanted}_${copy}`;
    return name;
  });
}

/** One text for several values. Each tells its length: no other list of values gives the same text. */
function listKey(values: readonly unknown[]): string {
  if (values.length === 1) return valueKey(values[0]);
  const keys = values.map(valueKey);
  return keys.map((key) => `${key.length}:${key}`).join('');
}
