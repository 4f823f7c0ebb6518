import { isRecord } from './guards.ts';
import type { ToolEnvelope, ToolResponseError } from './tool-response.ts';

/** The part of an output that a preview shows. */
export type PreviewDirection = 'head' | 'tail' | 'ends' | 'auto' | 'summary' | 'custom';

/** How an output was truncated. Keys are snake_case, like everything inside the envelope. */
export interface Truncation {
  direction: PreviewDirection;
  /** The limit that was hit. */
  reason: 'lines' | 'bytes' | 'chars';
  /** `null` if the number of lines is not limited. */
  max_lines: number | null;
  max_bytes: number;
  /** Present if the number of characters is limited. */
  max_chars?: number;
  original_lines: number;
  original_bytes: number;
  original_chars: number;
  /** Lines and bytes of the preview. */
  kept_lines: number;
  kept_bytes: number;
  /** The path of the full output; `null` if it could not be saved. */
  full_output_path: string | null;
  media_type: string;
  /** The tool was still running, so another output will replace this one. */
  running?: true;
  /** The time after which the saved output may be deleted, as ISO 8601; absent if it was not saved. */
  expires_at?: string;
}

/**
 * The replacement of an output over the limits. It is bounded, plain JSON, and understandable even if a later request replays
 * it without the tools.
 */
export interface TruncatedOutput
  extends ToolEnvelope<{
    truncated: true;
    truncation: Truncation;
    preview: string;
    /** File parts of the tool's own model output, if there are any. */
    media?: unknown[];
  }> {
  /** `error` for the output of a failed tool. The preview exists in either case. */
  status: 'partial' | 'error';
  error?: ToolResponseError;
}

/** Distinguishes a `TruncatedOutput` from a tool's own output, even after a round trip through JSON. */
export function isTruncatedOutput(value: unknown): value is TruncatedOutput {
  if (!isRecord(value) || !isRecord(value.data) || !isRecord(value.stats) || !isRecord(value.context)) return false;
  const { truncated, truncation, preview } = value.data;
  if (truncated !== true || !isRecord(truncation) || typeof preview !== 'string') return false;
  const { full_output_path: path, original_lines: lines, original_bytes: bytes } = truncation;
  return (
    (value.status === 'partial' || value.status === 'error') &&
    typeof value.text === 'string' &&
    (path === null || typeof path === 'string') &&
    typeof lines === 'number' &&
    typeof bytes === 'number'
  );
}

/** The parameter of `toModelOutput` in AI SDK 6 and 7. */
export interface ModelOutputCall {
  toolCallId: string;
  input: unknown;
  output: unknown;
}

/**
 * The call for an argument of `toModelOutput`. AI SDK 6 and 7 pass a call with three members. AI SDK 5, and frameworks that
 * copied its signature, pass the output itself. Only an argument with all three members is a call, because an output often has
 * an `output` or an `input`. Later versions of the SDK may add members.
 */
export function modelOutputCallOf(argument: unknown): ModelOutputCall {
  try {
    if (isRecord(argument) && CALL_MEMBERS.every((name) => Object.hasOwn(argument, name))) {
      const { toolCallId, input, output } = argument;
      if (typeof toolCallId === 'string') return { toolCallId, input, output };
    }
  } catch {
    // The output cannot be inspected, but it is still an output.
  }
  return { toolCallId: '', input: undefined, output: argument };
}

const CALL_MEMBERS: readonly string[] = ['toolCallId', 'input', 'output'];

const REGISTRY = Symbol.for('ai-truncate.own-envelopes');

type Registry = typeof globalThis & { [REGISTRY]?: WeakSet<object> };

/** One set for the whole process, because a bundle can contain two copies of this module. */
function envelopes(): WeakSet<object> {
  const registry = globalThis as Registry;
  registry[REGISTRY] ??= new WeakSet();
  return registry[REGISTRY];
}

/**
 * Marks an envelope that this package built, or a function that bounds its own result. The mark is not in the object, so that
 * text that a tool relays (a web page, a file, the answer of another server) can never carry it. Only code in this process can
 * set it.
 */
export function markOwn<Envelope extends object>(envelope: Envelope): Envelope {
  envelopes().add(envelope);
  return envelope;
}

/** Whether this package built the object in this process. After a round trip through JSON, anyone may have built it. */
export function isOwn(value: unknown): boolean {
  if (typeof value !== 'object' && typeof value !== 'function') return false;
  return value !== null && envelopes().has(value);
}
