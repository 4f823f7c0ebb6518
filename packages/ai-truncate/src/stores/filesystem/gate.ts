/**
 * A number of turns. They are given in the order in which they were asked for, but every other one to who asked last: what has
 * had a turn and needs one more (an artifact its side-car) is not behind a burst of those that have had none, and so finished
 * in time.
 */
export class Gate {
  #free: number;
  /** A set keeps their order, and one that gives up leaves it without a search. */
  readonly #waiting = new Set<() => void>();
  /** The same, to be taken from the end; also some that wait no longer. */
  #latest: (() => void)[] = [];
  #isLatestNext = false;

  constructor(turns: number) {
    this.#free = turns;
  }

  get isContended(): boolean {
    return this.#waiting.size > 0;
  }

  async enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(begin);
        reject(signal?.reason);
      };
      this.#add(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  leave(): void {
    const next = this.#isLatestNext ? this.#last() : this.#first();
    this.#isLatestNext = !this.#isLatestNext;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  #add(begin: () => void): void {
    this.#waiting.add(begin);
    // No more than twice as long as the set: who was served from its beginning is still in here.
    if (this.#latest.length > 2 * this.#waiting.size) this.#latest = [...this.#waiting];
    else this.#latest.push(begin);
  }

  #first(): (() => void) | undefined {
    const [first] = this.#waiting;
    return first;
  }

  #last(): (() => void) | undefined {
    for (let last = this.#latest.pop(); last; last = this.#latest.pop()) if (this.#waiting.has(last)) return last;
    return undefined;
  }
}
