import { codePointStart, countNewlines, detach } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { formatPosition, type TextPosition } from '../windows/place.ts';
import { positionAt, type Region } from '../windows/text-regions.ts';
import { type Hit, isLongLine, STRETCH } from './search-region.ts';

/** A matching line. In a line with more than 4,096 characters, each matching stretch of 200 characters. */
export interface GrepMatch {
  /** Counted from 1. */
  line: number;
  /** The line. If it has more than 300 characters, the text around the match. */
  text: string;
  /** The lines directly before it that are not yet shown. */
  before?: string[];
  /** The lines directly after it, up to the next match. */
  after?: string[];
  /** The start of the match, counted from 1, if only a part of the line is shown. */
  column?: number;
  /** The same place as a cursor, to continue reading there. */
  at?: string;
}

export interface MatchLimits {
  before: number;
  after: number;
  maxMatches: number;
  maxChars: number;
}

export interface MatchList {
  matches: GrepMatch[];
  /** All matches, shown or not. */
  count: number;
  /** Whether a match is in a line of over 4,096 characters, where a stretch counts once. */
  countsStretches: boolean;
  usedChars: number;
  /** The first match that is not shown. */
  next: TextPosition | undefined;
  /** The next hits belong to this region, which starts at line `line`. */
  enter(region: Region, line: number): void;
  add(hit: Hit): void;
  wantsPlace(lineLength: number): boolean;
  /** All hits of the region were added. Returns the line at which the next region starts. */
  leave(): number;
  /** The search ends in the middle of a region. The last match still gets the lines after it in this region. */
  endHere(): void;
}

/** The cost of a match and of a line in an answer, in addition to their text. */
const MATCH_CHARS = 40;
const LINE_CHARS = 4;
/** The cost of the place to continue after a match in a long line. */
const CURSOR_CHARS = 50;

