/** Everything that is measured, or as much as shows that the measurement works. */
export interface BenchScale {
  /** Larger inputs are skipped. */
  mostBytes: number;
  /** A shorter call is repeated until the clock can measure it. */
  sampleMs: number;
  /** The time for all rounds of one input, within the number of rounds below. */
  roundsMs: number;
  leastRounds: number;
  mostRounds: number;
  /** If cases are counted instead of timed, one of so many is used. */
  oneCaseIn: number;
}

export const scales: Readonly<Record<'full' | 'small', BenchScale>> = {
  full: { mostBytes: 1024 ** 3, sampleMs: 5, roundsMs: 6000, leastRounds: 3, mostRounds: 9, oneCaseIn: 1 },
  small: { mostBytes: 100 * 1024, sampleMs: 0, roundsMs: 0, leastRounds: 1, mostRounds: 1, oneCaseIn: 40 },
};

/** A part that `pnpm bench <name>` measures and writes into docs/figures.md. */
export interface BenchPart {
  /** The place in docs/figures.md. */
  section: string;
  heading: string;
  /** Returns the Markdown below the heading. Runs in its own process. */
  measure(scale: BenchScale): Promise<string>;
}
