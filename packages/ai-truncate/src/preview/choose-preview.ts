import { withTimeout } from '../deadlines.ts';
import type { JsonNode } from '../json/json-node.ts';
import { createJsonSample } from '../json/json-sample.ts';
import { inTurn, inTurns, type Steps } from '../pace.ts';
import type { PreviewDirection } from '../protocol/truncated-output.ts';
import { createTextScan, type TextScan, type TextScanOptions } from '../text/text-scan.ts';
import { byteLength } from '../text/utf.ts';
import type { KeepFunction, PreviewKeep, ResolvedLimits } from './limits.ts';
import type { ShownPart } from './notice-and-hint-words.ts';
import { previewJsonInSteps } from './preview-json.ts';
import { previewNdjson } from './preview-ndjson.ts';
import { previewText, type ShownText, showBothEnds, showEnd, splitsFor } from './preview-text.ts';
import type { CutLimits } from './truncate-text.ts';

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
  /** Makes the document of what was sampled, when the output is one JSON document. Its nodes take forty times its text. */
  json?: (() => Steps<JsonNode | undefined>) | undefined;
}

export interface OutputScanner {
  push(text: string): void;
  finish(): Promise<ScannedOutput>;
}

export interface PreviewOptions {
  keep: Exclude<PreviewKeep, KeepFunction>;
  limits: CutLimits;
}

/** Learns in one pass what a preview is chosen from. */
export function createOutputScanner(limits: ResolvedLimits): OutputScanner {
  const scan = createTextScan(scanFor(limits));
  const sample = limits.keep === 'auto' ? createJsonSample() : undefined;
  return {
    push(text) {
      scan.push(text);
      sample?.push(text);
    },
    async finish() {
      return { scan: await inTurn(() => scan.finish()), json: sample?.finish };
    },
  };
}

/**
 * Chooses the preview of an output that is over a limit, for every `keep`. If a `keep` function fails, both ends are shown,
 * because the output exists also when the function cannot say which part of it matters.
 */
export async function choosePreview(
  output: ScannedOutput,
  {
    limits: { keep },
    room,
    abortSignal,
  }: { limits: ResolvedLimits; room: CutLimits; abortSignal?: AbortSignal | undefined },
): Promise<Preview & { keepError?: unknown }> {
  // Those that waited for the same store may all be given up in the same moment.
  if (typeof keep !== 'function') return inTurns(previewInSteps(output, { keep, limits: room }));
  let failed: { keepError: unknown } | undefined;
  try {
    const answer = await inTurn(() => answerOf(keep, output, { room, abortSignal }));
    const direction = keep.kind ?? 'custom';
    if (answer !== undefined) {
      return await inTurns(previewOfAnswerInSteps(answer, { scan: output.scan, limits: room, direction }));
    }
  } catch (error) {
    failed = { keepError: error ?? new TypeError(`\`keep\` threw ${String(error)}`) };
  }
  return { ...(await inTurns(previewInSteps(output, { keep: 'ends', limits: room }))), ...failed };
}

/** A function that asks a model takes its time, but not for ever. */
const KEEP_TIMEOUT_MS = 30_000;

async function answerOf(
  keep: KeepFunction,
  { scan }: ScannedOutput,
  { room, abortSignal }: { room: CutLimits; abortSignal: AbortSignal | undefined },
): Promise<string | undefined> {
  const { head, tail, lines, bytes, chars } = scan;
  // An answer is in the script of its output: so many bytes are `maxChars` of it.
  const { maxChars = Number.POSITIVE_INFINITY } = room;
  const maxBytes = Math.min(room.maxBytes, Math.ceil((maxChars * bytes) / chars));
  const work = () => keep({ head, tail, lines, bytes, chars, maxBytes, abortSignal });
  const answer: unknown = await withTimeout(KEEP_TIMEOUT_MS, { work, abortSignal, what: '`keep`' });
  if (answer === undefined || typeof answer === 'string') return answer;
  throw new TypeError('`keep` answered with something else than a string');
}

/**
 * The preview for a `keep` that is not a function. In steps, because it may have a megabyte, and each character of an output may
 * have to be made visible. The same output always has the same preview. `limits` is the room for the preview alone.
 */
export function* previewInSteps(output: ScannedOutput, options: PreviewOptions): Steps<Preview> {
  const { keep, limits } = options;
  const { scan } = output;
  if (keep === 'auto') {
    const json = output.json && (yield* output.json());
    return yield* withinChars(limits, (room) => autoPreview({ scan, json }, room));
  }
  if (keep === 'ends') return toPreview(scan, { ...(yield* showBothEnds(scan, limits)), direction: keep });
  const room = { ...limits, splitsLine: splitsFor(scan, 'giant') };
  const shown = yield* showEnd({ text: scan[keep] }, { ...room, end: keep });
  return toPreview(scan, { ...shown, direction: keep });
}

/**
 * For previews that count bytes only. As many bytes as `maxChars` are always few enough; of text that is not ASCII there may
 * be more.
 */
function* withinChars({ maxChars, ...limits }: CutLimits, show: (limits: CutLimits) => Steps<Preview>): Steps<Preview> {
  if (maxChars === undefined || maxChars >= limits.maxBytes) return yield* show(limits);
  const first = yield* show({ ...limits, maxBytes: maxChars });
  let bytes = (maxChars * first.bytes) / Math.max(1, first.text.length);
  // So much more room is worth the time of another preview.
  for (let tries = 0; tries < 2 && bytes > maxChars * 1.1; tries++) {
    const maxBytes = Math.floor(Math.min(limits.maxBytes, bytes));
    const next = yield* show({ ...limits, maxBytes });
    if (next.text.length <= maxChars) return next;
    bytes = (maxBytes * 0.95 * maxChars) / next.text.length;
  }
  return first;
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
export function* previewOfAnswerInSteps(
  answer: string,
  options: { scan: TextScan; limits: CutLimits; direction: 'summary' | 'custom' },
): Steps<Preview> {
  const { scan, limits, direction } = options;
  const shown = yield* showEnd({ text: answer }, { ...limits, splitsLine: 'half-empty', end: 'head' });
  const own = toPreview(scan, { ...shown, direction });
  if (direction !== 'summary') return own;
  const size = scan.lines > 1 ? ({ unit: 'lines', total: scan.lines } as const) : charsOf(scan);
  return { ...own, part: { kind: 'summary', ...size } };
}

function charsOf(scan: TextScan): { unit: 'characters'; total: number } {
  return { unit: 'characters', total: scan.chars };
}

function* autoPreview(
  { scan, json }: { scan: TextScan; json: JsonNode | undefined },
  limits: CutLimits,
): Steps<Preview> {
  const document = json && (yield* previewJsonInSteps(json, limits));
  // Nothing left out: it was too large for its lines or its white space, and the text itself tells more.
  if (document && !document.complete) {
    const lines = Math.min(document.text.split('\n').length, scan.lines);
    const part: ShownPart = { kind: 'sample', ...charsOf(scan) };
    return { text: document.text, direction: 'auto', lines, bytes: byteLength(document.text), part };
  }
  const shown = (yield* previewNdjson(scan, limits)) ?? (yield* previewText(scan, limits));
  return toPreview(scan, { ...shown, direction: 'auto' });
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
