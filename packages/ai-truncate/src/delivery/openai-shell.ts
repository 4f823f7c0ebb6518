import { withoutUndefined } from '../options.ts';
import { inTurns, pace } from '../pace.ts';
import { previewInSteps } from '../preview/choose-preview.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import { looksLikeRecords } from '../preview/looks-like-records.ts';
import { truncationHint, truncationNotice } from '../preview/preview-words.ts';
import type { CutLimits } from '../preview/truncate-text.ts';
import { isRecord } from '../protocol/guards.ts';
import { markOwn } from '../protocol/truncated-output.ts';
import { framedPreviewOf, modelText } from '../text/frame.ts';
import { createTextScan } from '../text/text-scan.ts';
import { byteLength, countLines, detach, firstChars, textPieces } from '../text/utf.ts';
import { captureValue } from './captured-value.ts';
import type { Delivery } from './delivery.ts';
import { notifyTruncation, type TruncationEvent } from './events.ts';
import { type MeasuredOutput, measureOutput } from './measure-output.ts';
import { saveAndScan } from './save-and-scan.ts';

/**
 * The runs of OpenAI's `shell` that are over the limits, in their shape: the long texts get shorter, down to `previewBytes`
 * together. The longest says what is missing and where all of it is.
 */
export async function deliverShell(
  output: unknown,
  { runs, delivery }: { runs: readonly unknown[]; delivery: Delivery },
): Promise<unknown> {
  const measured = await measureShell(output, { runs, limits: delivery.limits });
  if (!measured.reason) return measured.deliverable;
  // Now, as the tool returned them.
  const sent = toSentShell(output, { runs, maxRuns: MAX_RUNS });
  const { outcome, scanned, hasChanged } = await saveAndScan(captureValue(output), delivery);
  const { lines, bytes, chars, head } = scanned.scan;
  const path = outcome.status === 'saved' ? outcome.info.path : null;
  const hints = { tools: delivery.hintTools(), holdsRecords: looksLikeRecords(head) };
  const facts = { toolName: delivery.toolName, isError: false, hasChanged, path, ...hints };
  const shown = await shortenShell(sent, { limits: delivery.limits, text: shellWords(facts, chars) });
  notifyTruncation(delivery, { reason: measured.reason, lines, bytes, ...shown, path, outcome });
  return markOwn(sent);
}

/** Of a longer list so many runs stay: the first and the last half. */
const MAX_RUNS = 8;

/** The runs in the output of a shell; `undefined` for what OpenAI would refuse, as far as a look at it tells. Never throws. */
export function shellRunsOf(output: unknown): readonly unknown[] | undefined {
  try {
    // Only its `toJSON` knows what it is sent as.
    if (!isRecord(output) || typeof output.toJSON === 'function') return undefined;
    const { output: runs } = output;
    if (!Array.isArray(runs)) return undefined;
    const isRun = (run: unknown) => textOf(run, 'stdout') !== undefined || textOf(run, 'stderr') !== undefined;
    return someOf(runs, MAX_RUNS).every(isRun) ? runs : undefined;
  } catch {
    return undefined;
  }
}

/** What OpenAI is sent of a shell. It drops members that it does not know. */
export interface SentShell {
  maxOutputLength?: number;
  output: { stdout: string; stderr: string; outcome: Record<string, unknown> }[];
}

const MAX_WORD_CHARS = 64;

/** A copy with the members that are sent and nothing else. */
function toSentShell(output: unknown, { runs, maxRuns }: { runs: readonly unknown[]; maxRuns: number }): SentShell {
  const maxOutputLength = numberOf(output, 'maxOutputLength');
  return {
    ...(maxOutputLength !== undefined && { maxOutputLength }),
    output: someOf(runs, maxRuns).map((run) => {
      const outcome = member(run, 'outcome');
      const type = textOf(outcome, 'type');
      return {
        stdout: textOf(run, 'stdout') ?? '',
        stderr: textOf(run, 'stderr') ?? '',
        outcome: withoutUndefined({
          type: type === undefined ? type : detach(firstChars(type, MAX_WORD_CHARS)),
          exitCode: numberOf(outcome, 'exitCode'),
        }),
      };
    }),
  };
}

