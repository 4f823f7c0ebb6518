import { now } from '../deadlines.ts';
import { serialize } from '../json/serialize.ts';
import { inTurns, pace } from '../pace.ts';
import { type Preview, previewInSteps } from '../preview/choose-preview.ts';
import { runningNotice } from '../preview/preview-words.ts';
import { isRecord } from '../protocol/guards.ts';
import { toProjectPath } from '../protocol/project-path.ts';
import type { ToolResponseContext, ToolResponseError, ToolResponseStats } from '../protocol/tool-response.ts';
import { markOwn, type TruncatedOutput, type Truncation } from '../protocol/truncated-output.ts';
import { createTextScan, type TextScan } from '../text/text-scan.ts';
import { byteLength, firstChars } from '../text/utf.ts';
import type { Delivery } from './delivery.ts';
import type { TruncationEvent } from './events.ts';
import type { ToolOutcome } from './reported-error.ts';
import type { SavedOutput } from './save-and-scan.ts';

/** An output that is over a limit, with all that its envelope says about it. */
export interface OversizedOutput extends SavedOutput {
  reason: TruncationEvent['reason'];
  /** What the output says about itself. */
  reported?: ToolOutcome | undefined;
  media?: readonly unknown[] | undefined;
}

/** The `TruncatedOutput` that takes the place of an output over a limit. */
export async function toEnvelope(
  delivery: Delivery,
  {
    output,
    shown,
    text,
    error,
  }: { output: OversizedOutput; shown: Preview; text: string; error: ToolResponseError | undefined },
): Promise<TruncatedOutput> {
  const { outcome, media = [], reported = {}, reason, mediaType, bytes, scanned } = output;
  const info = outcome.status === 'saved' ? outcome.info : undefined;
  return markOwn<TruncatedOutput>({
    status: error ? 'error' : 'partial',
    data: {
      truncated: true,
      truncation: {
        ...toTruncation(delivery, { scan: scanned.scan, shown, reason, bytes, path: info?.path ?? null, mediaType }),
        ...(info && { expires_at: info.expiresAt.toISOString() }),
      },
      preview: shown.text,
      ...(media.length > 0 && { media: [...media] }),
    },
    text,
    ...(error && { error }),
    ...(await statsAndContext(delivery, reported)),
  });
}

function toTruncation(
  { limits }: Delivery,
  {
    scan,
    shown,
    reason,
    bytes,
    path,
    mediaType,
  }: {
    scan: TextScan;
    shown: Preview;
    reason: TruncationEvent['reason'];
    bytes: number;
    path: string | null;
    mediaType: string;
  },
): Truncation {
  return {
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
  };
}

const RUNNING_BYTES = 1024;

/** What is shown of an output that is too large already, while its tool still works: its end. Nothing is saved. */
export async function toRunningEnvelope(
  output: unknown,
  delivery: Delivery & { reason: TruncationEvent['reason'] },
): Promise<TruncatedOutput> {
  const { chunks, mediaType } = serialize(output, { indent: 2 });
  const scanner = createTextScan({ headChars: 0, tailChars: 2 * RUNNING_BYTES, findsSalientLines: false });
  for await (const chunk of pace(chunks)) scanner.push(chunk);
  const scan = scanner.finish();
  const { toolName, limits, reason } = delivery;
  const room = { maxLines: limits.maxLines, maxBytes: RUNNING_BYTES };
  const shown = await inTurns(previewInSteps({ scan }, { keep: 'tail', limits: room }));
  const facts = { scan, shown, reason, bytes: scan.bytes, path: null, mediaType };
  return markOwn<TruncatedOutput>({
    status: 'partial',
    data: {
      truncated: true,
      truncation: { ...toTruncation(delivery, facts), running: true },
      preview: shown.text,
    },
    text: runningNotice({ toolName, part: shown.part }),
    ...(await statsAndContext(delivery, {})),
  });
}

const MAX_NAME = 128;
const MAX_BYTES = 2048;
const MAX_EXCERPT = 500;

/** What the call cost, and where it was done: of an envelope its own word where that is short, else ours. */
async function statsAndContext(
  { toolName, toolCallId, input, startedAt, endedAt = now() }: Delivery,
  { stats, context }: ToolOutcome,
): Promise<{ stats: ToolResponseStats; context: ToolResponseContext }> {
  const own = stats || context ? await boundedJson({ stats, context }) : undefined;
  const kept = isRecord(own) ? own : {};
  // What was bounded here does not answer for its own size.
  const { truncation_skip: _, cwd, path_resolved: path, ...keptContext } = isRecord(kept.context) ? kept.context : {};
  const pathResolved = projectPathOf(path);
  return {
    stats: { time_ms: Math.round(endedAt - startedAt), ...onlyNumbersAndText(kept.stats) },
    context: {
      cwd: projectPathOf(cwd) ?? '.',
      params_input: input === undefined ? {} : await boundedInput(input),
      ...(pathResolved !== undefined && { path_resolved: pathResolved }),
      ...keptContext,
      tool_name: firstChars(toolName, MAX_NAME),
      tool_call_id: firstChars(toolCallId, MAX_NAME),
    },
  };
}

/** A place of the server is nothing for a chat log. */
function projectPathOf(path: unknown): string | undefined {
  return typeof path === 'string' ? toProjectPath(path, undefined) : undefined;
}

function onlyNumbersAndText(stats: unknown): Record<string, number | string> {
  if (!isRecord(stats)) return {};
  const entries = Object.entries(stats).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  return Object.fromEntries(entries) as Record<string, number | string>;
}

/** The input as plain JSON up to 2 KiB; of a larger one the first characters. */
async function boundedInput(input: unknown): Promise<unknown> {
  const whole = await boundedJson(input);
  if (whole !== undefined) return whole;
  return firstChars(typeof input === 'string' ? input : await beginningOfJson(input), MAX_EXCERPT);
}

/** A value as plain JSON, `undefined` when it is larger than 2 KiB. */
async function boundedJson(value: unknown): Promise<unknown> {
  if (typeof value === 'string')
    return byteLength(JSON.stringify(firstChars(value, MAX_BYTES + 1))) <= MAX_BYTES ? value : undefined;
  const json = await beginningOfJson(value);
  return byteLength(json) <= MAX_BYTES ? JSON.parse(json) : undefined;
}

async function beginningOfJson(value: unknown): Promise<string> {
  let text = '';
  for await (const chunk of pace(serialize(value).chunks)) {
    text += chunk;
    if (text.length > MAX_BYTES) break;
  }
  return text;
}
