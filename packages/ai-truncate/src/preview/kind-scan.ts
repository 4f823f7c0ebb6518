import { DiffOutline } from '../text/diff-outline.ts';
import type { FocusTerm } from '../text/focus-terms.ts';
import { type HtmlPage, HtmlPageReader } from '../text/html-page.ts';
import type { HtmlCounts } from '../text/html-passages.ts';
import { MarkdownOutline } from '../text/markdown-outline.ts';
import { LineStarts, type Outline } from '../text/outline.ts';

/** The kind of a text, if its structure helps to find something in it. */
export type TextKind = { kind: 'page'; page: HtmlPage } | { kind: 'markdown' | 'diff'; outline: Outline };

/** The names and types in a value next to its text. */
interface Hints {
  html: boolean;
  markdown: boolean;
  diff: boolean;
  /** A file of another kind. */
  other: boolean;
}

/** The first characters of an output, which decide whether it is read as a page. */
const BEGINNING_CHARS = 16 * 1024;
/** A page has a tag after every few words, so this is the most that is read in one turn. */
const PAGE_TURN_CHARS = 16 * 1024;

const DOCUMENT = /<!doctype\s+html|<html[\s>]/i;
const FIRST_TAG = '\\s*<(?:head|body|div|main|article|section|table|h[1-6]|p|ul|ol|nav|header|form|span|a)[\\s>]';
const FRAGMENT = /* @__PURE__ */ new RegExp(`^${FIRST_TAG}`, 'i');
/** At the beginning of a string of a value. */
const FRAGMENT_OF_VALUE = /* @__PURE__ */ new RegExp(`(?:^|[[:,]\\s*)"${FIRST_TAG}`, 'i');

/** A page has at least this share of tags, scripts and styles. */
const MARKUP_SHARE = 0.1;
const MARKUP_SHARE_OF_FILE = 0.05;
const MIN_BLOCK_ENDS = 5;
/** A page with less text is built by a script, so its source says more. */
const TEXT_SHARE = 0.01;
/** A page has no text in its head. A log that contains a page does. */
const MAX_HEAD_CHARS = 200;
/** The largest part of a page after a tag, script or comment that never ended. */
const UNCLOSED_SHARE = 0.25;

/**
 * Recognizes pages, Markdown and diffs while an output arrives, by their content. The name or the type of a text can be wrong, so
 * it only reduces the evidence that the content must have.
 */
export class KindScan {
  readonly #isValue: boolean;
  readonly #terms: () => readonly FocusTerm[];
  readonly #beginningChars: number;
  readonly #markdown = new MarkdownOutline();
  readonly #diff = new DiffOutline();
  readonly #lines: LineStarts;
  /** The beginning, until it is long enough for a decision. */
  #beginning: string | undefined = '';
  #hints: Hints = { html: false, markdown: false, diff: false, other: false };
  #page: HtmlPageReader | undefined;

