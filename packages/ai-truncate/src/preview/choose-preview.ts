import { JsonHighlights } from '../json/json-highlights.ts';
import type { JsonNode, LongTexts } from '../json/json-node.ts';
import { createJsonSample, type JsonSampler } from '../json/json-sample.ts';
import { ViewText } from '../json/view-lines.ts';
import { inTurn, inTurns, type Steps } from '../pace.ts';
import type { PreviewDirection } from '../protocol/truncated-output.ts';
import type { FocusTerm } from '../text/focus-terms.ts';
import { createTextScan, type TextScan, type TextScanOptions } from '../text/text-scan.ts';
import { byteLength, textPieces } from '../text/utf.ts';
import { answerOf, type KeepCall } from './keep-answer.ts';
import { KindScan, type TextKind } from './kind-scan.ts';
import type { KeepFunction, PreviewKeep, ResolvedLimits } from './limits.ts';
import type { ShownPart } from './notice-and-hint-words.ts';
import { previewJsonInSteps } from './preview-json.ts';
import { previewRecords, type RecordForm } from './preview-records.ts';
import { previewText, type ShownText, showBothEnds, showEnd, splitsFor } from './preview-text.ts';
import { recordForm } from './record-form.ts';
import { RecordScan, type ScannedRecords } from './record-scan.ts';
import type { CutLimits } from './truncate-text.ts';

/** The shown part of an output, before notice and hint are added. */
export interface Preview {
  text: string;
  direction: PreviewDirection;
  /** The number of lines that are shown completely or in part. */
  lines: number;
  /** UTF-8 bytes of `text`. */
  bytes: number;
  /** The shown part in words, for the notice. */
  part: ShownPart;
  /** The terms of the question that chose lines or items. */
  focus: readonly string[];
}

export interface ScannedOutput {
  /** The scan of the text. For a value, the scan of its text view. */
  scan: TextScan;
  /** The kind of the text, if its structure helps to find something in it. */
  kind?: TextKind | undefined;
  /** Present only for a value. */
  value?: ScannedValue | undefined;
  /**
   * Makes the sampled document if the output is one JSON document. It takes steps, because its nodes take forty times the memory
   * of its text.
   */
  json?: (() => Steps<JsonNode | undefined>) | undefined;
  /** The records of the output if it is NDJSON or a table, with their profile. */
  records?: (() => Steps<ScannedRecords | undefined>) | undefined;
}

export interface ScannedValue {
  /** UTF-8 bytes and characters of the saved output. */
  bytes: number;
  chars: number;
  /** The text view differs from the saved output. */
  hasView: boolean;
  longTexts: LongTexts | undefined;
  /** The first characters of the saved output. */
  beginning: string;
}

export interface OutputScanner {
  push(text: string): Promise<void>;
  finish(): Promise<ScannedOutput>;
}

export interface PreviewOptions {
  keep: Exclude<PreviewKeep, KeepFunction>;
  limits: CutLimits;
}

