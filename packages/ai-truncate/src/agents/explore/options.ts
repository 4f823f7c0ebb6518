import type { LanguageModel, TelemetryOptions } from 'ai';
import { requireOption, requireOptionalString, requireOptionalWholeNumber, requireOptions } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';

/** Settings by the name of the provider, as `generateText` accepts them. */
type ProviderOptions = NonNullable<Parameters<typeof import('ai').generateText>[0]['providerOptions']>;

export interface ExploreAgentOptions {
  /** A small, fast model is enough, because it only searches and its quotes are checked. */
  model: LanguageModel;
  /** Steps including the report: 2 to 50. @default 12 */
  maxSteps?: number | undefined;
  /** Bytes that it may read from artifacts in all steps. @default 2147483648 (2 GiB) */
  maxScanBytes?: number | undefined;
  /**
   * Tokens that it may write in all steps. A step that has begun is finished. If you set this, each request has the number as its
   * limit too. The default is not sent, because some models refuse a number above their own limit. @default 20000
   */
  maxOutputTokens?: number | undefined;
  /** The time for a search. The agent must report shortly before it ends. @default 120000 */
  timeoutMs?: number | undefined;
  /** Information about your outputs. It is added to the agent's own instructions. */
  instructions?: string | undefined;
  providerOptions?: ProviderOptions | undefined;
  telemetry?: TelemetryOptions | undefined;
}

/** The limits of one search. */
export type ExploreBudget = Required<
  Pick<ExploreAgentOptions, 'maxSteps' | 'maxScanBytes' | 'maxOutputTokens' | 'timeoutMs'>
>;

/** Less than the maximum of a timer, because the code that waits for a search waits a little longer. */
const MAX_TIMEOUT_MS = 2 ** 30;

const RANGES: Record<keyof ExploreBudget, { min: number; max?: number }> = {
  maxSteps: { min: 2, max: 50 },
  maxScanBytes: { min: 1 },
  maxOutputTokens: { min: 256 },
  timeoutMs: { min: 1, max: MAX_TIMEOUT_MS },
};

/** The limits of a search, with the defaults. */
export function exploreBudget(options: ExploreAgentOptions): ExploreBudget {
  const { maxSteps = 12, maxScanBytes = 2 ** 31, maxOutputTokens = 20_000, timeoutMs = 120_000 } = options;
  return { maxSteps, maxScanBytes, maxOutputTokens, timeoutMs };
}

/** Throws for options that could not work. */
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
