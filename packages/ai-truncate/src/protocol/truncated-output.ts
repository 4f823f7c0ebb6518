import { isRecord } from './guards.ts';
import type { ToolResponse } from './tool-response.ts';

/** Which part of an output a preview shows. */
export type PreviewDirection = 'head' | 'tail' | 'ends' | 'auto' | 'summary' | 'custom';

/** How an output was cut. Keys are snake_case like everything inside the envelope. */
export interface Truncation {
  direction: PreviewDirection;
  /** The limit that was hit. */
  reason: 'lines' | 'bytes' | 'chars';
  max_lines: number;
  max_bytes: number;
  original_lines: number;
  original_bytes: number;
  original_chars: number;
  /** Lines and bytes of the preview. */
  kept_lines: number;
  kept_bytes: number;
  /** Where every byte is; `null` when the output could not be stored. */
  full_output_path: string | null;
  media_type: string;
  /** The tool was still working: another output takes the place of this one. */
  running?: true;
  /** When the stored output may be deleted, ISO 8601; absent when nothing was stored. */
  expires_at?: string;
}

/**
 * What stands in place of an output that is too large: bounded, plain JSON, and self-explaining even where a later
 * request replays it without the tools.
 */
export interface TruncatedOutput
  extends ToolResponse<{
    truncated: true;
    truncation: Truncation;
    preview: string;
    /** File parts of the tool's own model output; present only then. */
    media?: unknown[];
  }> {
  status: 'partial' | 'error';
}

/** Tells a `TruncatedOutput` from a tool's own output, also after a round trip through JSON. */
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

/** How AI SDK 6 and 7 call `toModelOutput`. */
export interface ModelOutputCall {
  toolCallId: string;
  input: unknown;
  output: unknown;
}

/**
 * The call that an argument of `toModelOutput` stands for. AI SDK 6 and 7 pass a call with three members; AI SDK 5, and frameworks
 * that kept its signature, pass the output itself. Only an argument that has all three members is a call: an output often has an
 * `output` or an `input`, and further members may come with a later version of the SDK.
 */
export function modelOutputCallOf(argument: unknown): ModelOutputCall {
  try {
    if (isRecord(argument) && CALL_MEMBERS.every((name) => Object.hasOwn(argument, name))) {
      const { toolCallId, input, output } = argument;
      if (typeof toolCallId === 'string') return { toolCallId, input, output };
    }
  } catch {
    // An output that cannot be looked at is an output all the same.
  }
  return { toolCallId: '', input: undefined, output: argument };
}

const CALL_MEMBERS: readonly string[] = ['toolCallId', 'input', 'output'];

const REGISTRY = Symbol.for('ai-truncate.own-envelopes');

type Registry = typeof globalThis & { [REGISTRY]?: WeakSet<object> };

/** One for the process: a bundle can hold two copies of this module. */
function envelopes(): WeakSet<object> {
  const registry = globalThis as Registry;
  registry[REGISTRY] ??= new WeakSet();
  return registry[REGISTRY];
}

/**
 * Marks an envelope that this package built, or a function that bounds what it gives. The mark is beside the object, not in it, so that nothing that a tool relays
 * (a page, a file, another server's answer) can carry it: only code that runs here can.
 */
export function markOwn<Envelope extends object>(envelope: Envelope): Envelope {
  envelopes().add(envelope);
  return envelope;
}

/** Whether this package built it, in this process: after a round trip through JSON it is anyone's. */
export function isOwn(value: unknown): boolean {
  if (typeof value !== 'object' && typeof value !== 'function') return false;
  return value !== null && envelopes().has(value);
}
