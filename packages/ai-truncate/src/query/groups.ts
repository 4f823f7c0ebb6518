import { setOwn } from '../records/values.ts';
import { type Accumulator, accumulatorOf, type DistinctRoom, type GroupAggregate, valueKey } from './aggregate.ts';
import { shownRow } from './answer-rows.ts';
import { type CheckedQuery, type QueryAggregate, reject } from './arguments.ts';
import { plainName, type UsedField } from './fields.ts';
import { argumentTexts } from './query-words.ts';

const MAX_GROUPS = 10_000;
const MAX_KEY_CHARS = 4_000_000;
const MAX_DISTINCT = 100_000;
const MAX_DISTINCT_CHARS = 4_000_000;
const MAX_NAME_CHARS = 1500;

interface Group {
  row: Record<string, unknown>;
  accumulators: Accumulator[];
}

/** Gathers records into groups. Memory is bounded: what finds no room is counted, never silently left out. */
export class Groups {
  readonly #fields: readonly UsedField[];
  readonly #aggregates: readonly GroupAggregate[];
  readonly #groups = new Map<string, Group>();
  /** Room for the different values of all groups. Once it is full, counts of different values are too low. */
  readonly room: DistinctRoom = { values: MAX_DISTINCT, chars: MAX_DISTINCT_CHARS, isFull: false };
  #keyChars = 0;
  /** Records of groups for which there was no room. */
  leftOut = 0;

  constructor(options: { fields: readonly UsedField[]; aggregates: readonly GroupAggregate[] }) {
    this.#fields = options.fields;
    this.#aggregates = options.aggregates;
    // Without a field all records are one group, also when there are none.
    if (this.#fields.length === 0) this.#open('', []);
  }

  get count(): number {
    return this.#groups.size;
  }

  add(record: unknown): void {
    const values = this.#fields.map(({ read }) => read(record));
    const key = listKey(values);
    const hasRoom = this.#groups.size < MAX_GROUPS && this.#keyChars + key.length <= MAX_KEY_CHARS;
    const group = this.#groups.get(key) ?? (hasRoom ? this.#open(key, values) : undefined);
    if (!group) this.leftOut++;
    for (const [index, accumulator] of group?.accumulators.entries() ?? []) {
      const value = this.#aggregates[index]?.read(record);
      if (value !== null && value !== undefined) accumulator.add(value);
    }
  }

  /** One row a group, by the names of its columns. */
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
    // A group is identified by its whole key and shown with a short one.
    const row = shownRow(whole, { maxChars: MAX_NAME_CHARS });
    const group = { row, accumulators: this.#aggregates.map((each) => accumulatorOf(each, this.room)) };
    this.#keyChars += key.length;
    this.#groups.set(key, group);
    return group;
  }
}

/** The columns of groups that are shown and sorted by. Throws a `QueryArgumentError` for one that groups do not have. */
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

/** The column of an aggregate: `count`, `avg(temp_max)`. It gets a number if a field has that name: `count_2`. */
export function aggregateName({ op, field }: QueryAggregate, groupBy: readonly string[]): string {
  const wanted = field === undefined ? op : `${op}(${field})`;
  let name = wanted;
  for (let copy = 2; groupBy.includes(name); copy++) name = `${wanted}_${copy}`;
  return name;
}

/** One text for several values. Each tells its length: no other list of values gives the same text. */
function listKey(values: readonly unknown[]): string {
  if (values.length === 1) return valueKey(values[0]);
  const keys = values.map(valueKey);
  return keys.map((key) => `${key.length}:${key}`).join('');
}
