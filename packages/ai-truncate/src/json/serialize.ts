import { dataUrlPieces } from '../text/base64.ts';
import { codePointStart, textPieces } from '../text/utf.ts';
import { lineBreak, MAX_INDENTED_LEVELS } from './indented-json.ts';
import { MAX_DEPTH } from './json-scanner.ts';
import { PlainProbe, stringify } from './plain-json.ts';
import { type Container, representValue, toJsonValue, unreadable } from './represent-value.ts';

/** The text of a value, in chunks that are made as they are pulled, once. */
export type SerializedOutput = {
  mediaType: 'text/plain' | 'application/json';
  chunks: Iterable<string>;
  /** After the last chunk: a list had another length at its end, or a member was gone. What changes otherwise is not seen. */
  hasChanged: () => boolean;
  /** After the last chunk: something is nested deeper than {@link MAX_DEPTH} levels, so it is not in the text. */
  isTooDeep: () => boolean;
};

/** How the JSON of a value looks. */
export type SerializeOptions = {
  /** Spaces per level, as in `JSON.stringify`, up to 64 levels; 0 is compact. @default 0 */
  indent?: number;
};

/**
 * Turns any value into text: a string as it is, everything else as JSON. It exists because `JSON.stringify` blocks, and
 * throws on a cycle, a BigInt or a deep value. This never throws and never takes a long step between two chunks (some are
 * empty, so that a driver can pause); on plain data the text is that of `JSON.stringify(value, null, indent)`, byte for
 * byte. What JSON cannot carry is said in place: `"[Circular]"`, `"[Function: name]"`.
 *
 * Two steps are as long as the value makes them: listing the keys of one object (once, but JavaScript cannot do it in
 * parts: a million keys take 200 ms), and what a getter or `toJSON` does itself.
 *
 * @example
 * const { mediaType, chunks } = serialize({ rows: [1, 2, 3] });
 * for (const chunk of chunks) process.stdout.write(chunk);
 */
export function serialize(value: unknown, { indent = 0 }: SerializeOptions = {}): SerializedOutput {
  if (typeof value === 'string') {
    const chunks = textPieces(value, MAX_CHUNK_LENGTH);
    return { mediaType: 'text/plain', chunks, hasChanged: () => false, isTooDeep: () => false };
  }
  const walk = new JsonWalk(indent);
  return {
    mediaType: 'application/json',
    chunks: walk.chunks(value),
    hasChanged: () => walk.hasChanged,
    isTooDeep: () => walk.isTooDeep,
  };
}

/**
 * What the SDK sends for a value, `undefined` when it cannot: `JSON.stringify` throws, or goes on for more than `maxChars`.
 * Every visit writes a character at least, so that a Buffer or a sparse array ends it early.
 */
export function compactJson(value: unknown, maxChars: number): string | undefined {
  let visits = 0;
  try {
    // A value that JSON leaves out, `undefined` for instance, the SDK sends as null.
    return (
      JSON.stringify(value, (_, item: unknown) => {
        if (++visits > maxChars) throw new RangeError('too large');
        return item;
      }) ?? 'null'
    );
  } catch {
    return undefined;
  }
}

/** No chunk is longer, in UTF-16 units. */
const MAX_CHUNK_LENGTH = 64 * 1024;
const MAX_NODES_BETWEEN_CHUNKS = 1024;
/** Small, plain parts of a value go to `JSON.stringify`, which is several times quicker. */
const MAX_NATIVE = { nodes: 512, levels: 32 };
/** Nodes to walk after a failed probe before the next: probing at each level of a deep chain would be quadratic. */
const NODES_BETWEEN_PROBES = 64;

/** One walk over one value. */
class JsonWalk {
  hasChanged = false;
  isTooDeep = false;
  readonly #indent: number;
  /** The containers that are open, outermost first. */
  readonly #path: object[] = [];
  readonly #probe: PlainProbe = new PlainProbe(this.#path);
  #text = '';
  #nodesSinceChunk = 0;
  #nodesSinceProbe = NODES_BETWEEN_PROBES;

  constructor(indent: number) {
    this.#indent = indent;
  }

