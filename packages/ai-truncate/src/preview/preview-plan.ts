import { modelText } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import type { ResolvedLimits } from './limits.ts';
import { type NoticeFacts, type ShownPart, truncationHint, truncationNotice } from './preview-words.ts';
import type { CutLimits } from './truncate-text.ts';

/** What notice and hint tell besides how much is shown. */
export interface OutputFacts extends Omit<NoticeFacts, 'part'> {
  /** The names of the tools the agent can call, for the hint. */
  tools: readonly string[];
  repeatable?: string | undefined;
  /** The output looks like records, for the hint. */
  holdsRecords?: boolean | undefined;
}

/** How the budget of one output is shared: so much for the preview, the rest for the words around it. */
export interface PreviewPlan {
  /** The room for the preview alone. */
  limits: CutLimits;
  /** The `text` of a `TruncatedOutput`: the notice and, on the next line, the hint when there is one. */
  noticeAndHint(part: ShownPart): string;
}

/** In less room a preview says nothing; rather than that, the hint goes. */
const LEAST_ROOM = 256;

/**
 * Leaves so much to the preview that all the model reads is in the budget, also when the notice gets as long as it can.
 * A path may take up to 512 bytes of it.
 */
export function planPreview(limits: ResolvedLimits, output: { chars: number; facts: OutputFacts }): PreviewPlan {
  const full = planWith(limits, output);
  return full.limits.maxBytes >= LEAST_ROOM
    ? full
    : planWith(limits, { ...output, facts: { ...output.facts, tools: [], repeatable: undefined } });
}

function planWith(limits: ResolvedLimits, { chars, facts }: { chars: number; facts: OutputFacts }): PreviewPlan {
  const hint = truncationHint(facts);
  const noticeAndHint = (part: ShownPart) => truncationNotice({ ...facts, part }) + (hint === '' ? '' : `\n${hint}`);
  const overhead = (part: ShownPart) => byteLength(modelText({ text: noticeAndHint(part), preview: '' }));
  const longest: ShownPart[] = [
    { kind: 'part', unit: 'characters', shown: chars, total: chars },
    { kind: 'summary', unit: 'characters', total: chars },
  ];
  const room = limits.previewBytes - Math.max(...longest.map(overhead));
  const { maxLines, maxChars } = limits;
  return { limits: { maxLines, maxBytes: Math.max(0, room), maxChars }, noticeAndHint };
}
