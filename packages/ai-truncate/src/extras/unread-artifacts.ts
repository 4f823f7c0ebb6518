import type { StepResult, ToolSet } from 'ai';
import { artifactNameOf, parseArtifactName } from '../artifacts/artifact-name.ts';
import { requireOption } from '../options.ts';
import { isRecord } from '../protocol/guards.ts';
import { isTruncatedOutput, type TruncatedOutput } from '../protocol/truncated-output.ts';

/** A truncated output that no call opened. */
export interface UnreadArtifact {
  /** The path of the full output. */
  path: string;
  toolName: string;
  toolCallId: string;
  bytes: number;
  lines: number;
}

/**
 * The truncated outputs of a run that no later call opened, so that the model continued with only a preview. Use it for a
 * warning in a log, or for one more step that asks the model to read them.
 *
 * A call opens an output if its input names it by path, file name or the last 16 characters of the file name. The call can be
 * of a reader, a task or your own tool. A search without a path opens all outputs. The evidence of a task opens the outputs
 * that it quotes. A failed call, or a task that read nothing, opens no output.
 *
 * @example
 * const result = await generateText({ model, tools, prompt, stopWhen: isStepCount(10) });
 * for (const { toolName, path } of unreadArtifacts(result.steps)) console.warn(`${toolName} was truncated, but ${path} was never read`);
 */
export function unreadArtifacts<TOOLS extends ToolSet>(
  steps: readonly Pick<StepResult<TOOLS>, 'content'>[],
): UnreadArtifact[] {
  const expected = 'the steps of a run, as in `result.steps`';
  requireOption(Array.isArray(steps), { option: 'steps', value: steps, expected });
  const unread = new Map<string, UnreadArtifact>();
  for (const { content } of steps) {
    const parts: readonly unknown[] = content;
    // First the calls of this step, because they were made before its results existed.
    for (const part of parts) if (isRecord(part) && hasSucceeded(part)) markRead(unread, part);
    for (const part of parts) if (isRecord(part)) addTruncated(unread, part);
  }
  return [...unread.values()];
}

function hasSucceeded({ type, output }: Record<string, unknown>): boolean {
  if (type !== 'tool-result') return false;
  if (!isRecord(output)) return true;
  const { status, data } = output;
  // A sub-agent that received the path but read nothing has not opened the output.
  return status !== 'error' && !(isRecord(data) && data.bytes_read === 0);
}

function markRead(unread: Map<string, UnreadArtifact>, { toolName, input, output }: Record<string, unknown>): void {
  if (unread.size === 0) return;
  if (toolName === 'grepArtifacts' && isRecord(input) && input.path == null) {
    unread.clear();
    return;
  }
  // A sub-agent may have found an output by itself. It has read every output that it quotes.
  const named = `${JSON.stringify(input)}${JSON.stringify(verifiedPaths(output))}`;
  for (const id of unread.keys()) if (named.includes(id)) unread.delete(id);
}

function verifiedPaths(output: unknown): unknown[] {
  const data = isRecord(output) ? output.data : undefined;
  const evidence = isRecord(data) && Array.isArray(data.evidence) ? data.evidence : [];
  return evidence.flatMap((each) => (isRecord(each) && each.verified === true ? [each.path] : []));
}

function addTruncated(unread: Map<string, UnreadArtifact>, part: Record<string, unknown>): void {
  const output = truncatedOutputOf(part);
  const path = output?.data.truncation.full_output_path;
  const id = path && parseArtifactName(artifactNameOf(path) ?? '')?.id;
  if (!output || !path || !id) return;
  const { original_bytes: bytes, original_lines: lines } = output.data.truncation;
  unread.set(id, { path, toolName: String(part.toolName), toolCallId: String(part.toolCallId), bytes, lines });
}

/** Also for a tool that failed with a large error, because the error contains the same envelope. */
function truncatedOutputOf({ type, output, error }: Record<string, unknown>): TruncatedOutput | undefined {
  const candidate =
    type === 'tool-error' && isRecord(error) ? error.output : type === 'tool-result' ? output : undefined;
  return isTruncatedOutput(candidate) ? candidate : undefined;
}
