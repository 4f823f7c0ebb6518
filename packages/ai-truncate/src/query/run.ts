import { isRecord } from '../protocol/guards.ts';
import { setOwn } from '../records/values.ts';
import { MAX_SORTED_ROWS, Page, rowChars, shownRow } from './answer-rows.ts';
import type { CheckedQuery } from './arguments.ts';
import { kindOf } from './compare-values.ts';
import { type FieldReader, fieldReader, member, type UsedField, WHOLE_RECORD } from './fields.ts';
import { aggregateNames, type GroupAggregate, type GroupColumns, Groups, groupColumns } from './groups.ts';
import { Condition, type PatternMatcher } from './operators.ts';
import { ColumnOrder, type SortKey, sortKey, TopRows } from './sorting.ts';

type Row = Record<string, unknown>;

/** One query over records that come one by one. Keeps what the answer needs, never the records. */
export class QueryRun {
  readonly query: CheckedQuery;
  readonly #fields = new Map<string, UsedField>();
  /** Of the fields in use, those that no record had so far. */
  #unseen: UsedField[] = [];
  /** Of those, the ones that are used for more than to ask for records without them. */
  readonly #needed = new Set<string>();
  readonly #select: UsedField[];
  readonly #sort: UsedField[];
  /** What the rows are sorted by. */
  readonly orders: ColumnOrder[];
  readonly conditions: Condition[];
  readonly #page: Page;
  readonly #top: TopRows<Row> | undefined;
  readonly #columns: GroupColumns | undefined;
  readonly groups: Groups | undefined;
  readonly aggregates: GroupAggregate[];
  readonly #maxRowChars: number;
  /** One record can take as long as thousands of others. */
  readonly hasLongSteps: boolean;
  matched = 0;
  scanned = 0;
  /** Of an answer: there are more rows, which cannot be sorted to. */
  endsSorting = false;
  isBehindTheEnd = false;

