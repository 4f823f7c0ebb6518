import { detach } from '../text/utf.ts';
import { ItemScanner, type ReadItem } from './item-scanner.ts';
import { mayBeLongText } from './json-node.ts';

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
  /** A text with its value, and the place of the value in it. Both are valid only during the visit. */
  source: string;
  from: number;
  to: number;
  key: string | undefined;
  /** Counts from 0. */
  index: number;
  container: LargeContainer;
  /** Its members, if they were listed. */
  members: ItemScanner | undefined;
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

/**
 * Cuts JSON text of any size into passages while it arrives, in constant memory. The outline of the text calls it for each token.
 * Positions count from the start of the text.
 */
export class JsonPassages {
  readonly #visit: (passage: JsonPassage) => void;
  /** Created for the first item of a large container. Most outputs have no such item. */
  #items: ItemScanner | undefined;
  #open: Open | undefined;
  /** All open containers, outermost first. The first ones are large, and the others are not. */
  readonly #containers: Open[] = [];
  #largeCount = 0;
  /** The last chunk, and the text before it that may still belong to a passage. */
  #chunk = '';
  #chunkStart = 0;
  #before = '';
  #isLoaded = false;
  /** The item that was read in one step. */
  #itemStart = -1;
  #isBroken = false;

  constructor(visit: (passage: JsonPassage) => void) {
    this.#visit = visit;
  }

  /** A key is not valid JSON. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The next item belongs to a container that is known to be large, so `readItem` may read it in one step. */
  get readsItems(): boolean {
    return this.#open?.isLarge === true;
  }

  /** Starts a chunk, before the outline reads it. */
  startChunk(chunk: string): void {
    this.#chunk = chunk;
    this.#isLoaded = false;
  }

  endChunk(): void {
    const end = this.#chunkStart + this.#chunk.length;
    this.#growLarge(end);
    const keep = 2 * MAX_PASSAGE_CHARS;
    this.#before = detach((this.#before.slice(-keep) + this.#chunk.slice(-keep)).slice(-keep));
    this.#chunkStart = end;
    this.#chunk = '';
    if (this.#items) this.#items.text = '';
    this.#itemStart = -1;
  }

  /** Reads the item at an index of the chunk. Returns undefined if it must be read token by token. */
  readItem(at: number, limit: number): ReadItem | undefined {
    this.#items ??= new ItemScanner();
    const items = this.#items;
    if (!this.#isLoaded) items.load(this.#chunk);
    this.#isLoaded = true;
    items.end = items.read(at, Math.min(limit, at + MAX_PASSAGE_CHARS));
    // The outline must see each token to note long texts.
    if (items.end < 0 || (items.breaks > 0 && mayBeLongText(items.end - at))) return undefined;
    this.#itemStart = this.#chunkStart + at;
    this.addValue(this.#itemStart);
    return items;
  }

  addKey(start: number, end: number): void {
    if (this.#open) this.#open.itemKey = this.#decodeKey(start, end);
  }

  addValue(start: number): void {
    if (this.#open) this.#open.itemStart = start;
  }

  open(kind: 'array' | 'object', start: number): void {
    const open = this.#open;
    if (open) open.itemStart = start;
    const place = { key: open?.itemKey, index: open?.count ?? 0, parent: open };
    this.#open = { kind, ...place, count: 0, start, isLarge: false, small: [], itemKey: undefined, itemStart: -1 };
    this.#containers.push(this.#open);
  }

  close(start: number): void {
    const open = this.#open;
    if (!open) return;
    this.endItem(start);
    this.#growLarge(start + 1);
    this.#open = open.parent;
    this.#containers.pop();
    this.#largeCount = Math.min(this.#largeCount, this.#containers.length);
  }

  /** Ends an item at its comma or closing bracket. */
  endItem(end: number): void {
    const open = this.#open;
    if (!open) return;
    if (open.itemStart >= 0) {
      if (!open.isLarge) this.#growLarge(end);
      if (end - open.itemStart <= MAX_PASSAGE_CHARS) {
        const item = { start: open.itemStart, end, key: open.itemKey, index: open.count };
        if (open.isLarge) this.#emit(open, item);
        else open.small.push(item);
      }
      open.count++;
    }
    open.itemStart = -1;
    open.itemKey = undefined;
  }

  #decodeKey(start: number, end: number): string | undefined {
    if (end - start > MAX_PASSAGE_CHARS) return undefined;
    const { source, from, to } = this.#textOf(start, end);
    if (from < 0) return undefined;
    try {
      return JSON.parse(source.slice(from, to)) as string;
    } catch {
      this.#isBroken = true;
      return undefined;
    }
  }

  /** A text with the characters between two positions. `from` is negative if they are no longer in memory. */
  #textOf(start: number, end: number): { source: string; from: number; to: number } {
    const from = start - this.#chunkStart;
    const to = end - this.#chunkStart;
    if (from >= 0) return { source: this.#chunk, from, to };
    const offset = this.#before.length;
    return { source: this.#before + this.#chunk.slice(0, Math.max(0, to)), from: from + offset, to: to + offset };
  }

  /** The containers that turn out to be large. Their items so far become passages. */
  #growLarge(end: number): void {
    // Everything inside a small container is small, so a deep one costs no more than any other.
    for (; ; this.#largeCount++) {
      const container = this.#containers[this.#largeCount];
      if (!container || end - container.start <= MAX_PASSAGE_CHARS) return;
      container.isLarge = true;
      for (const item of container.small) this.#emit(container, item);
      container.small.length = 0;
    }
  }

  #emit(container: Open, { start, end, key, index }: Open['small'][number]): void {
    const text = this.#textOf(start, end);
    if (text.from < 0) return;
    const members = start === this.#itemStart ? this.#items : undefined;
    this.#visit({ ...text, key, index, container, members });
  }
}
