import { type Outline, OutlineEntries } from './outline.ts';
import { detach } from './utf.ts';

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const HTML_HEADING = /^\s*<h([1-6])[\s>]/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/;
/** The beginning of a line that is not a paragraph, so a line of hyphens after it does not make it a heading. */
const NO_PARAGRAPH = /^(?: {4}|\t| {0,3}(?:[#>|]|[-*+] |\d{1,9}[.)] |```|~~~|[-*_=]{2,}\s*$))/;
/** Lists, links, bold text, tables and quotations. */
const OTHER_SIGN = /^\s*(?:[-*+] |\d{1,3}[.)] |> |\|.*\|)|\]\(|\*\*\S|`[^`]+`/;

const MIN_HEADINGS = 3;
const MIN_HEADINGS_OF_FILE = 2;
/** Comments of programs and lines of logs rarely have a blank line or a heading before them. */
const APART_SHARE = 0.7;
/** A document has more text than headings. */
const MAX_SHARE = 0.5;

/** Finds the headings of a Markdown text, line by line. Lines of code blocks are not headings. */
export class MarkdownOutline {
  readonly #headings = new OutlineEntries();
  #count = 0;
  #apartCount = 0;
  #lines = 0;
  #hasOtherSigns = false;
  /** The characters that end the open code block. */
  #fence = '';
  #isInFrontMatter = false;
  #isProgram = false;
  #previous: { text: string; line: number } | undefined;
  /** The last line is blank or a heading, or there is none. */
  #isApart = true;

  /** `isStart`: a text of a value begins in this line. */
  read(text: string, { line, isStart = false }: { line: number; isStart?: boolean }): void {
    const first = indentOf(text);
    const isBlank = first === text.length;
    const isApart = this.#isApart || isStart;
    const count = this.#count;
    if (!isBlank) {
      this.#lines++;
      this.#readLine(text, { line, isApart, first: text.charCodeAt(first) });
    } else this.#previous = undefined;
    this.#isApart = isBlank || this.#count > count;
  }

  /** Decides by the first character, because most lines are not special. */
  #readLine(text: string, { line, isApart, first }: { line: number; isApart: boolean; first: number }): void {
    const previous = this.#previous;
    this.#previous = undefined;
    if (this.#isInFrontMatter || (line === 1 && text.trimEnd() === '---')) {
      this.#isInFrontMatter = line === 1 || text.trimEnd() !== '---';
      return;
    }
    if ((this.#fence !== '' || first === BACKTICK || first === TILDE) && this.#readFence(text)) return;
    const heading = headingOf(text, { line, first, previous });
    if (heading) {
      this.#add({ ...heading, isApart: isApart || heading.line < line });
      return;
    }
    if (text.startsWith('#!/')) this.#isProgram = true;
    if (this.#count > 0 && !this.#hasOtherSigns) this.#hasOtherSigns = OTHER_SIGN.test(text);
    if (isApart && !NO_PARAGRAPH.test(text)) this.#previous = { text, line };
  }

  /** Whether a line begins, ends or belongs to a code block. */
  #readFence(text: string): boolean {
    const fence = FENCE.exec(text)?.[1];
    if (this.#fence === '') {
      if (fence === undefined || (fence.startsWith('`') && text.includes('`', text.indexOf(fence) + fence.length)))
        return false;
      this.#fence = detach(fence);
      this.#hasOtherSigns = true;
      return true;
    }
    if (fence?.startsWith(this.#fence) && text.trim() === fence) this.#fence = '';
    return true;
  }

  #add({ isApart, ...entry }: Heading & { isApart: boolean }): void {
    this.#count++;
    if (isApart) this.#apartCount++;
    this.#headings.add({ ...entry, text: detach(entry.text) });
  }

  /** `undefined` if the text is not Markdown. `isNamed`: the name or the type of the text says that it is. */
  finish({ isNamed }: { isNamed: boolean }): Outline | undefined {
    const isDocument = this.#count <= this.#lines * MAX_SHARE && this.#apartCount >= this.#count * APART_SHARE;
    if (!isDocument || this.#isProgram) return undefined;
    const isProved = isNamed ? this.#count >= MIN_HEADINGS_OF_FILE : this.#count >= MIN_HEADINGS && this.#hasOtherSigns;
    return isProved ? this.#headings.finish() : undefined;
  }
}

interface Heading {
  text: string;
  line: number;
  level: number;
}

/** The heading that ends with this line. */
function headingOf(
  text: string,
  { line, first, previous }: { line: number; first: number; previous: Omit<Heading, 'level'> | undefined },
): Heading | undefined {
  if (first === NUMBER_SIGN || first === LESS_THAN) {
    const level = HEADING.exec(text)?.[1]?.length ?? HTML_HEADING.exec(text)?.[1];
    return level === undefined ? undefined : { text, line, level: Number(level) };
  }
  const underline = previous && (first === EQUALS || first === HYPHEN) ? UNDERLINE.exec(text)?.[1] : undefined;
  return underline && previous ? { ...previous, level: underline.startsWith('=') ? 1 : 2 } : undefined;
}

const NUMBER_SIGN = 0x23;
const HYPHEN = 0x2d;
const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** The index of the first character that is not white space. */
function indentOf(text: string): number {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}
