import { isTruncatedOutput } from 'ai-truncate/ui';
import type { ChatMessage } from '../agent/chat-message';
import { charsPerToken } from './context-cost';
import { isToolCallPart, toolNameOf } from './tool-call-part';

/** The effect of truncation on one answer, shown for its largest output. */
export interface AnswerResult {
  toolName: string;
  /** The sizes of the full output and of its preview. */
  bytes: { full: number; shown: number };
  /** Absent for records, which a preview does not show as lines. */
  lines?: { full: number; shown: number };
  /** The tokens kept out by all outputs of the answer, estimated from their characters. */
  tokensKeptOut: number;
  /** The path of the full output; `null` if it was not saved. */
  path: string | null;
  expiresAt?: string;
}

/** The result of an answer; `undefined` if the answer has no truncated output. */
export function answerResult({ parts, metadata }: ChatMessage): AnswerResult | undefined {
  const outputs = parts.flatMap((part) =>
    isToolCallPart(part) && part.state === 'output-available' && isTruncatedOutput(part.output)
      ? [{ toolName: toolNameOf(part), truncation: part.output.data.truncation }]
      : [],
  );
  const [largest] = outputs.toSorted((one, other) => other.truncation.original_bytes - one.truncation.original_bytes);
  if (!largest) return undefined;
  const { original_bytes, kept_bytes, original_lines, kept_lines, media_type, full_output_path, expires_at } =
    largest.truncation;
  const keptOut = (metadata?.calls ?? []).reduce(
    (chars, { originalChars, sentChars }) => chars + Math.max(0, originalChars - sentChars),
    0,
  );
  return {
    toolName: largest.toolName,
    bytes: { full: original_bytes, shown: kept_bytes },
    ...(media_type === 'text/plain' && { lines: { full: original_lines, shown: kept_lines } }),
    tokensKeptOut: keptOut / charsPerToken,
    path: full_output_path,
    ...(expires_at !== undefined && { expiresAt: expires_at }),
  };
}
