import { isRecord } from '../protocol/guards.ts';
import { isOwn, isTruncatedOutput } from '../protocol/truncated-output.ts';

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
