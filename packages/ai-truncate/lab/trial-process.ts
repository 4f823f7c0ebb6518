import { join } from 'node:path';
import type { LabTrial, TrialOutcome, TrialSize } from './lab-promise.ts';
import { processAnswer } from './process-answer.ts';

interface TrialProcessOptions {
  /** The name of the promise in `promises.ts`. */
  promise: string;
  trial: LabTrial;
  size: TrialSize;
}

/** At full size several trials take a quarter of an hour each. At small size the tests wait for five minutes. */
const mostMs: Record<TrialSize, number> = { full: 45 * 60_000, small: 280_000 };
const script = join(import.meta.dirname, 'run-trial.ts');

/** Runs one trial in its own process. If it crashes or ends without an answer, the target is missed and the error is reported. */
export async function runTrialProcess({ promise, trial, size }: TrialProcessOptions): Promise<TrialOutcome> {
  const told = await processAnswer({
    script,
    args: [promise, trial.name, size],
    mostMs: mostMs[size],
    flags: trial.flags,
  });
  if ('answer' in told) return told.answer as TrialOutcome;
  return { status: 'missed', how: `it did not end: ${told.ended}`, measured: told.errors };
}
