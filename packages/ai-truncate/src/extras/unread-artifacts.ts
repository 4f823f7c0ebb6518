import type { StepResult, ToolSet } from 'ai';
import { artifactNameOf, parseArtifactName } from '../artifacts/artifact-name.ts';
import { isRecord } from '../protocol/guards.ts';
import { isTruncatedOutput, type TruncatedOutput } from '../protocol/truncated-output.ts';

/** A truncated output that nobody opened. */
export interface UnreadArtifact {
  /** Where all of it is. */
  path: string;
  toolName: string;
  toolCallId: string;
  bytes: number;
  lines: number;
}

/**
 * The truncated outputs of a run that no later call opened: the model goes on with a preview as if it had read the whole. For a
 * warning in a log, or for one more step that asks it to look.
 *
 * A call opens an output when its input names it: by path, file name or the last 16 characters of that; for a reader, a task, or
 * a tool of yours. A search without a path opens all, and so does the evidence of a task open what it quotes. A call that failed, and
 * a task that read nothing, open none.
 *
 * @example
 * const result = await generateText({ model, tools, prompt, stopWhen: isStepCount(10) });
 * for (const { toolName, path } of unreadArtifacts(result.steps)) console.warn(`${toolName} was cut, and nobody read ${path}`);
 */
export function unreadArtifacts<TOOLS extends ToolSet>(
  steps: readonly Pick<StepResult<TOOLS>, 'content'>[],
): UnreadArtifact[] {
  const unread = new Map<string, UnreadArtifact>();
  for (const { content } of steps) {
    const parts: readonly unknown[] = content;
    // First what this step read: its calls were made before its results were there.
    for (const part of parts) if (isRecord(part) && hasSucceeded(part)) markRead(unread, part);
    for (const part of parts) if (isRecord(part)) addTruncated(unread, part);
  }
  return [...unread.values()];
}

function hasSucceeded({ type, output }: Record<string, unknown>): boolean {
  if (type !== 'tool-result') return false;
  if (!isRecord(output)) return true;
  const { status, data } = output;
  // A sub-agent that was told of it, and looked at nothing, has not read it.
  return status !== 'error' && !(isRecord(data) && data.bytes_read === 0);
}

function markRead(unread: Map<string, UnreadArtifact>, { toolName, input, output }: Record<string, unknown>): void {
  if (unread.size === 0) return;
  if (toolName === 'grepArtifacts' && isRecord(input) && input.path == null) {
    unread.clear();
    return;
  }
  // A sub-agent may have found one by itself: what it quotes it has read.
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

/** Also of a tool that failed with more than fits: its error holds the same. */
function truncatedOutputOf({ type, output, error }: Record<string, unknown>): TruncatedOutput | undefined {
  const candidate =
    type === 'tool-error' && isRecord(error) ? error.output : type === 'tool-result' ? output : undefined;
  return isTruncatedOutput(candidate) ? candidate : undefined;
}
