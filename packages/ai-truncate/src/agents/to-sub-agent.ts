import type { LanguageModelUsage, ModelMessage } from 'ai';
import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import { boundedText } from '../protocol/bounded-text.ts';
import { isRecord } from '../protocol/is-record.ts';
import { addUsage, noUsage } from './language-model-usage.ts';
import { latestValues } from './latest-values.ts';
import type { SubAgent, SubAgentCall, SubAgentProgress, SubAgentResult } from './sub-agent.ts';
import { promptAtDepth } from './task-depth.ts';
import { taskWords } from './task-words.ts';

export interface SubAgentDescription {
  /** What it does, for the model that chooses. */
  description: string;
  /** When it should be chosen. */
  useWhen?: string;
}

const MAX_LABEL_CHARS = 80;

/** What of an `Agent` of the AI SDK is called. One that needs `options` for each call is none: nobody would know which. */
export interface CallableAgent {
  // A property and no method: of a method the compiler would not look at what it needs.
  generate: (call: {
    messages: ModelMessage[];
    abortSignal: AbortSignal;
    onStepStart: () => void;
    onToolExecutionStart: (event: { toolCall: { toolName: string } }) => void;
    onStepEnd: (step: { usage: LanguageModelUsage }) => void;
  }) => PromiseLike<{ text: string; finishReason: string }>;
}

/**
 * Makes a `ToolLoopAgent`, or any other `Agent` of the AI SDK, one that another agent can hand a task to. It keeps its own model,
 * tools and stop conditions: wrap its tools with `truncateToolOutputs` where you make it.
 *
 * @example
 * const webview = toSubAgent(new ToolLoopAgent({ model, tools }), { description: 'Browses a page.', useWhen: 'a page has to be seen.' });
 */
export function toSubAgent(agent: CallableAgent, { description, useWhen }: SubAgentDescription): SubAgent {
  if (!isRecord(agent) || typeof agent.generate !== 'function') {
    throw new InvalidOptionError({ option: 'agent', value: agent, expected: 'an agent, as a ToolLoopAgent is' });
  }
  return {
    description,
    ...(useWhen !== undefined && { useWhen }),
    async *run(prompt, call) {
      const progress = latestValues<SubAgentProgress>();
      const work = generate(agent, prompt, { ...call, onProgress: progress.push });
      work.then(progress.close, progress.close);
      yield* progress.values();
      yield await work;
    },
  };
}

async function generate(
  agent: CallableAgent,
  prompt: string,
  { abortSignal, depth, onProgress }: SubAgentCall & { onProgress(progress: SubAgentProgress): void },
): Promise<SubAgentResult> {
  let steps = 0;
  let usage: LanguageModelUsage = noUsage;
  try {
    const result = await agent.generate({
      messages: promptAtDepth(prompt, depth),
      abortSignal,
      onStepStart: () => onProgress({ phase: 'thinking', step: steps + 1 }),
      onToolExecutionStart: ({ toolCall }) =>
        onProgress({ phase: 'working', step: steps + 1, tool: boundedText(toolCall.toolName, MAX_LABEL_CHARS) }),
      onStepEnd: (step) => {
        steps++;
        usage = addUsage(usage, step.usage);
      },
    });
    const conclusion = result.text.trim();
    // Ended in the middle of its work: by its own count of steps, as a rule.
    const isUnfinished = result.finishReason === 'tool-calls' || result.finishReason === 'length';
    if (conclusion === '') return { conclusion: '', error: noAnswer(), usage, steps };
    return { conclusion, usage, steps, ...(isUnfinished && { incomplete: taskWords.unfinished }) };
  } catch (error) {
    abortSignal.throwIfAborted();
    return { conclusion: '', error, usage, steps };
  }
}

function noAnswer(): AiTruncateError {
  return new AiTruncateError(taskWords.noAnswer, { code: 'AGENT_NO_ANSWER' });
}
