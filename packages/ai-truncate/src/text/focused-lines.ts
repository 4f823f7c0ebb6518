import { FocusMatcher } from './focus-matcher.ts';
import type { FocusTerm } from './focus-terms.ts';
import { detach } from './utf.ts';

/** A line, or a part of a giant line, with terms of the question. */
export interface FocusedLine<PLACE = unknown> {
  /** Counted from 1. */
  line: number;
  /** The start of the text in its line, in characters. */
  at: number;
  text: string;
  /** The range of lines around it, for a passage of several lines. */
  before: string | undefined;
  after: string[];
  /** The terms that it contains. */
  terms: readonly FocusTerm[];
  /** How relevant it is to the question. */
  score: number;
  /** Any data that the reader of the output attaches to it. */
  place?: PLACE | undefined;
}

/** Collects lines with terms of a question while an output arrives, in bounded memory. */
export class FocusedLines<PLACE = unknown> {
  readonly matcher: FocusMatcher;
  readonly #terms: readonly FocusTerm[];
  /** The number of lines with each term. */
  readonly #counts: Float64Array;
  readonly #groups = new Map<number, Map<number, Group<PLACE>>>();
  #groupCount = 0;
  #chars = 0;
  #lines = 0;
  #awaiting: Entry<PLACE>[] = [];
  /** Entries whose text is still in the chunk. */
  #fresh: Entry<PLACE>[] = [];
  /** The previous line, cut from its text only if it is needed. */
  #previousText = '';
  #previousFrom = 0;
  #previousTo = 0;

  constructor(terms: readonly FocusTerm[]) {
    this.#terms = terms;
    this.#counts = new Float64Array(terms.length);
    this.matcher = new FocusMatcher(terms);
  }

  /** Ends a line, or a part of a giant line, after the matcher has read its words. */
  endLine(source: LinePart<PLACE>): void {
    const { low, high } = this.matcher;
    const { text, from, to, line, at } = source;
    if (at === 0) this.#lines = line;
    if (this.#awaiting.length > 0 && at === 0) {
      const next = text.slice(from, Math.min(to, from + MAX_NEIGHBOUR_CHARS));
      for (const entry of this.#awaiting) {
        entry.after.push(next);
        if (!entry.isDropped) this.#chars += next.length;
      }
      this.#awaiting = this.#awaiting.filter(({ after }) => after.length < LINES_AFTER);
      if (this.#chars > MAX_CHARS) this.#dropWeakest();
    }
    if ((low | high) !== 0) {
      this.#count(low, 0);
      this.#count(high, 32);
      this.#add(this.#groupOf(low, high), source);
    }
    this.#previousText = text;
    this.#previousFrom = from;
    this.#previousTo = Math.min(to, from + MAX_NEIGHBOUR_CHARS);
  }

  #previous(): string {
    return this.#previousText.slice(this.#previousFrom, this.#previousTo);
  }

