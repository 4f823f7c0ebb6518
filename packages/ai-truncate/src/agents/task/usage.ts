import type { LanguageModelUsage, StepResult, ToolSet } from 'ai';
import { isRecord } from '../../protocol/guards.ts';

/** What a sub-agent's model used, of all its steps. Absent is what the provider does not tell. */
export interface TaskUsage {
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
  no_cache_tokens?: number;
  cache_read_tokens?: number;
  cache_write_tokens?: number;
  text_tokens?: number;
  reasoning_tokens?: number;
}

type Tokens = number | undefined;

/** The usage whose numbers `tokensOf` knows by the names that they have in an envelope. `raw` has no sum and is left out. */
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

/** The same numbers as in an envelope. Each member is read once, because a getter of somebody else's code may throw. */
function named(usage: Record<string, unknown>): Record<keyof TaskUsage, unknown> {
  const { inputTokens, inputTokenDetails, outputTokens, outputTokenDetails, totalTokens } = usage;
  const input = isRecord(inputTokenDetails) ? inputTokenDetails : {};
  const output = isRecord(outputTokenDetails) ? outputTokenDetails : {};
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: totalTokens,
    no_cache_tokens: input.noCacheTokens,
    cache_read_tokens: input.cacheReadTokens,
    cache_write_tokens: input.cacheWriteTokens,
    text_tokens: output.textTokens,
    reasoning_tokens: output.reasoningTokens,
  };
}

/**
 * What several runs used together. A number that one of them does not tell is unknown for all, because a sum of the rest would be
 * too small. Runs that tell nothing at all (`undefined`) are not counted.
 */
export function sumOfUsage(usages: readonly (LanguageModelUsage | undefined)[]): LanguageModelUsage | undefined {
  const known = usages.filter((usage) => usage !== undefined).map((usage) => named({ ...usage }));
  if (known.length === 0) return undefined;
  const add = (total: Tokens, tokens: unknown) =>
    total === undefined || tokens === undefined ? undefined : total + (tokens as number);
  return toUsage((name) => known.map((usage) => usage[name]).reduce<Tokens>(add, 0));
}

/** What somebody else's code tells of its usage, in numbers of tokens; anything else in it is unknown. */
export function toldUsage(told: unknown): LanguageModelUsage | undefined {
  if (!isRecord(told)) return undefined;
  const given = named(told);
  return toUsage((name) => numberOf(given[name], 0));
}

/** The usage as it stands in the envelope of a task. */
export function toTaskUsage(usage: LanguageModelUsage): TaskUsage {
  return Object.fromEntries(Object.entries(named({ ...usage })).filter(([, tokens]) => Number.isFinite(tokens)));
}

/** Of an output of the task tool; `undefined` for anything else. */
export function usageOfTask(output: unknown): LanguageModelUsage | undefined {
  const data = isRecord(output) ? output.data : undefined;
  if (!isRecord(data) || typeof data.agent !== 'string' || !isRecord(data.usage)) return undefined;
  const { usage } = data;
  return toUsage((name) => numberOf(usage[name]));
}

/**
 * What a run used together with the sub-agents that it called: `usage` of the SDK counts the main agent alone.
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

function numberOf(value: unknown, min = Number.NEGATIVE_INFINITY): Tokens {
  return typeof value === 'number' && Number.isFinite(value) && value >= min ? value : undefined;
}
