import type { Steps } from '../pace.ts';
import type { FocusTerm } from '../text/focus-terms.ts';

/** A shown line between both ends. */
export interface MiddleRow {
  line: number;
  /** The start and end of the shown text in its line, in characters. */
  at: number;
  end: number;
  text: string;
  bytes: number;
  /** The number of characters of the output that it shows. */
  chars: number;
  /** The beginning of the line, as in the output. */
  start: string;
  /** The terms of the question that chose the line. */
  terms?: readonly FocusTerm[] | undefined;
}

/** Takes rows between both ends while there is room for them. */
export class RowPicker {
  readonly #room: MiddleRoom;
  readonly #rows = new Map<string, MiddleRow>();
  readonly #lines = new Set<number>();
  #left: number;

  constructor(room: MiddleRoom) {
    this.#room = room;
    this.#left = room.maxBytes;
  }

  #take(row: MiddleRow, limit: number): boolean {
    const key = `${row.line}:${row.at}`;
    if (this.#rows.has(key)) return true;
    const bytes = row.bytes + (this.#room.bytesPerGap ?? 0);
    if (this.#rows.size >= this.#room.maxRows || bytes > limit) return false;
    this.#rows.set(key, { ...row, bytes });
    this.#lines.add(row.line);
    this.#left -= bytes;
    return true;
  }

  /** Takes rows up to a share of the preview. Returns the lines that did not fit. */
  *fill<LINE extends { line: number; at?: number }>(
    lines: readonly LINE[],
    { share, toRow }: { share: number; toRow: (line: LINE) => MiddleRow },
  ): Steps<LINE[]> {
    const { after, before, total, maxRows, cuts = [] } = this.#room;
    const rest = Math.max(0, this.#left - Math.floor(total * share));
    const missed: LINE[] = [];
    for (const line of lines) {
      if (this.#rows.size >= maxRows) break;
      const isBetween = line.line > after && line.line < before;
      if (!isBetween && !cuts.some((cut) => cut.line === line.line)) continue;
      yield;
      const row = toRow(line);
      if (!isBetween && !isCutOff(row, cuts)) continue;
      if (!this.#take(row, this.#left - rest)) missed.push(line);
    }
    return missed;
  }

  /**
   * Adds the entries of an outline: first the entries above the rows so far, and then level by level. If a level does not fit,
   * entries at equal distances are added.
   */
  *fillOutline<ENTRY extends { line: number; level: number }>(
    { entries }: { entries: readonly ENTRY[] },
    { share, toRow }: { share: number; toRow: (entry: ENTRY) => MiddleRow },
  ): Steps<void> {
    const { after, before, total } = this.#room;
    const end = this.#left - Math.floor(total * share);
    const shareLeft = () => Math.max(0, this.#left - end) / total;
    yield* this.fill(entriesAbove(this.finish(), entries), { share: share / 2, toRow });
    const between = entries.filter(({ line }) => line > after && line < before);
    for (const level of [...new Set(between.map((entry) => entry.level))].sort((one, other) => one - other)) {
      const ofLevel = between.filter((entry) => entry.level === level);
      let bytes = 0;
      for (const entry of ofLevel) {
        yield;
        bytes += toRow(entry).bytes + (this.#room.bytesPerGap ?? 0);
      }
      const fitting = Math.min(1, (shareLeft() * total) / bytes);
      const isTaken = (index: number) => Math.floor((index + 1) * fitting) > Math.floor(index * fitting);
      yield* this.fill(fitting === 1 ? ofLevel : ofLevel.filter((_, index) => isTaken(index)), {
        share: shareLeft(),
        toRow,
      });
      if (fitting < 1) break;
    }
  }

  /** Whether a row shows a line, or a part of it. */
  shows(line: number): boolean {
    return this.#lines.has(line);
  }

  /** The rows in the order of the output. */
  finish(): MiddleRow[] {
    return [...this.#rows.values()].sort((one, other) => one.line - other.line || one.at - other.at);
  }
}

/** The entries whose parts have rows, and the entries around them. */
function entriesAbove<ENTRY extends { line: number; level: number }>(
  rows: readonly MiddleRow[],
  entries: readonly ENTRY[],
): ENTRY[] {
  const above = new Set<ENTRY>();
  const open: ENTRY[] = [];
  let next = 0;
  for (const { line } of rows) {
    for (let entry = entries[next]; entry && entry.line <= line; entry = entries[++next]) {
      while ((open.at(-1)?.level ?? 0) >= entry.level) open.pop();
      open.push(entry);
    }
    for (const entry of open) above.add(entry);
  }
  return [...above];
}

/** The place of the rows, and their room. */
export interface MiddleRoom {
  /** The last shown line before the rows, and the first one after them. */
  after: number;
  before: number;
  /** The lines that the two ends cut. */
  cuts?: readonly CutLine[];
  /** Bytes of the whole preview. */
  total: number;
  maxBytes: number;
  maxRows: number;
  /** The additional bytes of each row for the row of a text that begins before it. */
  bytesPerGap?: number;
}

/** A line that an end shows only in part, and its characters that are not shown. */
export interface CutLine {
  line: number;
  from: number;
  to: number;
}

/** Whether a row shows characters of a cut line that are not shown otherwise. */
export function isCutOff({ line, at, end }: MiddleRow, cuts: readonly CutLine[]): boolean {
  return cuts.some((cut) => cut.line === line && end > cut.from && at < cut.to);
}
