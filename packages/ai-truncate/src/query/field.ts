import { isRecord } from '../protocol/guards.ts';

/** One name for what is no object: numbers of an array, strings of NDJSON. */
export const WHOLE_RECORD = 'value';

/** With every dot a name has one more way to be read. */
export const MAX_DOTS = 10;

/** What is left of a name, and the ways to read it: as one key, or as a key and what is left then. */
interface NamePart {
  whole: string;
  splits: { key: string; rest: NamePart }[];
}

/** Finds the value of one field; `undefined` when the record does not have it (`null` is a value). */
export type FieldReader = (record: unknown) => unknown;

/**
 * Reads a field by its name: dots lead into objects, numbers into arrays. At each level a key that is the whole rest of
 * the name comes first, so that names with dots of their own are found. Only what the data itself has is found, never what
 * objects inherit.
 *
 * @example
 * fieldReader('properties.mag')({ properties: { mag: 2.1 } }) // 2.1
 */
export function fieldReader(name: string): FieldReader {
  const part = partsOf(name);
  if (part.splits.length === 0 && name !== WHOLE_RECORD) return (record) => member(record, name);
  return (record) => (isContainer(record) ? find(record, part) : name === WHOLE_RECORD ? record : undefined);
}

function partsOf(name: string, known: Map<string, NamePart> = new Map()): NamePart {
  // The same rest is reached in many ways: made anew for each, a name of ten dots would have a thousand parts.
  const same = known.get(name);
  if (same) return same;
  const part: NamePart = { whole: name, splits: [] };
  known.set(name, part);
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
    part.splits.push({ key: name.slice(0, dot), rest: partsOf(name.slice(dot + 1), known) });
  return part;
}

function find(container: unknown, part: NamePart): unknown {
  const whole = member(container, part.whole);
  if (whole !== undefined) return whole;
  for (const { key, rest } of part.splits) {
    const inner = member(container, key);
    const found = isContainer(inner) ? find(inner, rest) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function member(container: unknown, key: string): unknown {
  if (Array.isArray(container)) return /^\d{1,9}$/.test(key) ? container[Number(key)] : undefined;
  return isRecord(container) && Object.hasOwn(container, key) ? container[key] : undefined;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
