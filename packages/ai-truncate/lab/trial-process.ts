import { join } from 'node:path';
import type { LabTrial, TrialOutcome, TrialSize } from './lab-promise.ts';
import { processAnswer } from './process-answer.ts';

interface TrialProcessOptions {
  /** The name of the promise in `promises.ts`. */
  promise: string;
  trial: LabTrial;
  size: TrialSize;
}

const script = join(import.meta.dirname, 'run-trial.ts');

/** Runs one trial in a process of its own. One that breaks, or ends without a word, has missed its target: the error is told. */
export async function runTrialProcess({ promise, trial, size }: TrialProcessOptions): Promise<TrialOutcome> {
  const told = await processAnswer({ script, args: [promise, trial.name, size], flags: trial.flags });
  if ('answer' in told) return told.answer as TrialOutcome;
  return { status: 'missed', how: `it did not end: ${told.ended}`, measured: told.errors };
}