/** All of it as JSON, and the lines of its texts. If JSON cannot carry it, the members that are sent are delivered. */
export async function measureShell(
  output: unknown,
  { runs, limits }: { runs: readonly unknown[]; limits: ResolvedLimits },
): Promise<MeasuredOutput> {
  const measured = await measureOutput(output, limits);
  if (measured.reason === 'bytes') return measured;
  let lines = 0;
  for await (const more of pace(lineCountsOf(runs))) {
    lines += more;
    if (lines > limits.maxLines) return { reason: 'lines' };
  }
  if (measured.reason || measured.deliverable === output) return measured;
  return { deliverable: toSentShell(output, { runs, maxRuns: Number.POSITIVE_INFINITY }) };
}

const CHARS_PER_STEP = 128 * 1024;

/** In steps; an empty text is a line too. */
function* lineCountsOf(runs: readonly unknown[]): Generator<number> {
  for (const text of textsOf(runs)) {
    yield 1;
    for (const piece of textPieces(text, CHARS_PER_STEP)) yield countLines(piece) - 1;
  }
}

/** Notice and hint for the longest of the texts. */
export function shellWords(
  facts: Omit<Parameters<typeof truncationNotice>[0], 'part'> & Parameters<typeof truncationHint>[0],
  chars: number,
): string {
  const notice = truncationNotice({ ...facts, part: { kind: 'sample', unit: 'characters', total: chars } });
  const hint = truncationHint(facts);
  return hint === '' ? notice : `${notice}\n${hint}`;
}

/** A smaller copy of a shell's output in the middleware, which saves nothing. */
export async function shortenedShell(
  output: unknown,
  { runs, limits, text }: { runs: readonly unknown[]; limits: ResolvedLimits; text: string },
): Promise<{ sent: SentShell; shown: ShownTexts }> {
  const sent = toSentShell(output, { runs, maxRuns: MAX_RUNS });
  return { sent, shown: await shortenShell(sent, { limits, text }) };
}

/** What is left of the texts, and what the model is sent of them. */
type ShownTexts = Pick<TruncationEvent, 'keptLines' | 'keptBytes' | 'sentBytes'>;

/** Shortens the texts; the longest gets notice and hint. Without a run no text can be missing. */
async function shortenShell(
  { output }: SentShell,
  { limits, text }: { limits: ResolvedLimits; text: string },
): Promise<ShownTexts> {
  const wordBytes = byteLength(modelText({ text, preview: '' }));
  const texts = output.flatMap(({ stdout, stderr }) => [stdout, stderr]);
  const maxBytes = Math.max(0, limits.previewBytes - wordBytes);
  const shown = await fitTogether(texts, { maxLines: limits.maxLines, maxBytes });
  const longest = texts.reduce((best, each, index) => (each.length > (texts[best]?.length ?? 0) ? index : best), 0);
  for (const [index, preview] of shown.entries()) {
    const run = output[index >> 1];
    if (run) run[index % 2 === 0 ? 'stdout' : 'stderr'] = index === longest ? modelText({ text, preview }) : preview;
  }
  const kept = shown.filter((preview) => preview !== '');
  const keptBytes = kept.reduce((sum, preview) => sum + byteLength(preview), 0);
  const keptLines = kept.reduce((sum, preview) => sum + countLines(preview), 0);
  return { keptLines, keptBytes, sentBytes: keptBytes + (output.length === 0 ? 0 : wordBytes) };
}

/** However little room there is, each of the texts keeps a few bytes. */
const MIN_ROOM_BYTES = 1024;

