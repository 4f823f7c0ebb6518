import { abandon } from '../artifacts/artifact-content.ts';
import { ArtifactTooLargeError } from '../artifacts/artifacts.ts';
import { DEFAULT_MAX_ARTIFACT_BYTES } from '../artifacts/save-artifact.ts';
import { type OutputSave, type SaveOutcome, saveOutput } from '../artifacts/save-output.ts';
import { now } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { MAX_DEPTH } from '../json/json-scanner.ts';
import { requireOption } from '../options.ts';
import { inTurn, pace } from '../pace.ts';
import { createOutputScanner, type ScannedOutput } from '../preview/choose-preview.ts';
import { exceededLimit } from '../preview/limits.ts';
import { byteLength, bytePieces, countLines, isHighSurrogate } from '../text/utf.ts';
import { type CapturedValue, MAX_PIECE_BYTES } from './captured-value.ts';
import type { Delivery } from './delivery.ts';
import type { TruncationEvent } from './events.ts';
import { measureOutput } from './measure-output.ts';
import type { ToolOutcome } from './tool-error.ts';

/** An output that was read: its saved artifact, if the store worked, and the material for its preview. */
export interface SavedOutput {
  scanned: ScannedOutput;
  mediaType: string;
  outcome: SaveOutcome | UnsavedByChoice;
  /** Bytes of the whole output, as it is saved. */
  bytes: number;
  /** The output was read to its end. */
  isComplete: boolean;
  /** The tool changed the output after it had returned it, so nothing is saved. */
  hasChanged: boolean;
}

/** An output over a limit, with everything that its envelope contains. */
export interface OversizedOutput extends SavedOutput {
  reason: TruncationEvent['reason'];
  /** The output's own status. */
  reported?: ToolOutcome | undefined;
  media?: readonly unknown[] | undefined;
}

/** The application does not save outputs of this tool. */
interface UnsavedByChoice {
  status: 'by choice';
}

/** A save, or the choice not to save. */
type Saving = Pick<OutputSave, 'save'> & { finish(): Promise<SavedOutput['outcome']> };

/** Starts the save of one output. */
async function startSaving(
  { storage, isSaved = true, toolName, toolCallId, abortSignal, redaction }: Delivery,
  content: { mediaType: string; isValue?: boolean },
): Promise<Saving> {
  if (!isSaved) return { save: undefined, finish: async () => ({ status: 'by choice' }) };
  return saveOutput({ ...storage, toolName, toolCallId, abortSignal, redacted: redaction?.counts, ...content });
}

/** More than any text has. Objects that share their parts may represent endless text. */
const MAX_VALUE_CHARS = 1024 ** 3;
/** A value that is too large to be saved is read up to this size for its preview. */
const MAX_UNSAVED_CHARS = 64 * 1024 ** 2;

/** Saves and scans a complete output in one pass. A value is saved indented, so that line tools work. */
export async function saveAndScan(captured: CapturedValue, delivery: Delivery): Promise<SavedOutput> {
  const { mediaType } = captured;
  const isValue = mediaType === 'application/json';
  const scanner = createOutputScanner(delivery.limits, { isValue, terms: delivery.terms });
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const { save, finish } = await startSaving(delivery, { mediaType, isValue });
  const maxValueChars = Math.max(MAX_VALUE_CHARS, delivery.storage.maxArtifactBytes ?? 0);
  let chars = 0;
  let isComplete = true;
  for await (const chunk of pace(captured.chunks)) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    chars += text.length;
    const isTooLarge = ArtifactTooLargeError.isInstance(save?.failure);
    isComplete = !isValue || chars <= (isTooLarge ? MAX_UNSAVED_CHARS : maxValueChars);
    if (!isComplete) break;
    await scanner.push(text);
    await save?.write(chunk);
  }
  await scanner.push(decoder.decode());
  if (!isComplete) save?.abandon(new ArtifactTooLargeError(maxValueChars));
  if (captured.isTooDeep?.()) {
    isComplete = false;
    // The same code as for any output that is larger than an artifact may be.
    save?.abandon(new AiTruncateError(TOO_DEEP, { code: 'ARTIFACT_TOO_LARGE' }));
  }
  const hasChanged = await inTurn(captured.hasChanged);
  if (hasChanged) save?.abandon(new AiTruncateError(CHANGED, { code: 'OUTPUT_CHANGED' }));
  const outcome = await finish();
  const scanned = await scanner.finish();
  const { bytes = scanned.value?.bytes ?? scanned.scan.bytes } = captured;
  return { scanned, mediaType, outcome, bytes, isComplete, hasChanged };
}

const TOO_DEEP = `The output is nested deeper than ${MAX_DEPTH} levels, so it was not saved. Return a flatter value, or a string.`;
const CHANGED =
  'The tool changed its output after it had returned it, so it was not saved. Return a copy, a stream or a string.';

/** A stream over the limits, and the time of its end. */
export interface ReadStream extends OversizedOutput {
  endedAt: number;
}

