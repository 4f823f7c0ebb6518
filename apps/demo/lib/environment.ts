import { splitCommandLine } from './command-line';
import { EnvironmentError } from './environment-error';
import { readMatching, readNumber, readText, readUrl, type Variables } from './environment-variables';
import { oncePerProcess } from './once-per-process';
import { type OutputLimits, readOutputLimits } from './output-limits';

/** Everything that the demo takes from its environment, checked. */
export interface Environment {
  /** Absent without a key. Then the scripted model answers. */
  openai?: { apiKey: string; baseURL: string | undefined; modelId: string; exploreModelId: string };
  /** Absent without a Blob store; then chats and artifacts are on a disk. Without `token`, Vercel's OIDC tokens open the store. */
  blob?: { token?: string };
  /** How large the log of `readServerLogs` is. */
  logBytes: number;
  /** The program that serves tools over MCP on its standard input and output, and its arguments. */
  mcpCommand?: [string, ...string[]];
  toolOutput: OutputLimits;
  /** Signs the cookies of visitors. Absent: `session-secret.ts` finds another one. */
  sessionSecret?: string;
  /** What the cron job has to say. Absent: nobody may sweep. */
  cronSecret?: string;
  /** How many answers of a model that costs money all visitors of this process get in an hour. */
  paidAnswersPerHour: number;
  /** The disk of a function on Vercel does not last. */
  isVercel: boolean;
}

const DEFAULT_MODEL = 'gpt-5-mini';
const DEFAULT_LOG_MB = 40;
const MAX_LOG_MB = 500;
const DEFAULT_PAID_ANSWERS_PER_HOUR = 60;
/** Of random letters and digits: nobody guesses it. */
const SECRET = { pattern: /^[\x21-\x7e]{32,500}$/, expected: 'a secret (at least 32 characters, without blanks)' };

/** Reads and checks all variables at once. Throws an `EnvironmentError` for the first that cannot be used. */
export function readEnvironment(variables: Variables): Environment {
  const openai = readOpenAi(variables);
  const mcpCommand = readMcpCommand(variables);
  const blobToken = readMatching(variables, {
    name: 'BLOB_READ_WRITE_TOKEN',
    pattern: /^vercel_blob_rw_[A-Za-z0-9]{1,64}_[A-Za-z0-9]{1,128}$/,
    expected: 'a token of a Blob store (vercel_blob_rw_…)',
  });
  const blobStoreId = readMatching(variables, {
    name: 'BLOB_STORE_ID',
    pattern: /^(store_)?[A-Za-z0-9]{1,64}$/,
    expected: 'the id of a Blob store (store_…)',
  });
  const logMb = readNumber(variables, { name: 'DEMO_LOG_MB', min: 0.01, max: MAX_LOG_MB, isWhole: false });
  const paidAnswersPerHour = readNumber(variables, {
    name: 'DEMO_PAID_ANSWERS_PER_HOUR',
    min: 1,
    max: 100_000,
    isWhole: true,
  });
  const sessionSecret = readMatching(variables, { name: 'SESSION_SECRET', ...SECRET });
  const cronSecret = readMatching(variables, { name: 'CRON_SECRET', ...SECRET });
  return {
    ...(openai && { openai }),
    ...((blobToken || blobStoreId) && { blob: blobToken ? { token: blobToken } : {} }),
    ...(mcpCommand && { mcpCommand }),
    ...(sessionSecret && { sessionSecret }),
    ...(cronSecret && { cronSecret }),
    paidAnswersPerHour: paidAnswersPerHour ?? DEFAULT_PAID_ANSWERS_PER_HOUR,
    logBytes: Math.round((logMb ?? DEFAULT_LOG_MB) * 1_000_000),
    toolOutput: readOutputLimits(variables),
    isVercel: readText(variables, 'VERCEL') !== undefined,
  };
}

/** The environment of this process. It is read once: `register` in `instrumentation.ts` does it before the first request. */
export function environment(): Environment {
  return oncePerProcess('environment', () => readEnvironment(process.env));
}

function readOpenAi(variables: Variables): Environment['openai'] {
  const apiKey = readMatching(variables, {
    name: 'OPENAI_API_KEY',
    // Some proxies take any word for a key, but a header cannot carry blanks and line breaks.
    pattern: /^[\x21-\x7e]{1,500}$/,
    expected: 'a key (one word, without blanks)',
  });
  const baseURL = readUrl(variables, 'OPENAI_BASE_URL');
  const modelId = readModelId(variables, 'OPENAI_MODEL') ?? DEFAULT_MODEL;
  const exploreModelId = readModelId(variables, 'OPENAI_EXPLORE_MODEL') ?? modelId;
  return apiKey === undefined ? undefined : { apiKey, baseURL, modelId, exploreModelId };
}

function readModelId(variables: Variables, name: string): string | undefined {
  const expected = 'the id of a model (letters, digits and - . _ : / @)';
  return readMatching(variables, { name, pattern: /^[\w.:/@-]{1,200}$/, expected });
}

function readMcpCommand(variables: Variables): [string, ...string[]] | undefined {
  const value = readText(variables, 'MCP_COMMAND');
  if (value === undefined) return undefined;
  const command = splitCommandLine(value);
  if (command) return command;
  throw new EnvironmentError('MCP_COMMAND', { value, expected: 'a command line: a quote in it is never closed' });
}
