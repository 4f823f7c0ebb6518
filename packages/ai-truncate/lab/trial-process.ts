import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { LabTrial, TrialOutcome, TrialSize } from './lab-promise.ts';

interface TrialProcessOptions {
  /** The name of the promise in `promises.ts`. */
  promise: string;
  trial: LabTrial;
  size: TrialSize;
}

const script = join(import.meta.dirname, 'run-trial.ts');
const commonFlags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
const mostErrorCharacters = 2000;

/** Runs one trial in a process of its own. One that breaks, or ends without a word, has missed its target: the error is told. */
export async function runTrialProcess({ promise, trial, size }: TrialProcessOptions): Promise<TrialOutcome> {
  const execArgv = [...commonFlags, ...(trial.flags ?? [])];
  const child = fork(script, [promise, trial.name, size], { execArgv, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-mostErrorCharacters);
  });
  let outcome: TrialOutcome | undefined;
  child.on('message', (message) => {
    outcome = message as TrialOutcome;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ended) => resolve(ended));
  });
  if (outcome) return outcome;
  return { status: 'missed', how: `it did not end: ${signal ?? `exit code ${code}`}`, measured: errors.trim() };
}
