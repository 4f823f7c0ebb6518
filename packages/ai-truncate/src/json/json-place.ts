/** What the grammar allows next. `first` means that the container may also close at once. */
export type Expected = 'root' | 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

/** A container that was open at a cut. The scanner counts on in the same object, so both sides of a gap can be matched. */
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
