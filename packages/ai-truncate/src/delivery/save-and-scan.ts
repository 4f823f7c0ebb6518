import { ArtifactTooLargeError } from '../artifacts/artifacts.ts';
import { type SaveOutcome, type SaveOutputOptions, saveOutput } from '../artifacts/save-output.ts';
import { AiTruncateError } from '../errors.ts';
import { MAX_DEPTH } from '../json/json-scanner.ts';
import { inTurn, pace } from '../pace.ts';
import { createOutputScanner, type ScannedOutput } from '../preview/choose-preview.ts';
import type { CapturedValue } from './captured-value.ts';
import type { Delivery } from './delivery.ts';

/** An output that was read: saved, if the store could, and with what its preview is chosen from. */
export interface SavedOutput {
  scanned: ScannedOutput;
  mediaType: string;
  outcome: SaveOutcome;
  /** Of the whole output, as it is saved. */
  bytes: number;
  /** The output was read to its end. */
  isComplete: boolean;
  /** The tool changed the output after it had returned it, so that nothing of it is saved. */
  hasChanged: boolean;
}

/** The options of the save of one output. */
export function toSaveOptions({
  keeping,
  toolName,
  toolCallId,
  abortSignal,
}: Delivery): Omit<SaveOutputOptions, 'mediaType'> {
  return { ...keeping, toolName, toolCallId, abortSignal };
}

/** More than any text has. Objects that share their parts may stand for far more than there is, and would never end. */
const MAX_VALUE_CHARS = 1024 ** 3;
/** A value that is too large to be saved is read so far for the sake of its preview. */
const MAX_UNSAVED_CHARS = 64 * 1024 ** 2;

/** Saves an output that is there already and scans it, in one pass. A value is saved indented, so that line tools work. */
export async function saveAndScan(captured: CapturedValue, delivery: Delivery): Promise<SavedOutput> {
  const { mediaType } = captured;
  const scanner = createOutputScanner(delivery.limits);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const { save, finish } = await saveOutput({ ...toSaveOptions(delivery), mediaType });
  const maxValueChars = Math.max(MAX_VALUE_CHARS, delivery.keeping.maxArtifactBytes ?? 0);
  let chars = 0;
  let isComplete = true;
  for await (const chunk of pace(captured.chunks)) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    chars += text.length;
    const isTooLarge = ArtifactTooLargeError.isInstance(save?.failure);
    isComplete = mediaType === 'text/plain' || chars <= (isTooLarge ? MAX_UNSAVED_CHARS : maxValueChars);
    if (!isComplete) break;
    scanner.push(text);
    await save?.write(chunk);
  }
  scanner.push(decoder.decode());
  if (!isComplete) save?.abandon(new ArtifactTooLargeError(maxValueChars));
  if (captured.isTooDeep?.()) {
    isComplete = false;
    // The same code as that of any output which is more than an artifact can be.
    save?.abandon(new AiTruncateError(TOO_DEEP, { code: 'ARTIFACT_TOO_LARGE' }));
  }
  const hasChanged = await inTurn(captured.hasChanged);
  if (hasChanged) save?.abandon(new AiTruncateError(CHANGED, { code: 'OUTPUT_CHANGED' }));
  const outcome = await finish();
  const scanned = await scanner.finish();
  const { bytes = scanned.scan.bytes } = captured;
  return { scanned, mediaType, outcome, bytes, isComplete, hasChanged };
}

const TOO_DEEP = `The output is nested deeper than ${MAX_DEPTH} levels, so nothing of it was saved. Return a flatter value, or a string.`;
const CHANGED =
  'The tool changed its output after it had returned it, so nothing of it was saved. Return a copy, or a stream or string.';
