import type { PreviewDirection } from '../protocol/truncated-output.ts';
import { byteLength } from './byte-length.ts';
import type { JsonNode } from './json-node.ts';
import { previewJson } from './preview-json.ts';
import { previewNdjson } from './preview-ndjson.ts';
import { previewText } from './preview-text.ts';
import { type ShownText, showHead, showTail } from './shown-text.ts';
import type { TextScan } from './text-scan.ts';
import { type CutLimits, endsLimits, MIN_ENDS_LINES } from './truncate-text.ts';
import type { KeepFunction, PreviewKeep } from './truncation-limits.ts';
import { gapRow, type ShownPart } from './truncation-notice.ts';

/** What the model is shown of an output, before notice and hint. */
export interface Preview {
  text: string;
  direction: PreviewDirection;
  /** Lines of the output that are shown, whole or in part; of a JSON document, lines of the preview. */
  lines: number;
  /** UTF-8 bytes of `text`. */
  bytes: number;
  /** For the notice. */
  part: ShownPart;
}

export interface ScannedOutput {
  scan: TextScan;
  /** What the sampler made of it, when it is one JSON document. */
  json?: JsonNode | undefined;
}

/**
 * Chooses what is shown of an output that is over a limit: the one place that does. The same output gives the same bytes.
 * `limits` is the room for the preview alone.
 */
export function preview(
  output: ScannedOutput,
  options: { keep: Exclude<PreviewKeep, KeepFunction>; limits: CutLimits },
): Preview {
  const { keep, limits } = options;
  const { scan } = output;
  if (keep === 'auto') return autoPreview(output, limits);
  if (keep === 'ends') return toPreview(scan, { ...endsPreview(scan, limits), direction: keep });
  const shown = keep === 'tail' ? showTail(scan.tail, limits) : showHead(scan.head, limits);
  return toPreview(scan, { ...shown, direction: keep });
}

/** What a `keep` function answered, bounded and made safe like everything else. */
export function previewOfOwn(
  answer: string,
  options: { scan: TextScan; limits: CutLimits; isSummary: boolean },
): Preview {
  const { scan, limits, isSummary } = options;
  const shown = showHead(answer, { ...limits, splitsLine: true });
  const own = toPreview(scan, { ...shown, direction: isSummary ? 'summary' : 'custom' });
  return isSummary ? { ...own, part: { ...own.part, isSummary } } : own;
}

function autoPreview({ scan, json }: ScannedOutput, limits: CutLimits): Preview {
  const document = json && previewJson(json, limits);
  // Nothing left out: it was too large for its lines or its white space, and the text itself tells more.
  if (document && !document.complete) {
    const lines = document.text.split('\n').length;
    const part: ShownPart = {
      unit: 'characters',
      shown: Math.min(document.text.length, scan.chars),
      total: scan.chars,
    };
    return { text: document.text, direction: 'auto', lines, bytes: byteLength(document.text), part };
  }
  return toPreview(scan, { ...(previewNdjson(scan, limits) ?? previewText(scan, limits)), direction: 'auto' });
}

function endsPreview(scan: TextScan, limits: CutLimits): Omit<ShownText, 'splitsLine'> {
  if (limits.maxLines < MIN_ENDS_LINES) return showHead(scan.head, limits);
  const ends = endsLimits(limits);
  const head = showHead(scan.head, ends.head);
  const tail = showTail(scan.tail, ends.tail);
  const gap = gapRow({
    lines: Math.max(0, scan.lines - head.lines - tail.lines),
    from: head.lines + 1,
    chars: scan.chars - head.chars - tail.chars,
  });
  const text = [head.text, gap, tail.text].join('\n');
  return { text, lines: head.lines + tail.lines, chars: head.chars + tail.chars };
}

function toPreview(
  scan: TextScan,
  shown: { text: string; lines: number; chars: number; direction: PreviewDirection },
): Preview {
  const { text, direction, chars } = shown;
  const lines = Math.min(shown.lines, scan.lines);
  // Of few lines, cut inside, most are "shown": characters tell the truth.
  const part: ShownPart =
    lines < scan.lines
      ? { unit: 'lines', shown: lines, total: scan.lines }
      : { unit: 'characters', shown: Math.min(chars, scan.chars), total: scan.chars };
  return { text, direction, lines, bytes: byteLength(text), part };
}
