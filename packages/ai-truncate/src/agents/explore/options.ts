import type { LanguageModel, TelemetryOptions } from 'ai';
import { requireOption, requireOptionalString, requireOptionalWholeNumber, requireOptions } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';

/** Settings of one provider, by its name, as of `generateText`. */
type ProviderOptions = NonNullable<Parameters<typeof import('ai').generateText>[0]['providerOptions']>;

export interface ExploreAgentOptions {
  /** A small, quick one does: it searches, and its quotes are checked. */
  model: LanguageModel;
  /** The report is one of them. 2 to 50. @default 12 */
  maxSteps?: number;
  /** What it may read of artifacts, in all steps. @default 2147483648 (2 GiB) */
  maxScanBytes?: number;
  /**
   * What it may write: counted over all steps, and a step that is begun ends. When it is given the model is told it for each step;
   * otherwise not, as some models refuse a number above their own limit. @default 20000
   */
  maxOutputTokens?: number;
  /** Near the end of it the report is asked for. @default 120000 */
  timeoutMs?: number;
  /** What it should know of your outputs, behind our own instructions. */
  instructions?: string;
  providerOptions?: ProviderOptions;
  telemetry?: TelemetryOptions;
}

/** What one search may cost. */
export type ExploreBudget = Required<
  Pick<ExploreAgentOptions, 'maxSteps' | 'maxScanBytes' | 'maxOutputTokens' | 'timeoutMs'>
>;

/** Less than a timer can hold, because whatever waits for a search waits a little longer. */
const MAX_TIMEOUT_MS = 2 ** 30;

const RANGES: Record<keyof ExploreBudget, { min: number; max?: number }> = {
  maxSteps: { min: 2, max: 50 },
  maxScanBytes: { min: 1 },
  maxOutputTokens: { min: 256 },
  timeoutMs: { min: 1, max: MAX_TIMEOUT_MS },
};

/** The budget of a search, with the defaults. */
export function exploreBudget(options: ExploreAgentOptions): ExploreBudget {
  const { maxSteps = 12, maxScanBytes = 2 ** 31, maxOutputTokens = 20_000, timeoutMs = 120_000 } = options;
  return { maxSteps, maxScanBytes, maxOutputTokens, timeoutMs };
}

/** Throws for what could not work, where the option is given. */
export function requireExploreOptions(options: unknown): asserts options is ExploreAgentOptions {
  const known = [...Object.keys(RANGES), 'model', 'instructions', 'providerOptions', 'telemetry'];
  requireOptions(options, { known, at: 'explore', expected: 'an object with a `model`' });
  const { model, instructions } = options;
  const isModel = isRecord(model) ? typeof model.doGenerate === 'function' : typeof model === 'string' && model !== '';
  requireOption(isModel, { option: 'explore.model', value: model, expected: 'a language model' });
  for (const [name, range] of Object.entries(RANGES)) {
    requireOptionalWholeNumber(`explore.${name}`, { value: options[name], ...range });
  }
  requireOptionalString('explore.instructions', instructions);
}
