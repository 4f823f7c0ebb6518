import { type ChildProcess, fork } from 'node:child_process';

export interface ProcessAnswerOptions {
  /** A module that gives its answer with `process.send`. */
  script: string;
  args: readonly string[];
  /** After so long without an answer the process is ended. */
  mostMs: number;
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
/** How long a process may take to end that was told to. */
const graceMs = 2000;

/** Runs a module in a process of its own, so that nothing of what it leaves behind is met by the next, and gives its answer. */
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

/** Ends a process that takes longer: it is told to, and then killed. */
function endAfter(child: ChildProcess, mostMs: number): { isUp(): boolean; clear(): void } {
  let isUp = false;
  let killing: NodeJS.Timeout | undefined;
  const telling = setTimeout(() => {
    isUp = true;
    // What it started itself may hold its standard error open for longer than it lives.
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
