import { isRecord } from '../protocol/guards.ts';
import { MAX_SORTED_ROWS } from '../reader-limits.ts';
import { setOwn } from '../records/values.ts';
import type { GroupAggregate } from './aggregate.ts';
import { asJson, Page, ROW_SHARE, shownRow } from './answer-rows.ts';
import type { CheckedQuery } from './arguments.ts';
import { toComparable } from './compare-values.ts';
import { Condition } from './condition.ts';
import { fieldReader, ListedValues, member, plainValue, type UsedField, WHOLE_RECORD } from './fields.ts';
import { aggregateName, Groups, groupColumns } from './groups.ts';
import type { PatternMatcher } from './operators.ts';
import { ColumnOrder, type SortKey, sortKey, TopRows } from './sorting.ts';

type Row = Record<string, unknown>;

/** The value that replaces a field that the records of a group do not have. */
const MISSING = '(missing)';

/** One query over a sequence of records. It stores only the parts that the answer needs, never the records. */
export class QueryRun {
  readonly #fields = new Map<string, UsedField>();
  /** The used fields that no record has had so far. */
  unseen: UsedField[];
  /** The columns of the rows (all fields if the list is empty), and the columns that sort the rows. */
  readonly #select: UsedField[];
  readonly #sort: UsedField[];
  readonly orders: ColumnOrder[];
  /** For each sort column, the number of records that do not have it. */
  readonly unsorted: number[] = [];
  readonly conditions: Condition[];
  readonly #page: Page;
  readonly #top: TopRows<Row> | undefined;
  readonly groups: Groups | undefined;
  readonly groupNames: readonly string[];
  readonly aggregates: GroupAggregate[];
  readonly #maxRowChars: number;
  /** One record can take as long as thousands of others. */
  readonly hasLongSteps: boolean;
  matched = 0;
  scanned = 0;
  /** There are more rows than can be sorted. */
  endsSorting = false;

  constructor(query: CheckedQuery, { maxChars, matcher }: { maxChars: number; matcher: PatternMatcher }) {
    this.#maxRowChars = Math.floor(maxChars * ROW_SHARE);
    this.#page = new Page({ ...query, maxChars });
    const patterns = query.where.filter(({ op }) => op === 'matches').length;
    this.hasLongSteps = query.where.some(({ op }) => op === 'matches' || op === 'contains');
    this.conditions = query.where.map((where) => {
      return new Condition(where, {
        read: this.#use(where.field).read,
        toMatcher: matcher,
        patterns,
        conditions: query.where.length,
      });
    });
    this.aggregates = query.aggregate.map((aggregate) => {
      const { field } = aggregate;
      const name = aggregateName(aggregate, query.groupBy);
      const read = field === undefined ? () => true : this.#use(field).read;
      const counts = { used: 0, lacking: 0, nulls: 0, skipped: 0, isOfLists: false, cutLists: 0, isEstimated: false };
      return { ...aggregate, ...counts, name, read, order: new ColumnOrder(name) };
    });
    const isGrouped = this.aggregates.length > 0;
    const fields = query.groupBy.map((name) => this.#use(name));
    this.groupNames = query.groupBy;
    this.groups = isGrouped
      ? new Groups({ fields, aggregates: this.aggregates, names: [...this.#fields.keys()] })
      : undefined;

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

  /** Why the answer does not cover all records, or why the other rows cannot be read with an offset. */
  get incomplete(): 'groups' | 'distinct' | 'sorted' | 'lists' | undefined {
    if (this.groups && this.groups.leftOut + this.groups.room.medians.leftOut > 0) return 'groups';
    if (this.groups?.room.isFull) return 'distinct';
    const parts = [...this.conditions, ...this.aggregates];
    if (this.groups?.cutsLists || parts.some(({ cutLists }) => cutLists > 0)) return 'lists';
    return this.endsSorting ? 'sorted' : undefined;
  }

  /** The names that the query uses; `undefined` if its rows contain all fields. */
  get names(): string[] | undefined {
    return this.#select.length > 0 || this.groups ? [...this.#fields.keys()] : undefined;
  }

  add(record: unknown): void {
    this.scanned++;
    if (this.unseen.length > 0) this.unseen = this.unseen.filter(({ read }) => read(record) === undefined);
    let isMatch = true;
    // Each condition counts the records that lack its field, even if another condition does not hold.
    for (const condition of this.conditions) {
      const value = condition.look(record);
      isMatch &&= condition.holdsFor(value);
    }
    if (!isMatch) return;
    this.matched++;
    if (this.groups) this.groups.add(record, (item) => this.conditions.every((each) => each.holdsFor(each.read(item))));
    else this.#addRow(record, () => shownRow(this.#rowOf(record), { maxChars: this.#maxRowChars }));
  }

  /** Ends the query and returns its rows. */
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
      const found = read(source);
      if (found === undefined && !this.groups) this.unsorted[index] = (this.unsorted[index] ?? 0) + 1;
      // A list of values is sorted by its first value.
      const value = found instanceof ListedValues ? found.values[0] : found;
      const comparable = toComparable(value);
      this.orders[index]?.look(value, comparable.kind);
      return sortKey(value, comparable);
    });
  }

  /** The values of a group are short, but there can be too many for a small answer. */
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
      const found = read(source);
      const value = found === undefined && this.groupNames.includes(name) ? MISSING : found;
      if (value !== undefined) setOwn(row, name, asJson(plainValue(value)));
    }
    return row;
  }

  #use(name: string): UsedField {
    const field = this.#fields.get(name) ?? { name, read: fieldReader(name) };
    this.#fields.set(name, field);
    return field;
  }
}
