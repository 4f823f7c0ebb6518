import type { LanguageModelUsage, StepResult, ToolSet } from 'ai';
import { addUsage } from './language-model-usage.ts';
import { usageOfTask } from './task-data.ts';

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
  return run.steps
    .flatMap(({ toolResults }) => toolResults.map((result) => usageOfTask(result.output)))
    .reduce<LanguageModelUsage>((sum, usage) => (usage ? addUsage(sum, usage) : sum), run.usage);
}
