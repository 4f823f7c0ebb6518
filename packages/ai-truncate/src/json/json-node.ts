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

/** What the grammar allows next. `first` means that the container may also close at once. */
export type Expected = 'root' | 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

/** A container that was open at a cut. The outline counts on in the same object, so both sides of a gap can be matched. */
export type JsonFrame = { kind: 'array' | 'object'; key: string; parent: JsonFrame | undefined; count: number };

/** A place where a long text was cut: everything a parser needs to go on from there. */
export type JsonPlace = {
  expects: Expected;
  frame: JsonFrame | undefined;
  /** The raw beginning of the item that was cut, its key included, without which the text would start inside a token. */
  prefix: string;
  /** The name of a member whose key is cut and too long to be kept: `prefix` holds less than all of it. */
  longKey: string | undefined;
  /** The string value that was cut; its length is known once it has ended. */
  string: { length: number } | undefined;
  /** How many containers deeper than {@link MAX_DEPTH} are open. */
  deeper: number;
};

export function isKey(expects: Expected): boolean {
  return expects === 'key' || expects === 'first key';
}

export function isValue(expects: Expected): boolean {
  return expects === 'value' || expects === 'first value';
}
