import type { ArtifactLinesAnswer } from 'ai-truncate/http';
import type { ArtifactFailure } from './artifact-failure';
import { isAbort } from './artifact-failure';
import type { ArtifactSource } from './artifact-source';

type Line = ArtifactLinesAnswer['lines'][number];

/** Lines are fetched in pages of this many. */
export const linesPerPage = 200;
/** A page may weigh a megabyte; what was looked at longest ago is forgotten. */
const maxPages = 30;

/** Of a page whose lines are long only the first ones may be there: as many as were looked at. */
interface LinePage {
  lines: Line[];
  isWhole: boolean;
}

interface LinesInView {
  first: number;
  last: number;
}

/**
 * The lines around the view, and no others: however far somebody scrolls, memory stays what it is. Pages that have left the
 * view before they arrived are not waited for.
 */
export class LineCache {
  readonly #source: Pick<ArtifactSource, 'lines'>;
  readonly #pages = new Map<number, LinePage>();
  #view: LinesInView = { first: 1, last: 1 };
  readonly #requests = new Map<number, AbortController>();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  failure: ArtifactFailure | undefined;

  /** The first lines may be there already. */
  constructor(source: Pick<ArtifactSource, 'lines'>, firstLines?: ArtifactLinesAnswer) {
    this.#source = source;
    if (firstLines) this.#keep(0, { lines: [], answer: firstLines });
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly version = (): number => this.#version;

  line(number: number): Line | undefined {
    return this.#pages.get(pageOf(number))?.lines[(number - 1) % linesPerPage];
  }

  /** Whether any of these lines is on its way, or about to be asked for. */
  isWaitingFor({ first, last }: LinesInView): boolean {
    if (this.failure) return false;
    for (let page = pageOf(first); page <= pageOf(last); page++) if (!this.#covers(page, last)) return true;
    return false;
  }

  /** Says which lines are in view: what is missing is fetched, what no longer is needed is not. */
  show(view: LinesInView): void {
    this.#view = view;
    const [from, to] = [pageOf(view.first), pageOf(view.last)];
    for (const [page, request] of this.#requests) {
      if (page >= from - 1 && page <= to + 1) continue;
      this.#requests.delete(page);
      request.abort();
    }
    for (let page = from; page <= to; page++) this.#touch(page);
  }

  /** Tries again what failed. */
  retry(view: LinesInView): void {
    this.failure = undefined;
    this.#changed();
    this.show(view);
  }

  /** Ends every request. */
  close(): void {
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
  }

  #touch(page: number): void {
    const known = this.#pages.get(page);
    if (known) {
      this.#pages.delete(page);
      this.#pages.set(page, known);
    }
    if (this.#isMissing(page) && !this.#requests.has(page) && !this.failure) void this.#fetch(page);
  }

  /** Whether a line of this page is in view and not here. */
  #isMissing(page: number): boolean {
    const { first, last } = this.#view;
    return page >= pageOf(first) && page <= pageOf(last) && !this.#covers(page, last);
  }

  /** Whether the page has all its lines up to this one, which may be behind it. */
  #covers(page: number, last: number): boolean {
    const known = this.#pages.get(page);
    return known !== undefined && (known.isWhole || page * linesPerPage + known.lines.length >= last);
  }

  /** An answer ends early when its lines are long: each is shown as it comes, and the rest is asked for while it is in view. */
  async #fetch(page: number): Promise<void> {
    const request = new AbortController();
    this.#requests.set(page, request);
    const end = (page + 1) * linesPerPage;
    try {
      do {
        const { lines = [] } = this.#pages.get(page) ?? {};
        const start = page * linesPerPage + lines.length + 1;
        const answer = await this.#source.lines({ start, count: end - start + 1, signal: request.signal });
        if (request.signal.aborted) return;
        this.#keep(page, { lines, answer });
        this.#changed();
      } while (this.#isMissing(page));
    } catch (error) {
      if (isAbort(error) || request.signal.aborted) return;
      this.failure = error as ArtifactFailure;
      this.#changed();
    } finally {
      if (this.#requests.get(page) === request) this.#requests.delete(page);
    }
  }

  /** Keeps what was known of a page and what was told behind it. */
  #keep(page: number, { lines, answer }: { lines: Line[]; answer: ArtifactLinesAnswer }): void {
    const { nextLine = Number.POSITIVE_INFINITY } = answer;
    const isWhole = answer.lines.length === 0 || nextLine > (page + 1) * linesPerPage;
    this.#pages.set(page, { lines: [...lines, ...answer.lines], isWhole });
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= maxPages) break;
      this.#pages.delete(oldest);
    }
  }

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

function pageOf(line: number): number {
  return Math.floor((line - 1) / linesPerPage);
}
