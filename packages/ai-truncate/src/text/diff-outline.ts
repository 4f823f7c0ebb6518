import { type Outline, OutlineEntries, type OutlineEntry } from './outline.ts';
import { detach } from './utf.ts';

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;
/** The `diff` line of a file that keeps its path, so the line contains the path twice. */
const SAME_PATH = /^diff --git a\/(\S{1,200}) b\/\1$/;
/** The least share of lines that are in hunks, and the largest share of hunks that end too early. */
const HUNK_SHARE = 0.5;
const HUNK_SHARE_OF_FILE = 0.2;
const BROKEN_SHARE = 0.1;

/** Finds the files and hunks of a unified diff, line by line. The header of a hunk says which lines belong to it. */
export class DiffOutline {
  readonly #entries = new OutlineEntries();
  #files = 0;
  #file: OutlineEntry | undefined;
  /** The file has a `diff` line, but no lines with its names so far. */
  #isOpening = false;
  /** The line with the old name of a file, if the last line was one. */
  #oldName: { text: string; line: number } | undefined;
  /** The lines that are missing from the open hunk. */
  #old = 0;
  #new = 0;
  #lines = 0;
  #inHunks = 0;
  #hunks = 0;
  #broken = 0;

  read(text: string, line: number): void {
    this.#lines = line;
    if (this.#old > 0 || this.#new > 0) {
      if (this.#readChange(text)) return;
      this.#broken++;
      this.#old = this.#new = 0;
    }
    const oldName = this.#oldName;
    this.#oldName = undefined;
    switch (text.charCodeAt(0)) {
      case LETTER_D:
        if (text.startsWith('diff --')) this.#startFile({ text, line, isOpening: true });
        break;
      case MINUS:
        if (text.startsWith('--- ')) this.#oldName = { text, line };
        break;
      case PLUS:
        if (!oldName || !text.startsWith('+++ ')) break;
        if (!this.#isOpening)
          this.#startFile({ ...(text.startsWith('+++ /dev/null') ? oldName : { text, line }), isOpening: false });
        this.#isOpening = false;
        break;
      case AT:
        this.#startHunk(text, line);
    }
  }

  #startFile({ isOpening, text, line }: { text: string; line: number; isOpening: boolean }): void {
    this.#isOpening = isOpening;
    const path = SAME_PATH.exec(text)?.[1] ?? text;
    this.#file = { text: detach(path), line, level: 1, changes: { added: 0, removed: 0 } };
    this.#entries.add(this.#file);
    this.#files++;
  }

  #startHunk(text: string, line: number): void {
    const hunk = HUNK.exec(text);
    if (!hunk || !this.#file) return;
    this.#isOpening = false;
    this.#hunks++;
    this.#inHunks++;
    this.#old = Number(hunk[1] ?? 1);
    this.#new = Number(hunk[2] ?? 1);
    this.#entries.add({ text: detach(text), line, level: 2 });
  }

  /** Reads a line of the open hunk. Returns false for a line that cannot belong to it. */
  #readChange(text: string): boolean {
    const { changes } = this.#file ?? {};
    const code = text.charCodeAt(0);
    if (code === PLUS && this.#new > 0) {
      this.#new--;
      if (changes) changes.added++;
    } else if (code === MINUS && this.#old > 0) {
      this.#old--;
      if (changes) changes.removed++;
    } else if ((code === SPACE || text === '') && this.#old > 0 && this.#new > 0) {
      this.#old--;
      this.#new--;
    } else if (code !== BACKSLASH) return false;
    this.#inHunks++;
    return true;
  }

  /** `undefined` if the text is not a diff. `isNamed`: the name or the type of the text says that it is. */
  finish({ isNamed }: { isNamed: boolean }): Outline | undefined {
    const share = isNamed ? HUNK_SHARE_OF_FILE : HUNK_SHARE;
    const isProved = this.#hunks > 0 && this.#inHunks >= this.#lines * share;
    if (!isProved || this.#broken > this.#hunks * BROKEN_SHARE) return undefined;
    return { ...this.#entries.finish(), files: this.#files };
  }
}

const SPACE = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;
const AT = 0x40;
const BACKSLASH = 0x5c;
const LETTER_D = 0x64;
