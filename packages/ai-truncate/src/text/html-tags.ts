import { isBlockElement, isElement } from './html-elements.ts';

/** A part of an HTML text, in chunks of any size. */
export interface HtmlReader {
  /** Text between tags, as written. It may come in several parts. */
  text(part: HtmlPart): void;
  tag(name: string, tag: HtmlTag): void;
}

/** The characters from `from` to `to`, and the place of the first one. Lines count from 1, columns from 0. */
export interface HtmlPart {
  text: string;
  from: number;
  to: number;
  line: number;
  column: number;
}

export interface HtmlTag {
  isEnd: boolean;
  /** The first characters of the tag after its name, as written. */
  attributes: string;
  /** The place of its first character. */
  line: number;
  column: number;
}

/** The construct that is open at the end of a chunk. */
type State = 'text' | 'tag' | 'double quotes' | 'single quotes' | 'comment' | 'declaration' | 'raw';

/** The characters of a tag that are stored. A longer tag usually contains an image. */
const MAX_TAG_CHARS = 2048;
const MAX_NAME_CHARS = 24;
const TAG_NAME = new RegExp(`</?([a-z][a-z0-9-]{0,${MAX_NAME_CHARS - 1}})(?=[\\s/>])`, 'iy');
const CDATA = '<![CDATA[';
/** Elements whose content has no tags. The content of these two is text. */
const TEXT_ONLY = new Set(['title', 'textarea']);
const RAW = new Set(['script', 'style', 'iframe', 'noembed', 'noframes', 'xmp', ...TEXT_ONLY]);

/**
 * Splits HTML into text and tags while it arrives, in constant memory. It follows the rules of browsers, with two exceptions for
 * text that only looks like HTML: an unknown element, such as `<T>`, is text, and a `<` outside of quotes ends an open tag.
 */
export class HtmlTags {
  /** Characters of tags and of content that is not shown. */
  markupChars = 0;
  chars = 0;
  blockEnds = 0;
  readonly #reader: HtmlReader;
  #state: State = 'text';
  /** Characters at the end of the last chunk that mean nothing without the next one. */
  #rest = '';
  #line: number;
  #column: number;
  #name = '';
  #isEnd = false;
  #attributes = '';
  #place = { line: 0, column: 0 };
  /** The last character of the tag that is not white space is `=`, so that a quote begins a value. */
  #isValueNext = false;
  /** The next line feed of the text that is being read. */
  #feed = Number.POSITIVE_INFINITY;
  /** The place where the open construct began. */
  #openedAt = 0;

  /** @param place the line and the column of the first character. */
  constructor(reader: HtmlReader, { line = 1, column = 0 }: { line?: number; column?: number } = {}) {
    this.#reader = reader;
    this.#line = line;
    this.#column = column;
  }

  /** The characters of a construct that never ended. */
  get unclosedChars(): number {
    return this.#state === 'text' ? 0 : this.chars - this.#openedAt;
  }

  push(chunk: string): void {
    const text = this.#rest + chunk;
    this.#feed = feedAt(text, 0);
    let at = 0;
    while (at < text.length) {
      const state = this.#state;
      const next = this.#read(text, at);
      if (next === at && this.#state === state) break;
      at = next;
    }
    this.#rest = text.slice(at);
  }

  /** Called once, after the last chunk. */
  finish(): void {
    const text = this.#rest;
    this.#rest = '';
    this.#feed = feedAt(text, 0);
    if (this.#state === 'text') this.#passText(text, 0, text.length);
    else this.#skip(text, 0, text.length);
  }

  /** Reads a part. Returns its end, or its start if the text ends before the kind of the part is known. */
  #read(text: string, at: number): number {
    switch (this.#state) {
      case 'text':
        return text.charCodeAt(at) === LESS_THAN ? this.#readMarkup(text, at) : this.#readText(text, at);
      case 'tag':
        return this.#readTag(text, at);
      case 'double quotes':
      case 'single quotes':
        return this.#readQuotes(text, at);
      case 'comment':
        return this.#skipTo(text, { at, end: '-->' });
      case 'declaration':
        return this.#skipTo(text, { at, end: '>' });
      case 'raw':
        return this.#readRaw(text, at);
    }
  }

  #readText(text: string, at: number): number {
    const end = text.indexOf('<', at);
    return this.#passText(text, at, end === -1 ? text.length : end);
  }