/** Collects the material for a preview in one pass. The text of a value is its indented JSON. */
export function createOutputScanner(
  limits: ResolvedLimits,
  { isValue = false, terms = noTerms }: { isValue?: boolean; terms?: () => readonly FocusTerm[] } = {},
): OutputScanner {
  const termsOnce = once(terms);
  const scan = createTextScan({ ...scanFor(limits), terms: termsOnce });
  const highlights = limits.keep === 'auto' ? new JsonHighlights(termsOnce, limits.marks) : undefined;
  const sample = highlights && createJsonSample(highlights.passages);
  const view = isValue ? new ViewText() : undefined;
  const kinds = sample && new KindScan({ isValue, terms: termsOnce, beginningChars: 2 * limits.previewBytes });
  const records = sample && !isValue ? new RecordScan() : undefined;
  let beginning = '';
  let bytes = 0;
  let chars = 0;

  function read(piece: string): void {
    sample?.push(piece);
    highlights?.endChunk();
    records?.push(piece);
    bytes += view ? byteLength(piece) : 0;
    chars += piece.length;
    if (view && beginning.length < BEGINNING_CHARS) beginning += piece.slice(0, BEGINNING_CHARS - beginning.length);
    const text = view?.push(piece) ?? piece;
    scan.push(text);
    kinds?.push(text);
  }

  return {
    async push(chunk) {
      // The clock decides whether another piece is read. A count of characters says too little, because lines, terms and
      // records cost time as well, and twenty outputs at once would be one long turn.
      const turnChars = Math.min(limits.marks?.turnChars ?? chunk.length, kinds?.turnChars ?? chunk.length);
      for (const piece of textPieces(chunk, turnChars)) await inTurn(() => read(piece));
    },
    async finish() {
      const scanned = await inTurn(() => scan.finish());
      const value = view && { bytes, chars, hasView: view.hasEscapes, longTexts: sample?.longTexts(), beginning };
      const json = sample && highlights && (() => withHighlights(sample, highlights));
      const kind = await inTurn(() => kinds?.finish());
      return { scan: scanned, value, json, records: records && (() => records.finish()), kind };
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const noTerms = (): readonly FocusTerm[] => [];

function* withHighlights(sample: JsonSampler, highlights: JsonHighlights): Steps<JsonNode | undefined> {
  return yield* highlights.addTo(yield* sample.finish());
}

/** Enough characters to recognize how a value starts. */
const BEGINNING_CHARS = 8192;

/**
 * Chooses the preview of an output over a limit, for every `keep`. If a `keep` function fails, both ends are shown, because the
 * failure must not cost the output.
 */
export async function choosePreview(
  output: ScannedOutput,
  { limits: { keep }, ...call }: { limits: ResolvedLimits } & KeepCall,
): Promise<Preview & { keepError?: unknown }> {
  const { room } = call;
  // Outputs that waited for the same store may all continue at the same moment.
  if (typeof keep !== 'function') return inTurns(previewInSteps(output, { keep, limits: room }));
  let failed: { keepError: unknown } | undefined;
  try {
    const answer = await inTurn(() => answerOf(keep, output.scan, call));
    const direction = keep.kind ?? 'custom';
    if (answer !== undefined) {
      return await inTurns(previewOfAnswerInSteps(answer, { scan: output.scan, limits: room, direction }));
    }
  } catch (error) {
    failed = { keepError: error ?? new TypeError(`\`keep\` threw ${String(error)}`) };
  }
  return { ...(await inTurns(previewInSteps(output, { keep: 'ends', limits: room }))), ...failed };
}

/**
 * The preview for a `keep` that is not a function. It takes steps, because it can have a megabyte, and each character may have to
 * be made visible. The same output always has the same preview. `limits` is the room for the preview alone.
 */
export function* previewInSteps(output: ScannedOutput, options: PreviewOptions): Steps<Preview> {
  const { keep, limits } = options;
  const { scan } = output;
  if (keep === 'auto') {
    const texts = textsOf(output.value);
    const json = texts ? undefined : output.json && (yield* output.json());
    const form = recordForm(scan, output.records && (yield* output.records()));
    return yield* withinChars(limits, (room) => autoPreview({ scan, json, texts, form, kind: output.kind }, room));
  }
  if (keep === 'ends') return toPreview(scan, { ...(yield* showBothEnds(scan, limits)), direction: keep });
  const room = { ...limits, splitsLine: splitsFor(scan, 'giant') };
  const shown = yield* showEnd({ text: scan[keep] }, { ...room, end: keep });
  return toPreview(scan, { ...shown, direction: keep });
}

/**
 * For previews that count only bytes. `maxChars` as a number of bytes is always a safe limit. For text that is not ASCII, more
 * bytes may fit.
 */
function* withinChars({ maxChars, ...limits }: CutLimits, show: (limits: CutLimits) => Steps<Preview>): Steps<Preview> {
  if (maxChars === undefined || maxChars >= limits.maxBytes) return yield* show(limits);
  const first = yield* show({ ...limits, maxBytes: maxChars });
  let bytes = (maxChars * first.bytes) / Math.max(1, first.text.length);
  // The factor of additional room that is worth the time for another preview.
  for (let tries = 0; tries < 2 && bytes > maxChars * 1.1; tries++) {
    const maxBytes = Math.floor(Math.min(limits.maxBytes, bytes));
    const next = yield* show({ ...limits, maxBytes });
    if (next.text.length <= maxChars) return next;
    bytes = (maxBytes * 0.95 * maxChars) / next.text.length;
  }
  return first;
}

/** The most characters of either end, for any `keep` function. */
const MAX_WINDOW_CHARS = 1_000_000;

/**
 * The characters of each end that the scan must store, so that a preview has enough to choose from even if half of a text is
 * color codes.
 */
export function scanFor(limits: ResolvedLimits): TextScanOptions {
  const { keep, previewBytes, previewChars, marks } = limits;
  const wanted = typeof keep === 'function' ? Math.min(keep.windowChars ?? 0, MAX_WINDOW_CHARS) : 0;
  const chars = Math.max(2 * Math.min(previewBytes, previewChars), wanted);
  return {
    headChars: chars,
    tailChars: chars,
    findsSalientLines: keep === 'auto' || typeof keep === 'function',
    marks,
  };
}

/** The result of a `keep` function, bounded and made safe like any preview. */
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

/** The long texts of a value that is mostly text, and is therefore shown as text; `undefined` for any other output. */
function textsOf(value: ScannedValue | undefined): LongTexts | undefined {
  const { longTexts, bytes = 0 } = value ?? {};
  return longTexts && longTexts.bytes * 2 >= bytes && longTexts.bytes > 0 ? longTexts : undefined;
}

interface Material extends Pick<ScannedOutput, 'scan' | 'kind'> {
  json: JsonNode | undefined;
  texts: LongTexts | undefined;
  form: RecordForm | undefined;
}

function* autoPreview({ scan, json, texts, form, kind }: Material, limits: CutLimits): Steps<Preview> {
  const document = json && (yield* previewJsonInSteps(json, limits));
  // No part would be omitted, because only its lines or white space are over a limit. So the text itself is more useful.
  if (document && !document.complete) {
    const lines = Math.min(document.text.split('\n').length, scan.lines);
    const part: ShownPart = { kind: 'sample', ...charsOf(scan) };
    const focus = json.kind === 'array' || json.kind === 'object' ? (json.focus ?? []) : [];
    return { text: document.text, direction: 'auto', lines, bytes: byteLength(document.text), part, focus };
  }
  const shown = texts
    ? yield* previewText(scan, { ...limits, texts: texts.texts, kind })
    : ((yield* previewRecords(scan, { ...limits, form })) ?? (yield* previewText(scan, { ...limits, kind })));
  return toPreview(scan, { ...shown, direction: 'auto' });
}

function toPreview(scan: TextScan, shown: ShownText & { direction: PreviewDirection }): Preview {
  const { text, direction, chars, splitsLine, focus = [] } = shown;
  const lines = Math.min(shown.lines, scan.lines);
  // Cut lines do not count as shown, so the notice counts characters.
  const part: ShownPart =
    lines < scan.lines && !splitsLine
      ? { kind: 'part', unit: 'lines', shown: lines, total: scan.lines }
      : { kind: 'part', shown: Math.min(chars, scan.chars), ...charsOf(scan) };
  return { text, direction, lines, bytes: byteLength(text), part, focus };
}