  constructor(query: CheckedQuery, { maxChars, matcher }: { maxChars: number; matcher: PatternMatcher }) {
    this.query = query;
    this.#maxRowChars = rowChars(maxChars);
    const patterns = query.where.filter(({ op }) => op === 'matches').length;
    const lists = query.where.filter(({ op }) => op === 'contains').length;
    this.hasLongSteps = patterns + lists > 0;
    this.conditions = query.where.map((where) => {
      const { read } = this.#use(where.field, { isNeeded: where.op !== 'exists' || where.value !== false });
      return new Condition(where, { read, toMatcher: matcher, patterns, lists });
    });
    const names = aggregateNames(query);
    this.aggregates = query.aggregate.map((aggregate, index) => {
      const name = names[index] ?? '';
      const read = aggregate.field === undefined ? undefined : this.#use(aggregate.field).read;
      return { name, aggregate, read, facts: { used: 0, skipped: 0, order: new ColumnOrder(name) } };
    });
    const isGrouped = this.aggregates.length > 0;
    const fields = query.groupBy.map((name) => this.#use(name));
    this.#columns = isGrouped ? groupColumns(query, names) : undefined;
    this.groups = isGrouped ? new Groups({ fields, aggregates: this.aggregates }) : undefined;
    this.#select = isGrouped ? [] : query.select.map((name) => this.#use(name));
    this.#sort = isGrouped ? [] : query.sort.map(({ field }) => this.#use(field));
    this.orders = (this.#columns?.sort ?? query.sort).map(({ field }) => new ColumnOrder(field));
    this.#page = new Page({ ...query, maxChars });
    this.#top = this.#sort.length > 0 ? this.#topOf(query.sort) : undefined;
    this.#unseen = [...this.#fields.values()];
  }

  /** Why the answer is not about all records, or why the rest of the rows cannot be read with an offset. */
  get incomplete(): 'groups' | 'distinct' | 'sorted' | undefined {
    if (this.groups && this.groups.leftOut > 0) return 'groups';
    if (this.groups?.isDistinctFull) return 'distinct';
    return this.endsSorting ? 'sorted' : undefined;
  }

  /** Fields that no record has: those that the question needs, or those that it wants to be absent, which may be a slip. */
  fieldsWithoutRecord({ areNeeded }: { areNeeded: boolean }): string[] {
    return this.#unseen.map(({ name }) => name).filter((name) => this.#needed.has(name) === areNeeded);
  }

  add(record: unknown): void {
    this.scanned++;
    if (this.#unseen.length > 0) this.#unseen = this.#unseen.filter(({ read }) => read(record) === undefined);
    for (const condition of this.conditions) if (!condition.holds(record)) return;
    this.matched++;
    if (this.groups) {
      this.groups.add(record);
      return;
    }
    const toRow = () => this.#shown(this.#rowOf(record));
    if (this.#top) this.#top.add(this.#keysOf(this.#sort, record), toRow);
    else this.#page.add(toRow);
  }

  /** Ends the run. */
  answer(): { rows: Row[]; next: { offset: number } | undefined } {
    const total = this.groups?.count ?? this.matched;
    // The parts of a group are short, but can be too many for a small answer.
    const isTooLong = (row: Row) => this.groups !== undefined && JSON.stringify(row).length > this.#maxRowChars;
    for (const row of this.#sortedRows()) this.#page.add(() => (isTooLong(row) ? this.#shown(row) : row));
    const next = this.#page.nextOf(total);
    this.isBehindTheEnd = total > 0 && this.query.offset >= total;
    this.endsSorting = this.#top !== undefined && next !== undefined && next.offset >= MAX_SORTED_ROWS;
    return { rows: this.#page.rows, next: this.endsSorting || this.isBehindTheEnd ? undefined : next };
  }

  #sortedRows(): Row[] {
    if (!this.groups || !this.#columns) return this.#top?.rows() ?? [];
    const { select, sort } = this.#columns;
    const columns = sort.map(({ field }) => ({ read: (row: unknown) => member(row, field) }));
    const top = this.#topOf(sort);
    for (const row of this.groups.rows()) top.add(this.#keysOf(columns, row), () => pick(row, select));
    return top.rows();
  }

  #keysOf(columns: readonly { read: FieldReader }[], record: unknown): SortKey[] {
    return columns.map(({ read }, index) => {
      const value = read(record);
      const kind = kindOf(value);
      this.orders[index]?.look(value, kind);
      return sortKey(value, kind);
    });
  }

  #shown(row: Row): Row {
    return shownRow(row, { maxChars: this.#maxRowChars });
  }

  #topOf(sort: CheckedQuery['sort']): TopRows<Row> {
    const { offset, limit } = this.query;
    return new TopRows({ count: offset + limit, directions: sort.map(({ direction }) => direction) });
  }

  #rowOf(record: unknown): Row {
    if (this.#select.length === 0 && isRecord(record)) return record;
    if (this.#select.length === 0)
      return Array.isArray(record) ? { ...record.slice(0, 1000) } : { [WHOLE_RECORD]: record };
    const row: Row = {};
    for (const { name, read } of this.#select) {
      const value = read(record);
      if (value !== undefined) setOwn(row, name, value);
    }
    return row;
  }

  #use(name: string, { isNeeded = true }: { isNeeded?: boolean } = {}): UsedField {
    if (isNeeded) this.#needed.add(name);
    const field = this.#fields.get(name) ?? { name, read: fieldReader(name) };
    this.#fields.set(name, field);
    return field;
  }
}

/** What JSON cannot carry is text, as in other rows: an integer beyond 2^53, a sum that is no number any more. */
function asJson(value: unknown): unknown {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;
}

function pick(row: Row, names: readonly string[]): Row {
  const picked: Row = {};
  for (const name of names) if (Object.hasOwn(row, name)) setOwn(picked, name, asJson(row[name]));
  return picked;
}
