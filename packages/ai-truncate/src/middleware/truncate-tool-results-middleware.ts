import type { LanguageModelMiddleware } from 'ai';
import { STORAGE_OPTIONS } from '../artifacts/storage-options.ts';
import type { CallParameters, PromptMessage, ToolMessage } from '../delivery/delivery.ts';
import type { TruncationEvent } from '../delivery/events.ts';
import { focusOf, requireFocus } from '../delivery/focus.ts';
import { type Listener, requireListener, requireOption, requireOptions, requireToolNames } from '../options.ts';
import { workInTurns } from '../pace.ts';
import type { TruncationLimits } from '../preview/limits.ts';
import { type KeepFunction, LIMITS, type PreviewKeep, resolveLimits } from '../preview/limits.ts';
import { type RedactOption, redactorOf } from '../text/redactor.ts';
import { boundToolResult, type FixedLimits, type ToolResultBounding } from './bound-tool-result.ts';

export interface TruncateToolResultsOptions extends TruncationLimits {
  /** A function is not allowed, because the same history must become the same prompt in each request. @default 'auto' */
  keep?: Exclude<PreviewKeep, KeepFunction> | undefined;
  /**
   * The question that decides which lines and records a preview shows. `'auto'` takes the words of the last two user messages before a result. A text replaces them. With
   * `false`, previews do not depend on the question.
   * @default 'auto'
   */
  focus?: 'auto' | false | (string & {});
  /**
   * The names of tools that are safe to call again. The hint of a truncated result then says to call its tool with narrower
   * parameters. The names come from this option and not from the request, so that a result never changes once it was sent.
   * @default none
   */
  repeatable?: readonly string[] | undefined;
  /**
   * Your names for OpenAI's `localShell`, `computer` or `toolSearch`, if they differ. The JSON of these tools keeps its shape,
   * because OpenAI refuses text in its place. All other tools of OpenAI have a fixed name or are recognized by their form.
   * @default none
   */
  openAiTools?: readonly string[] | undefined;
  /**
   * Replaces secrets in every result, even within the limits. Use `secretPatterns` from `ai-truncate/extras`, your own patterns in
   * RE2 syntax, or both. @default none
   */
  redact?: RedactOption | undefined;
  /** Called for each truncated result, and again for each request that contains it. Errors are ignored. */
  onTruncate?: Listener<TruncationEvent> | undefined;
}

/**
 * The second guard: bounds every tool result on its way to a provider, including results that passed through no `execute` of a
 * wrapped tool: of a client-side tool, an old chat or an input over the limits. The text says that the rest was not saved. To
 * save outputs, wrap their tools with `truncateToolOutputs`.
 *
 * It is pure, so that the prompt cache works: the same prompt becomes the same bytes, each result is bounded by itself, and a
 * bounded result does not change again.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware: truncateToolResultsMiddleware() });
 */
export function truncateToolResultsMiddleware(options: TruncateToolResultsOptions = {}): LanguageModelMiddleware {
  requireMiddlewareOptions(options);
  const { focus = 'auto', repeatable = [], openAiTools = [], onTruncate } = options;
  const limits = resolveLimits(options) as FixedLimits;
  const redactor = options.redact && redactorOf(options.redact);
  const bounding = { limits, repeatable: [...repeatable], openAiTools: [...openAiTools], onTruncate, focus, redactor };
  return {
    specificationVersion: 'v4',
    transformParams: ({ params }: { params: CallParameters }) => boundToolResults(params, bounding),
  };
}

const OPTIONS: ReadonlySet<string> = new Set([...LIMITS, 'focus', 'repeatable', 'openAiTools', 'redact', 'onTruncate']);

function requireMiddlewareOptions(options: unknown): void {
  requireOptions(options, {
    known: OPTIONS,
    elsewhere: { known: STORAGE_OPTIONS, place: '`truncateToolOutputs`, because the middleware saves nothing' },
  });
  const { keep, repeatable, openAiTools, onTruncate } = options;
  const expected = "'auto', 'head', 'tail' or 'ends', because the same history must always produce the same prompt";
  requireOption(typeof keep !== 'function', { option: 'keep', value: keep, expected });
  requireFocus('focus', options.focus, { allowsFunction: false });
  requireToolNames('repeatable', repeatable);
  requireToolNames('openAiTools', openAiTools);
  requireListener('onTruncate', onTruncate);
  if (options.redact !== undefined) redactorOf(options.redact as RedactOption);
}

/**
 * The same parameters with every result of the application's own tools bounded, or the same object if all results are within
 * the limits. Results of a provider's own tools are in messages of the assistant, in a form that only the provider understands,
 * so they do not change.
 */
async function boundToolResults(
  params: CallParameters,
  {
    focus,
    ...options
  }: Omit<ToolResultBounding, 'abortSignal' | 'terms'> & Required<Pick<TruncateToolResultsOptions, 'focus'>>,
): Promise<CallParameters> {
  const { abortSignal } = params;
  const inTurns = workInTurns();
  const prompt: PromptMessage[] = [];
  let changed = false;
  for (const [index, message] of params.prompt.entries()) {
    // Only the messages before a result, because later messages must not change a prompt that was sent.
    const terms = () => focusOf(focus, () => ({ messages: params.prompt.slice(0, index) as never }));
    const bounding: ToolResultBounding = { ...options, terms, abortSignal };
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
