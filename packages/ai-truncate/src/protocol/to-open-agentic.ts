import { openAgenticHint } from './older-wire-words.ts';
import { isTruncatedOutput, type TruncatedOutput } from './truncated-output.ts';

/** What stands in an event log of OpenAgentic in place of an output that was too large. */
export interface OpenAgenticOutput {
  _openagentic_truncated: true;
  reason: 'tool_output_too_large';
  tool_name: string;
  tool_use_id: string;
  original_chars: number;
  preview: string;
  /** Where all of it is; `null` when it could not be kept. */
  artifact_path: string | null;
  /** What to do next. */
  hint: string;
}

/**
 * A `TruncatedOutput` in the form that OpenAgentic writes into its `events.jsonl`, for logs and pages that read that; any other
 * output as it is.
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
