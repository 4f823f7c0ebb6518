import type { LanguageModelUsage, StepResult, ToolSet } from 'ai';
import { sumOfUsage, usageOfTask } from '../agents/task/usage.ts';

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
