import type { ArtifactInfo } from '../artifacts/artifacts.ts';
import { now } from '../deadlines.ts';
import { serialize } from '../json/serialize.ts';
import { ViewText } from '../json/view-lines.ts';
import { inTurns, pace } from '../pace.ts';
import { type Preview, previewInSteps } from '../preview/choose-preview.ts';
import { NO_LIMIT } from '../preview/limits.ts';
import { runningNotice } from '../preview/notice-and-hint-words.ts';
import { isRecord } from '../protocol/guards.ts';
import { toProjectPath } from '../protocol/rules.ts';
import type { ToolResponseContext, ToolResponseError, ToolResponseStats } from '../protocol/tool-response.ts';
import { markOwn, type TruncatedOutput } from '../protocol/truncated-output.ts';
import { createTextScan, type TextScan } from '../text/text-scan.ts';
import { byteLength, firstChars } from '../text/utf.ts';
import type { Delivery } from './delivery.ts';
import type { TruncationEvent } from './events.ts';
import type { OversizedOutput } from './save-and-scan.ts';
import type { ToolOutcome } from './tool-error.ts';

/** The parts of an envelope. */
interface EnvelopeParts extends Partial<Pick<OversizedOutput, 'reported' | 'media'>> {
  scan: TextScan;
  reason: TruncationEvent['reason'];
  bytes: number;
  /** UTF-16 units of the whole output, as it is saved. @default the number in the scanned text */
  chars?: number | undefined;
  mediaType: string;
  shown: Omit<Preview, 'focus'>;
  text: string;
  error?: ToolResponseError | undefined;
  info?: ArtifactInfo | undefined;
  /** The tool is still running. */
  running?: true;
}

/** The `TruncatedOutput` that replaces an output over a limit. */
export async function toEnvelope(delivery: Delivery, parts: EnvelopeParts): Promise<TruncatedOutput> {
  const {
    scan,
    reason,
    bytes,
    chars = scan.chars,
    mediaType,
    shown,
    text,
    error,
    info,
    running,
    media = [],
    reported = {},
  } = parts;
  const { limits } = delivery;
  return markOwn<TruncatedOutput>({
    status: error ? 'error' : 'partial',
    data: {
      truncated: true,
      truncation: {
        direction: shown.direction,
        reason,
        max_lines: limits.maxLines === NO_LIMIT ? null : limits.maxLines,
        max_bytes: limits.maxBytes,
        ...(Number.isFinite(limits.maxChars) && { max_chars: limits.maxChars }),
        original_lines: scan.lines,
        original_bytes: bytes,
        original_chars: chars,
        kept_lines: shown.lines,
        kept_bytes: shown.bytes,
        full_output_path: info?.path ?? null,
        media_type: mediaType,
        ...(running && { running }),
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

const RUNNING_BYTES = 1024;

/** The end of an output that is already over the limits, while its tool is still running. Nothing is saved. */
export async function toRunningEnvelope(
  output: unknown,
  delivery: Delivery & { reason: TruncationEvent['reason'] },
): Promise<TruncatedOutput> {
  const { chunks, mediaType } = serialize(output, { indent: 2 });
  const scanner = createTextScan({ headChars: 0, tailChars: 2 * RUNNING_BYTES, findsSalientLines: false });
  const view = mediaType === 'application/json' ? new ViewText() : undefined;
  let bytes = 0;
  for await (const chunk of pace(chunks)) {
    bytes += byteLength(chunk);
    scanner.push(view?.push(chunk) ?? chunk);
  }
  const scan = scanner.finish();
  const { toolName, limits, reason } = delivery;
  const room = { maxLines: limits.maxLines, maxBytes: RUNNING_BYTES };
  const shown = await inTurns(previewInSteps({ scan }, { keep: 'tail', limits: room }));
  const text = runningNotice({ toolName, part: shown.part });
  return toEnvelope(delivery, { scan, reason, bytes, mediaType, shown, text, running: true });
}

const MAX_NAME = 128;
const MAX_BYTES = 2048;
const MAX_EXCERPT = 500;

/** The cost and the place of the call: from the envelope of the tool if they are short, otherwise our own. */
async function statsAndContext(
  { toolName, toolCallId, input, startedAt, endedAt = now() }: Delivery,
  { stats, context }: ToolOutcome,
): Promise<{ stats: ToolResponseStats; context: ToolResponseContext }> {
  const own = stats || context ? await boundedJson({ stats, context }) : undefined;
  const kept = isRecord(own) ? own : {};
  // A bounded output no longer bounds its own size.
  const { truncation_skip: _, cwd, path_resolved: path, ...keptContext } = isRecord(kept.context) ? kept.context : {};
  const pathResolved = projectPathOf(path);
  return {
    stats: { time_ms: Math.round(endedAt - startedAt), ...onlyNumbersAndText(kept.stats) },
    context: {
      cwd: projectPathOf(cwd) ?? '.',
      params_input: input === undefined ? {} : await boundedJson(input),
      ...(pathResolved !== undefined && { path_resolved: pathResolved }),
      ...keptContext,
      tool_name: firstChars(toolName, MAX_NAME),
      tool_call_id: firstChars(toolCallId, MAX_NAME),
    },
  };
}

/** A path of the server does not belong into a chat log. */
function projectPathOf(path: unknown): string | undefined {
  return typeof path === 'string' ? toProjectPath(path, undefined) : undefined;
}

function onlyNumbersAndText(stats: unknown): Record<string, number | string> {
  if (!isRecord(stats)) return {};
  const entries = Object.entries(stats).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  return Object.fromEntries(entries) as Record<string, number | string>;
}

/** A value of up to 2 KiB as plain JSON. For a larger value, its first characters. */
async function boundedJson(value: unknown): Promise<unknown> {
  const isText = typeof value === 'string';
  let beginning = isText ? firstChars(value, MAX_BYTES + 1) : '';
  for await (const chunk of pace(isText ? [] : serialize(value).chunks)) {
    beginning += chunk;
    if (beginning.length > MAX_BYTES) break;
  }
  const json = isText ? JSON.stringify(beginning) : beginning;
  return byteLength(json) <= MAX_BYTES ? JSON.parse(json) : firstChars(beginning, MAX_EXCERPT);
}
