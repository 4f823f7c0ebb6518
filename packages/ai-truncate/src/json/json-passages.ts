import { detach } from '../text/utf.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonScanner,
  MAX_DEPTH,
  NONE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  STRING,
} from './json-scanner.ts';

/** A larger item is split into its own items. */
export const MAX_PASSAGE_CHARS = 4096;

/** A container that is too large to be shown completely, so that its items are read one by one. */
export interface LargeContainer {
  kind: 'array' | 'object';
  /** Its own key and place in the container around it. */
  key: string | undefined;
  index: number;
  parent: LargeContainer | undefined;
  /** Its items so far. */
  count: number;
}

/** An item that is small enough to be shown completely, inside a container that is not. */
export interface JsonPassage {
  /** The text of its value. */
  text: string;
  key: string | undefined;
  /** Counts from 0. */
  index: number;
  container: LargeContainer;
}

interface Open extends LargeContainer {
  /** The start of its text. */
  start: number;
  isLarge: boolean;
  /** Completed small items, until it is known whether this container is small too. */
  small: { start: number; end: number; key: string | undefined; index: number }[];
  parent: Open | undefined;
  /** The open item. */
  itemKey: string | undefined;
  itemStart: number;
}

/** Cuts JSON text of any size into passages while it arrives, in constant memory. */
export class JsonPassages {
  readonly #scanner = new JsonScanner();
  readonly #visit: (passage: JsonPassage) => void;
  #open: Open | undefined;
  #depth = 0;
  #expectsKey = false;
  /** The text from `#windowStart`, which may still belong to a passage. */
  #window = '';
  #windowStart = 0;
  #length = 0;
  #isBroken = false;

  constructor(visit: (passage: JsonPassage) => void) {
    this.#visit = visit;
  }

  /** Whether the text may still be JSON. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  push(chunk: string): void {
    if (this.#isBroken) return;
    this.#window += chunk;
    this.#length += chunk.length;
    const scanner = this.#scanner;
    scanner.feed(chunk);
    for (let token = scanner.next(); token !== NONE; token = scanner.next()) {
      this.#read(token, scanner);
      if (this.#isBroken) {
        this.#window = '';
        return;
      }
    }
    this.#growLarge(this.#length);
    const keep = Math.max(this.#windowStart, this.#length - 2 * MAX_PASSAGE_CHARS);
    this.#window = detach(this.#window.slice(keep - this.#windowStart));
    this.#windowStart = keep;
    scanner.feed('');
  }

  #read(token: number, { start, end }: JsonScanner): void {
    const open = this.#open;
    if (token === COMMA) {
      if (open) this.#endItem(open, start);
      this.#expectsKey = open?.kind === 'object';
      return;
    }
    if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) {
      this.#close(start, end);
      this.#expectsKey = false;
      return;
    }
    if (token === COLON) {
      this.#expectsKey = false;
      return;
    }
    if (token === STRING && this.#expectsKey && open) {
      open.itemKey = this.#decodeKey(start, end);
      this.#expectsKey = false;
      return;
    }
    if (open && open.itemStart < 0) open.itemStart = start;
    if (token !== OPEN_ARRAY && token !== OPEN_OBJECT) return;
    if (this.#depth++ === MAX_DEPTH) {
      this.#isBroken = true;
      return;
    }
    const kind = token === OPEN_ARRAY ? 'array' : 'object';
    const place = { key: open?.itemKey, index: open?.count ?? 0, parent: open };
    const state = { count: 0, start, isLarge: false, small: [], itemKey: undefined, itemStart: -1 };
    this.#open = { kind, ...place, ...state };
    this.#expectsKey = kind === 'object';
  }

  #decodeKey(start: number, end: number): string | undefined {
    if (start < this.#windowStart || end - start > MAX_PASSAGE_CHARS) return undefined;
    try {
      return JSON.parse(this.#textOf(start, end)) as string;
    } catch {
      this.#isBroken = true;
      return undefined;
    }
  }

  #textOf(start: number, end: number): string {
    return this.#window.slice(start - this.#windowStart, end - this.#windowStart);
  }

  #endItem(open: Open, end: number): void {
    if (open.itemStart >= 0) {
      this.#growLarge(end);
      const item = { start: open.itemStart, end, key: open.itemKey, index: open.count };
      if (end - item.start <= MAX_PASSAGE_CHARS) {
        if (open.isLarge) this.#emit(open, item);
        else open.small.push(item);
      }
      open.count++;
    }
    open.itemStart = -1;
    open.itemKey = undefined;
  }

  #close(start: number, end: number): void {
    const open = this.#open;
    if (!open) {
      this.#isBroken = true;
      return;
    }
    this.#endItem(open, start);
    this.#growLarge(end);
    this.#open = open.parent;
    this.#depth--;
  }

  /** The containers that turn out to be large. Their items so far become passages. */
  #growLarge(end: number): void {
    for (let open = this.#open; open && !open.isLarge; open = open.parent) {
      if (end - open.start <= MAX_PASSAGE_CHARS) continue;
      // Everything around it is at least as large.
      const large: Open[] = [];
      for (let each: Open | undefined = open; each && !each.isLarge; each = each.parent) large.push(each);
      for (const each of large.reverse()) {
        each.isLarge = true;
        for (const item of each.small) this.#emit(each, item);
        each.small.length = 0;
      }
      return;
    }
  }

  #emit(container: Open, { start, end, key, index }: Open['small'][number]): void {
    if (start < this.#windowStart) return;
    this.#visit({ text: this.#textOf(start, end), key, index, container });
  }
}
