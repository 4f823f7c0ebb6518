import { detach } from './utf.ts';

/** A line that says what the lines after it are about. */
export interface OutlineEntry {
  /** Counted from 1. */
  line: number;
  /** 1 is the highest level. */
  level: number;
  /** The beginning of the line, as in the output. */
  text: string;
  /** The number of lines that a file of a diff adds and removes. */
  changes?: { added: number; removed: number } | undefined;
}

/** The structure of a text. */
export interface Outline<ENTRY = OutlineEntry> {
  /** In the order of the output. There are fewer than `count` if no preview could show all of them. */
  entries: ENTRY[];
  count: number;
  /** The number of files of a diff. */
  files?: number | undefined;
}

const MAX_ENTRIES = 2048;

/** Collects the entries of an outline in bounded memory. The lowest level is dropped first. */
export class OutlineEntries<ENTRY extends { level: number } = OutlineEntry> {
  #entries: ENTRY[] = [];
  #count = 0;
  #maxLevel = Number.POSITIVE_INFINITY;
  /** If there is only one level, one entry out of this many is stored. */
  #stride = 1;

  add(entry: ENTRY): void {
    const index = this.#count++;
    if (entry.level > this.#maxLevel || index % this.#stride !== 0) return;
    this.#entries.push(entry);
    if (this.#entries.length > MAX_ENTRIES) this.#thinOut();
  }

  #thinOut(): void {
    const lowest = this.#entries.reduce((level, entry) => Math.max(level, entry.level), 0);
    const higher = this.#entries.filter(({ level }) => level < lowest);
    this.#maxLevel = higher.length > 0 ? lowest - 1 : lowest;
    if (higher.length === 0) this.#stride *= 2;
    this.#entries = higher.length > 0 ? higher : this.#entries.filter((_, index) => index % 2 === 0);
  }

  finish(): Outline<ENTRY> {
    return { entries: this.#entries, count: this.#count };
  }
}

/** The characters of a line that are read, and stored if it belongs to an outline. */
const LINE_CHARS = 300;

/** Passes on the beginning of each line of a text. The chunks can have any size. */
export class LineStarts {
  readonly #visit: (start: string, line: number) => void;
  #line = 1;
  #open = '';

  constructor(visit: (start: string, line: number) => void) {
    this.#visit = visit;
  }

  push(text: string): void {
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      this.#grow(text, from, to);
      this.#end();
      from = to + 1;
    }
    this.#grow(text, from, text.length);
    this.#open = detach(this.#open);
  }

  #grow(text: string, from: number, to: number): void {
    const open = this.#open;
    if (open === '') this.#open = text.slice(from, Math.min(to, from + LINE_CHARS));
    else if (open.length < LINE_CHARS) this.#open += text.slice(from, Math.min(to, from + LINE_CHARS - open.length));
  }

  #end(): void {
    const start = this.#open;
    this.#visit(start.endsWith('\r') ? start.slice(0, -1) : start, this.#line++);
    this.#open = '';
  }

  /** Called once, after the last chunk. */
  finish(): void {
    this.#end();
  }
}
