import type { SaveOutcome } from '../artifacts/save-output.ts';
import { withTimeout } from '../deadlines.ts';
import { inTurn, inTurns } from '../pace.ts';
import type { KeepFunction } from '../preview/limits.ts';
import { looksLikeRecords } from '../preview/looks-like-records.ts';
import { type Preview, previewInSteps, previewOfOwnInSteps, type ScannedOutput } from '../preview/preview.ts';
import { planPreview } from '../preview/preview-plan.ts';
import type { CutLimits } from '../preview/truncate-text.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { markOwn } from '../protocol/truncated-output.ts';
import { modelText } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import type { Delivery } from './delivery.ts';
import { envelopeFacts } from './envelope-facts.ts';
import { tellOfTruncation } from './tell-of-truncation.ts';
import type { ToolOutcome } from './tool-outcome.ts';
import type { TruncationEvent } from './truncation-event.ts';

export interface FinishedOutput {
  reason: TruncationEvent['reason'];
  scanned: ScannedOutput;
  mediaType: string;
  outcome: SaveOutcome;
  /** Of the whole output, as it is kept. */
  bytes: number;
  /** The output was read to its end. @default true */
  isComplete?: boolean;
  /** Its tool changed it after the return. @default false */
  hasChanged?: boolean;
  outcomeOfTool?: ToolOutcome;
  media?: readonly unknown[];
}

/** What takes the place of an output that was too large. */
export async function toTruncatedOutput(delivery: Delivery, finished: FinishedOutput): Promise<TruncatedOutput> {
  const { limits, toolName } = delivery;
  const { reason, scanned, mediaType, outcome, bytes, isComplete = true, hasChanged = false } = finished;
  const { outcomeOfTool = {}, media = [] } = finished;
  const { scan } = scanned;
  const { error } = outcomeOfTool;
  const path = outcome.status === 'saved' ? outcome.info.path : null;
  // Outputs that waited for the same store may all go on in the same moment.
  const holdsRecords = await inTurn(() => looksLikeRecords(scan.head));
  const hints = { tools: delivery.hintTools(), holdsRecords };
  const facts = { toolName, isError: error !== undefined, isComplete, hasChanged, path, ...hints };
  const plan = planPreview(limits, { chars: scan.chars, facts });
  const { keepError, ...shown } = await choosePreview(scanned, plan.limits, delivery);
  const text = plan.noticeAndHint(shown.part);
  tellOfTruncation(delivery, {
    reason,
    lines: scan.lines,
    bytes,
    keptLines: shown.lines,
    keptBytes: shown.bytes,
    sentBytes: byteLength(modelText({ text, preview: shown.text })),
    path,
    outcome,
    ...(keepError !== undefined && { keepError }),
  });
  return markOwn<TruncatedOutput>({
    status: error ? 'error' : 'partial',
    data: {
      truncated: true,
      truncation: {
        direction: shown.direction,
        reason,
        max_lines: limits.maxLines,
        max_bytes: limits.maxBytes,
        original_lines: scan.lines,
        original_bytes: bytes,
        original_chars: scan.chars,
        kept_lines: shown.lines,
        kept_bytes: shown.bytes,
        full_output_path: path,
        media_type: mediaType,
        ...(outcome.status === 'saved' && { expires_at: outcome.info.expiresAt.toISOString() }),
      },
      preview: shown.text,
      ...(media.length > 0 && { media: [...media] }),
    },
    text,
    ...(error && { error }),
    ...(await envelopeFacts(delivery, outcomeOfTool)),
  });
}

async function choosePreview(
  output: ScannedOutput,
  room: CutLimits,
  { limits, abortSignal }: Pick<Delivery, 'limits' | 'abortSignal'>,
): Promise<Preview & { keepError?: unknown }> {
  const { keep } = limits;
  // Those that waited for the same store may all be given up in the same moment.
  if (typeof keep !== 'function') return inTurns(previewInSteps(output, { keep, limits: room }));
  let failed: { keepError: unknown } | undefined;
  try {
    const answer = await inTurn(() => ownAnswer(keep, output, { room, abortSignal }));
    const direction = keep.kind ?? 'custom';
    if (answer !== undefined)
      return await inTurns(previewOfOwnInSteps(answer, { scan: output.scan, limits: room, direction }));
  } catch (error) {
    // The output is there and must be shown, also when the function cannot say how.
    failed = { keepError: error ?? new TypeError(`\`keep\` threw ${String(error)}`) };
    if (!abortSignal?.aborted) warnOnce(keep, failed.keepError);
  }
  return { ...(await inTurns(previewInSteps(output, { keep: 'ends', limits: room }))), ...failed };
}

const warnedOf = new WeakSet<KeepFunction>();

/** A `keep` that always fails would otherwise look like one that always answers `undefined`. */
function warnOnce(keep: KeepFunction, error: unknown): void {
  if (warnedOf.has(keep)) return;
  warnedOf.add(keep);
  console.warn(
    'ai-truncate: a `keep` function failed, so both ends of the output are shown. `onTruncate` receives each failure as ' +
      '`keepError`; this warning is printed once.',
    error,
  );
}

/** A function that asks a model takes its time, but not for ever. */
const KEEP_TIMEOUT_MS = 30_000;

async function ownAnswer(
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
