import type { LanguageModelUsage, ModelMessage } from 'ai';
import { requireOption, withoutUndefined } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';
import { requireWords } from './options.ts';
import { progressRun, type WorkWithProgress } from './progress-run.ts';
import { noAnswer, type SubAgent, type SubAgentDescription, type SubAgentResult } from './sub-agent.ts';
import { taskWords } from './task-words.ts';
import { sumOfUsage, usageOfTask } from './usage.ts';

/** What of an `Agent` of the AI SDK is called. One that needs `options` for each call is none: nobody would know which. */
export interface CallableAgent {
  // A property and no method: of a method the compiler would not look at what it needs.
  generate: (call: {
    messages: ModelMessage[];
    abortSignal: AbortSignal;
    onStepStart: () => void;
    onToolExecutionStart: (event: { toolCall: { toolName: string } }) => void;
    onStepEnd: (step: { usage: LanguageModelUsage; toolResults: readonly { output?: unknown }[] }) => void;
  }) => PromiseLike<{ text: string; finishReason: string }>;
}

/**
 * Makes a `ToolLoopAgent`, or any other `Agent` of the AI SDK, one that another agent can hand a task to. It keeps its own model,
 * tools and stop conditions: wrap its tools with `truncateToolOutputs` where you make it.
 *
 * @example
 * const webview = toSubAgent(new ToolLoopAgent({ model, tools }), { description: 'Browses a page.', useWhen: 'a page has to be seen.' });
 */
export function toSubAgent(agent: CallableAgent, options: SubAgentDescription): SubAgent {
  const { description, useWhen, timeoutMs } = Object(options) as SubAgentDescription;
  const isAgent = isRecord(agent) && typeof agent.generate === 'function';
  requireOption(isAgent, { option: 'agent', value: agent, expected: 'an agent, as a ToolLoopAgent is' });
  requireWords('description', description);
  return {
    ...withoutUndefined({ description, useWhen, timeoutMs }),
    run: (prompt, { abortSignal }) => progressRun((call) => generate(agent, prompt, call), { abortSignal }),
  };
}

async function generate(
  agent: CallableAgent,
  prompt: string,
  { abortSignal, onProgress }: Parameters<WorkWithProgress>[0],
): Promise<SubAgentResult> {
  let steps = 0;
  let usage: LanguageModelUsage | undefined;
  const withCost = <Told>(told: Told) => ({ ...told, ...withoutUndefined({ usage }) });
  try {
    const { text, finishReason } = await agent.generate({
      messages: [{ role: 'user', content: prompt }],
      abortSignal,
      onStepStart: () => onProgress(withCost({ phase: 'thinking', step: steps + 1 })),
      onToolExecutionStart: ({ toolCall }) =>
        onProgress({ phase: 'working', step: steps + 1, tool: toolCall.toolName }),
      onStepEnd: (step) => {
        steps++;
        usage = sumOfUsage([usage, step.usage, ...step.toolResults.map(({ output }) => usageOfTask(output))]);
        onProgress(withCost({ phase: 'thinking', step: steps }));
      },
    });
    const conclusion = text.trim();
    if (conclusion === '') throw noAnswer(taskWords.noAnswer);
    // In the middle of its work: by its own count of steps, as a rule.
    const isUnfinished = finishReason !== 'stop';
    return withCost({ conclusion, steps, ...(isUnfinished && { incomplete: taskWords.unfinished }) });
  } catch (error) {
    abortSignal.throwIfAborted();
    return withCost({ conclusion: '', error, steps });
  }
}
