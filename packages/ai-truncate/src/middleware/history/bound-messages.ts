import type { ModelMessage } from 'ai';
import { requireStorageOptions, STORAGE_OPTIONS, type StorageOptions } from '../../artifacts/storage-options.ts';
import { redactedOf } from '../../delivery/redact-output.ts';
import { InvalidOptionError } from '../../errors.ts';
import {
  type Listener,
  notify,
  requireListener,
  requireOption,
  requireOptionalFunction,
  requireOptionalWholeNumber,
  requireToolNames,
  requireWholeNumber,
} from '../../options.ts';
import { type Hint, type HintedTools, requireHint } from '../../preview/notice-and-hint-words.ts';
import { isRecord } from '../../protocol/guards.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { type RedactOption, redactorOf } from '../../text/redactor.ts';
import { measureHistory } from './measure-history.ts';
import { type Moved, moveResults, withReferences } from './move-results.ts';
import { type HistoryPlan, planHistory, REFERENCE_TOKENS } from './plan-history.ts';

export interface BoundMessagesOptions extends StorageOptions {
  /** The upper limit. If the messages have more tokens, the oldest tool results are moved out. Instructions and tool definitions are not counted. */
  maxTokens: number;
  /** The lower limit. Results are moved out until the messages have at most this many tokens. @default 60 % of `maxTokens` */
  targetTokens?: number | undefined;
  /** The number of last steps whose results stay. @default 3 */
  keepSteps?: number | undefined;
  /** Results with fewer tokens stay. Must be at least 110, the size of a reference. @default 200 */
  minTokens?: number | undefined;
  /** The names of tools whose results stay, such as tools with `save: false`. @default none */
  neverEvict?: readonly string[] | undefined;
  /** The reader tools that a reference names, or the whole hint. @default false */
  hint?: HintedTools | string | false | undefined;
  /** Patterns of secrets. They are replaced in results before these are saved. Results that stay do not change. @default none */
  redact?: RedactOption | undefined;
  /** Counts the tokens of a text. Receives at most 64 Ki characters at once. Must always return the same number for the same text. @default estimateTokens */
  countTokens?: ((text: string) => number) | undefined;
  /** Called when results are moved out, when a result cannot be saved, and when too many tokens are left. Errors are ignored. */
  onEvict?: Listener<EvictionEvent> | undefined;
  /** Aborts the call with its reason. */
  abortSignal?: AbortSignal | undefined;
}

/** The results that one request moved out of a conversation. */
export interface EvictionEvent {
  /** The results that this request moves out, with the number of replaced secrets. Earlier results are not repeated. */
  evicted: { toolName: string; toolCallId: string; tokens: number; path: string; redacted?: Record<string, number> }[];
  /** Results that stay in place because they could not be saved. */
  failed: { toolName: string; toolCallId: string; error: unknown }[];
  /** The estimated tokens of the original messages. */
  tokensBefore: number;
  /** The estimated tokens of the returned messages. */
  tokensAfter: number;
  /** More than `maxTokens` are left, and no other result may be moved out. */
  stillOver: boolean;
}

const OPTIONS: readonly string[] = [
  ...STORAGE_OPTIONS,
  ...['maxTokens', 'targetTokens', 'keepSteps', 'minTokens', 'neverEvict', 'hint', 'redact', 'countTokens', 'onEvict'],
  'abortSignal',
];
const TARGET_SHARE = 0.6;
/** In some vocabularies, a reference has this many tokens. */
const MIN_TOKENS = 110;

/**
 * Bounds a whole conversation without losing anything. If the messages have more than `maxTokens` tokens, the oldest tool results
 * are saved and replaced with references, until `targetTokens` is reached. This happens rarely, because each change invalidates
 * the prompt cache. The same messages always produce the same bytes. Texts, reasoning and tool calls never change.
 *
 * @example
 * const result = streamText({
 *   model,
 *   tools,
 *   messages,
 *   prepareStep: async ({ messages }) => ({
 *     messages: await boundMessages(messages, { store, scope: chatId, maxTokens: 100_000 }),
 *   }),
 * });
 */
