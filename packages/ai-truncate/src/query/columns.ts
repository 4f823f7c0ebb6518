import { aggregateNames } from './aggregate.ts';
import { type CheckedQuery, QueryArgumentError, type QuerySort } from './arguments.ts';
import { argumentTexts } from './query-words.ts';

/** The columns that groups have, and which of them are shown and sorted by. */
export interface GroupColumns {
  select: string[];
  sort: Required<QuerySort>[];
}

/** Throws a `QueryArgumentError` for a column that groups do not have. */
export function groupColumns({ groupBy, aggregate, select, sort }: CheckedQuery): GroupColumns {
  const names = aggregateNames({ groupBy, aggregate });
  const columns = [...groupBy, ...names];
  const find = (wanted: string): string => {
    const byField = names.filter((_, index) => aggregate[index]?.field === wanted || aggregate[index]?.op === wanted);
    const found =
      columns.find((name) => name === wanted) ??
      columns.find((name) => plain(name) === plain(wanted)) ??
      (byField.length === 1 ? byField[0] : undefined);
    if (found === undefined) throw new QueryArgumentError(argumentTexts.selectInGroups(wanted, columns));
    return found;
  };
  const [first] = names;
  return {
    select: select.length > 0 ? select.map(find) : columns,
    sort:
      sort.length > 0 || first === undefined
        ? sort.map(({ field, direction }) => ({ field: find(field), direction }))
        : [{ field: first, direction: 'desc' }],
  };
}

/** avg(temp_max) and avg_temp_max alike. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
