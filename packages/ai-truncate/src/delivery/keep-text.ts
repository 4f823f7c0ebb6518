import { type KeepOutputOptions, keepOutput } from '../artifacts/keep-output.ts';
import type { SaveOutcome } from '../artifacts/live-save.ts';
import { pace, sharedSlice } from '../pace.ts';
import type { ScannedOutput } from '../truncation/preview.ts';
import { serialize } from '../truncation/serialize.ts';
import type { Delivery } from './delivery.ts';
import { createOutputScanner } from './output-scanner.ts';

export const DEFAULT_SAVE_TIMEOUT_MS = 10_000;

export function toKeepOptions(delivery: Delivery): Omit<KeepOutputOptions, 'mediaType'> {
  const { keeping, toolName, toolCallId, abortSignal } = delivery;
  const { store, scope, maxArtifactBytes, retentionDays, saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS } = keeping;
  return { store, scope, toolName, toolCallId, maxArtifactBytes, retentionDays, saveTimeoutMs, abortSignal };
}

export interface KeptText {
  scanned: ScannedOutput;
  mediaType: string;
  outcome: SaveOutcome;
  /** Of the whole output, as it is kept. */
  bytes: number;
}

/** Keeps an output that is there already, and scans it on the way. A value is kept indented, so that line tools work. */
export async function keepText(output: unknown, delivery: Delivery): Promise<KeptText> {
  const { chunks, mediaType } = serialize(output, { indent: 2 });
  const scanner = createOutputScanner(delivery.limits);
  const kept = await keepOutput({ ...toKeepOptions(delivery), mediaType });
  for await (const chunk of pace(chunks)) {
    // A pace knows of itself only, and outputs come by the thousand: right before the work, see `sharedSlice`.
    while (sharedSlice.isUsedUp()) await sharedSlice.next();
    scanner.push(chunk);
    await kept.save?.write(chunk);
  }
  const outcome = await kept.finish();
  const scanned = await scanner.finish();
  return { scanned, mediaType, outcome, bytes: scanned.scan.bytes };
}

/** The same for text that is there as bytes: they are kept as they are. */
export async function keepBytes(output: Uint8Array, delivery: Delivery): Promise<KeptText> {
  const mediaType = 'text/plain';
  const scanner = createOutputScanner(delivery.limits);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const kept = await keepOutput({ ...toKeepOptions(delivery), mediaType });
  for await (const piece of pace([output])) {
    while (sharedSlice.isUsedUp()) await sharedSlice.next();
    scanner.push(decoder.decode(piece, { stream: true }));
    await kept.save?.write(piece);
  }
  scanner.push(decoder.decode());
  const outcome = await kept.finish();
  return { scanned: await scanner.finish(), mediaType, outcome, bytes: output.length };
}
