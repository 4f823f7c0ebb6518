import { isOwn, isTruncatedOutput } from '../protocol/truncated-output.ts';
import { look } from './tool-outcome.ts';

/**
 * Whether a tool's output has the shape of a `TruncatedOutput` that was not made here: a server that the tool asked may answer
 * with anything. In the chat history it could not be told from one of ours, and would speak in our place.
 */
export function isForeignEnvelope(output: unknown): boolean {
  return (look(output, isTruncatedOutput) ?? false) && !isOwn(output);
}
