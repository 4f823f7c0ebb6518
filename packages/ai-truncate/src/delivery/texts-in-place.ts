import { isRecord } from '../protocol/is-record.ts';

/** Deeper than any shape that a provider checks. */
const MAX_LEVELS = 8;
/** Of a longer list the first and the last half of so many stay: each item has texts. */
const MAX_ITEMS = 8;

/**
 * Members that hold a word, an id or a picture: the provider refuses another word, and half a picture is none. By their names:
 * a text that only looks like a picture, as a shell may print it, is a text.
 */
const KEPT_WHOLE: ReadonlySet<string> = new Set(['type', 'status', 'detail', 'id', 'code', 'fileId', 'imageUrl']);

/** All texts inside a value that may be shorter. */
export function* textsOf(value: unknown, levels: number = MAX_LEVELS): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (levels > 0 && Array.isArray(value)) {
    for (const item of value as unknown[]) yield* textsOf(item, levels - 1);
  } else if (levels > 0 && isContainer(value)) {
    for (const [key, item] of Object.entries(value)) if (!KEPT_WHOLE.has(key)) yield* textsOf(item, levels - 1);
  }
}

/** The same shape with other texts, in the order of `textsOf`. */
export function mapTexts(value: unknown, toText: (text: string) => string, levels: number = MAX_LEVELS): unknown {
  if (typeof value === 'string') return toText(value);
  if (levels === 0 || !isContainer(value)) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, toText, levels - 1));
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    KEPT_WHOLE.has(key) ? item : mapTexts(item, toText, levels - 1),
  ]);
  return Object.fromEntries(entries);
}

/** The same shape with at most so many items in each list. */
export function withFewerItems(value: unknown, levels: number = MAX_LEVELS): unknown {
  if (levels === 0 || !isContainer(value)) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFewerItems(item, levels - 1)]));
  }
  const items: unknown[] =
    value.length <= MAX_ITEMS ? value : [...value.slice(0, MAX_ITEMS / 2), ...value.slice(-MAX_ITEMS / 2)];
  return items.map((item) => withFewerItems(item, levels - 1));
}

function isContainer(value: unknown): value is object {
  return isRecord(value) || Array.isArray(value);
}
