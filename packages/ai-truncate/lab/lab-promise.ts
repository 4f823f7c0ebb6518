/** All of a trial, or as much as shows that it works. */
export type TrialSize = 'full' | 'small';

/** A promise of this library, and the trials that it must stand. */
export interface LabPromise {
  /** What holds, in one sentence. */
  promise: string;
  trials: readonly LabTrial[];
  /** What has to be done before they run at full size; `npm test` has done it by then. Throws when it cannot be. */
  prepare?(): void;
}

export interface LabTrial {
  /** What is done, in a few words. No other trial of the promise has them. */
  name: string;
  /** What must come out, with its figures. */
  target: string;
  /** For the Node process that it runs in, as `--max-old-space-size=64`. */
  flags?: readonly string[];
  /** Runs in a process of its own: it may fill the heap, take every descriptor, or end. */
  run(size: TrialSize): Promise<TrialOutcome>;
}

export type TrialOutcome =
  | {
      status: 'met' | 'missed';
      /** How it was done and how often: what a reader needs who doubts the figures. */
      how: string;
      /** The figures, in the order of the target. */
      measured: string;
    }
  | {
      status: 'skipped';
      /** What this machine does not have, and where the trial runs. */
      reason: string;
    };
