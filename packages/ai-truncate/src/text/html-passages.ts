import { isBlockElement, withCharacters } from './html-elements.ts';
import { endOfLine, endOfPassage, MAX_PASSAGE_BYTES } from './html-passage-ends.ts';
import { type HtmlPart, type HtmlReader, type HtmlTag, HtmlTags } from './html-tags.ts';
import { detach, firstChars } from './utf.ts';

/** A readable part of a page: the text of a paragraph, a heading, a row of a table, or a line of `<pre>`. */
export interface HtmlPassage {
  /** Without markup, in one line. */
  text: string;
  kind: 'text' | 'title' | 'description' | 'heading';
  /** 1 to 6 for a heading, and 0 otherwise. */
  level: number;
  /** The line of its first character, counted from 1. */
  line: number;
  /** The columns of its first character and after its last character. The second is infinity if the passage ends in a later line. */
  at: number;
  end: number;
}

/** Counts for the decision whether a text is HTML. */
export interface HtmlCounts {
  chars: number;
  /** Characters of tags, and of scripts and styles. */
  markupChars: number;
  /** Ends of paragraphs, list items and other blocks. */
  blockEnds: number;
  /** The characters of a tag, script or comment that never ended. */
  unclosedChars: number;
  /** Characters of readable text. */
  textChars: number;
  /** Characters of readable text in the head of the page, where no text belongs. */
  headChars: number;
}

/** The characters of a block that are read in one step. A longer block is cut into passages while it arrives. */
const BLOCK_CHARS = 4096;
/** Elements that are not text, although they can contain tags. */
const HIDDEN = new Set(['svg', 'template']);
const CELLS = new Set(['td', 'th']);
const HEADING = /^h[1-6]$/;
const MAX_LINKS = 3;
const MAX_LINK_CHARS = 120;

/** Cuts HTML into readable passages while it arrives, in constant memory. */
export class HtmlPassages implements HtmlReader {
  readonly #tags: HtmlTags;
  readonly #visit: (passage: HtmlPassage) => void;
  /** The text of the open block, as written, and the places of its parts. */
  #block = '';
  readonly #parts: Place[] = [];
  #kind: HtmlPassage['kind'] = 'text';
  #level = 0;
  #isPre = false;
  #links = 0;
  /** The address of the open link, which follows its text. */
  #link = '';
  #hidden = '';
  #hiddenDepth = 0;
  #hasTitle = false;
  #isInHead = false;
  #headChars = 0;
  #textChars = 0;

  constructor(visit: (passage: HtmlPassage) => void, place?: { line: number; column: number }) {
    this.#visit = visit;
    this.#tags = new HtmlTags(this, place);
  }

  push(chunk: string): void {
    this.#tags.push(chunk);
    this.#block = detach(this.#block);
  }

