import { ArtifactTooLargeError } from '../artifacts/artifacts.ts';
import { type SaveOutcome, type SaveOutputOptions, saveOutput } from '../artifacts/save-output.ts';
import { DEFAULT_SAVE_TIMEOUT_MS } from '../artifacts/storage-options.ts';
import { inTurn, pace } from '../pace.ts';
import type { ScannedOutput } from '../preview/preview.ts';
import { bytePieces } from '../text/utf.ts';
import { type CapturedValue, captureValue, copyOfBytes, OutputChangedError } from './captured-value.ts';
import type { Delivery } from './delivery.ts';
import { createOutputScanner } from './output-scanner.ts';

export function toKeepOptions(delivery: Delivery): Omit<SaveOutputOptions, 'mediaType'> {
  const { keeping, toolName, toolCallId, abortSignal } = delivery;
  const { store, scope, maxArtifactBytes, retentionDays, sweep, onSweep } = keeping;
  const { saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS } = keeping;
  const how = { maxArtifactBytes, retentionDays, sweep, onSweep, saveTimeoutMs };
  return { store, scope, toolName, toolCallId, ...how, abortSignal };
}

export interface KeptText {
  scanned: ScannedOutput;
  mediaType: string;
  outcome: SaveOutcome;
  /** Of the whole output, as it is kept. */
  bytes: number;
  /** The output was read to its end. */
  isComplete: boolean;
  /** The tool changed the output after it had returned it, so that nothing of it is saved. */
  hasChanged: boolean;
}

/** More than any text has. Objects that share their parts may stand for far more than there is, and would never end. */
const MAX_VALUE_CHARS = 1024 ** 3;
/** What is too large to be kept is read so far for the sake of its preview. */
const MAX_UNKEPT_CHARS = 64 * 1024 ** 2;

/** Keeps an output that is there already, and scans it on the way. A value is kept indented, so that line tools work. */
export async function keepText(
  output: unknown,
  delivery: Delivery & { captured?: CapturedValue | undefined },
): Promise<KeptText> {
  const { captured = captureValue(output) } = delivery;
  const { mediaType } = captured;
  const scanner = createOutputScanner(delivery.limits);
  const kept = await saveOutput({ ...toKeepOptions(delivery), mediaType });
  const maxValueChars = Math.max(MAX_VALUE_CHARS, delivery.keeping.maxArtifactBytes ?? 0);
  let chars = 0;
  let isComplete = true;
  for await (const chunk of pace(captured.chunks)) {
    chars += chunk.length;
    const isTooLarge = ArtifactTooLargeError.isInstance(kept.save?.failure);
    isComplete = typeof output === 'string' || chars <= (isTooLarge ? MAX_UNKEPT_CHARS : maxValueChars);
    if (!isComplete) break;
    scanner.push(chunk);
    await kept.save?.write(chunk);
  }
  if (!isComplete) kept.save?.abandon(new ArtifactTooLargeError(maxValueChars));
  const hasChanged = await inTurn(captured.hasChanged);
  if (hasChanged) kept.save?.abandon(new OutputChangedError());
  const outcome = await kept.finish();
  const scanned = await scanner.finish();
  return { scanned, mediaType, outcome, bytes: scanned.scan.bytes, isComplete, hasChanged };
}

/**
 * A save waits for each piece. The text of a megabyte would be outside the heap, where the engine lets forty of them gather before
 * it collects; and a store would get several chunks of it, for each of which it may stand still.
 */
export const MAX_PIECE_BYTES: number = 64 * 1024;

/** The same for text that is there as bytes: they are kept as they are. */
export async function keepBytes(given: Uint8Array, delivery: Delivery): Promise<KeptText> {
  const { length } = given;
  // In bytes that are not copied, only a transfer is noticed.
  const output = copyOfBytes(given);
  const mediaType = 'text/plain';
  const scanner = createOutputScanner(delivery.limits);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const kept = await saveOutput({ ...toKeepOptions(delivery), mediaType });
  for await (const piece of pace(bytePieces(output, MAX_PIECE_BYTES))) {
    scanner.push(decoder.decode(piece, { stream: true }));
    await kept.save?.write(piece);
  }
  scanner.push(decoder.decode());
  const hasChanged = output.length !== length;
  if (hasChanged) kept.save?.abandon(new OutputChangedError());
  const outcome = await kept.finish();
  return { scanned: await scanner.finish(), mediaType, outcome, bytes: length, isComplete: true, hasChanged };
}