  /** @param options.beginningChars The characters of a page that a preview can show. */
  constructor({ isValue, terms, beginningChars }: KindScanOptions) {
    this.#isValue = isValue;
    this.#terms = terms;
    this.#beginningChars = beginningChars;
    this.#lines = new LineStarts((start, line) => {
      const from = isValue ? startOfString(start) : 0;
      const text = from === 0 ? start : start.slice(from);
      this.#markdown.read(text, { line, isStart: from > 0 });
      this.#diff.read(text, line);
    });
  }

  /** The most characters that may be read in one turn of the event loop. */
  get turnChars(): number {
    return this.#beginning !== undefined || this.#page ? PAGE_TURN_CHARS : Number.POSITIVE_INFINITY;
  }

  /** The chunks can have any size. The text of a value is its text view. */
  push(text: string): void {
    this.#lines.push(text);
    if (this.#beginning === undefined) this.#page?.push(text);
    else this.#readBeginning(this.#beginning, text);
  }

  #readBeginning(known: string, text: string): void {
    const missing = BEGINNING_CHARS - known.length;
    this.#beginning = known + text.slice(0, missing);
    if (text.length < missing) return;
    this.#startPage();
    this.#page?.push(text.slice(missing));
  }

  #startPage(): void {
    const beginning = this.#beginning ?? '';
    this.#beginning = undefined;
    if (this.#isValue) this.#hints = hintsIn(beginning);
    const start = this.#startOf(beginning);
    if (start === undefined) return;
    const before = beginning.slice(0, start);
    this.#page = new HtmlPageReader({
      terms: this.#terms(),
      beginningChars: this.#beginningChars,
      line: before.split('\n').length,
      column: start - before.lastIndexOf('\n') - 1,
    });
    this.#page.push(beginning.slice(start));
  }

  /** The first character of the page; `undefined` if there is none. */
  #startOf(beginning: string): number | undefined {
    const document = DOCUMENT.exec(beginning)?.index;
    if (document !== undefined) return document;
    if (this.#hints.html) return 0;
    return (this.#isValue ? FRAGMENT_OF_VALUE : FRAGMENT).exec(beginning)?.index;
  }

  /** Called once, after the last chunk. `undefined` for any other text. */
  finish(): TextKind | undefined {
    if (this.#beginning !== undefined) this.#startPage();
    this.#lines.finish();
    const { html, markdown, diff, other } = this.#hints;
    const { counts, ...page } = this.#page?.finish() ?? {};
    if (counts && isPage(counts, html)) return { kind: 'page', page: page as HtmlPage };
    const changes = this.#diff.finish({ isNamed: diff });
    if (changes) return { kind: 'diff', outline: changes };
    const headings = other && !markdown ? undefined : this.#markdown.finish({ isNamed: markdown });
    return headings && { kind: 'markdown', outline: headings };
  }
}

interface KindScanOptions {
  isValue: boolean;
  terms: () => readonly FocusTerm[];
  beginningChars: number;
}

function isPage({ chars, ...counts }: HtmlCounts, isNamed: boolean): boolean {
  const { markupChars, blockEnds, unclosedChars, textChars, headChars } = counts;
  const share = isNamed ? MARKUP_SHARE_OF_FILE : MARKUP_SHARE;
  const isClean = unclosedChars <= chars * UNCLOSED_SHARE && headChars <= MAX_HEAD_CHARS;
  const hasText = textChars >= chars * TEXT_SHARE;
  return isClean && hasText && blockEnds >= MIN_BLOCK_ENDS && markupChars >= chars * share;
}

const QUOTE = 0x22;
const SPACE = 0x20;
/** The first characters of headings, code blocks and files of a diff. */
const FIRST_CHARACTERS = '#<`~-d';

/** The start of a string in a line of a text view, if a heading or a diff may begin there; 0 otherwise. */
function startOfString(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === SPACE) at++;
  if (line.charCodeAt(at) !== QUOTE) return 0;
  const key = line.indexOf('": "', at);
  const start = key === -1 ? at + 1 : key + '": "'.length;
  return FIRST_CHARACTERS.includes(line.charAt(start)) ? start : 0;
}

const HINT = /"(path|file|file_?name|file_?path|url|uri|(?:content|media|mime)[-_]?type)":\s?"([^"\n]{1,2000})"/gi;
const EXTENSION = /\.([a-z0-9]{1,10})(?:[?#]|$)/i;
const KINDS: readonly [kind: Exclude<keyof Hints, 'other'>, names: RegExp][] = [
  ['html', /^(?:x?html?|text\/html|application\/xhtml)/i],
  ['markdown', /^(?:md|mdx|markdown|text\/(?:x-)?markdown)/i],
  ['diff', /^(?:diff|patch|text\/x-(?:diff|patch))/i],
];
/** These types say nothing about the kind. */
const ANY_KIND = /^(?:txt|text\/plain|application\/octet-stream|com|org|net|io|dev|php|aspx?|jsp)/i;

/** The names and types in the beginning of a value. */
function hintsIn(beginning: string): Hints {
  const hints: Hints = { html: false, markdown: false, diff: false, other: false };
  for (const [, key = '', value = ''] of beginning.matchAll(HINT)) {
    const name = /type$/i.test(key) ? value : EXTENSION.exec(value)?.[1];
    if (name === undefined || ANY_KIND.test(name)) continue;
    const kind = KINDS.find(([, names]) => names.test(name))?.[0] ?? 'other';
    hints[kind] = true;
  }
  return hints;
}
