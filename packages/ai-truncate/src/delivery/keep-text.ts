import { type KeepOutputOptions, keepOutput } from '../artifacts/keep-output.ts';
import type { SaveOutcome } from '../artifacts/live-save.ts';
import { pace } from '../pace.ts';
import type { ScannedOutput } from '../truncation/preview.ts';
import { serialize } from '../truncation/serialize.ts';
import type { Delivery } from './delivery.ts';
import { createOutputScanner } from './output-scanner.ts';

const DEFAULT_SAVE_TIMEOUT_MS = 10_000;

export function toKeepOptions(delivery: Delivery): Omit<KeepOutputOptions, 'mediaType'> {
  const { keeping, toolName, toolCallId, abortSignal } = delivery;
  const { store, scope, maxArtifactBytes, retentionDays, saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS } = keeping;
  return { store, scope, toolName, toolCallId, maxArtifactBytes, retentionDays, saveTimeoutMs, abortSignal };
}

export interface KeptText {
  scanned: ScannedOutput;
  mediaType: string;
  outcome: SaveOutcome;
}

/** Keeps an output that is there already, and scans it on the way. A value is kept indented, so that line tools work. */
export async function keepText(output: unknown, delivery: Delivery): Promise<KeptText> {
  const { chunks, mediaType } = serialize(output, { indent: 2 });
  const scanner = createOutputScanner(delivery.limits);
  const kept = await keepOutput({ ...toKeepOptions(delivery), mediaType });
  for await (const chunk of pace(chunks)) {
    scanner.push(chunk);
    await kept.save?.write(chunk);
  }
  const outcome = await kept.finish();
  return { scanned: await scanner.finish(), mediaType, outcome };
}
