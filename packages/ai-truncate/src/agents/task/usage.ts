import type { LanguageModelUsage, StepResult, ToolSet } from 'ai';
import { isRecord } from '../../protocol/guards.ts';

/** Where the usage of the SDK has the numbers of an envelope. */
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

/** What a sub-agent's model used, of all its steps. Absent is what the provider does not tell. */
export type TaskUsage = { [NAME in keyof typeof PLACES]?: number };

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

/** The same numbers as in an envelope. */
function named(usage: Record<string, unknown>): Record<keyof TaskUsage, unknown> {
  const entries = Object.entries(PLACES).map(([name, [member, detail]]) => {
    const value = usage[member];
    if (detail === undefined) return [name, value];
    return [name, isRecord(value) ? value[detail] : undefined];
  });
  return Object.fromEntries(entries);
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
  return toUsage((name) => numberOf(given[name]));
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

/** A number of tokens, steps or bytes; `undefined` for anything else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
