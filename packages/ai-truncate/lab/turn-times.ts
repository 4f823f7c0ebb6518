/** Almost all turns do next to nothing. They say nothing about turns with work. */
const SHORTEST_MS = 1;

/** The lengths of the turns of the event loop in which there was work. */
export class TurnTimes {
  readonly #milliseconds: number[] = [];
  #longest = { milliseconds: 0, during: '' };

  add(milliseconds: number, during: string): void {
    if (milliseconds < SHORTEST_MS) return;
    this.#milliseconds.push(milliseconds);
    if (milliseconds > this.#longest.milliseconds) this.#longest = { milliseconds, during };
  }

  /** The time that this share of the turns did not exceed. */
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
    return `99.9 % at most ${p999} ms, longest ${milliseconds.toFixed(0)} ms (\`${during.slice(0, 80)}\`), of ${count} turns of 1 ms and more, by wall time or processor time of the thread, whichever is less`;
  }
}
