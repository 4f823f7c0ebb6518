import { type ChildProcess, fork } from 'node:child_process';

export interface ProcessAnswerOptions {
  /** A module that sends its answer with `process.send`. */
  script: string;
  args: readonly string[];
  /** The process is ended after this time without an answer. */
  mostMs: number;
  /** Options for Node, such as `--max-old-space-size=64`. */
  flags?: readonly string[] | undefined;
}

export type ProcessAnswer =
  | { answer: unknown }
  | {
      /** How the process ended without an answer. */
      ended: string;
      /** The end of its standard error. */
      errors: string;
    };

const commonFlags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
const mostErrorCharacters = 2000;
/** How long a process may take to end after its signal. */
const graceMs = 2000;

/** Runs a module in its own process, so that its leftovers cannot affect the next one, and returns its answer. */
export async function processAnswer({
  script,
  args,
  mostMs,
  flags = [],
}: ProcessAnswerOptions): Promise<ProcessAnswer> {
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
  const time = endAfter(child, mostMs);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ended) => resolve(ended));
  }).finally(time.clear);
  if (answer !== undefined) return { answer };
  const reason = time.isUp() ? `no answer in ${mostMs / 1000} s, ` : '';
  return { ended: `${reason}${signal ?? `exit code ${code}`}`, errors: errors.trim() };
}

/** Ends a process that takes longer, first with a signal, then by killing it. */
function endAfter(child: ChildProcess, mostMs: number): { isUp(): boolean; clear(): void } {
  let isUp = false;
  let killing: NodeJS.Timeout | undefined;
  const telling = setTimeout(() => {
    isUp = true;
    // Its own children may hold its standard error open after it has ended.
    child.once('exit', () => child.stderr?.destroy());
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), graceMs);
  }, mostMs);
  return {
    isUp: () => isUp,
    clear() {
      clearTimeout(telling);
      clearTimeout(killing);
    },
  };
}
