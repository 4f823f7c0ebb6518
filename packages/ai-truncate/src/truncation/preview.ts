import type { PreviewDirection } from '../protocol/truncated-output.ts';
import { byteLength } from './byte-length.ts';
import type { JsonNode } from './json-node.ts';
import { previewJson } from './preview-json.ts';
import { previewNdjson } from './preview-ndjson.ts';
import { previewText } from './preview-text.ts';
import { gapBetween, halves, type ShownText, showHead, showTail } from './shown-text.ts';
import type { TextScan, TextScanOptions } from './text-scan.ts';
import { type CutLimits, endsLimits, MIN_ENDS_LINES } from './truncate-text.ts';
import type { KeepFunction, PreviewKeep, ResolvedLimits } from './truncation-limits.ts';
import { gapRow, type ShownPart } from './truncation-notice.ts';

/** What the model is shown of an output, before notice and hint. */
export interface Preview {
  text: string;
  direction: PreviewDirection;
  /** Lines of the output that are shown, whole or in part. */
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
  if (keep === 'ends') return toPreview(scan, { ...showEnds(scan, limits), direction: keep });
  const shown = keep === 'tail' ? showTail({ text: scan.tail }, limits) : showHead({ text: scan.head }, limits);
  return toPreview(scan, { ...shown, direction: keep });
}

/** Of either end, whatever a `keep` function asks for. */
const MAX_WINDOW_CHARS = 1_000_000;

/** What the scan must keep so that a preview has enough to choose from, also where half of a text is colour codes. */
export function scanFor(limits: ResolvedLimits): TextScanOptions {
  const { keep, previewBytes } = limits;
  const wanted = typeof keep === 'function' ? Math.min(keep.windowChars ?? 0, MAX_WINDOW_CHARS) : 0;
  const chars = Math.max(2 * previewBytes, wanted);
  return { headChars: chars, tailChars: chars, findsSalientLines: keep === 'auto' };
}

/** What a `keep` function answered, bounded and made safe like everything else. */
export function previewOfOwn(
  answer: string,
  options: { scan: TextScan; limits: CutLimits; direction: 'summary' | 'custom' },
): Preview {
  const { scan, limits, direction } = options;
  const own = toPreview(scan, { ...showHead({ text: answer }, { ...limits, splitsLine: true }), direction });
  if (direction !== 'summary') return own;
  const size = scan.lines > 1 ? ({ unit: 'lines', total: scan.lines } as const) : charsOf(scan);
  return { ...own, part: { kind: 'summary', ...size } };
}

function charsOf(scan: TextScan): { unit: 'characters'; total: number } {
  return { unit: 'characters', total: scan.chars };
}

function autoPreview({ scan, json }: ScannedOutput, limits: CutLimits): Preview {
  const document = json && previewJson(json, limits);
  // Nothing left out: it was too large for its lines or its white space, and the text itself tells more.
  if (document && !document.complete) {
    const lines = Math.min(document.text.split('\n').length, scan.lines);
    const part: ShownPart = { kind: 'sample', ...charsOf(scan) };
    return { text: document.text, direction: 'auto', lines, bytes: byteLength(document.text), part };
  }
  return toPreview(scan, { ...(previewNdjson(scan, limits) ?? previewText(scan, limits)), direction: 'auto' });
}

function showEnds(scan: TextScan, limits: CutLimits): ShownText {
  if (limits.maxLines < MIN_ENDS_LINES) return showHead({ text: scan.head }, limits);
  const ends = endsLimits(limits);
  const windows = halves(scan);
  const head = showHead(windows.head, ends.head);
  const tail = showTail(windows.tail, ends.tail);
  const gap = gapRow(gapBetween(head, { tail, of: scan }));
  return {
    text: [head.text, gap, tail.text].join('\n'),
    lines: head.lines + tail.lines,
    chars: head.chars + tail.chars,
    splitsLine: head.splitsLine || tail.splitsLine,
  };
}

function toPreview(scan: TextScan, shown: ShownText & { direction: PreviewDirection }): Preview {
  const { text, direction, chars, splitsLine } = shown;
  const lines = Math.min(shown.lines, scan.lines);
  // Lines that are cut inside are not "shown": characters tell the truth.
  const part: ShownPart =
    lines < scan.lines && !splitsLine
      ? { kind: 'part', unit: 'lines', shown: lines, total: scan.lines }
      : { kind: 'part', shown: Math.min(chars, scan.chars), ...charsOf(scan) };
  return { text, direction, lines, bytes: byteLength(text), part };
}
