import type { Region } from '../artifacts/text-regions.ts';
import { contextLine } from './excerpt.ts';

/** The lines around those that match, also where a region ends between them. */
export interface SearchContext {
  enter(region: Region): void;
  /** The lines before the one that starts at this index, at most `before`. */
  linesBefore(start: number): string[];
  /** From the line behind this index on, lines are wanted; none any more once it was called anew. */
  wantAfter(index: number): void;
  /** The next wanted line that starts before this index, if there is one. */
  nextAfter(limit: number): string | undefined;
  leave(): void;
}

export function createSearchContext(before: number): SearchContext {
  let region: Region;
  /** The last lines of the regions before. */
  let earlier: string[] = [];
  /** Where the next wanted line starts: in this region, unless that is infinite. */
  let after = Number.POSITIVE_INFINITY;

  return {
    enter(next) {
      region = next;
      after = region.character > 0 ? lineBehind(region.from) : region.from;
      // Of a search that starts in the middle: the lines before its first.
      if (region.from > 0 && region.character === 0)
        earlier = linesUpTo(region.from, region.byte === 0 ? 0 : lineBehind(0));
    },
    linesBefore(start) {
      if (before === 0) return [];
      const { from, character } = region;
      return [...earlier, ...linesUpTo(start, character > 0 ? lineBehind(from) : from)].slice(-before);
    },
    wantAfter(index) {
      after = lineBehind(index);
    },
    nextAfter(limit) {
      if (after >= limit) return undefined;
      const next = lineBehind(after);
      const line = region.text.slice(after, next === Number.POSITIVE_INFINITY ? undefined : next - 1);
      after = next;
      return contextLine(line);
    },
    leave() {
      // Of a line that goes on, its beginning: more of it would not be shown.
      earlier = this.linesBefore(region.to);
    },
  };

  function lineBehind(index: number): number {
    const newline = region.text.indexOf('\n', index);
    return newline === -1 ? Number.POSITIVE_INFINITY : newline + 1;
  }

  /** The last lines of those that start at `from` or behind it, before a line start. */
  function linesUpTo(start: number, from: number): string[] {
    const { text } = region;
    const lines: string[] = [];
    for (let end = start - 1; end >= from && lines.length < before; ) {
      const lineStart = end === 0 ? 0 : Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
      lines.unshift(contextLine(text.slice(lineStart, end)));
      end = lineStart - 1;
    }
    return lines;
  }
}
