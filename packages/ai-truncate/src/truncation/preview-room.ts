import { byteLength } from './byte-length.ts';
import type { CutLimits } from './truncate-text.ts';
import type { ResolvedLimits } from './truncation-limits.ts';
import { modelText, type NoticeFacts, type ShownPart, truncationHint, truncationNotice } from './truncation-notice.ts';

/** What notice and hint tell besides how much is shown. */
export interface OutputFacts extends Omit<NoticeFacts, 'part'> {
  /** The names of the tools the agent can call, for the hint. */
  tools: readonly string[];
}

/** The notice, and on the next line the hint when there is one: the `text` of a `TruncatedOutput`. */
export function noticeAndHint(part: ShownPart, facts: OutputFacts): string {
  const hint = truncationHint(facts);
  return truncationNotice({ ...facts, part }) + (hint === '' ? '' : `\n${hint}`);
}

/** What is left for the preview when the notice gets as long as it can: all that the model reads is in the budget. */
export function previewRoom(limits: ResolvedLimits, output: { chars: number; facts: OutputFacts }): CutLimits {
  const longest: ShownPart = { unit: 'characters', shown: output.chars, total: output.chars };
  const overhead = byteLength(modelText({ text: noticeAndHint(longest, output.facts), preview: '' }));
  // A character weighs at least a byte, so this keeps the preview under `maxChars` too.
  return { maxLines: limits.maxLines, maxBytes: Math.min(limits.previewBytes - overhead, limits.maxChars) };
}
