/** A number of turns, given in the order in which they were asked for. */
export class Gate {
  #free: number;
  /** A set keeps their order, and one that gives up leaves it without a search. */
  readonly #waiting = new Set<() => void>();

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
      this.#waiting.add(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
