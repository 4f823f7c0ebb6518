import type { LanguageModelUsage, StepResult, ToolSet } from 'ai';
import { isRecord } from '../../protocol/guards.ts';

/** The member of the SDK's usage for each number in an envelope. */
const PLACES = {
  input_tokens: ['inputTokens'],
  output_tokens: ['outputTokens'],
  total_tokens: ['totalTokens'],
  no_cache_tokens: ['inputTokenDetails', 'noCacheTokens'],
  cache_read_tokens: ['inputTokenDetails', 'cacheReadTokens'],
  cache_write_tokens: ['inputTokenDetails', 'cacheWriteTokens'],
  text_tokens: ['outputTokenDetails', 'textTokens'],
  reasoning_tokens: ['outputTokenDetails', 'reasoningTokens'],
} as const;

/** The usage of a sub-agent's model in all steps. Numbers that the provider does not report are missing. */
export type TaskUsage = { [NAME in keyof typeof PLACES]?: number };

type Tokens = number | undefined;

/** The SDK's usage, made of numbers with the names of an envelope. `raw` is left out, because it has no sum. */
function toUsage(tokensOf: (name: keyof TaskUsage) => Tokens): LanguageModelUsage {
  return {
    inputTokens: tokensOf('input_tokens'),
    inputTokenDetails: {
      noCacheTokens: tokensOf('no_cache_tokens'),
      cacheReadTokens: tokensOf('cache_read_tokens'),
      cacheWriteTokens: tokensOf('cache_write_tokens'),
    },
    outputTokens: tokensOf('output_tokens'),
    outputTokenDetails: { textTokens: tokensOf('text_tokens'), reasoningTokens: tokensOf('reasoning_tokens') },
    totalTokens: tokensOf('total_tokens'),
  };
}

/** The numbers of a usage by their names in an envelope. */
function named(usage: Record<string, unknown>): Record<keyof TaskUsage, unknown> {
  const entries = Object.entries(PLACES).map(([name, [member, detail]]) => {
    const value = usage[member];
    if (detail === undefined) return [name, value];
    return [name, isRecord(value) ? value[detail] : undefined];
  });
  return Object.fromEntries(entries);
}

/**
 * The sum of several usages. A number that one run does not report is unknown for all, because a sum of the others would be too
 * small. Runs without a usage (`undefined`) are not counted.
 */
export function sumOfUsage(usages: readonly (LanguageModelUsage | undefined)[]): LanguageModelUsage | undefined {
  const known = usages.filter((usage) => usage !== undefined).map((usage) => named({ ...usage }));
  if (known.length === 0) return undefined;
  const add = (total: Tokens, tokens: unknown) =>
    total === undefined || tokens === undefined ? undefined : total + (tokens as number);
  return toUsage((name) => known.map((usage) => usage[name]).reduce<Tokens>(add, 0));
}

/** The usage that foreign code reports. Everything that is not a number of tokens is unknown. */
export function toldUsage(told: unknown): LanguageModelUsage | undefined {
  if (!isRecord(told)) return undefined;
  const given = named(told);
  return toUsage((name) => numberOf(given[name]));
}

/** The usage as the envelope of a task has it. */
export function toTaskUsage(usage: LanguageModelUsage): TaskUsage {
  return Object.fromEntries(Object.entries(named({ ...usage })).filter(([, tokens]) => Number.isFinite(tokens)));
}

/** The usage in an output of the task tool; `undefined` for any other value. */
export function usageOfTask(output: unknown): LanguageModelUsage | undefined {
  const data = isRecord(output) ? output.data : undefined;
  if (!isRecord(data) || typeof data.agent !== 'string' || !isRecord(data.usage)) return undefined;
  const { usage } = data;
  return toUsage((name) => numberOf(usage[name]));
}

/**
 * The usage of a run and of the sub-agents that it called. The SDK's `usage` counts only the main agent.
 *
 * @example
 * const result = await generateText({ model, tools, prompt, stopWhen: isStepCount(10) });
 * const { totalTokens } = usageWithTasks(result);
 */
export function usageWithTasks<TOOLS extends ToolSet>(run: {
  usage: LanguageModelUsage;
  steps: readonly Pick<StepResult<TOOLS>, 'toolResults'>[];
}): LanguageModelUsage {
  const tasks = run.steps.flatMap(({ toolResults }) => toolResults.map((result) => usageOfTask(result.output)));
  return sumOfUsage([run.usage, ...tasks]) ?? run.usage;
}

/** A number of tokens, steps or bytes; `undefined` for anything else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
