import { openCodeGap, openCodeHint } from './older-wire-words.ts';
import type { TruncatedOutput, Truncation } from './truncated-output.ts';

/** What OpenCode's `Truncate.output` gives. */
export type OpenCodeOutput =
  | { truncated: false; content: string }
  | {
      truncated: true;
      content: string;
      /** Where all of it is; `null` when it could not be kept. */
      outputPath: string | null;
    };

/**
 * An output in the form of OpenCode: the preview, then how much is missing, then what to do next; with `keep: 'tail'` the preview
 * last. For agents whose tools and prompts expect that. A text within the limits is its own content.
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
  const gap = openCodeGap(removedFrom(truncation, text));
  const parts = direction === 'tail' ? [gap, hint, preview] : [preview, gap, hint];
  return { truncated: true, content: parts.join('\n\n'), outputPath: path };
}

/** In lines where these ended the preview, else in bytes. `text` counts lines only when none of them is cut inside. */
function removedFrom(truncation: Truncation, text: string): { removed: number; unit: 'lines' | 'bytes' } {
  const { kept_lines, max_lines, original_lines, kept_bytes, original_bytes } = truncation;
  const lines = original_lines - kept_lines;
  if (kept_lines === max_lines && lines > 0 && text.includes(' lines shown. '))
    return { removed: lines, unit: 'lines' };
  // What was made visible weighs more than it did.
  return { removed: Math.max(0, original_bytes - kept_bytes), unit: 'bytes' };
}
