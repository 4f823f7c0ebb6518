import type { LanguageModelMiddleware } from 'ai';
import type { CallParameters, PromptMessage, ToolMessage } from '../delivery/delivery.ts';
import type { TruncationEvent } from '../delivery/events.ts';
import { requireOption, requireOptionalFunction, requireOptions, requireToolNames } from '../options.ts';
import { workInTurns } from '../pace.ts';
import type { TruncationLimits } from '../preview/limits.ts';
import { type KeepFunction, LIMITS, type PreviewKeep, resolveLimits } from '../preview/limits.ts';
import { boundToolResult, type FixedLimits, type ToolResultBounding } from './bound-tool-result.ts';

export interface TruncateToolResultsOptions extends TruncationLimits {
  /** Not a function: the same history has to become the same prompt, with each request again. @default 'auto' */
  keep?: Exclude<PreviewKeep, KeepFunction>;
  /**
   * The names of the tools that the agent can call: of a result that was cut, the hint then says to call its tool again for a
   * smaller part. From here and not from the request, so that what was sent once never changes. @default none
   */
  tools?: readonly string[];
  /**
   * The names under which you have OpenAI's `localShell`, `computer` or `toolSearch`, where these are others: their JSON keeps its
   * shape, because OpenAI refuses text in its place. The rest of them has one name or is known by its form. @default none
   */
  openAiTools?: readonly string[];
  /** Told of each result that was cut, again with each request that carries it. What it throws or rejects with is dropped. */
  onTruncate?: (event: TruncationEvent) => void;
}

/**
 * The second guard: bounds every tool result on its way to a provider, also one that passed through no `execute` of ours, of a
 * client-side tool, an old chat or an input that did not fit. What is cut here is not kept, and the text says so; tools whose
 * outputs should be kept are wrapped by `truncateToolOutputs`.
 *
 * Pure, so that the prompt cache holds: the same prompt gives the same bytes, results are bounded each by itself, and what was
 * bounded stays as it is.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware: truncateToolResultsMiddleware() });
 */
export function truncateToolResultsMiddleware(options: TruncateToolResultsOptions = {}): LanguageModelMiddleware {
  requireMiddlewareOptions(options);
  const { tools = [], openAiTools = [], onTruncate } = options;
  const limits = resolveLimits(options) as FixedLimits;
  const bounding = { limits, tools: [...tools], openAiTools: [...openAiTools], onTruncate };
  return {
    specificationVersion: 'v4',
    transformParams: ({ params }: { params: CallParameters }) => boundToolResults(params, bounding),
  };
}

const OPTIONS: ReadonlySet<string> = new Set([...LIMITS, 'tools', 'openAiTools', 'onTruncate']);

function requireMiddlewareOptions(options: unknown): void {
  requireOptions(options, { known: OPTIONS });
  const { keep, tools, openAiTools, onTruncate } = options;
  const expected = "'auto', 'head', 'tail' or 'ends': the same history has to become the same prompt each time";
  requireOption(typeof keep !== 'function', { option: 'keep', value: keep, expected });
  requireToolNames('tools', tools);
  requireToolNames('openAiTools', openAiTools);
  requireOptionalFunction('onTruncate', onTruncate);
}

/**
 * The same parameters with every result bounded that the application's own tools gave; the very same where all are within the
 * limits. What a provider ran itself stands in messages of the assistant, in a form that only it understands: that stays.
 */
async function boundToolResults(
  params: CallParameters,
  options: Omit<ToolResultBounding, 'abortSignal'>,
): Promise<CallParameters> {
  const { abortSignal } = params;
  const bounding: ToolResultBounding = { ...options, abortSignal };
  const inTurns = workInTurns();
  const prompt: PromptMessage[] = [];
  let changed = false;
  for (const message of params.prompt) {
    const bounded = message.role === 'tool' ? await boundMessage(message, { bounding, inTurns }) : message;
    changed ||= bounded !== message;
    prompt.push(bounded);
  }
  return changed ? { ...params, prompt } : params;
}

async function boundMessage(
  message: ToolMessage,
  { bounding, inTurns }: { bounding: ToolResultBounding; inTurns: ReturnType<typeof workInTurns> },
): Promise<ToolMessage> {
  const content: ToolMessage['content'] = [];
  let changed = false;
  for (const part of message.content) {
    bounding.abortSignal?.throwIfAborted();
    const bounded = part.type === 'tool-result' ? await inTurns(() => boundToolResult(part, bounding)) : part;
    changed ||= bounded !== part;
    content.push(bounded);
  }
  return changed ? { ...message, content } : message;
}
