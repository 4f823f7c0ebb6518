import { MAX_RETENTION_DAYS } from '../artifacts/sweep-artifacts.ts';
import { InvalidOptionError, requireWholeNumber } from '../errors.ts';
import { MIN_ENDS_LINES } from '../truncation/truncate-text.ts';
import {
  defaultLimits,
  type KeepFunction,
  MIN_BYTES,
  MIN_CHARS,
  type PreviewKeep,
} from '../truncation/truncation-limits.ts';

/** What the environment says: only what it names. `directory` is for `filesystemStore`, the rest for `truncateToolOutputs`. */
export interface EnvironmentOptions {
  maxLines?: number;
  maxBytes?: number;
  maxChars?: number;
  previewBytes?: number;
  keep?: Exclude<PreviewKeep, KeepFunction>;
  retentionDays?: number;
  directory?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'TOOL_OUTPUT_';
/** With one of these, the behaviour is the one that is described with them: one end is kept, as much as the limit allows. */
const PLAIN = ['MAX_LINES', 'MAX_BYTES', 'TRUNCATE_DIRECTION', 'DIR', 'RETENTION_DAYS'] as const;
const MORE = ['MAX_CHARS', 'PREVIEW_BYTES', 'KEEP'] as const;

type Variable = (typeof PLAIN)[number] | (typeof MORE)[number];
const VARIABLES: readonly Variable[] = [...PLAIN, ...MORE];

/**
 * Options from `TOOL_OUTPUT_MAX_LINES`, `TOOL_OUTPUT_MAX_BYTES`, `TOOL_OUTPUT_TRUNCATE_DIRECTION` (`head` or `tail`),
 * `TOOL_OUTPUT_DIR` and `TOOL_OUTPUT_RETENTION_DAYS`: so that limits can be changed where a program runs, and no code.
 *
 * With any of these set, the preview is one end, `head` unless told otherwise, and fills the limit. Three more say it otherwise:
 * `TOOL_OUTPUT_KEEP` (`auto`, `head`, `tail`, `ends`), `TOOL_OUTPUT_PREVIEW_BYTES`, `TOOL_OUTPUT_MAX_CHARS`. With none set, nothing
 * is returned. An empty variable is one that is not set; one that cannot be, or is not known, throws.
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
  const maxBytes = wholeNumber(env, 'MAX_BYTES', { min: MIN_BYTES });
  const limit = { max: maxBytes ?? defaultLimits.maxBytes, maxName: `${PREFIX}MAX_BYTES` };
  const isPlain = PLAIN.some((variable) => textOf(env, variable) !== undefined);
  const ends = { min: MIN_ENDS_LINES, because: `with ${PREFIX}KEEP=ends` };
  return withoutUndefined({
    maxLines: wholeNumber(env, 'MAX_LINES', keep === 'ends' ? ends : { min: 1 }),
    maxBytes,
    maxChars: wholeNumber(env, 'MAX_CHARS', { min: MIN_CHARS }),
    previewBytes: wholeNumber(env, 'PREVIEW_BYTES', { min: MIN_BYTES, ...limit }) ?? (isPlain ? limit.max : undefined),
    keep: keep ?? direction ?? (isPlain ? 'head' : undefined),
    retentionDays: wholeNumber(env, 'RETENTION_DAYS', { min: 1, max: MAX_RETENTION_DAYS }),
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

function withoutUndefined(
  options: { [NAME in keyof EnvironmentOptions]: EnvironmentOptions[NAME] | undefined },
): EnvironmentOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
