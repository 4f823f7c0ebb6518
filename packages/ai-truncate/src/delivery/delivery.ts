import type { LanguageModelMiddleware, ToolResultPart } from 'ai';
import { requireStorageOptions, type StorageOptions } from '../artifacts/storage-options.ts';
import { requireOptionalFunction } from '../options.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import type { OutputEvent, TruncationEvent } from './events.ts';

/** What a tool tells the SDK to send to the model. */
export type ToolResultOutput = ToolResultPart['output'];

/** What the SDK is about to send to a provider. */
export type CallParameters = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
export type PromptMessage = CallParameters['prompt'][number];
export type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;
/** One result of a call that the application ran, as a provider is sent it. */
export type SentToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;

/** One call of one tool, and what holds for its output. */
export interface Delivery {
  entrance: Exclude<TruncationEvent['entrance'], 'middleware'>;
  toolName: string;
  toolCallId: string;
  /** What the tool was asked. */
  input: unknown;
  /** When the call began, by `performance.now()`. */
  startedAt: number;
  /** When the tool gave its output, or failed. */
  endedAt?: number;
  limits: ResolvedLimits;
  storage: OutputStorage;
  abortSignal: AbortSignal | undefined;
  /** The names of the tools that this call may use next, asked only when something is truncated. */
  hintTools: () => readonly string[];
  /** The tool's own, which decides what the model is sent. */
  toModelOutput?: ((output: unknown) => ToolResultOutput | PromiseLike<ToolResultOutput>) | undefined;
  /** The tool is one of an MCP server. */
  isMcp?: boolean | undefined;
  /** The application believes what this tool says about its own size. */
  allowsSkip?: boolean | undefined;
}

/** How outputs are saved, and which listeners are called. The same for one output and for a set of tools. */
export interface OutputStorage extends StorageOptions {
  /** Called for each output that was truncated. Errors that it throws are ignored. */
  onTruncate?: (event: TruncationEvent) => void;
  /** Called for each output, also within the limits, and for each answer of a reader. Errors that it throws are ignored. */
  onOutput?: (event: OutputEvent) => void;
}

/** Throws for what could not work, also when no output is ever too large and nothing would come of it. */
export function requireOutputStorage(options: OutputStorage): void {
  requireStorageOptions(options);
  requireOptionalFunction('onTruncate', options.onTruncate);
  requireOptionalFunction('onOutput', options.onOutput);
}
