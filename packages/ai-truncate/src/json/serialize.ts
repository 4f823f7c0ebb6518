import { dataUrlPieces } from '../text/base64.ts';
import { codePointStart, textPieces } from '../text/utf.ts';
import { lineBreak, MAX_INDENTED_LEVELS } from './indented-json.ts';
import { MAX_DEPTH } from './json-scanner.ts';
import { PlainProbe, stringify } from './plain-json.ts';
import { type Container, representValue, toJsonValue, unreadable } from './represent-value.ts';

/** The text of a value, in chunks that are produced as they are pulled. It can be read once. */
export type SerializedOutput = {
  mediaType: 'text/plain' | 'application/json';
  chunks: Iterable<string>;
  /** Known after the last chunk: a list had another length at its end, or a member was gone. Other changes are not noticed. */
  hasChanged: () => boolean;
  /** Known after the last chunk: a part of the value is nested deeper than {@link MAX_DEPTH} levels, so it is not in the text. */
  isTooDeep: () => boolean;
};

/** The layout of the JSON of a value. */
export type SerializeOptions = {
  /** Spaces per level, as in `JSON.stringify`, up to 64 levels; 0 is compact. @default 0 */
  indent?: number;
};

/**
 * Turns any value into text: a string stays unchanged, everything else becomes JSON. It exists because `JSON.stringify` blocks
 * the event loop, and throws on a cycle, a BigInt or a deep value. This function never throws, and never takes a long step
 * between two chunks. Some chunks are empty, so that the caller can pause. For plain data, the text equals
 * `JSON.stringify(value, null, indent)` byte for byte. Values that JSON cannot carry are described in place: `"[Circular]"`,
 * `"[Function: name]"`.
 *
 * The value determines how long two steps take: listing the keys of one object, which JavaScript cannot do in parts (a million
 * keys take 200 ms), and running a getter or `toJSON`.
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
 * The text that the SDK sends for a value, or `undefined` if `JSON.stringify` throws or the text exceeds `maxChars`. Every
 * visit writes at least one character, so a Buffer or a sparse array ends early.
 */
export function compactJson(value: unknown, maxChars: number): string | undefined {
  let visits = 0;
  try {
    // The SDK sends null for a value that JSON omits, such as `undefined`.
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

/** The longest chunk, in UTF-16 units. */
const MAX_CHUNK_LENGTH = 64 * 1024;
const MAX_NODES_BETWEEN_CHUNKS = 1024;
/** Small, plain parts of a value go to `JSON.stringify`, which is several times faster. */
const MAX_NATIVE = { nodes: 512, levels: 32 };
/** Nodes to visit after a failed probe before the next probe. Probing at each level of a deep chain would be quadratic. */
const NODES_BETWEEN_PROBES = 64;

/** One walk through one value. */
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

  /** Emits the written text, or an empty chunk after much work with little text. */
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

  /** Writes a value that takes one short step; returns false for any other value. */
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
    // Native text has line breaks at all of its levels.
    const indented = Math.max(0, MAX_INDENTED_LEVELS - level);
    const nodes = this.#probe.countNodes(value, { nodes: most, levels: Math.min(levels, indented) });
    const text = nodes === undefined ? undefined : stringify(value, this.#indent);
    if (nodes === undefined || text === undefined) {
      this.#nodesSinceProbe = 0;
      return false;
    }
    this.#nodesSinceChunk += nodes;
    // A line feed inside a string is written as \n, so every raw line feed is a line break of the layout.
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