  #readMarkup(text: string, at: number): number {
    const second = text.charCodeAt(at + 1);
    if (Number.isNaN(second)) return at;
    if (second === EXCLAMATION || second === QUESTION) return this.#readDeclaration(text, at);
    if (second !== SLASH && !isLetter(second)) return this.#passText(text, at, at + 1);
    TAG_NAME.lastIndex = at;
    const name = TAG_NAME.exec(text)?.[1]?.toLowerCase();
    if (name === undefined && text.length - at < MAX_NAME_CHARS + 3 && MAY_BE_TAG.test(text.slice(at))) return at;
    if (name === undefined || !isElement(name)) return this.#passText(text, at, at + 1);
    this.#open('tag');
    this.#name = name;
    this.#isEnd = second === SLASH;
    this.#attributes = '';
    this.#isValueNext = false;
    this.#place = { line: this.#line, column: this.#column };
    return this.#skip(text, at, at + name.length + (this.#isEnd ? 2 : 1));
  }

  #readDeclaration(text: string, at: number): number {
    const start = text.slice(at, at + CDATA.length);
    if (start.startsWith('<!--')) {
      this.#open('comment');
      // `<!-->` is a comment too.
      return this.#skip(text, at, at + 2);
    }
    if (start === CDATA) return this.#skip(text, at, at + CDATA.length);
    if ('<!--'.startsWith(start) || CDATA.startsWith(start)) return at;
    this.#open('declaration');
    return this.#skip(text, at, at + 2);
  }

  #readTag(text: string, at: number): number {
    TAG_PARTS.lastIndex = at;
    const end = TAG_PARTS.exec(text)?.index ?? text.length;
    this.#storeTag(text, at, end);
    this.#skip(text, at, end);
    let last = end - 1;
    while (last >= at && text.charCodeAt(last) <= SPACE) last--;
    if (last >= at) this.#isValueNext = text.charCodeAt(last) === EQUALS;
    if (end === text.length) return end;
    const code = text.charCodeAt(end);
    if (code === LESS_THAN) this.#endTag();
    else if (code === GREATER_THAN) {
      this.#skip(text, end, end + 1);
      this.#endTag();
    } else {
      // A quote inside of an unquoted value means nothing.
      if (this.#isValueNext) this.#state = code === QUOTE ? 'double quotes' : 'single quotes';
      this.#isValueNext = false;
      this.#storeTag(text, end, end + 1);
      this.#skip(text, end, end + 1);
    }
    return code === LESS_THAN ? end : end + 1;
  }

  #readQuotes(text: string, at: number): number {
    const found = text.indexOf(this.#state === 'double quotes' ? '"' : "'", at);
    const end = found === -1 ? text.length : found + 1;
    this.#storeTag(text, at, end);
    if (found !== -1) this.#state = 'tag';
    return this.#skip(text, at, end);
  }

  #storeTag(text: string, from: number, to: number): void {
    const room = MAX_TAG_CHARS - this.#attributes.length;
    if (room > 0) this.#attributes += text.slice(from, Math.min(to, from + room));
  }

  #endTag(): void {
    const tag = { isEnd: this.#isEnd, attributes: this.#attributes, ...this.#place };
    this.#state = 'text';
    if (!tag.isEnd && RAW.has(this.#name) && !tag.attributes.endsWith('/')) this.#open('raw');
    if (tag.isEnd && isBlockElement(this.#name)) this.blockEnds++;
    this.#reader.tag(this.#name, tag);
  }

  /** The content of an element without tags, up to its end. */
  #readRaw(text: string, at: number): number {
    const found = text.indexOf('</', at);
    const end = found === -1 ? Math.max(at, text.endsWith('<') ? text.length - 1 : text.length) : found;
    if (end > at) return TEXT_ONLY.has(this.#name) ? this.#passText(text, at, end) : this.#skip(text, at, end);
    const length = this.#name.length + 3;
    if (found === -1 || text.length - at < length) return at;
    if (
      text.slice(at + 2, at + length - 1).toLowerCase() === this.#name &&
      /[\s/>]/.test(text.charAt(at + length - 1))
    ) {
      this.#state = 'text';
      return this.#readMarkup(text, at);
    }
    return TEXT_ONLY.has(this.#name) ? this.#passText(text, at, at + 2) : this.#skip(text, at, at + 2);
  }

  #skipTo(text: string, { at, end }: { at: number; end: string }): number {
    const found = text.indexOf(end, at);
    if (found === -1) return this.#skip(text, at, Math.max(at, text.length - end.length + 1));
    this.#state = 'text';
    return this.#skip(text, at, found + end.length);
  }

  #open(state: State): void {
    this.#state = state;
    this.#openedAt = this.chars;
  }

  #passText(text: string, from: number, to: number): number {
    if (to > from) this.#reader.text({ text, from, to, line: this.#line, column: this.#column });
    return this.#move(text, from, to);
  }

  #skip(text: string, from: number, to: number): number {
    this.markupChars += to - from;
    return this.#move(text, from, to);
  }

  /** Counts lines and columns. */
  #move(text: string, from: number, to: number): number {
    this.chars += to - from;
    this.#column += to - from;
    for (; this.#feed < to; this.#feed = feedAt(text, this.#feed + 1)) {
      this.#line++;
      this.#column = to - this.#feed - 1;
    }
    return to;
  }
}

/** The next line feed of a text; infinity if there is none. */
function feedAt(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

const SPACE = 0x20;
const EQUALS = 0x3d;

const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const QUESTION = 0x3f;

/** The characters that matter inside of a tag. */
const TAG_PARTS = /[<>"']/g;
/** The beginning of a tag whose name is not complete. */
const MAY_BE_TAG = /^<\/?(?:[a-z][a-z0-9-]*)?$/i;

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
