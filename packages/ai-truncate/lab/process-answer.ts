import { fork } from 'node:child_process';

export interface ProcessAnswerOptions {
  /** A module that gives its answer with `process.send`. */
  script: string;
  args: readonly string[];
  /** For Node, as `--max-old-space-size=64`. */
  flags?: readonly string[] | undefined;
}

export type ProcessAnswer =
  | { answer: unknown }
  | {
      /** How the process ended that gave no answer. */
      ended: string;
      /** The end of what it wrote there. */
      errors: string;
    };

const commonFlags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
const mostErrorCharacters = 2000;

/** Runs a module in a process of its own, so that nothing of what it leaves behind is met by the next, and gives its answer. */
export async function processAnswer({ script, args, flags = [] }: ProcessAnswerOptions): Promise<ProcessAnswer> {
  const child = fork(script, args, {
    execArgv: [...commonFlags, ...flags],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-mostErrorCharacters);
  });
  let answer: unknown;
  child.on('message', (message) => {
    answer = message;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ended) => resolve(ended));
  });
  if (answer !== undefined) return { answer };
  return { ended: String(signal ?? `exit code ${code}`), errors: errors.trim() };
}
