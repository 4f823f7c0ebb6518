/** All that is measured, or as much as shows that it can be. */
export interface BenchScale {
  /** Larger inputs are left out. */
  mostBytes: number;
  /** A call that is shorter is repeated until the clock can tell. */
  sampleMs: number;
  /** What the rounds of one input may take together, within the rounds below. */
  roundsMs: number;
  leastRounds: number;
  mostRounds: number;
  /** Where cases are counted and not timed, one in so many is taken. */
  oneCaseIn: number;
}

export const scales: Readonly<Record<'full' | 'small', BenchScale>> = {
  full: { mostBytes: 1024 ** 3, sampleMs: 5, roundsMs: 6000, leastRounds: 3, mostRounds: 9, oneCaseIn: 1 },
  small: { mostBytes: 100 * 1024, sampleMs: 0, roundsMs: 0, leastRounds: 1, mostRounds: 1, oneCaseIn: 40 },
};

/** What `pnpm bench <name>` measures and writes into docs/figures.md. */
export interface BenchPart {
  /** The place in docs/figures.md. */
  section: string;
  heading: string;
  /** Markdown that stands below the heading. Runs in a process of its own. */
  measure(scale: BenchScale): Promise<string>;
}
