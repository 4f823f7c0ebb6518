import { dataUrlPieces } from '../text/base64.ts';
import { codePointStart, textPieces, thousands } from '../text/utf.ts';
import { Ancestors } from './ancestors.ts';
import { ArrayHoles, isHole } from './array-holes.ts';
import { JsonLayout } from './indented-json.ts';
import { NativeJson } from './json-walk-native.ts';
import { type Representation, representValue, toJsonValue, unreadable } from './represent-value.ts';

/** No chunk is longer, in UTF-16 units. */
export const MAX_CHUNK_LENGTH: number = 64 * 1024;
const MAX_NODES_BETWEEN_CHUNKS = 1024;
/** An endless Proxy would otherwise fill the heap with the stack of this walk. */
const MAX_LEVELS = 1_000_000;
const TOO_DEEP = '[Nested deeper than 1,000,000 levels]';
/** Holes in a row that are still written one by one, as `JSON.stringify` does. */
const MAX_SINGLE_HOLES = 4095;

/** A container whose members are being written. A million may be open at once, hence few fields. */
type Frame = {
  readonly source: object;
  /** The keys to read from `source`, or, without, its items by index. */
  readonly keys?: readonly string[];
  readonly length: number;
  readonly isObject: boolean;
  index: number;
  isEmpty: boolean;
};

type Container = Pick<Frame, 'source' | 'keys'> & { length?: number };

/** One walk over one value, with its own stack: recursion would end at a depth of some thousands. */
export class JsonWalk {
  /** A list had another length when its last item was written, or a listed member was gone. */
  hasChanged = false;
  readonly #layout: JsonLayout;
  readonly #native: NativeJson;
  readonly #stack: Frame[] = [];
  readonly #ancestors: Ancestors = new Ancestors();
  readonly #holes: ArrayHoles = new ArrayHoles();
  /** Work that is too long for one step: a long text, bytes, holes. Done before the walk goes on. */
  #pending: Iterator<void> | undefined;
  #text = '';
  #nodesSinceChunk = 0;
  #key: string | number = '';
  #value: unknown;

  constructor({ indent = 0 }: { indent?: number | undefined }) {
    this.#layout = new JsonLayout(indent);
    this.#native = new NativeJson(this.#layout, (value) => this.#ancestors.has(value));
  }

  *chunks(root: unknown): Generator<string> {
    this.#write(toJsonValue(root, ''));
    do {
      while (this.#text.length >= MAX_CHUNK_LENGTH) yield this.#takeChunk();
      if (this.#nodesSinceChunk >= MAX_NODES_BETWEEN_CHUNKS) {
        this.#nodesSinceChunk = 0;
        yield '';
      }
    } while (this.#step());
    if (this.#text !== '') yield this.#text;
  }

  #takeChunk(): string {
    const end = codePointStart(this.#text, MAX_CHUNK_LENGTH);
    const chunk = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    this.#nodesSinceChunk = 0;
    return chunk;
  }

  /** Does a bounded amount of work; false when all is written. */
  #step(): boolean {
    if (this.#pending) {
      this.#continuePending(this.#pending);
      return true;
    }
    const frame = this.#stack.at(-1);
    if (!frame) return false;
    this.#nodesSinceChunk++;
    this.#native.countWalked();
    if (this.#readNext(frame)) this.#writeEntry(frame);
    else this.#close(frame);
    return true;
  }

  #continuePending(pending: Iterator<void>): void {
    const isDone = pending.next().done;
    if (!isDone) this.#nodesSinceChunk = MAX_NODES_BETWEEN_CHUNKS;
    // Not when its last step left something long to do next.
    else if (this.#pending === pending) this.#pending = undefined;
  }

  #readNext(frame: Frame): boolean {
    const { source, keys } = frame;
    if (frame.index >= frame.length) return false;
    this.#key = keys ? (keys[frame.index] as string) : frame.index;
    frame.index++;
    try {
      this.#value = (source as Record<string | number, unknown>)[this.#key];
      if (this.#value === undefined && keys) this.hasChanged ||= !Object.hasOwn(source, this.#key);
    } catch (error) {
      this.#value = unreadable(error);
    }
    return true;
  }

  #writeEntry(frame: Frame): void {
    const key = this.#key;
    if (this.#value === undefined && Array.isArray(frame.source) && isHole(frame.source, frame.index - 1)) {
      this.#pending = this.#holesText(frame);
      return;
    }
    const value = toJsonValue(this.#value, key);
    if (!frame.isObject) {
      this.#separate(frame);
      this.#write(value);
    } else if (value !== undefined) {
      this.#separate(frame);
      this.#writeMember(String(key), value);
    }
  }

  #writeMember(key: string, value: unknown): void {
    const colon = this.#layout.isIndented(this.#stack.length) ? ': ' : ':';
    if (key.length <= MAX_CHUNK_LENGTH) {
      this.#text += JSON.stringify(key) + colon;
      this.#write(value);
    } else this.#pending = this.#longMember(key, value, colon);
  }

  *#longMember(key: string, value: unknown, colon: string): Generator<void> {
    yield* this.#string(escapedPieces(key));
    this.#text += colon;
    this.#write(value);
  }

  #write(value: unknown): void {
    switch (typeof value) {
      case 'string':
        if (value.length <= MAX_CHUNK_LENGTH) this.#text += JSON.stringify(value);
        else this.#pending = this.#string(escapedPieces(value));
        break;
      case 'number':
        this.#text += Number.isFinite(value) ? String(value) : 'null';
        break;
      case 'boolean':
        this.#text += value ? 'true' : 'false';
        break;
      case 'undefined':
        this.#text += 'null';
        break;
      default:
        if (value === null) this.#text += 'null';
        else this.#writeObject(value as object | symbol | bigint);
    }
  }

