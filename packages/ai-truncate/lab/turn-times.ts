/** Turns in which next to nothing was done say nothing about those in which something was, and are most of them. */
const SHORTEST_MS = 1;

/** How long the turns of the event loop were in which there was work. */
export class TurnTimes {
  readonly #milliseconds: number[] = [];
  #longest = { milliseconds: 0, during: '' };

  add(milliseconds: number, during: string): void {
    if (milliseconds < SHORTEST_MS) return;
    this.#milliseconds.push(milliseconds);
    if (milliseconds > this.#longest.milliseconds) this.#longest = { milliseconds, during };
  }

  /** The least time that as large a part of the turns took at most. */
  percentile(part: number): number {
    const sorted = this.#milliseconds.toSorted((one, other) => one - other);
    return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
  }

  longestMs(): number {
    return this.#longest.milliseconds;
  }

  summary(): string {
    const { milliseconds, during } = this.#longest;
    const count = this.#milliseconds.length.toLocaleString('en');
    const p999 = this.percentile(0.999).toFixed(0);
    return `99.9 % at most ${p999} ms, longest ${milliseconds.toFixed(0)} ms (\`${during.slice(0, 80)}\`), of ${count} turns of 1 ms and more, by the wall or the processor time of the thread, whichever is less`;
  }
}
