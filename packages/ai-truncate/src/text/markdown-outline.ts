import { type Outline, OutlineEntries } from './outline.ts';
import { detach } from './utf.ts';

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const HTML_HEADING = /^\s*<h([1-6])[\s>]/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/;
/** The beginning of a line that is not a paragraph, so a line of hyphens after it does not make it a heading. */
const NO_PARAGRAPH = /^(?:\s*$| {4}|\t| {0,3}(?:[#>|]|[-*+] |\d{1,9}[.)] |```|~~~|[-*_=]{2,}\s*$))/;
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

  read(text: string, line: number): void {
    const isBlank = text.trim() === '';
    if (!isBlank) this.#lines++;
    const count = this.#count;
    this.#readLine(text, line);
    this.#isApart = isBlank || this.#count > count;
  }

  #readLine(text: string, line: number): void {
    const previous = this.#previous;
    this.#previous = undefined;
    if (line === 1 && text.startsWith('#!')) this.#isProgram = true;
    if (line === 1 && text.trimEnd() === '---') this.#isInFrontMatter = true;
    else if (this.#isInFrontMatter) this.#isInFrontMatter = text.trimEnd() !== '---';
    else if (this.#readFence(text)) return;
    else {
      const level = HEADING.exec(text)?.[1]?.length ?? HTML_HEADING.exec(text)?.[1];
      const underline = previous && UNDERLINE.exec(text)?.[1];
      if (level !== undefined) this.#add({ text, line, level: Number(level), isApart: this.#isApart });
      else if (underline) this.#add({ ...previous, level: underline.startsWith('=') ? 1 : 2, isApart: true });
      else {
        if (!this.#hasOtherSigns) this.#hasOtherSigns = OTHER_SIGN.test(text);
        if (this.#isApart && !NO_PARAGRAPH.test(text)) this.#previous = { text, line };
      }
    }
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

  #add({ isApart, ...entry }: { text: string; line: number; level: number; isApart: boolean }): void {
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