/** Reads a stream to its end. Within the limits it becomes its text; over the limits it is saved while it flows. */
export async function readStream(stream: OutputStream, delivery: Delivery): Promise<string | ReadStream> {
  const { limits, abortSignal } = delivery;
  const { maxArtifactBytes: maxBytes = DEFAULT_MAX_ARTIFACT_BYTES } = delivery.storage;
  const scanner = createOutputScanner(limits, { terms: delivery.terms });
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The size of all chunks, as the model would see them. */
  const size = { lines: 1, bytes: 0, chars: 0 };
  /** Bytes that are not text are saved unchanged, but become more bytes as text. */
  let bytesOnlyRead = 0;
  /** The first half of a pair whose second half may be in the next chunk. */
  let openHalf = '';
  /** All chunks, until the output is over a limit. */
  let held: (string | Uint8Array)[] = [];
  let texts: string[] = [];
  let kept: Saving | undefined;

  function measure(chunk: string | Uint8Array, text: string): void {
    const whole = openHalf + text;
    // Half a pair has three bytes and a pair four, so an output over a limit stays over it.
    size.bytes += byteLength(whole) - byteLength(openHalf);
    openHalf = isHighSurrogate(whole.charCodeAt(whole.length - 1)) ? whole.slice(-1) : '';
    size.chars += text.length;
    size.lines += countLines(text) - 1;
    if (typeof chunk !== 'string') bytesOnlyRead += byteLength(text) - chunk.length;
  }

  async function take(chunk: string | Uint8Array, text: string): Promise<void> {
    measure(chunk, text);
    const scanned = scanner.push(text);
    if (kept) await kept.save?.write(chunk);
    else {
      // A copy, because the source may fill the same buffer again. `slice` of a Node `Buffer` does not copy.
      held.push(typeof chunk === 'string' ? chunk : new Uint8Array(chunk));
      texts.push(text);
    }
    await scanned;
    // An output that is only over another limit may still pass unchanged, which is known at its end.
    if (!kept && size.bytes > limits.previewBytes && exceededLimit(limits, size)) await save();
  }

  async function save(): Promise<Saving> {
    kept = await startSaving(delivery, { mediaType: 'text/plain' });
    for (const part of held) await kept.save?.write(part);
    held = [];
    texts = [];
    return kept;
  }

  /**
   * Text ends a character that bytes have started. It is saved like this, but a decoder would end the character after the text.
   */
  async function endCharacter(): Promise<void> {
    const rest = decoder.decode();
    if (rest !== '') await take(new Uint8Array(), rest);
  }

  let isComplete = true;
  try {
    for await (const chunk of pace<unknown>(stream, { abortSignal })) {
      const part = toStreamChunk(chunk);
      requireOption(part !== undefined, { option: 'output', value: chunk, expected: 'a stream of text or bytes' });
      if (typeof part === 'string') {
        await endCharacter();
        await take(part, part);
      } else {
        for (const piece of bytePieces(part, MAX_PIECE_BYTES)) {
          // A pace cannot cut an `ArrayBuffer` or a view of one.
          await inTurn(() => take(piece, decoder.decode(piece, { stream: true })));
        }
      }
      // Nothing will be saved, and the stream may be endless.
      const isUnsaved = kept !== undefined && kept.save === undefined && size.bytes > maxBytes;
      if (isUnsaved || ArtifactTooLargeError.isInstance(kept?.save?.failure)) {
        isComplete = false;
        break;
      }
    }
    await endCharacter();
  } catch (error) {
    // The failure belongs to the tool, so nothing is saved.
    kept?.save?.abandon(error);
    abandon(stream);
    throw error;
  }
  const endedAt = now();
  const reason = exceededLimit(limits, size);
  const text = texts.join('');
  if (!reason) return text;
  if (!kept && !(await measureOutput(text, limits)).reason) return text;
  const saving = kept ?? (await save());
  const outcome = await saving.finish();
  const scanned = await scanner.finish();
  const bytes = size.bytes - bytesOnlyRead;
  return { reason, scanned, mediaType: 'text/plain', outcome, bytes, isComplete, hasChanged: false, endedAt };
}

/** A chunk of a stream of text or bytes; `undefined` for everything else. */
export function toStreamChunk(chunk: unknown): string | Uint8Array | undefined {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk;
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return undefined;
}

/** An output that arrives piece by piece: a web stream or a Node `Readable`. */
export type OutputStream = AsyncIterable<string | Uint8Array>;

/**
 * Whether an output is a stream, whose text has not arrived yet. An async iterable alone is not a stream, because it may be a
 * value.
 */
export function isOutputStream(output: unknown): output is OutputStream {
  if (typeof output !== 'object' || output === null) return false;
  try {
    return isWebStream(output) || isNodeStream(output);
  } catch {
    // A value that cannot be inspected is delivered as a value, and its text says so.
    return false;
  }
}

/** Checks all members, because an object with only `getReader` is a value, and `instanceof` fails for a stream of another realm. */
function isWebStream(output: object): boolean {
  const { getReader, cancel, tee, locked } = output as Partial<
    Record<'getReader' | 'cancel' | 'tee' | 'locked', unknown>
  >;
  return [getReader, cancel, tee].every(isFunction) && typeof locked === 'boolean';
}

function isNodeStream(output: object): boolean {
  const { pipe, on, [Symbol.asyncIterator]: iterator } = output as Record<string | symbol, unknown>;
  return [pipe, on, iterator].every(isFunction);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
