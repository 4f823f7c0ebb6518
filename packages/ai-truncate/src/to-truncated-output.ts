import type { SaveOutcome } from './artifacts/live-save.ts';
import { within } from './artifacts/within.ts';
import { pace } from './pace.ts';
import type { TruncatedOutput } from './protocol/truncated-output.ts';
import type { TruncateOutputOptions, TruncationEvent } from './truncate-output-options.ts';
import { byteLength, codePointStart } from './truncation/byte-length.ts';
import { type Preview, preview, previewOfOwn, type ScannedOutput } from './truncation/preview.ts';
import { planPreview } from './truncation/preview-plan.ts';
import { serialize } from './truncation/serialize.ts';
import type { CutLimits } from './truncation/truncate-text.ts';
import type { KeepFunction, ResolvedLimits } from './truncation/truncation-limits.ts';

/** One call, with what was resolved of its options. */
export interface Bounding {
  options: TruncateOutputOptions;
  limits: ResolvedLimits;
  startedAt: number;
}

export interface FinishedOutput extends Bounding {
  reason: TruncationEvent['reason'];
  mediaType: string;
  outcome: SaveOutcome;
  /** Of the whole output, as it is kept. */
  bytes: number;
}

/** What takes the place of an output that was too large. */
export async function toTruncatedOutput(output: ScannedOutput, finished: FinishedOutput): Promise<TruncatedOutput> {
  const { options, limits, reason, mediaType, outcome, bytes, startedAt } = finished;
  const { toolName, toolCallId, tools = [], input } = options;
  const { scan } = output;
  const path = outcome.status === 'saved' ? outcome.info.path : null;
  const plan = planPreview(limits, { chars: scan.chars, facts: { toolName, isError: false, path, tools } });
  const shown = await choosePreview(output, { limits, room: plan.limits, abortSignal: options.abortSignal });
  tell(options, { reason, lines: scan.lines, bytes, path, outcome });
  return {
    status: 'partial',
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
    },
    text: plan.noticeAndHint(shown.part),
    stats: { time_ms: Math.round(performance.now() - startedAt) },
    context: {
      cwd: '.',
      params_input: await boundedInput(input),
      tool_name: beginningOf(toolName, MAX_CONTEXT_NAME),
      tool_call_id: beginningOf(toolCallId, MAX_CONTEXT_NAME),
    },
  };
}

async function choosePreview(
  output: ScannedOutput,
  { limits, room, abortSignal }: { limits: ResolvedLimits; room: CutLimits; abortSignal: AbortSignal | undefined },
): Promise<Preview> {
  const { keep } = limits;
  if (typeof keep !== 'function') return preview(output, { keep, limits: room });
  try {
    return previewOfOwn(await ownAnswer(keep, output, { room, abortSignal }), {
      scan: output.scan,
      limits: room,
      direction: 'custom',
    });
  } catch {
    // The output is there and must be shown: both its ends, when the function cannot say better.
    return preview(output, { keep: 'ends', limits: room });
  }
}

/** A function that asks a model takes its time, but not for ever. */
const KEEP_TIMEOUT_MS = 30_000;

async function ownAnswer(
  keep: KeepFunction,
  { scan }: ScannedOutput,
  { room, abortSignal }: { room: CutLimits; abortSignal: AbortSignal | undefined },
): Promise<string> {
  const { head, tail, lines, bytes } = scan;
  const work = Promise.resolve(keep({ head, tail, lines, bytes, maxBytes: room.maxBytes, abortSignal }));
  const answer: unknown = await within(KEEP_TIMEOUT_MS, { work, abortSignal, what: '`keep`' });
  if (typeof answer !== 'string') throw new TypeError('`keep` answered with something else than a string');
  return answer;
}

function tell(
  { toolName, toolCallId, onTruncate }: TruncateOutputOptions,
  { outcome, ...facts }: Pick<TruncationEvent, 'reason' | 'lines' | 'bytes' | 'path'> & { outcome: SaveOutcome },
): void {
  try {
    const event = { toolName, toolCallId, ...facts };
    const told: unknown = onTruncate?.(outcome.status === 'saved' ? event : { ...event, error: outcome.error });
    Promise.resolve(told).catch(() => {});
  } catch {
    // What a listener throws must not cost the result.
  }
}

const MAX_CONTEXT_NAME = 128;
const MAX_INPUT_BYTES = 2048;
const MAX_INPUT_EXCERPT = 500;

/** The input as plain JSON up to 2 KiB; of a larger one the first characters. */
async function boundedInput(input: unknown): Promise<unknown> {
  if (input === undefined) return {};
  const json =
    typeof input === 'string' ? JSON.stringify(input.slice(0, MAX_INPUT_BYTES)) : await beginningOfJson(input);
  const isWhole = byteLength(json) <= MAX_INPUT_BYTES && !(typeof input === 'string' && input.length > MAX_INPUT_BYTES);
  if (isWhole) return JSON.parse(json);
  return beginningOf(typeof input === 'string' ? input : json, MAX_INPUT_EXCERPT);
}

async function beginningOfJson(value: unknown): Promise<string> {
  let text = '';
  for await (const chunk of pace(serialize(value).chunks)) {
    text += chunk;
    if (text.length > MAX_INPUT_BYTES) break;
  }
  return text;
}

/** The first characters, none of them half a pair. */
function beginningOf(text: string, maxChars: number): string {
  return text.slice(0, codePointStart(text, Math.min(maxChars, text.length)));
}
