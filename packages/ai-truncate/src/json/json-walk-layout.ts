/** Deeper than this nothing is indented: at depth 1,000,000 the spaces alone would be quadratic. */
const MAX_INDENTED_LEVELS = 64;

/** Where the lines of a JSON text break, as `JSON.stringify` does with the same `indent`. */
export class JsonLayout {
  readonly indent: number;
  readonly #lineBreaks: readonly string[];

  constructor(indent: number) {
    this.indent = Math.min(Math.max(Math.floor(indent) || 0, 0), 10);
    const levels = this.indent > 0 ? MAX_INDENTED_LEVELS + 1 : 0;
    this.#lineBreaks = Array.from({ length: levels }, (_, level) => `\n${' '.repeat(level * this.indent)}`);
  }

  isIndented(level: number): boolean {
    return level < this.#lineBreaks.length;
  }

  /** What stands before a value of that level; nothing where nothing is indented. */
  lineBreak(level: number): string {
    return this.isIndented(level) ? (this.#lineBreaks[level] as string) : '';
  }

  /** How many levels of a value at `level` look alike: all indented or none. */
  levelsFrom(level: number): number {
    return this.isIndented(level + 1) ? MAX_INDENTED_LEVELS - level : Number.POSITIVE_INFINITY;
  }
}
