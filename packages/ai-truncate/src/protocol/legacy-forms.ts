import { isTruncatedOutput, type TruncatedOutput, type Truncation } from './truncated-output.ts';

/** The replacement of an output over the limits in an event log of OpenAgentic. */
export interface OpenAgenticOutput {
  _openagentic_truncated: true;
  reason: 'tool_output_too_large';
  tool_name: string;
  tool_use_id: string;
  original_chars: number;
  preview: string;
  /** The path of the full output; `null` if it could not be saved. */
  artifact_path: string | null;
  /** The next step for the model. */
  hint: string;
}

/**
 * A `TruncatedOutput` in the form that OpenAgentic writes into its `events.jsonl`, for logs and UIs that read this form. Any
 * other output is returned unchanged.
 *
 * @example
 * const event = { type: 'tool.result', output: toOpenAgentic(await truncateOutput(output, { store, scope, toolName, toolCallId })) };
 */
export function toOpenAgentic<OUTPUT>(output: OUTPUT): Exclude<OUTPUT, TruncatedOutput> | OpenAgenticOutput {
  if (!isTruncatedOutput(output)) return output as Exclude<OUTPUT, TruncatedOutput>;
  const { data, text, context } = output;
  const { full_output_path: path, original_chars: chars } = data.truncation;
  return {
    _openagentic_truncated: true,
    reason: 'tool_output_too_large',
    tool_name: String(context.tool_name ?? ''),
    tool_use_id: String(context.tool_call_id ?? ''),
    original_chars: chars,
    preview: data.preview,
    artifact_path: path,
    hint: openAgenticHint({ text, path }),
  };
}

/** The result of OpenCode's `Truncate.output`. */
export type OpenCodeOutput =
  | { truncated: false; content: string }
  | {
      truncated: true;
      content: string;
      /** The path of the full output; `null` if it could not be saved. */
      outputPath: string | null;
    };

/**
 * An output in the form of OpenCode: the preview, then how much is missing, then the next step. With `keep: 'tail'` the preview
 * comes last. It is for agents whose tools and prompts expect this form. A text within the limits is its own content.
 *
 * @example
 * const { content, truncated } = toOpenCode(await truncateOutput(log, { store, scope, toolName, toolCallId, keep: 'tail' }));
 */
export function toOpenCode(output: string | TruncatedOutput): OpenCodeOutput {
  if (typeof output === 'string') return { truncated: false, content: output };
  const { data, text, status } = output;
  const { preview, truncation } = data;
  const { direction, full_output_path: path } = truncation;
  const hint = openCodeHint({ text, path, isError: status === 'error' });
  const gap = openCodeGap(truncation, text);
  const parts = direction === 'tail' ? [gap, hint, preview] : [preview, gap, hint];
  return { truncated: true, content: parts.join('\n\n'), outputPath: path };
}

/** The text next to a preview in the forms of older agents. The model sees it. */

const MAX_HINT_CHARS = 512;

/** The hint as `truncationHint` wrote it: the line after the notice. */
function hintIn(text: string): string {
  return (text.split('\n', 2)[1] ?? '').slice(0, MAX_HINT_CHARS);
}

/** The `hint` of {@link toOpenAgentic}. It does not repeat the path, which is another member. */
function openAgenticHint({ text, path }: { text: string; path: string | null }): string {
  if (path === null) return 'The full output was not saved and cannot be retrieved.';
  const hint = hintIn(text);
  const next = hint === '' ? 'Search it, or read parts of it with offset/limit. Do NOT read the full file.' : hint;
  return `Full output saved to artifact_path. ${next}`;
}

/** The hint in the text of {@link toOpenCode}, whose agents read files. */
function openCodeHint({ text, path, isError }: { text: string; path: string | null; isError: boolean }): string {
  const outcome = `The tool call ${isError ? 'failed and' : 'succeeded but'} the output was truncated.`;
  if (path === null) return `${outcome} The full output was not saved and cannot be retrieved.`;
  const next = hintIn(text).includes(' sub-agent ')
    ? 'Use the Task tool to have a subagent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.'
    : 'Use Grep to search the full content or Read with offset/limit to view specific sections.';
  return `${outcome} Full output saved to: ${path}\n${next}`;
}

/** The size of the gap, in lines if lines ended the preview, else in bytes. `text` counts lines only if no line is cut. */
function openCodeGap(truncation: Truncation, text: string): string {
  const { kept_lines, max_lines, original_lines, kept_bytes, original_bytes } = truncation;
  const lines = original_lines - kept_lines;
  const isByLines = kept_lines === max_lines && lines > 0 && text.includes(' lines shown. ');
  // Characters that were made visible take more bytes than before.
  const removed = isByLines ? lines : Math.max(0, original_bytes - kept_bytes);
  return `...${removed} ${isByLines ? 'lines' : 'bytes'} truncated...`;
}