/** Whether it was shortened before: one of its texts says so, and together they are small. */
export function isShortenedShell(runs: readonly unknown[], { previewBytes }: ResolvedLimits): boolean {
  const maxBytes = previewBytes + MIN_ROOM_BYTES;
  let count = 0;
  let bytes = 0;
  let saysSo = false;
  for (const text of textsOf(runs)) {
    count++;
    // A character weighs at least a byte: of a text that is certainly too large, no more needs to be known.
    bytes += text.length > maxBytes ? text.length : byteLength(text);
    if (count > 2 * MAX_RUNS || bytes > maxBytes) return false;
    saysSo ||= framedPreviewOf(text) !== undefined;
  }
  return saysSo;
}

/** However little room there is for each of many texts. */
const MIN_SHARE: CutLimits = { maxLines: 1, maxBytes: 16 };

/** Texts that are together within the room: what the small ones leave over goes to the large ones. */
async function fitTogether(texts: readonly string[], room: CutLimits): Promise<string[]> {
  // A character weighs at least a byte: of a text that is certainly too large, no more needs to be known.
  const sizes = texts.map((text) =>
    text.length > room.maxBytes
      ? { bytes: text.length, lines: Number.MAX_SAFE_INTEGER }
      : { bytes: byteLength(text), lines: countLines(text) },
  );
  const bytes = sizes.map((size) => size.bytes);
  const lines = sizes.map((size) => size.lines);
  const share: CutLimits = {
    maxBytes: Math.max(MIN_SHARE.maxBytes, fairShare(bytes, room.maxBytes)),
    maxLines: Math.max(MIN_SHARE.maxLines, fairShare(lines, room.maxLines)),
  };
  const shown: string[] = [];
  for (const [index, text] of texts.entries()) {
    const size = sizes[index] ?? { bytes: 0, lines: 0 };
    const isWhole = size.bytes <= share.maxBytes && size.lines <= share.maxLines;
    // What is made visible weighs more: a short text may not take the room of another for it.
    const limits = isWhole ? { ...share, maxBytes: Math.max(MIN_SHARE.maxBytes, size.bytes) } : share;
    shown.push(text === '' ? '' : await shownOf(text, { limits, isWhole }));
  }
  return shown;
}

/** So much for each that all together are within the room. */
function fairShare(sizes: readonly number[], room: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = room;
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return room;
}

/** In less, the row for the gap would be all that is left. */
const MIN_BYTES_FOR_BOTH_ENDS = 256;

async function shownOf(text: string, { limits, isWhole }: { limits: CutLimits; isWhole: boolean }): Promise<string> {
  const windowChars = 2 * limits.maxBytes;
  const scan = createTextScan({ headChars: windowChars, tailChars: windowChars, findsSalientLines: false });
  for await (const piece of pace([text])) scan.push(piece);
  const keep = isWhole || limits.maxBytes < MIN_BYTES_FOR_BOTH_ENDS ? 'head' : 'ends';
  return (await inTurns(previewInSteps({ scan: scan.finish() }, { keep, limits }))).text;
}

/** All texts, whatever the length of the list. */
function* textsOf(runs: readonly unknown[]): Generator<string> {
  const length = lengthOf(runs);
  for (let index = 0; index < length; index++) {
    const run = member(runs, index);
    yield* [textOf(run, 'stdout') ?? '', textOf(run, 'stderr') ?? ''];
  }
}

function someOf(list: readonly unknown[], maxItems: number): unknown[] {
  const length = lengthOf(list);
  const half = maxItems / 2;
  const indexOf = (index: number) => (length <= maxItems || index < half ? index : length - maxItems + index);
  return Array.from({ length: Math.min(length, maxItems) }, (_, index) => member(list, indexOf(index)));
}

function lengthOf(list: readonly unknown[]): number {
  return numberOf(list, 'length') ?? 0;
}

/** A getter that throws must not fail a tool that succeeded. */
function member(value: unknown, key: string | number): unknown {
  try {
    return (value as Record<string | number, unknown>)[key];
  } catch {
    return undefined;
  }
}

function textOf(value: unknown, key: string): string | undefined {
  const text = member(value, key);
  return typeof text === 'string' ? text : undefined;
}

function numberOf(value: unknown, key: string): number | undefined {
  const number = member(value, key);
  return typeof number === 'number' ? number : undefined;
}
