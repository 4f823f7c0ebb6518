import type { LanguageModelMiddleware } from 'ai';
import type { TruncationEvent } from '../delivery/truncation-event.ts';
import type { KeepFunction, PreviewKeep, ResolvedLimits } from '../preview/limits.ts';

/** What the SDK is about to send to a provider. */
export type CallParameters = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
export type PromptMessage = CallParameters['prompt'][number];
export type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;
/** One result of a call that the application ran, as a provider is sent it. */
export type SentToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;
export type SentOutput = SentToolResult['output'];
export type SentContent = Extract<SentOutput, { type: 'content' }>;

/** Limits that make the same preview each time: no function, which may ask a model. */
export interface FixedLimits extends ResolvedLimits {
  keep: Exclude<PreviewKeep, KeepFunction>;
}

/** What holds for all results of a prompt. */
export interface ToolResultBounding {
  limits: FixedLimits;
  /** The names of the tools that the agent can call, for the hint. */
  tools: readonly string[];
  /** Further names of tools that are OpenAI's own. */
  openAiTools: readonly string[];
  abortSignal: AbortSignal | undefined;
  onTruncate: ((event: TruncationEvent) => void) | undefined;
}
