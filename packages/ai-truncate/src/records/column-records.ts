import { RecordError } from '../json/json-pieces.ts';
import type { JsonList } from '../json/record-places.ts';
import { tooManyColumnsUsedText } from './record-words.ts';
import { setOwn } from './values.ts';

/** Because each column is a stream. */
const MAX_COLUMNS_READ = 16;
const MAX_ROWS_AT_ONCE = 256;

/** The values of one column, in batches of a few hundred. */
type ReadColumn = (column: JsonList & { bytes: { start: number; end: number } }) => AsyncIterable<unknown[]>;

/**
 * Rows from columns, which are lists of the same length. The lists are read in parallel, so that only a piece of each is in
 * memory. `used` are the names that the query uses. Without it, a row shows as many columns as can be read.
 */
export async function* columnRecords(columns: readonly JsonList[], read: ReadColumn): AsyncGenerator<unknown[]> {
  const cursors = columns.map((column) => {
    const { key, bytes } = column;
    if (!bytes) throw new RecordError('too large', tooManyColumnsUsedText(columns.length, MAX_COLUMNS_READ));
    return { key, values: read({ ...column, bytes })[Symbol.asyncIterator](), batch: [] as unknown[], index: 0 };
  });
  try {
    for (;;) {
      for (const cursor of cursors) {
        while (cursor.index === cursor.batch.length) {
          const next = await cursor.values.next();
          if (next.done) return;
          cursor.batch = next.value;
          cursor.index = 0;
        }
      }
      const count = Math.min(MAX_ROWS_AT_ONCE, ...cursors.map(({ batch, index }) => batch.length - index));
      yield Array.from({ length: count }, () => {
        const row: Record<string, unknown> = {};
        for (const cursor of cursors) setOwn(row, cursor.key, cursor.batch[cursor.index++]);
        return row;
      });
    }
  } finally {
    await Promise.all(cursors.map(({ values }) => values.return?.()));
  }
}

/**
 * The columns that a query reads, by the names that it uses. Without names, or if a name is not a column, as many columns as can
 * be read. Throws if a query uses too many.
 */
export function columnsToRead(columns: readonly JsonList[], names: readonly string[] | undefined): JsonList[] {
  const isUsedBy = (name: string) => (column: JsonList) =>
    name === column.key || name.startsWith(`${column.key}.`) || name.includes(`(${column.key}`);
  const used = columns.filter((column) => names?.some((name) => isUsedBy(name)(column)));
  if (used.length > MAX_COLUMNS_READ)
    throw new RecordError('not found', tooManyColumnsUsedText(used.length, MAX_COLUMNS_READ));
  const isComplete = names?.every((name) => used.some(isUsedBy(name)));
  const others = columns.filter((column) => !used.includes(column));
  const wanted = isComplete ? Math.max(1, used.length) : MAX_COLUMNS_READ;
  const read = [...used, ...others.slice(0, wanted - used.length)];
  return columns.filter((column) => read.includes(column));
}
