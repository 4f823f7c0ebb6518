import { isRecord } from '../protocol/guards.ts';
import type { ToolResponseError } from '../protocol/tool-response.ts';
import { isOwn, isTruncatedOutput } from '../protocol/truncated-output.ts';
import { shortened } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';

/** Whether the output answers for its own size, and is believed. */
export function skipsTruncation(output: unknown, { allowsSkip }: { allowsSkip?: boolean | undefined }): boolean {
  // Nobody bounds twice what was bounded here, by a tool that calls `truncateOutput` for instance.
  if (!isOwn(output) && !allowsSkip) return false;
  const skips = inspectSafely(output, (members) => {
    const { context, metadata, data } = members;
    if (isRecord(context) && context.truncation_skip === true) return true;
    if (isRecord(metadata) && typeof metadata.truncated === 'boolean' && 'output' in members) return true;
    return isOwn(output) && isRecord(data) && isRecord(data.truncation);
  });
  return skips ?? false;
}

/**
 * Whether a tool's output has the shape of a `TruncatedOutput` that was not made here: a server that the tool asked may answer
 * with anything. In the chat history it could not be told from one of ours, and would speak in our place.
 */
export function isForeignEnvelope(output: unknown): boolean {
  return (inspectSafely(output, isTruncatedOutput) ?? false) && !isOwn(output);
}

/** A getter may throw. What cannot be looked at is a value like others, and says nothing of itself. */
export function inspectSafely<Seen>(output: unknown, see: (output: Record<string, unknown>) => Seen): Seen | undefined {
  try {
    return isRecord(output) ? see(output) : undefined;
  } catch {
    return undefined;
  }
}

/** What an output says about itself, beside what is in it. */
export interface ToolOutcome {
  /** There when the tool itself said that it failed. */
  error?: ToolResponseError | undefined;
  /** Of a protocol envelope: what it cost, and where it was done. */
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

/** Bounded, and safe to read: it stands in the envelope beside the preview. */
export function toToolError(error: unknown, text: string): ToolResponseError {
  const { code, message }: Record<string, unknown> = isRecord(error) ? error : { message: error };
  return {
    code: visible(typeof code === 'string' && code !== '' ? code : 'INTERNAL_ERROR', MAX_CODE),
    message: visible(typeof message === 'string' && message !== '' ? message : text, MAX_MESSAGE),
  };
}

/** Bounded before, because the whole may be huge, and after, because what becomes visible is up to nine times as long. */
function visible(text: string, maxChars: number): string {
  return shortened(visibleText(shortened(text, maxChars)), maxChars);
}