/** Collects matches and the lines around them, as many as an answer may contain. Further matches are counted. */
export function createMatchList({ before, after, maxMatches, maxChars }: MatchLimits): MatchList {
  let region: Region;
  /** Lines are counted up to this line of the index. */
  let line = 1;
  let countedTo = 0;
  let nextLine = 1;
  /** The last line in the answer. */
  let shownLine = 0;
  /** The match that may still get lines after it. */
  let open: GrepMatch | undefined;
  /** The start of the next line after the match. If it is infinite, the line is not in this region. */
  let nextAfter = Number.POSITIVE_INFINITY;
  /** The last lines of the previous regions. */
  let earlier: string[] = [];

  const list: MatchList = {
    matches: [],
    count: 0,
    countsStretches: false,
    usedChars: 0,
    next: undefined,
    enter(nextRegion, startLine) {
      region = nextRegion;
      line = startLine;
      nextLine = startLine + region.newlines;
      countedTo = region.from;
      nextAfter = firstLineStart();
      // If a search starts in the middle, the lines before its first region.
      if (region.from > 0 && region.character === 0)
        earlier = linesUpTo(region.from, region.byte === 0 ? 0 : lineBehind(0));
    },
    add(hit) {
      list.count++;
      if (isLongLine(hit)) list.countsStretches = true;
      if (list.next !== undefined) return;
      fillAfter(hit.start);
      const number = lineAt(Math.max(hit.start, region.from));
      const excerpt = excerptOf(region.text, hit);
      const place = hit.at ?? hit.start;
      if (
        list.matches.length >= maxMatches ||
        !take(excerpt.text.length + MATCH_CHARS + (excerpt.isCut ? CURSOR_CHARS : 0))
      ) {
        open = undefined;
        list.next = positionAt(region, { index: isLongLine(hit) ? place : hit.start, line, counted: countedTo });
        return;
      }
      const match: GrepMatch = { line: number, text: excerpt.text };
      const lines = linesBefore(hit.start, number);
      if (lines.length > 0) match.before = lines;
      if (excerpt.isCut) {
        const position = positionAt(region, { index: place, line, counted: countedTo });
        match.column = position.character;
        match.at = formatPosition(position);
      }
      list.matches.push(match);
      shownLine = number;
      open = after > 0 ? match : undefined;
      nextAfter = lineBehind(hit.isEnded ? hit.end : region.text.length);
    },
    wantsPlace: (lineLength) => list.next === undefined && lineLength > SHOWN_LINE,
    leave() {
      fillAfter(region.isLast ? region.to + 1 : region.to);
      // The beginning of a line that continues. More of it would not be shown.
      if (list.next === undefined) earlier = contextBefore(region.to);
      return nextLine;
    },
    endHere() {
      if (open) fillAfter(region.to);
    },
  };
  return list;

  function lineAt(index: number): number {
    line += countNewlines(region.text, { from: countedTo, to: index });
    countedTo = Math.max(countedTo, index);
    return line;
  }

  /** Whether there is room for this many characters. If so, the room is used. */
  function take(characters: number): boolean {
    if (list.usedChars + characters > maxChars) return false;
    list.usedChars += characters;
    return true;
  }

  /** Starts with the lines nearest to the match, and ends when there is no room. */
  function linesBefore(start: number, number: number): string[] {
    const wanted = Math.min(before, number - shownLine - 1);
    if (start < 0 || wanted <= 0) return [];
    const lines = contextBefore(start).slice(-wanted);
    let first = lines.length;
    while (first > 0 && take((lines[first - 1]?.length ?? 0) + LINE_CHARS)) first--;
    return lines.slice(first);
  }

  /** Adds lines that start before this index. */
  function fillAfter(limit: number): void {
    while (open && (open.after?.length ?? 0) < after) {
      if (nextAfter >= limit) return;
      const end = lineBehind(nextAfter);
      const next = contextLine(region.text.slice(nextAfter, end - 1));
      nextAfter = end;
      if (!take(next.length + LINE_CHARS)) break;
      open.after = [...(open.after ?? []), next];
      shownLine++;
    }
    open = undefined;
  }

  /** The lines before the line that starts at this index, at most `before`, even across the end of a region. */
  function contextBefore(start: number): string[] {
    return before === 0 ? [] : [...earlier, ...linesUpTo(start, firstLineStart())].slice(-before);
  }

  function firstLineStart(): number {
    return region.character > 0 ? lineBehind(region.from) : region.from;
  }

  function lineBehind(index: number): number {
    const newline = region.text.indexOf('\n', index);
    return newline === -1 ? Number.POSITIVE_INFINITY : newline + 1;
  }

  /** The last lines before a line start that start at `from` or after it. */
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

/** Lines up to this length are shown completely. */
export const SHOWN_LINE = 300;
const SHOWN_BEFORE = SHOWN_LINE - STRETCH;
/** Invisible characters are shown by their codes, with ten characters for one. */
const MAX_EXCERPT = 2 * SHOWN_LINE;
const CUT = '…';

/** The shown part of a matching line: the whole line, or the text around the match. */
function excerptOf(text: string, { start, end, isEnded, at = start }: Hit): { text: string; isCut: boolean } {
  const isWhole = start >= 0 && isEnded && end - start <= SHOWN_LINE;
  if (isWhole) return { text: shown(text.slice(start, end)), isCut: false };
  const lineStart = Math.max(start, 0);
  const from = Math.max(lineStart, codePointStart(text, Math.max(0, at - SHOWN_BEFORE)));
  const to = Math.min(end, codePointStart(text, Math.max(at, lineStart) + STRETCH));
  const before = start >= 0 && from === start ? '' : CUT;
  const behind = isEnded && to === end ? '' : CUT;
  return { text: before + shown(text.slice(from, to)) + behind, isCut: true };
}

/** The shown part of a line around a match. */
function contextLine(line: string): string {
  if (line.length > SHOWN_LINE) return shown(line.slice(0, codePointStart(line, STRETCH))) + CUT;
  return shown(line.endsWith('\r') ? line.slice(0, -1) : line);
}

function shown(raw: string): string {
  const text = visibleText(raw);
  return detach(text.length <= MAX_EXCERPT ? text : text.slice(0, codePointStart(text, MAX_EXCERPT)) + CUT);
}