export async function boundMessages(
  messages: readonly ModelMessage[],
  options: BoundMessagesOptions,
): Promise<ModelMessage[]> {
  requireBoundMessagesOptions(options);
  requireModelMessages(messages);
  const { maxTokens, targetTokens = Math.floor(maxTokens * TARGET_SHARE), keepSteps = 3, minTokens = 200 } = options;
  const { countTokens = estimateTokens, neverEvict = [], abortSignal } = options;
  const measured = await measureHistory(messages, { countTokens, minTokens, neverEvict, abortSignal });
  const plan = planHistory(measured, { maxTokens, targetTokens, keepSteps });
  const { evictions } = plan;
  const redactor = options.redact && redactorOf(options.redact);
  const move = { ...options, hint: hintOf(options.hint), redactor, abortSignal };
  const moved = evictions.length === 0 ? [] : await moveResults(messages, { evictions, options: move });
  report(moved, { plan, options });
  return withReferences(messages, moved);
}

function requireModelMessages(messages: unknown): void {
  const expected = 'an array of model messages';
  requireOption(Array.isArray(messages), { option: 'messages', value: messages, expected });
  if (!messages.some((message) => isRecord(message) && 'parts' in message && !('content' in message))) return;
  const message = '`messages` must be model messages. Convert UI messages with `convertToModelMessages` first.';
  throw new InvalidOptionError({ option: 'messages', message });
}

function requireBoundMessagesOptions(options: BoundMessagesOptions): void {
  requireStorageOptions(options, { known: OPTIONS, expected: 'an object with `store`, `scope` and `maxTokens`' });
  const { maxTokens, targetTokens, keepSteps, minTokens, neverEvict, hint, countTokens, onEvict } = options;
  requireWholeNumber('maxTokens', { value: maxTokens, min: 1 });
  requireOptionalWholeNumber('targetTokens', { value: targetTokens, min: 0, max: maxTokens, maxName: 'maxTokens' });
  requireOptionalWholeNumber('keepSteps', { value: keepSteps, min: 1 });
  const because = 'because a reference has as many tokens';
  requireOptionalWholeNumber('minTokens', { value: minTokens, min: MIN_TOKENS, because });
  requireToolNames('neverEvict', neverEvict);
  requireHint(hint, 'a line');
  if (options.redact !== undefined) redactorOf(options.redact);
  requireOptionalFunction('countTokens', countTokens);
  requireListener('onEvict', onEvict);
}

/** A hint without the name of a tool would suggest nothing. */
function hintOf(hint: BoundMessagesOptions['hint']): Hint {
  if (typeof hint !== 'object') return hint ?? false;
  return Object.values(hint).some((name) => typeof name === 'string') ? hint : false;
}

const warnedStores = new WeakSet<object>();

/** Calls the listener. Without a listener, prints the first failure of a store. */
function report(
  moved: readonly Moved[],
  { plan, options }: { plan: HistoryPlan; options: BoundMessagesOptions },
): void {
  const event: EvictionEvent = {
    evicted: [],
    failed: [],
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter,
    stillOver: plan.isStillOver,
  };
  for (const each of moved) {
    const { toolName, toolCallId } = each.result;
    const { tokens, isNew } = each.eviction;
    if ('error' in each) {
      event.failed.push({ toolName, toolCallId, error: each.error });
      event.tokensAfter += tokens - REFERENCE_TOKENS;
    } else if (isNew)
      event.evicted.push({ toolName, toolCallId, tokens, path: each.path, ...redactedOf(each.redacted) });
  }
  event.stillOver ||= event.tokensAfter > options.maxTokens;
  if (event.evicted.length > 0 || event.failed.length > 0 || event.stillOver) notify(options.onEvict, event);
  const [failure] = event.failed;
  if (!failure || options.onEvict || warnedStores.has(options.store)) return;
  warnedStores.add(options.store);
  console.warn(
    'ai-truncate: old tool results stay in the conversation, because they could not be saved. `onEvict` receives each case; this ' +
      'warning is printed once per store.',
    failure.error,
  );
}
