import { MAX_RETENTION_DAYS } from '../artifacts/sweep-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber, withoutUndefined } from '../options.ts';
import {
  defaultLimits,
  type KeepFunction,
  MAX_PREVIEW_BYTES,
  MIN_BYTES,
  MIN_CHARS,
  type PreviewKeep,
} from '../preview/limits.ts';
import { MIN_ENDS_LINES } from '../preview/truncate-text.ts';

/** What the environment says: only what it names. `directory` is for `filesystemStore`, the rest for `truncateToolOutputs`. */
export interface EnvironmentOptions {
  maxLines?: number;
  maxBytes?: number;
  maxChars?: number;
  previewBytes?: number;
  keep?: Exclude<PreviewKeep, KeepFunction>;
  retentionDays?: number;
  sweep?: 'hourly' | false;
  directory?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'TOOL_OUTPUT_';
/** With one of these, the preview is the one of the requirement documents: one end, as much as the limit allows. */
const LIMITING = ['MAX_LINES', 'MAX_BYTES', 'TRUNCATE_DIRECTION'] as const;
const OTHERS = ['DIR', 'RETENTION_DAYS', 'SWEEP', 'MAX_CHARS', 'PREVIEW_BYTES', 'KEEP'] as const;

type Variable = (typeof LIMITING)[number] | (typeof OTHERS)[number];
const VARIABLES: readonly Variable[] = [...LIMITING, ...OTHERS];

/**
 * Options from environment variables, so that limits can be changed where a program runs, without a change of its code.
 *
 * - `TOOL_OUTPUT_MAX_LINES`, `TOOL_OUTPUT_MAX_BYTES`, `TOOL_OUTPUT_TRUNCATE_DIRECTION` (`head`, `tail`): with any of these set, the
 *   preview is one end of the output, `head` by default, and fills the limit.
 * - `TOOL_OUTPUT_KEEP` (`auto`, `head`, `tail`, `ends`) and `TOOL_OUTPUT_PREVIEW_BYTES` override that; `TOOL_OUTPUT_MAX_CHARS`.
 * - `TOOL_OUTPUT_DIR`, `TOOL_OUTPUT_RETENTION_DAYS`, `TOOL_OUTPUT_SWEEP` (`hourly`, `off`): they leave the preview as it is.
 *
 * With none set, the result is empty. An empty variable counts as not set. A wrong value or an unknown variable throws.
 *
 * @example
 * const { directory, ...limits } = truncationOptionsFromEnv(process.env);
 * const tools = truncateToolOutputs({ readServerLogs }, { store: filesystemStore({ directory }), scope: chatId, ...limits });
 */
export function truncationOptionsFromEnv(env: Environment): EnvironmentOptions {
  if (typeof env !== 'object' || env === null) {
    throw new InvalidOptionError({ option: 'env', value: env, expected: 'an object, as `process.env`' });
  }
  requireKnownVariables(env);
  const direction = oneOf(env, 'TRUNCATE_DIRECTION', ['head', 'tail']);
  const keep = oneOf(env, 'KEEP', ['auto', 'head', 'tail', 'ends']);
  if (direction !== undefined && keep !== undefined) {
    const expected = `left out where ${PREFIX}TRUNCATE_DIRECTION is set: both say which part is kept`;
    throw new InvalidOptionError({ option: `${PREFIX}KEEP`, value: keep, expected });
  }
  const sweep = oneOf(env, 'SWEEP', ['hourly', 'off']);
  const maxBytes = wholeNumber(env, 'MAX_BYTES', { min: MIN_BYTES });
  const max = maxBytes ?? defaultLimits.maxBytes;
  const limit = max <= MAX_PREVIEW_BYTES ? { max, maxName: `${PREFIX}MAX_BYTES` } : { max: MAX_PREVIEW_BYTES };
  const isLimiting = LIMITING.some((variable) => textOf(env, variable) !== undefined);
  const ends = { min: MIN_ENDS_LINES, because: `with ${PREFIX}KEEP=ends` };
  return withoutUndefined({
    maxLines: wholeNumber(env, 'MAX_LINES', keep === 'ends' ? ends : { min: 1 }),
    maxBytes,
    maxChars: wholeNumber(env, 'MAX_CHARS', { min: MIN_CHARS }),
    previewBytes:
      wholeNumber(env, 'PREVIEW_BYTES', { min: MIN_BYTES, ...limit }) ?? (isLimiting ? limit.max : undefined),
    keep: keep ?? direction ?? (isLimiting ? 'head' : undefined),
    retentionDays: wholeNumber(env, 'RETENTION_DAYS', { min: 1, max: MAX_RETENTION_DAYS }),
    sweep: sweep === 'off' ? false : sweep,
    directory: textOf(env, 'DIR'),
  });
}

/** A misspelt variable would be ignored, and a limit that was meant to hold would not. */
function requireKnownVariables(env: Environment): void {
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || (VARIABLES as readonly string[]).includes(name.slice(PREFIX.length))) continue;
    const expected = `one of ${VARIABLES.map((variable) => PREFIX + variable).join(', ')}`;
    throw new InvalidOptionError({ option: name, value, expected });
  }
}

/** As a compose file or a CI gives it: a variable that is not set there is often an empty one. */
function textOf(env: Environment, variable: Variable): string | undefined {
  const name = PREFIX + variable;
  const value: unknown = env[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new InvalidOptionError({ option: name, value, expected: 'a string' });
  return value.trim() === '' ? undefined : value.trim();
}

function wholeNumber(
  env: Environment,
  variable: Variable,
  range: { min: number; max?: number; maxName?: string; because?: string },
): number | undefined {
  const text = textOf(env, variable);
  if (text === undefined) return undefined;
  // `Number` would take '0x10', '1e3' and ' '.
  const value = /^\d{1,16}$/.test(text) ? Number(text) : text;
  requireWholeNumber(PREFIX + variable, { value, ...range });
  return value as number;
}

function oneOf<WORD extends string>(env: Environment, variable: Variable, words: readonly WORD[]): WORD | undefined {
  const text = textOf(env, variable);
  const word = words.find((known) => known === text);
  if (text === undefined || word !== undefined) return word;
  const option = PREFIX + variable;
  throw new InvalidOptionError({ option, value: text, expected: `one of ${words.join(', ')}` });
}
