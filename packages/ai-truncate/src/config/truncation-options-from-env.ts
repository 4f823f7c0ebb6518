import { MAX_RETENTION_DAYS } from '../artifacts/sweep-artifacts.ts';
import { requireOption, requireOptions, withoutUndefined } from '../options.ts';
import {
  defaultLimits,
  type KeepFunction,
  MAX_PREVIEW_BYTES,
  MIN_BYTES,
  MIN_CHARS,
  type PreviewKeep,
  type TruncationLimits,
} from '../preview/limits.ts';
import { MIN_ENDS_LINES } from '../preview/truncate-text.ts';
import { type ConfigSection, wholeNumberOf, wordOf } from './config-section.ts';

/** What the environment says: only what it names. `directory` is for `filesystemStore`, the rest for `truncateToolOutputs`. */
export interface EnvironmentOptions extends Omit<TruncationLimits, 'keep'> {
  keep?: Exclude<PreviewKeep, KeepFunction>;
  retentionDays?: number;
  sweep?: 'hourly' | false;
  directory?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'TOOL_OUTPUT_';
/** With one of these, the preview is the one of the requirement documents: one end, as much as the limit allows. */
const LIMITING = ['TOOL_OUTPUT_MAX_LINES', 'TOOL_OUTPUT_MAX_BYTES', 'TOOL_OUTPUT_TRUNCATE_DIRECTION'];
const OTHERS = ['DIR', 'RETENTION_DAYS', 'SWEEP', 'MAX_CHARS', 'PREVIEW_BYTES', 'KEEP'].map((name) => PREFIX + name);
const VARIABLES: readonly string[] = [...LIMITING, ...OTHERS];

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
  const variables = readVariables(env);
  const direction = wordOf(variables, 'TOOL_OUTPUT_TRUNCATE_DIRECTION', ['head', 'tail']);
  const keep = wordOf(variables, 'TOOL_OUTPUT_KEEP', ['auto', 'head', 'tail', 'ends']);
  const expected = 'left out where TOOL_OUTPUT_TRUNCATE_DIRECTION is set: both say which part is kept';
  const isOne = direction === undefined || keep === undefined;
  requireOption(isOne, { option: 'TOOL_OUTPUT_KEEP', value: keep, expected });
  const sweep = wordOf(variables, 'TOOL_OUTPUT_SWEEP', ['hourly', 'off']);
  const maxBytes = wholeNumberOf(variables, 'TOOL_OUTPUT_MAX_BYTES', { min: MIN_BYTES });
  const max = maxBytes ?? defaultLimits.maxBytes;
  const limit = max <= MAX_PREVIEW_BYTES ? { max, maxName: 'TOOL_OUTPUT_MAX_BYTES' } : { max: MAX_PREVIEW_BYTES };
  const isLimiting = LIMITING.some((name) => variables.values[name] !== undefined);
  const lines = keep === 'ends' ? { min: MIN_ENDS_LINES, because: 'with TOOL_OUTPUT_KEEP=ends' } : { min: 1 };
  return withoutUndefined({
    maxLines: wholeNumberOf(variables, 'TOOL_OUTPUT_MAX_LINES', lines),
    maxBytes,
    maxChars: wholeNumberOf(variables, 'TOOL_OUTPUT_MAX_CHARS', { min: MIN_CHARS }),
    previewBytes:
      wholeNumberOf(variables, 'TOOL_OUTPUT_PREVIEW_BYTES', { min: MIN_BYTES, ...limit }) ??
      (isLimiting ? limit.max : undefined),
    keep: keep ?? direction ?? (isLimiting ? 'head' : undefined),
    retentionDays: wholeNumberOf(variables, 'TOOL_OUTPUT_RETENTION_DAYS', { min: 1, max: MAX_RETENTION_DAYS }),
    sweep: sweep === 'off' ? false : sweep,
    directory: variables.values.TOOL_OUTPUT_DIR as string | undefined,
  });
}

/** The variables that are set: texts, and numbers where they are written as whole ones. Throws for a name that is unknown. */
function readVariables(env: Environment): ConfigSection {
  const isObject = typeof env === 'object' && env !== null;
  requireOption(isObject, { option: 'env', value: env, expected: 'an object, as `process.env`' });
  const given = Object.entries(env).filter(([name, value]) => name.startsWith(PREFIX) && value !== undefined);
  requireOptions(Object.fromEntries(given), { known: VARIABLES });
  const values: Record<string, unknown> = {};
  for (const [name, value] of given) {
    requireOption(typeof value === 'string', { option: name, value, expected: 'a string' });
    const text = value.trim();
    // Compose files and CI often set a variable to an empty text in order to leave it out.
    if (text === '') continue;
    // `Number` alone would take '0x10' and '1e3'.
    values[name] = name !== 'TOOL_OUTPUT_DIR' && /^\d{1,16}$/.test(text) ? Number(text) : text;
  }
  return { at: '', values };
}