  #count(bits: number, from: number): void {
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const term = from + 31 - Math.clz32(rest & -rest);
      this.#counts[term] = (this.#counts[term] as number) + 1;
    }
  }

  #groupOf(low: number, high: number): Group<PLACE> {
    const known = this.#groups.get(low)?.get(high);
    if (known) return known;
    if (this.#groupCount === MAX_GROUPS) this.#dropWeakest();
    const group: Group<PLACE> = { low, high, lines: 0, first: [], last: [] };
    const byHigh = this.#groups.get(low) ?? new Map<number, Group<PLACE>>();
    this.#groups.set(low, byHigh.set(high, group));
    this.#groupCount++;
    return group;
  }

  #add(group: Group<PLACE>, { text, from, to, line, at, place }: LinePart<PLACE>): void {
    group.lines++;
    const isEarly = group.first.length < FIRST_LINES;
    // A term on this many lines chooses nothing, regardless of the following lines.
    if (!isEarly && group.lines > 4 * this.#mostLines()) return;
    const before = at === 0 && line > 1 ? this.#previous() : undefined;
    const entry: Entry<PLACE> = { line, at, text: text.slice(from, to), before, after: [], place, isDropped: false };
    (isEarly ? group.first : group.last).push(entry);
    this.#chars += charsOf(entry);
    if (group.last.length > LAST_LINES) {
      const dropped = group.last.shift() as Entry<PLACE>;
      dropped.isDropped = true;
      this.#chars -= charsOf(dropped);
    }
    if (at === 0) this.#awaiting.push(entry);
    this.#fresh.push(entry);
    if (this.#chars > MAX_CHARS) this.#dropWeakest();
  }

  /** Releases the memory of the chunk. */
  endChunk(): void {
    this.#previousText = detach(this.#previous());
    this.#previousFrom = 0;
    this.#previousTo = this.#previousText.length;
    for (const entry of this.#fresh) {
      if (entry.isDropped) continue;
      entry.text = detach(entry.text);
      if (entry.before !== undefined) entry.before = detach(entry.before);
      entry.after = entry.after.map(detach);
    }
    this.#fresh = this.#awaiting.slice();
  }

  /** Drops the half of the groups with the least relevant terms so far. */
  #dropWeakest(): void {
    const groups = this.#allGroups();
    const weights = this.#weights();
    const sorted = groups.map((group) => ({ group, score: this.#scoreOf(group, weights) }));
    sorted.sort((a, b) => b.score - a.score);
    this.#groups.clear();
    this.#chars = 0;
    const kept = sorted.slice(0, Math.max(1, sorted.length >> 1));
    this.#groupCount = kept.length;
    for (const { group } of kept) {
      const byHigh = this.#groups.get(group.low) ?? new Map<number, Group<PLACE>>();
      this.#groups.set(group.low, byHigh.set(group.high, group));
      for (const entry of [...group.first, ...group.last]) this.#chars += charsOf(entry);
    }
    for (const { group } of sorted.slice(kept.length)) {
      for (const entry of [...group.first, ...group.last]) entry.isDropped = true;
    }
    this.#awaiting = this.#awaiting.filter(({ isDropped }) => !isDropped);
  }

  #allGroups(): Group<PLACE>[] {
    return [...this.#groups.values()].flatMap((byHigh) => [...byHigh.values()]);
  }

  /** A rare term is very relevant. A frequent term is less relevant, and chooses nothing alone. */
  #weights(): { weight: number; isCommon: boolean }[] {
    const most = this.#mostLines();
    return Array.from(this.#counts, (count, term) => {
      const isCommon = count > most;
      const weight = (this.#terms[term]?.weight ?? 1) * Math.log(1 + this.#lines / Math.max(1, count));
      return { weight: isCommon ? weight / 4 : weight, isCommon };
    });
  }

  #mostLines(): number {
    return Math.max(COMMON_LINES, this.#lines * COMMON_SHARE);
  }

  #termsOf({ low, high }: { low: number; high: number }): number[] {
    return this.#terms.flatMap((_, term) => {
      const bits = term < 32 ? low >>> term : high >>> (term - 32);
      return (bits & 1) === 1 ? [term] : [];
    });
  }

  #scoreOf(group: Group<PLACE>, weights: readonly { weight: number }[]): number {
    return this.#termsOf(group).reduce((sum, term) => sum + (weights[term]?.weight ?? 0), 0);
  }

  /** The most relevant lines for the question, the best first. */
  finish(): FocusedLine<PLACE>[] {
    const weights = this.#weights();
    const groups = this.#allGroups();
    const most = this.#mostLines();
    const chosen = groups.flatMap((group) => {
      const terms = this.#termsOf(group);
      const isRare = terms.some((term) => !weights[term]?.isCommon) || linesWith(group, groups) <= most;
      return isRare ? [{ group, terms, score: this.#scoreOf(group, weights) }] : [];
    });
    const best = Math.max(0, ...chosen.map(({ score }) => score));
    const lines = chosen.flatMap(({ group, terms, score }) =>
      score < best * LEAST_SCORE
        ? []
        : [...group.first, ...group.last].map(
            ({ isDropped: _, ...entry }): FocusedLine<PLACE> => ({
              ...entry,
              terms: terms.map((term) => this.#terms[term] as FocusTerm),
              score,
            }),
          ),
    );
    return lines.sort((a, b) => b.score - a.score || a.line - b.line || a.at - b.at).slice(0, MAX_FOCUSED_LINES);
  }
}

/** The place of a line, or of a part of a line, in a text. */
export interface LinePart<PLACE = unknown> {
  text: string;
  from: number;
  to: number;
  line: number;
  at: number;
  place?: PLACE;
}

/** Lines with the same terms. */
interface Group<PLACE> {
  low: number;
  high: number;
  lines: number;
  first: Entry<PLACE>[];
  last: Entry<PLACE>[];
}

interface Entry<PLACE> {
  place: PLACE | undefined;
  line: number;
  at: number;
  text: string;
  before: string | undefined;
  after: string[];
  isDropped: boolean;
}

/** Counts the neighbors of a line too, because a short line can have long neighbors. */
function charsOf({ text, before = '', after }: Entry<unknown>): number {
  return after.reduce((chars, each) => chars + each.length, text.length + before.length);
}

/** Lines with all terms of a group, and possibly others. */
function linesWith({ low, high }: Group<unknown>, groups: readonly Group<unknown>[]): number {
  return groups.reduce(
    (sum, group) => sum + ((group.low & low) === low && (group.high & high) === high ? group.lines : 0),
    0,
  );
}

const MAX_GROUPS = 512;
const FIRST_LINES = 24;
const LAST_LINES = 8;
const MAX_CHARS = 2 ** 21;
const LINES_AFTER = 3;
/** The stored beginning of a line next to a line with terms. */
export const MAX_NEIGHBOUR_CHARS = 512;
/** No preview has room for more of these lines. */
const MAX_FOCUSED_LINES = 512;
/** A term on more lines than both limits chooses nothing alone. */
const COMMON_LINES = 20;
const COMMON_SHARE = 0.01;
/** Lines below this share of the best score are left out. */
const LEAST_SCORE = 0.3;
