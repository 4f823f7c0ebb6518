/**
 * A JSON document of which parts may be missing. Numbers keep their raw text, so `12345678901234567890` stays what it is.
 */
export type JsonNode = JsonLiteral | JsonString | JsonContainer | JsonDeep;

/** A number, `true`, `false` or `null`, as it was written. */
export type JsonLiteral = { kind: 'literal'; text: string };

/** A string: whole when `first` is as long as `length`, else its known beginning and end and its true length. */
export type JsonString = { kind: 'string'; first: string; last: string; length: number };

/** An array or object: its first and last known items, and how many there are in truth. Whole when `last` is empty and none is missing. */
export type JsonContainer = { kind: 'array' | 'object'; first: JsonItem[]; last: JsonItem[]; count: number };

/** An element of an array, or a member of an object with its key. */
export type JsonItem = { key?: string; value: JsonNode };

/** What is nested deeper than {@link MAX_DEPTH}: it is there, and nothing else is known of it. */
export type JsonDeep = { kind: 'deep' };

/** Deeper containers are skipped: 512 is far above real data, and keeps every recursion over nodes safe. */
export const MAX_DEPTH = 512;
