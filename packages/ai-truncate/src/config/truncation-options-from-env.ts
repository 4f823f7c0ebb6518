import { MAX_RETENTION_DAYS } from '../artifacts/sweep-artifacts.ts';
import { requireOption, requireOptions, withoutUndefined } from '../options.ts';
import {
  type KeepFunction,
  MAX_PREVIEW_BYTES,
  MIN_BYTES,
  MIN_CHARS,
  type PreviewKeep,
  type TruncationLimits,
} from '../preview/limits.ts';
import { MIN_ENDS_LINES } from '../preview/truncate-text.ts';
import type { SecretPattern } from '../text/redactor.ts';
import { secretPatterns } from '../text/secret-patterns.ts';
import { type ConfigSection, wholeNumberOf, wordOf } from './config-section.ts';

/** The options that the environment sets. `directory` is for `filesystemStore`, all others are for `truncateToolOutputs`. */
export interface EnvironmentOptions extends Omit<TruncationLimits, 'keep'> {
  keep?: Exclude<PreviewKeep, KeepFunction>;
  retentionDays?: number;
  sweep?: 'hourly' | false;
  directory?: string;
  redact?: readonly SecretPattern[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'TOOL_OUTPUT_';
const VARIABLES: readonly string[] = [
  ...['MAX_LINES', 'MAX_BYTES', 'MAX_CHARS', 'PREVIEW_BYTES', 'KEEP', 'TRUNCATE_DIRECTION'],
  ...['DIR', 'RETENTION_DAYS', 'SWEEP', 'REDACT'],
].map((name) => PREFIX + name);

/**
 * Options from environment variables, so that limits can be changed without a change of the code.
 *
 * - `TOOL_OUTPUT_MAX_LINES`, `TOOL_OUTPUT_MAX_BYTES`, `TOOL_OUTPUT_MAX_CHARS`, `TOOL_OUTPUT_PREVIEW_BYTES`: the limits.
 * - `TOOL_OUTPUT_KEEP` (`auto`, `head`, `tail`, `ends`), or `TOOL_OUTPUT_TRUNCATE_DIRECTION` (`head`, `tail`).
 * - `TOOL_OUTPUT_DIR`, `TOOL_OUTPUT_RETENTION_DAYS`, `TOOL_OUTPUT_SWEEP` (`hourly`, `off`): where outputs are saved and for how
 * long.
 * - `TOOL_OUTPUT_REDACT` (`secrets`, `off`): whether secrets that match `secretPatterns` are replaced in all outputs.
 *
 * Each variable sets only its own option. If no variable is set, the result is empty. An empty variable counts as not set. An
 * invalid value or an unknown variable throws.
 *
 * @example
 * const { directory, ...limits } = truncationOptionsFromEnv(process.env);
 * const store = filesystemStore({ directory });
 * const tools = truncateToolOutputs({ readServerLogs }, { store, scope: chatId, ...unifiedLimits, ...limits });
 */
export function truncationOptionsFromEnv(env: Environment): EnvironmentOptions {
  const variables = readVariables(env);
  const direction = wordOf(variables, 'TOOL_OUTPUT_TRUNCATE_DIRECTION', ['head', 'tail']);
  const keep = wordOf(variables, 'TOOL_OUTPUT_KEEP', ['auto', 'head', 'tail', 'ends']);
  const expected = 'left out if TOOL_OUTPUT_TRUNCATE_DIRECTION is set, because both choose the shown part';
  const isOne = direction === undefined || keep === undefined;
  requireOption(isOne, { option: 'TOOL_OUTPUT_KEEP', value: keep, expected });
  const sweep = wordOf(variables, 'TOOL_OUTPUT_SWEEP', ['hourly', 'off']);
  const redact = wordOf(variables, 'TOOL_OUTPUT_REDACT', ['secrets', 'off']);
  const lines = keep === 'ends' ? { min: MIN_ENDS_LINES, because: 'with TOOL_OUTPUT_KEEP=ends' } : { min: 1 };
  const bytes = { min: MIN_BYTES, max: MAX_PREVIEW_BYTES };
  return withoutUndefined({
    maxLines: wholeNumberOf(variables, 'TOOL_OUTPUT_MAX_LINES', lines),
    maxBytes: wholeNumberOf(variables, 'TOOL_OUTPUT_MAX_BYTES', { min: MIN_BYTES }),
    maxChars: wholeNumberOf(variables, 'TOOL_OUTPUT_MAX_CHARS', { min: MIN_CHARS }),
    previewBytes: wholeNumberOf(variables, 'TOOL_OUTPUT_PREVIEW_BYTES', bytes),
    keep: keep ?? direction,
    retentionDays: wholeNumberOf(variables, 'TOOL_OUTPUT_RETENTION_DAYS', { min: 1, max: MAX_RETENTION_DAYS }),
    sweep: sweep === 'off' ? false : sweep,
    redact: redact === 'secrets' ? secretPatterns : undefined,
    directory: variables.values.TOOL_OUTPUT_DIR as string | undefined,
  });
}

/** The variables that are set. Whole numbers become numbers, other values stay texts. Throws for an unknown name. */
function readVariables(env: Environment): ConfigSection {
  const isObject = typeof env === 'object' && env !== null;
  requireOption(isObject, { option: 'env', value: env, expected: 'an object, as `process.env`' });
  const given = Object.entries(env).filter(([name, value]) => name.startsWith(PREFIX) && value !== undefined);
  requireOptions(Object.fromEntries(given), { known: VARIABLES, kind: 'environment variable' });
  const values: Record<string, unknown> = {};
  for (const [name, value] of given) {
    requireOption(typeof value === 'string', { option: name, value, expected: 'a string' });
    const text = value.trim();
    // Compose files and CI often set a variable to an empty text to leave it out.
    if (text === '') continue;
    // `Number` alone would accept '0x10' and '1e3'.
    values[name] = name !== 'TOOL_OUTPUT_DIR' && /^\d{1,16}$/.test(text) ? Number(text) : text;
  }
  return { at: '', values };
}
