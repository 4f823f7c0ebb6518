import type { ArtifactLinesAnswer } from 'ai-truncate/http';
import type { ArtifactFailure } from './artifact-failure';
import { isAbort } from './artifact-failure';
import type { ArtifactSource } from './artifact-source';

type Line = ArtifactLinesAnswer['lines'][number];

/** Lines are fetched in pages of this many. */
export const linesPerPage = 200;
/** A page may weigh a megabyte; what was looked at longest ago is forgotten. */
const maxPages = 30;

/**
 * The lines around the view, and no others: however far somebody scrolls, memory stays what it is. Pages that have left the
 * view before they arrived are not waited for.
 */
export class LineCache {
  readonly #source: Pick<ArtifactSource, 'lines'>;
  readonly #pages = new Map<number, Line[]>();
  readonly #requests = new Map<number, AbortController>();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  failure: ArtifactFailure | undefined;

  /** The first page may be there already. */
  constructor(source: Pick<ArtifactSource, 'lines'>, firstPage?: Line[]) {
    this.#source = source;
    if (firstPage) this.#pages.set(0, firstPage);
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly version = (): number => this.#version;

  line(number: number): Line | undefined {
    return this.#pages.get(pageOf(number))?.[(number - 1) % linesPerPage];
  }

  /** Whether any of these lines is on its way, or about to be asked for. */
  isWaitingFor({ first, last }: { first: number; last: number }): boolean {
    if (this.failure) return false;
    for (let page = pageOf(first); page <= pageOf(last); page++) if (!this.#pages.has(page)) return true;
    return false;
  }

  /** Says which lines are in view: what is missing is fetched, what no longer is needed is not. */
  show({ first, last }: { first: number; last: number }): void {
    const [from, to] = [pageOf(first), pageOf(last)];
    for (const [page, request] of this.#requests) {
      if (page >= from - 1 && page <= to + 1) continue;
      this.#requests.delete(page);
      request.abort();
    }
    for (let page = from; page <= to; page++) this.#touch(page);
  }

  /** Tries again what failed. */
  retry(view: { first: number; last: number }): void {
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
    } else if (!this.#requests.has(page) && !this.failure) void this.#fetch(page);
  }

  async #fetch(page: number): Promise<void> {
    const request = new AbortController();
    this.#requests.set(page, request);
    try {
      const lines = await this.#read(page, request.signal);
      if (request.signal.aborted) return;
      this.#pages.set(page, lines);
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= maxPages) break;
        this.#pages.delete(oldest);
      }
    } catch (error) {
      if (isAbort(error) || request.signal.aborted) return;
      this.failure = error as ArtifactFailure;
    } finally {
      if (this.#requests.get(page) === request) this.#requests.delete(page);
    }
    this.#changed();
  }

  /** An answer ends early when its lines are long: the rest is asked for until the page is whole. */
  async #read(page: number, signal: AbortSignal): Promise<Line[]> {
    const end = (page + 1) * linesPerPage;
    const lines: Line[] = [];
    for (let start: number | undefined = page * linesPerPage + 1; start !== undefined && start <= end; ) {
      const answer: ArtifactLinesAnswer = await this.#source.lines({ start, count: end - start + 1, signal });
      lines.push(...answer.lines);
      start = answer.lines.length > 0 ? answer.nextLine : undefined;
    }
    return lines;
  }

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

function pageOf(line: number): number {
  return Math.floor((line - 1) / linesPerPage);
}
