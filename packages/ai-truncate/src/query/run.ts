import { isRecord } from '../protocol/guards.ts';
import { MAX_SORTED_ROWS } from '../reader-limits.ts';
import { setOwn } from '../records/values.ts';
import type { GroupAggregate } from './aggregate.ts';
import { asJson, Page, ROW_SHARE, shownRow } from './answer-rows.ts';
import type { CheckedQuery } from './arguments.ts';
import { toComparable } from './compare-values.ts';
import { Condition } from './condition.ts';
import { fieldReader, member, type UsedField, WHOLE_RECORD } from './fields.ts';
import { aggregateName, Groups, groupColumns } from './groups.ts';
import type { PatternMatcher } from './operators.ts';
import { ColumnOrder, type SortKey, sortKey, TopRows } from './sorting.ts';

type Row = Record<string, unknown>;

/** One query over records that come one by one. Keeps what the answer needs, never the records. */
export class QueryRun {
  readonly #fields = new Map<string, UsedField>();
  /** Of the fields in use, those that no record had so far. */
  unseen: UsedField[];
  /** The columns of the rows, all fields when there are none, and those that the rows are sorted by. */
  readonly #select: UsedField[];
  readonly #sort: UsedField[];
  readonly orders: ColumnOrder[];
  readonly conditions: Condition[];
  readonly #page: Page;
  readonly #top: TopRows<Row> | undefined;
  readonly groups: Groups | undefined;
  readonly aggregates: GroupAggregate[];
  readonly #maxRowChars: number;
  /** One record can take as long as thousands of others. */
  readonly hasLongSteps: boolean;
  matched = 0;
  scanned = 0;
  /** Of an answer: there are more rows, which cannot be sorted to. */
  endsSorting = false;

  constructor(query: CheckedQuery, { maxChars, matcher }: { maxChars: number; matcher: PatternMatcher }) {
    this.#maxRowChars = Math.floor(maxChars * ROW_SHARE);
    this.#page = new Page({ ...query, maxChars });
    const patterns = query.where.filter(({ op }) => op === 'matches').length;
    this.hasLongSteps = query.where.some(({ op }) => op === 'matches' || op === 'contains');
    this.conditions = query.where.map((where) => {
      return new Condition(where, { read: this.#use(where.field).read, toMatcher: matcher, patterns });
    });
    this.aggregates = query.aggregate.map((aggregate) => {
      const { field } = aggregate;
      const name = aggregateName(aggregate, query.groupBy);
      const read = field === undefined ? () => true : this.#use(field).read;
      return { ...aggregate, name, read, used: 0, skipped: 0, order: new ColumnOrder(name) };
    });
    const isGrouped = this.aggregates.length > 0;
    const fields = query.groupBy.map((name) => this.#use(name));
    this.groups = isGrouped ? new Groups({ fields, aggregates: this.aggregates }) : undefined;

    const { select, sort } = isGrouped ? groupColumns(query, this.aggregates) : query;
    const toColumn = (name: string): UsedField =>
      isGrouped ? { name, read: (row) => member(row, name) } : this.#use(name);
    this.#select = select.map(toColumn);
    this.#sort = sort.map(({ field }) => toColumn(field));
    this.orders = sort.map(({ field }) => new ColumnOrder(field));
    const directions = sort.map(({ direction }) => direction);
    this.#top = sort.length > 0 ? new TopRows({ count: query.offset + query.limit, directions }) : undefined;
    this.unseen = [...this.#fields.values()];
  }

  /** Why the answer is not about all records, or why the rest of the rows cannot be read with an offset. */
  get incomplete(): 'groups' | 'distinct' | 'sorted' | undefined {
    if (this.groups && this.groups.leftOut > 0) return 'groups';
    if (this.groups?.room.isFull) return 'distinct';
    return this.endsSorting ? 'sorted' : undefined;
  }

  add(record: unknown): void {
    this.scanned++;
    if (this.unseen.length > 0) this.unseen = this.unseen.filter(({ read }) => read(record) === undefined);
    for (const condition of this.conditions) if (!condition.holds(record)) return;
    this.matched++;
    if (this.groups) this.groups.add(record);
    else this.#addRow(record, () => shownRow(this.#rowOf(record), { maxChars: this.#maxRowChars }));
  }

  /** Ends the run. */
  answer(): { rows: Row[]; next: { offset: number } | undefined } {
    for (const group of this.groups?.rows() ?? []) this.#addRow(group, () => this.#rowOf(group));
    for (const row of this.#top?.rows() ?? []) this.#page.add(() => this.#fitted(row));
    const total = this.groups?.count ?? this.matched;
    const next = this.#page.nextOf(total);
    this.endsSorting = this.groups === undefined && this.#top !== undefined && (next?.offset ?? 0) >= MAX_SORTED_ROWS;
    return { rows: this.#page.rows, next: this.endsSorting ? undefined : next };
  }

  #addRow(source: unknown, toRow: () => Row): void {
    if (this.#top) this.#top.add(this.#keysOf(source), toRow);
    else this.#page.add(toRow);
  }

  #keysOf(source: unknown): SortKey[] {
    return this.#sort.map(({ read }, index) => {
      const value = read(source);
      const comparable = toComparable(value);
      this.orders[index]?.look(value, comparable.kind);
      return sortKey(value, comparable);
    });
  }

  /** The parts of a group are short, but can be too many for a small answer. */
  #fitted(row: Row): Row {
    const maxChars = this.#maxRowChars;
    return JSON.stringify(row).length > maxChars ? shownRow(row, { maxChars }) : row;
  }

  #rowOf(source: unknown): Row {
    if (this.#select.length === 0 && isRecord(source)) return source;
    if (this.#select.length === 0)
      return Array.isArray(source) ? { ...source.slice(0, 1000) } : { [WHOLE_RECORD]: source };
    const row: Row = {};
    for (const { name, read } of this.#select) {
      const value = read(source);
      if (value !== undefined) setOwn(row, name, asJson(value));
    }
    return row;
  }

  #use(name: string): UsedField {
    const field = this.#fields.get(name) ?? { name, read: fieldReader(name) };
    this.#fields.set(name, field);
    return field;
  }
}
