/** The whole trial, or as much as shows that it works. */
export type TrialSize = 'full' | 'small';

/** A promise of this library, and its trials. */
export interface LabPromise {
  /** The promise in one sentence. */
  promise: string;
  trials: readonly LabTrial[];
  /** Its trials measure turns of the event loop, so nothing else should run at the same time. */
  measuresTurns?: true;
  /** Runs before the trials at full size; `npm test` has already done this work. Throws if it is impossible. */
  prepare?(): void;
}

export interface LabTrial {
  /** The name of the trial, which is unique in its promise. */
  name: string;
  /** The required result, with its figures. */
  target: string;
  /** Options of the Node process of the trial, such as `--max-old-space-size=64`. */
  flags?: readonly string[];
  /** Runs in its own process, because it may fill the heap, use every descriptor, or end. */
  run(size: TrialSize): Promise<TrialOutcome>;
}

export type TrialOutcome =
  | {
      status: 'met' | 'missed';
      /** How often it was done and in which way, for readers who doubt the figures. */
      how: string;
      /** The figures, in the order of the target. */
      measured: string;
    }
  | {
      status: 'skipped';
      /** The missing feature of this machine, and where the trial runs. */
      reason: string;
    };
