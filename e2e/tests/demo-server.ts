import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const demoFolder = fileURLToPath(new URL('../../apps/demo/', import.meta.url));
const nextProgram = fileURLToPath(new URL('../../apps/demo/node_modules/.bin/next', import.meta.url));

/** Nothing that is set on the machine of a developer reaches a server under test. */
const nothingSet = {
  OPENAI_API_KEY: '',
  OPENAI_BASE_URL: '',
  OPENAI_MODEL: '',
  OPENAI_EXPLORE_MODEL: '',
  BLOB_READ_WRITE_TOKEN: '',
  BLOB_STORE_ID: '',
  DEMO_LOG_MB: '',
  DEMO_LIMITS_FILE: '',
  DEMO_PAID_ANSWERS_PER_HOUR: '',
  SESSION_SECRET: '',
  CRON_SECRET: '',
  MCP_COMMAND: '',
  VERCEL: '',
  NEXT_TELEMETRY_DISABLED: '1',
};

/** The built demo as a process of its own, with variables of its own. */
export interface DemoServer {
  url: string;
  processId: number;
  /** All that it has printed. */
  output(): string;
  /** Ends it as an operating system does, or at once with `SIGKILL`, and waits until it is gone. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface DemoServerOptions {
  /** Where it keeps its data, and where its packages are found. @default the folder of the demo */
  workingDirectory?: string;
}

/** Starts the built demo and waits until it answers. Rejects with what it printed when it ends instead. */
export async function startDemo(
  variables: Record<string, string> = {},
  { workingDirectory = demoFolder }: DemoServerOptions = {},
): Promise<DemoServer> {
  const { child, output, ended } = run(variables, { workingDirectory });
  const ready = new Promise<string>((resolve) => {
    child.stdout?.on('data', () => {
      const address = /Local:\s+(http:\S+).*Ready in/s.exec(output())?.[1];
      if (address) resolve(address);
    });
  });
  const url = await Promise.race([ready, ended]);
  if (typeof url !== 'string') throw new Error(`The demo ended with ${url} instead of starting:\n${output()}`);
  return {
    url,
    processId: Number(child.pid),
    output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}

/** Starts the built demo with variables that it should refuse, and waits for its end. */
export async function startRefused(
  variables: Record<string, string>,
): Promise<{ exitCode: number | null; output: string }> {
  const { output, ended } = run(variables, { workingDirectory: demoFolder });
  return { exitCode: await ended, output: output() };
}

function run(variables: Record<string, string>, { workingDirectory }: { workingDirectory: string }) {
  // Whichever port is free: the server says which.
  const options = ['--hostname', '127.0.0.1', '--port', '0'];
  const child: ChildProcess = spawn(nextProgram, ['start', demoFolder, ...options], {
    cwd: workingDirectory,
    env: { ...process.env, ...nothingSet, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const keep = (data: Buffer) => {
    printed += data;
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = once(child, 'close').then(([exitCode]) => exitCode as number | null);
  return { child, output: () => printed, ended };
}
