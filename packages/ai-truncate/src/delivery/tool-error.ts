import { AiTruncateError } from '../errors.ts';
import { inspectSafely, isRecord } from '../protocol/guards.ts';
import type { ToolResponseError } from '../protocol/tool-response.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { modelText } from '../text/frame.ts';
import { shortened } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';

/**
 * Replaces an error whose message was over the limits. Its own message is the text for the model: how much is missing, the path
 * of the full error, and a preview. It has no `cause`, because telemetry would send it along.
 */
export class TruncatedToolError extends AiTruncateError {
  /** The same as the output of a tool that returns its error. */
  readonly output: TruncatedOutput;

  constructor(output: TruncatedOutput) {
    super(modelText({ text: output.text, preview: output.data.preview }), { code: 'TOOL_ERROR_TRUNCATED' });
    this.name = 'TruncatedToolError';
    this.output = output;
  }

  static override isInstance(value: unknown): value is TruncatedToolError {
    return AiTruncateError.isInstance(value) && value.code === 'TOOL_ERROR_TRUNCATED';
  }

  /** The text that the SDK sends to the model: only the message, whose size was planned. */
  override toString(): string {
    return this.message;
  }
}

/** The form in which the SDK would send a thrown value to the model: text, or a value as JSON. */
export function sentForError(error: unknown): unknown {
  if (error === undefined || error === null) return 'unknown error';
  if (!(error instanceof Error)) return error;
  try {
    return String(error);
  } catch {
    return 'unknown error';
  }
}

/** Whether it is the reason why the call was ended from outside. The SDK and the application recognize it by its identity. */
export function isInterruption(error: unknown, abortSignal: AbortSignal | undefined): boolean {
  return abortSignal?.aborted === true && error === abortSignal.reason;
}

/** Facts that an output states about itself, in addition to its content. */
export interface ToolOutcome {
  /** Present if the tool itself reported a failure. */
  error?: ToolResponseError | undefined;
  /** From a protocol envelope: the cost and the place. */
  stats?: Record<string, unknown> | undefined;
  context?: Record<string, unknown> | undefined;
}

/** Reads a protocol envelope, an old `error` string, and the `isError` of MCP. */
export function outcomeOf(output: unknown): ToolOutcome {
  return inspectSafely(output, outcomeOfMembers) ?? {};
}

function outcomeOfMembers(output: Record<string, unknown>): ToolOutcome {
  const { status, data, text, error, stats, context, isError, content } = output;
  if (isRecord(data) && typeof text === 'string' && isRecord(stats) && isRecord(context)) {
    return { stats, context, error: status === 'error' ? toToolError(error, text) : undefined };
  }
  if (typeof error === 'string' && error !== '') return { error: toToolError({}, error) };
  if (isError === true && Array.isArray(content)) {
    const parts: unknown[] = content;
    const first = parts.find((part) => isRecord(part) && typeof part.text === 'string') as { text: string } | undefined;
    return { error: toToolError({ code: 'EXECUTION_ERROR' }, first?.text ?? 'The tool failed.') };
  }
  return {};
}

const MAX_CODE = 64;
const MAX_MESSAGE = 500;

/** Bounded, and safe to show, because it is part of the envelope. */
export function toToolError(error: unknown, text: string): ToolResponseError {
  const { code, message }: Record<string, unknown> = isRecord(error) ? error : { message: error };
  return {
    code: visible(typeof code === 'string' && code !== '' ? code : 'INTERNAL_ERROR', MAX_CODE),
    message: visible(typeof message === 'string' && message !== '' ? message : text, MAX_MESSAGE),
  };
}

/** Bounded before, because the whole may be huge, and after, because visible characters can be up to nine times as long. */
function visible(text: string, maxChars: number): string {
  return shortened(visibleText(shortened(text, maxChars)), maxChars);
}
