import type { LanguageModelMiddleware, ToolResultPart } from 'ai';
import { requireStorageOptions, type StorageOptions } from '../artifacts/storage-options.ts';
import { type Listener, requireListener } from '../options.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import type { Hint } from '../preview/notice-and-hint-words.ts';
import type { FocusTerm } from '../text/focus-terms.ts';
import { type RedactOption, redactorOf } from '../text/redactor.ts';
import type { OutputEvent, TruncationEvent } from './events.ts';
import type { OutputRedaction } from './redact-value.ts';

/** The result that a tool lets the SDK send to the model. */
export type ToolResultOutput = ToolResultPart['output'];

/** The request that the SDK is about to send to a provider. */
export type CallParameters = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
export type PromptMessage = CallParameters['prompt'][number];
export type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;
/** One result of a call that the application ran, as a provider receives it. */
export type SentToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;

/** One call of one tool, and the options for its output. */
export interface Delivery {
  entrance: Exclude<TruncationEvent['entrance'], 'middleware'>;
  toolName: string;
  toolCallId: string;
  /** The arguments of the call. */
  input: unknown;
  /** The terms of the question. Called only when something is truncated. */
  terms: () => readonly FocusTerm[];
  /** The last message of the user, if it is known. */
  question?: (() => string | undefined) | undefined;
  /** The start of the call, by `performance.now()`. */
  startedAt: number;
  /** The time at which the tool returned its output, or failed. */
  endedAt?: number;
  limits: ResolvedLimits;
  storage: OutputStorage;
  /** The patterns whose matches are replaced in the output before any other step. */
  redaction?: OutputRedaction | undefined;
  /** Whether outputs over the limits are saved. @default true */
  isSaved?: boolean | undefined;
  abortSignal: AbortSignal | undefined;
  /** The next step for the model. Called only if the output is truncated. */
  hint: (path: string | null) => Hint;
  /** The same call may be repeated without harm. */
  isRepeatable?: boolean | undefined;
  /** The tool's own function, which determines the result for the model. */
  toModelOutput?: ((output: unknown) => ToolResultOutput | PromiseLike<ToolResultOutput>) | undefined;
  /** The tool belongs to an MCP server. */
  isMcp?: boolean | undefined;
  /** The application trusts this tool to bound its own output. */
  allowsSkip?: boolean | undefined;
}

/** How outputs are saved, and which listeners are called. The same for one output and for a set of tools. */
export interface OutputStorage extends StorageOptions {
  /**
   * Replaces secrets in every output, even within the limits, before it is saved, previewed or returned. Use `secretPatterns`
   * from `ai-truncate/extras`, your own patterns in RE2 syntax, or both. @default none
   */
  redact?: RedactOption | undefined;
  /** Called for each output that was truncated: a function, or several. Errors that they throw are ignored. */
  onTruncate?: Listener<TruncationEvent> | undefined;
  /** Called for each output, also within the limits, and for each answer of a reader. Errors are ignored. */
  onOutput?: Listener<OutputEvent> | undefined;
}

/**
 * Throws for invalid options, even if no output is ever large enough for them to matter.
 * @param known The names of all options of the caller.
 */
export function requireOutputStorage(options: OutputStorage, known: Parameters<typeof requireStorageOptions>[1]): void {
  requireStorageOptions(options, known);
  if (options.redact !== undefined) redactorOf(options.redact);
  requireListener('onTruncate', options.onTruncate);
  requireListener('onOutput', options.onOutput);
}