  #writeObject(value: object | symbol | bigint): void {
    const isObject = typeof value === 'object';
    if (isObject && this.#ancestors.has(value)) this.#write('[Circular]');
    else if (!isObject || !this.#writeNative(value))
      this.#writeRepresentation(representValue(value, isObject ? this.#native.takeKeys(value) : undefined));
  }

  #writeRepresentation(value: Representation): void {
    if (value === null || typeof value !== 'object') this.#write(value);
    else if (value.kind === 'raw') this.#text += value.text;
    else if (value.kind === 'bytes') this.#pending = this.#string(dataUrlPieces(value.source));
    else if (this.#stack.length >= MAX_LEVELS) this.#write(TOO_DEEP);
    else this.#open(value);
  }

  #writeNative(value: object): boolean {
    const level = this.#stack.length;
    const text = this.#native.textOf(value, { level, maxLevels: MAX_LEVELS - level });
    if (text === undefined) return false;
    this.#nodesSinceChunk += this.#native.nodes;
    this.#text += text;
    return true;
  }

  #open(container: Container): void {
    const { source, keys, length = keys?.length ?? 0 } = container;
    const isObject = keys !== undefined;
    this.#ancestors.add(source);
    this.#stack.push({ source, keys, length, isObject, index: 0, isEmpty: true });
    this.#text += isObject ? '{' : '[';
  }

  #close(frame: Frame): void {
    this.#stack.pop();
    this.hasChanged ||= hasOtherLength(frame);
    this.#ancestors.remove(frame.source);
    const level = this.#stack.length;
    if (!frame.isEmpty && this.#layout.isIndented(level + 1)) this.#text += this.#layout.lineBreak(level);
    this.#text += frame.isObject ? '}' : ']';
  }

  #separate(frame: Frame): void {
    if (!frame.isEmpty) this.#text += ',';
    frame.isEmpty = false;
    this.#text += this.#layout.lineBreak(this.#stack.length);
  }

  *#holesText(frame: Frame): Generator<void> {
    const start = frame.index - 1;
    const end = yield* this.#holes.nextItem(frame.source, { start, end: frame.length });
    frame.index = end;
    if (end - start > MAX_SINGLE_HOLES) {
      this.#separate(frame);
      this.#write(`[${thousands(end - start)} empty items]`);
      return;
    }
    for (let hole = start; hole < end; hole++) {
      this.#separate(frame);
      this.#text += 'null';
    }
  }

  /** Writes a string whose escaped text comes in pieces. */
  *#string(pieces: Iterable<string>): Generator<void> {
    this.#text += '"';
    for (const piece of pieces) {
      this.#text += piece;
      yield;
    }
    this.#text += '"';
  }
}

function hasOtherLength({ source, length }: Frame): boolean {
  try {
    return Array.isArray(source) && source.length !== length;
  } catch {
    return true;
  }
}

function* escapedPieces(text: string): Generator<string> {
  for (const piece of textPieces(text, MAX_CHUNK_LENGTH)) yield JSON.stringify(piece).slice(1, -1);
}