  *chunks(root: unknown): Generator<string> {
    const value = toJsonValue(root, '');
    if (!this.#writeShort(value)) yield* this.#writeLong(value);
    yield* this.#pause();
    if (this.#text !== '') yield this.#text;
  }

  /** Hands on what is written, or an empty chunk after much work on little text. */
  *#pause(): Generator<string> {
    if (this.#nodesSinceChunk >= MAX_NODES_BETWEEN_CHUNKS && this.#text.length < MAX_CHUNK_LENGTH) yield '';
    this.#nodesSinceChunk = 0;
    while (this.#text.length >= MAX_CHUNK_LENGTH) {
      const end = codePointStart(this.#text, MAX_CHUNK_LENGTH);
      const chunk = this.#text.slice(0, end);
      this.#text = this.#text.slice(end);
      yield chunk;
    }
  }

  /** Writes what takes one short step; false for anything else. */
  #writeShort(value: unknown): boolean {
    switch (typeof value) {
      case 'string':
        if (value.length > MAX_CHUNK_LENGTH) return false;
        this.#text += JSON.stringify(value);
        return true;
      case 'number':
        this.#text += Number.isFinite(value) ? String(value) : 'null';
        return true;
      case 'boolean':
        this.#text += value ? 'true' : 'false';
        return true;
      case 'undefined':
        this.#text += 'null';
        return true;
      case 'object':
        if (value !== null) return this.#writeNative(value);
        this.#text += 'null';
        return true;
      default:
        return false;
    }
  }

  #writeNative(value: object): boolean {
    if (this.#nodesSinceProbe < NODES_BETWEEN_PROBES) return false;
    const { nodes: most, levels } = MAX_NATIVE;
    const level = this.#path.length;
    // Native text is indented at all of its levels.
    const indented = Math.max(0, MAX_INDENTED_LEVELS - level);
    const nodes = this.#probe.countNodes(value, { nodes: most, levels: Math.min(levels, indented) });
    const text = nodes === undefined ? undefined : stringify(value, this.#indent);
    if (nodes === undefined || text === undefined) {
      this.#nodesSinceProbe = 0;
      return false;
    }
    this.#nodesSinceChunk += nodes;
    // A line feed inside a string is written as \n: every raw one is a line break of the layout.
    this.#text += this.#indent > 0 && level > 0 ? text.replaceAll('\n', lineBreak(level, this.#indent)) : text;
    return true;
  }

  *#writeLong(value: unknown): Generator<string> {
    if (typeof value === 'string') yield* this.#writeString(escapedPieces(value));
    else if (this.#path.includes(value as object)) this.#text += '"[Circular]"';
    else {
      const shown = representValue(value as object | symbol | bigint, (source) => this.#probe.takeKeys(source));
      if (typeof shown !== 'object' || shown === null) {
        if (!this.#writeShort(shown)) yield* this.#writeLong(shown);
      } else if (shown.kind === 'raw') this.#text += shown.text;
      else if (shown.kind === 'bytes') yield* this.#writeString(dataUrlPieces(shown.source));
      else if (this.#path.length < MAX_DEPTH) yield* this.#writeContainer(shown);
      else {
        this.isTooDeep = true;
        this.#text += `"[Nested deeper than ${MAX_DEPTH} levels]"`;
      }
    }
  }

  *#writeContainer({ source, keys, length }: Container): Generator<string> {
    const outerBreak = lineBreak(this.#path.length, this.#indent);
    this.#path.push(source);
    const innerBreak = lineBreak(this.#path.length, this.#indent);
    this.#text += keys ? '{' : '[';
    let isEmpty = true;
    for (let index = 0; index < length; index++) {
      const key = keys?.[index] ?? index;
      const value = toJsonValue(this.#read(source, key), key);
      if (value !== undefined || !keys) {
        this.#text += isEmpty ? innerBreak : `,${innerBreak}`;
        isEmpty = false;
        if (keys) {
          if (!this.#writeShort(key)) yield* this.#writeLong(key);
          this.#text += this.#indent > 0 ? ': ' : ':';
        }
        if (!this.#writeShort(value)) yield* this.#writeLong(value);
      }
      this.#nodesSinceChunk++;
      this.#nodesSinceProbe++;
      if (this.#text.length >= MAX_CHUNK_LENGTH || this.#nodesSinceChunk >= MAX_NODES_BETWEEN_CHUNKS)
        yield* this.#pause();
    }
    this.#path.pop();
    this.hasChanged ||= hasOtherLength(source, length);
    this.#text += (isEmpty ? '' : outerBreak) + (keys ? '}' : ']');
  }

  #read(source: object, key: string | number): unknown {
    try {
      const value = (source as Record<string | number, unknown>)[key];
      if (value === undefined && typeof key === 'string') this.hasChanged ||= !Object.hasOwn(source, key);
      return value;
    } catch (error) {
      return unreadable(error);
    }
  }

  *#writeString(escaped: Iterable<string>): Generator<string> {
    this.#text += '"';
    for (const piece of escaped) {
      this.#text += piece;
      if (this.#text.length >= MAX_CHUNK_LENGTH) yield* this.#pause();
    }
    this.#text += '"';
  }
}

function hasOtherLength(source: object, length: number): boolean {
  try {
    return Array.isArray(source) && source.length !== length;
  } catch {
    return true;
  }
}

function* escapedPieces(text: string): Generator<string> {
  for (const piece of textPieces(text, MAX_CHUNK_LENGTH)) yield JSON.stringify(piece).slice(1, -1);
}
