import type { LanguageModelUsage, ModelMessage } from 'ai';
import { requireOption, requireOptions, withoutUndefined } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';
import { requireDescription, SUB_AGENT_OPTIONS } from './options.ts';
import { progressRun, type WorkWithProgress } from './progress-run.ts';
import { noAnswer, type SubAgent, type SubAgentDescription, type SubAgentResult } from './sub-agent.ts';
import { taskWords } from './task-words.ts';
import { sumOfUsage, usageOfTask } from './usage.ts';

/** The part of an AI SDK `Agent` that is called. An agent that needs `options` for each call does not fit. */
export interface CallableAgent {
  // A property, because the compiler checks the parameters of a method less strictly.
  generate: (call: {
    messages: ModelMessage[];
    abortSignal: AbortSignal;
    onStepStart: () => void;
    onToolExecutionStart: (event: { toolCall: { toolName: string } }) => void;
    onStepEnd: (step: { usage: LanguageModelUsage; toolResults: readonly { output?: unknown }[] }) => void;
  }) => PromiseLike<{ text: string; finishReason: string }>;
}

/**
 * Turns a `ToolLoopAgent`, or any other `Agent` of the AI SDK, into a sub-agent. The agent has its own model, tools and stop
 * conditions. Wrap its tools with `truncateToolOutputs` where you create it.
 *
 * @example
 * const webview = toSubAgent(new ToolLoopAgent({ model, tools }), { description: 'Browses a page.', useWhen: 'a page has to be seen.' });
 */
export function toSubAgent(agent: CallableAgent, options: SubAgentDescription): SubAgent {
  const isAgent = isRecord(agent) && typeof agent.generate === 'function';
  requireOption(isAgent, { option: 'agent', value: agent, expected: 'an agent, as a ToolLoopAgent is' });
  requireOptions(options, { known: SUB_AGENT_OPTIONS, expected: 'an object with a `description`' });
  requireDescription(options);
  const { description, useWhen, timeoutMs } = options;
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
    // Usually, the agent reached its own limit of steps.
    const isUnfinished = finishReason !== 'stop';
    return withCost({ conclusion, steps, ...(isUnfinished && { incomplete: taskWords.unfinished }) });
  } catch (error) {
    abortSignal.throwIfAborted();
    return withCost({ conclusion: '', error, steps });
  }
}
