/** The kind of the items of a list, by its first item. */
export type Holds = 'objects' | 'lists' | 'values' | 'nothing';

/** A list inside an object. */
export interface JsonList {
  key: string;
  count: number;
  holds: Holds;
  /** The number of cells of the first row of a list of lists. */
  width: number | undefined;
  /** The items of a list of texts. */
  names: string[] | undefined;
  /** Its bytes, from bracket to bracket; `undefined` after many other lists. */
  bytes: { start: number; end: number } | undefined;
}

/** A part of a JSON document that can be read as records. */
export interface RecordPlace {
  /** The keys that lead to it, outermost first. */
  at: readonly string[];
  /**
   * - `items`: of a list.
   * - `members`: of an object, by their keys.
   * - `columns`: of an object of lists that have the same length.
   * - `document`: the whole document is one record.
   */
  kind: 'items' | 'members' | 'columns' | 'document';
  count: number;
  holds: Holds;
  /** Names for the cells of rows that are lists. */
  names?: string[] | undefined;
  width?: number | undefined;
  columns?: JsonList[] | undefined;
  /** The names in each record that lead to further lists, whose items are the records. */
  rest?: readonly string[] | undefined;
}

/** An object that was read to its end. */
export interface JsonObject {
  at: readonly string[];
  /** The number of its members, of members that are objects, and of objects with most keys of the member before. */
  count: number;
  objects: number;
  alike: number;
  /** Its members that are columns themselves. */
  columnMembers: number;
  lists: JsonList[];
}

const FEWEST_MEMBERS = 3;

/** Whether the members of an object look like records: at least three objects, most with the keys of the member before. */
export function isDictionary({ count, objects, alike, columnMembers }: JsonObject): boolean {
  return count >= FEWEST_MEMBERS && objects === count && alike * 2 >= count - 1 && columnMembers * 2 < count;
}

/** An object whose members all are lists of values that have the same length. */
export function isColumns({ count, lists }: JsonObject): boolean {
  const [first] = lists;
  if (!first || count < 2 || lists.length !== count || first.count < 2) return false;
  return lists.every((list) => list.holds === 'values' && list.count === first.count);
}

/** Names for the rows of a list of lists: another list of the same object, with a text for each cell. */
export function namesFor(rows: JsonList, { lists }: JsonObject): string[] | undefined {
  if (rows.holds !== 'lists' || rows.width === undefined || rows.width < 2) return undefined;
  return lists.find(({ names }) => names?.length === rows.width && new Set(names).size === rows.width)?.names;
}

/** How an object is read whose keys were given: nothing in it was left to a guess. */
export function placeOfNamed(object: JsonObject): RecordPlace | undefined {
  const { at, count, objects, lists } = object;
  const columns = longestColumns(lists);
  if (columns && columns.length * 2 >= count)
    return { at, kind: 'columns', count: columns[0]?.count ?? 0, holds: 'values', columns };
  const isOfOneSort = objects === count || lists.length === count || objects + lists.length === 0;
  if (!isOfOneSort || count === 0) return undefined;
  return { at, kind: 'members', count, holds: objects === count ? 'objects' : 'values' };
}

/** The most lists that have one length. */
function longestColumns(lists: readonly JsonList[]): JsonList[] | undefined {
  const byLength = new Map<number, JsonList[]>();
  for (const list of lists) byLength.set(list.count, [...(byLength.get(list.count) ?? []), list]);
  const groups = [...byLength].filter(([length, group]) => length >= 2 && group.length >= 2).map(([, group]) => group);
  return groups.sort((left, right) => right.length - left.length)[0];
}

/** The places of a document that was read to its end. */
export interface FoundPlaces {
  root: RecordPlace | undefined;
  /** All places that are reached through keys only, in the order of the document. */
  places: readonly RecordPlace[];
  /** For each number of keys, the place that so many of the named ones lead to. */
  named: ReadonlyMap<number, RecordPlace | undefined>;
}

export type Choice =
  | { status: 'found'; place: RecordPlace }
  | { status: 'several'; places: RecordPlace[] }
  | { status: 'none' };

/**
 * The records of a document. Without `at` they are the items of the document, or of the only place that looks like records; an
 * object without such a place is one record.
 */
export function choosePlace({ root, places, named }: FoundPlaces, at: readonly string[] | undefined): Choice {
  if (at !== undefined) return chooseNamed({ root, places, named }, at);
  if (root?.kind === 'items') return { status: 'found', place: root };
  const [one, ...others] = likelyPlaces(places);
  if (one) return others.length > 0 ? { status: 'several', places: [one, ...others] } : { status: 'found', place: one };
  if (!root) return { status: 'none' };
  return { status: 'found', place: { at: [], kind: 'document', count: 1, holds: 'objects' } };
}

/** Places that look like records, strongest first: with names for their fields, then lists of lists, then an empty list. */
export function likelyPlaces(places: readonly RecordPlace[]): RecordPlace[] {
  const withNames = places.filter(({ holds, names, kind }) => kind !== 'items' || holds === 'objects' || names);
  const lists = withNames.filter(({ kind }) => kind === 'items');
  const levels = Math.min(...lists.map(({ at }) => at.length));
  const strong = withNames.filter(({ kind, at }) => kind === 'items' || at.length <= levels);
  if (strong.length > 0) return strong;
  const rows = places.filter(({ holds }) => holds === 'lists');
  return rows.length > 0 ? rows : places.filter(({ holds }) => holds === 'nothing').slice(0, 1);
}

function chooseNamed({ places, named }: FoundPlaces, at: readonly string[]): Choice {
  const place = named.get(at.length);
  if (place) return { status: 'found', place };
  for (let keys = at.length - 1; keys >= 0; keys--) {
    const outer = named.get(keys);
    const holdsRecords = outer?.kind === 'items' || (outer?.kind === 'members' && outer.holds === 'objects');
    // Only for a dictionary, because the members of any other object are named one by one.
    if (holdsRecords && (outer.kind === 'items' || outer.count >= FEWEST_MEMBERS))
      return { status: 'found', place: { ...outer, rest: at.slice(keys) } };
  }
  if (!named.has(at.length)) return { status: 'none' };
  // The named object holds the records somewhere below.
  const below = likelyPlaces(places.filter((each) => at.every((key, index) => each.at[index] === key)));
  const [one, ...others] = below;
  if (!one) return { status: 'none' };
  return others.length > 0 ? { status: 'several', places: below } : { status: 'found', place: one };
}

export function isSamePlace(left: RecordPlace, right: RecordPlace): boolean {
  const essence = ({ at, kind, names, rest }: RecordPlace) => JSON.stringify([at, kind, names, rest]);
  return essence(left) === essence(right);
}

/** Whether two objects share at least half of the keys of the smaller one. */
export function areAlike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const key of right) if (left.has(key)) shared++;
  return shared > 0 && shared * 2 >= Math.min(left.size, right.size);
}

/** Whether two lists of keys lead to the same place. */
export function isSamePath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}
