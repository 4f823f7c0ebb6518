import { pace } from '../pace.ts';
import { byteLength } from '../truncation/byte-length.ts';
import { compactJson } from '../truncation/compact-json.ts';
import { exceededByText } from '../truncation/output-text.ts';
import { PlainProbe } from '../truncation/plain-subtree.ts';
import { serialize } from '../truncation/serialize.ts';
import { exceededLimit, type ResolvedLimits } from '../truncation/truncation-limits.ts';
import type { TruncationEvent } from './truncation-event.ts';

/** The limit that an output is over; or, when it is within all of them, what can be sent of it. */
export type MeasuredOutput = { reason: TruncationEvent['reason'] } | { reason?: undefined; deliverable: unknown };

/**
 * A string is measured as text, everything else as the compact JSON that the SDK would send. What JSON cannot carry, or
 * only at many times its size, can be sent as text.
 */
export async function measureOutput(output: unknown, limits: ResolvedLimits): Promise<MeasuredOutput> {
  if (typeof output === 'string') {
    const reason = exceededByText(output, limits);
    return reason ? { reason } : { deliverable: output };
  }
  const plainJson = smallPlainJson(output);
  if (plainJson !== undefined) {
    const reason = exceededByJson(plainJson, limits);
    return reason ? { reason } : { deliverable: output };
  }
  const measured = await measureValue(output, limits);
  if (measured.reason) return measured;
  // What JSON writes otherwise than we do (the bytes of a Buffer, the holes of an array) may be far larger than it was measured.
  const json = compactJson(output, limits.maxBytes);
  const isCarried = json !== undefined && exceededByJson(json, limits) === undefined;
  return isCarried ? { deliverable: output } : { deliverable: measured.text };
}

const QUICK_PROBE = { nodes: 4096, levels: 32 };
const noAncestors = (): boolean => false;

/** The usual case, in microseconds: the walk below can do everything and takes its time. */
function smallPlainJson(value: unknown): string | undefined {
  if (new PlainProbe(noAncestors).countNodes(value, QUICK_PROBE) === undefined) return undefined;
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    // A getter may answer differently when it is asked again.
    return undefined;
  }
}

async function measureValue(
  value: unknown,
  limits: ResolvedLimits,
): Promise<{ reason: TruncationEvent['reason'] } | { reason?: undefined; text: string }> {
  const size = { lines: 0, bytes: 0, chars: 0 };
  const texts: string[] = [];
  for await (const chunk of pace(serialize(value).chunks)) {
    size.bytes += byteLength(chunk);
    size.chars += chunk.length;
    // Of several limits this one is named, so that a value over another alone is read on, to the end or to this one.
    if (size.bytes > limits.maxBytes) return { reason: 'bytes' };
    texts.push(chunk);
  }
  const reason = exceededLimit(limits, size);
  return reason ? { reason } : { text: texts.join('') };
}

/** A value has no lines. */
function exceededByJson(json: string, limits: ResolvedLimits): TruncationEvent['reason'] | undefined {
  return exceededLimit(limits, { lines: 0, bytes: byteLength(json), chars: json.length });
}