  /** Called once, after the last chunk. */
  finish(): HtmlCounts {
    this.#tags.finish();
    this.#endBlock();
    const { chars, markupChars, blockEnds, unclosedChars } = this.#tags;
    return { chars, markupChars, blockEnds, unclosedChars, textChars: this.#textChars, headChars: this.#headChars };
  }

  text({ text, from, to, line, column }: HtmlPart): void {
    if (this.#hidden !== '') return;
    let place = { line, column };
    for (let at = from; at < to; ) {
      let end = Math.min(to, at + BLOCK_CHARS - this.#block.length);
      if (this.#block === '' && !this.#isPre && text.charCodeAt(at) <= SPACE) {
        // White space before a block must not count, because it may come in a separate part.
        for (end = at; end < to && text.charCodeAt(end) <= SPACE; ) end++;
      } else {
        this.#parts.push({ ...place, start: this.#block.length, isAdded: false });
        this.#block += text.slice(at, end);
        if (this.#block.length === BLOCK_CHARS) this.#cutBlock({ isWhole: false });
      }
      place = placeAfter(text, { from: at, to: end, ...place });
      at = end;
    }
  }

  tag(name: string, tag: HtmlTag): void {
    const { isEnd, attributes } = tag;
    if (HIDDEN.has(this.#hidden === '' ? name : this.#hidden)) this.#countHidden(name, tag);
    else if (isBlockElement(name)) this.#readBlockTag(name, tag);
    else if (name === 'a' && isEnd) this.#endLink();
    else if (name === 'a') this.#openLink(attributes);
    else if (CELLS.has(name) && !isEnd) this.#add(' | ');
    else if (name === 'img') this.#addImage(attributes);
  }

  #readBlockTag(name: string, tag: HtmlTag): void {
    const { isEnd } = tag;
    this.#endBlock();
    if (name === 'head') this.#isInHead = !isEnd;
    else if (name === 'body') this.#isInHead = false;
    else if (name === 'pre') this.#isPre = !isEnd;
    else if (name === 'title' && !this.#hasTitle) this.#startTitle(isEnd);
    else if (name === 'meta') this.#addDescription(tag);
    else if (HEADING.test(name)) {
      this.#startText();
      if (isEnd) return;
      this.#kind = 'heading';
      this.#level = Number(name[1]);
    }
  }

  #countHidden(name: string, { isEnd, attributes }: { isEnd: boolean; attributes: string }): void {
    if (this.#hidden === '') {
      if (isEnd || attributes.endsWith('/')) return;
      this.#hidden = name;
    }
    if (name !== this.#hidden || attributes.endsWith('/')) return;
    this.#hiddenDepth += isEnd ? -1 : 1;
    if (this.#hiddenDepth === 0) this.#hidden = '';
  }

  #startTitle(isEnd: boolean): void {
    this.#kind = isEnd ? 'text' : 'title';
    this.#hasTitle = isEnd;
  }

  #openLink(attributes: string): void {
    this.#link = '';
    if (this.#links >= MAX_LINKS) return;
    const address = withCharacters(attributeOf(attributes, 'href') ?? '');
    if (address.length <= MAX_LINK_CHARS && /^(?:https?:\/\/|mailto:)[^\s<>]+$/i.test(address)) this.#link = address;
  }

  #endLink(): void {
    const link = this.#link;
    this.#link = '';
    // The text of many links is their address.
    if (link === '' || this.#block.includes(link)) return;
    this.#links++;
    this.#add(` (${link})`);
  }

  #addImage(attributes: string): void {
    const words = oneLine(attributeOf(attributes, 'alt') ?? '');
    if (words !== '') this.#add(` [${firstChars(words, MAX_LINK_CHARS)}] `);
  }

  #addDescription({ attributes, line, column }: HtmlTag): void {
    if (attributeOf(attributes, 'name')?.toLowerCase() !== 'description') return;
    const text = firstChars(oneLine(withCharacters(attributeOf(attributes, 'content') ?? '')), MAX_PASSAGE_BYTES);
    if (text === '') return;
    this.#visit({ text, kind: 'description', level: 0, line, at: column, end: column + attributes.length });
  }

  /** Adds characters that are not in the page. Their place is the place of the text before them. */
  #add(words: string): void {
    const start = this.#block.length;
    if (start === 0 || start + words.length >= BLOCK_CHARS) return;
    this.#parts.push({ ...this.#placeOf(start), start, isAdded: true });
    this.#block += words;
  }

  #endBlock(): void {
    this.#cutBlock({ isWhole: true });
    this.#links = 0;
    this.#link = '';
  }

  /** Passes on the passages of the open block. The last passage stays if the block may continue. */
  #cutBlock({ isWhole }: { isWhole: boolean }): void {
    const block = this.#block;
    let from = 0;
    while (from < block.length) {
      const end = this.#isPre ? endOfLine(block, from) : endOfPassage(block, from);
      if (end === block.length && !isWhole && from > 0) break;
      this.#pass(from, end);
      from = end;
    }
    const first = from < block.length ? this.#placeOf(from) : undefined;
    const later = first ? this.#parts.filter(({ start }) => start > from) : [];
    this.#parts.length = 0;
    if (first) this.#parts.push({ ...first, start: 0, isAdded: false });
    for (const part of later) this.#parts.push({ ...part, start: part.start - from });
    this.#block = block.slice(from);
  }

  #pass(from: number, to: number): void {
    const raw = this.#block.slice(from, to);
    const start = from + raw.length - raw.trimStart().length;
    const text = this.#isPre
      ? withCharacters(raw)
          .replace(/[\r\n]+/g, '')
          .trimEnd()
      : oneLine(withCharacters(raw));
    if (text.trim() === '' || text === '|') return;
    this.#textChars += text.length;
    if (this.#isInHead && this.#kind === 'text') this.#headChars += text.length;
    const first = this.#placeOf(this.#isPre ? from : start);
    const last = this.#placeOf(from + raw.trimEnd().length);
    const end = last.line === first.line ? Math.max(last.column, first.column) : Number.POSITIVE_INFINITY;
    const { line, column: at } = first;
    this.#visit({ text: detach(text), kind: this.#kind, level: this.#level, line, at, end });
    // Only the first passage is a heading, because the end of a heading may be missing.
    if (this.#kind === 'heading') this.#startText();
  }

  #startText(): void {
    this.#kind = 'text';
    this.#level = 0;
  }

  /** The place of a character of the block in the output. */
  #placeOf(index: number): { line: number; column: number } {
    const parts = this.#parts;
    let low = 0;
    for (let high = parts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((parts[middle] as Place).start <= index) low = middle;
      else high = middle - 1;
    }
    const part = parts[low] as Place;
    return part.isAdded ? part : placeAfter(this.#block, { ...part, from: part.start, to: index });
  }
}

const SPACE = 0x20;

/** A part of the open block, and its place in the output. */
interface Place {
  /** Its first character in the block. */
  start: number;
  line: number;
  column: number;
  /** Words that are not in the page. */
  isAdded: boolean;
}

/** The place after a part of a text. */
function placeAfter(
  text: string,
  { from, to, line, column }: { from: number; to: number; line: number; column: number },
): { line: number; column: number } {
  const place = { line, column: column + to - from };
  for (let at = from; at < to; at++) {
    if (text.charCodeAt(at) !== NEWLINE) continue;
    place.line++;
    place.column = to - at - 1;
  }
  return place;
}

const NEWLINE = 10;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The value of an attribute in the text of a tag, as written. */
function attributeOf(attributes: string, name: 'href' | 'alt' | 'name' | 'content'): string | undefined {
  const found = ATTRIBUTES[name].exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

const attribute = (name: string) =>
  new RegExp(`(?:^|[\\s"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
const ATTRIBUTES = {
  href: /* @__PURE__ */ attribute('href'),
  alt: /* @__PURE__ */ attribute('alt'),
  name: /* @__PURE__ */ attribute('name'),
  content: /* @__PURE__ */ attribute('content'),
};
