import { AiTruncateError } from '../errors.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { modelText } from '../text/frame.ts';

/**
 * Takes the place of an error whose message was too large. Its own message is what a model reads: what is missing, where all of
 * it is, and a preview. It has no `cause`: telemetry would send that along.
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

  /** What the SDK sends to the model: the message alone, whose size was planned. */
  override toString(): string {
    return this.message;
  }
}

/**
 * For `onError` of `toUIMessageStream`. What the SDK tells the UI of a tool's error differs: older versions hide all of them, and
 * with them the path of the full output for every later request; newer ones tell all, whatever they hold. With this, the UI is
 * told of a bounded error, and other errors stay hidden.
 *
 * @example
 * toUIMessageStream({ stream: result.stream, tools, onError: toolErrorMessage });
 */
export function toolErrorMessage(error: unknown): string {
  return TruncatedToolError.isInstance(error) ? error.message : 'An error occurred.';
}

/** What the SDK would send to the model for what a tool threw: text, or a value as JSON. */
export function sentForError(error: unknown): unknown {
  if (error === undefined || error === null) return 'unknown error';
  if (!(error instanceof Error)) return error;
  try {
    return String(error);
  } catch {
    return 'unknown error';
  }
}

/** Whether it is the reason why the call was ended from outside: the SDK, and the application, know it by its identity. */
export function isInterruption(error: unknown, abortSignal: AbortSignal | undefined): boolean {
  return abortSignal?.aborted === true && error === abortSignal.reason;
}
