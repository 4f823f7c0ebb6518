import { abandon, requireContent } from './artifacts/artifact-content.ts';
import { ArtifactTooLargeError } from './artifacts/artifact-errors.ts';
import { type KeepOutputOptions, type KeptOutput, keepOutput } from './artifacts/keep-output.ts';
import { InvalidOptionError } from './errors.ts';
import { pace, sharedSlice } from './pace.ts';
import type { TruncatedOutput } from './protocol/truncated-output.ts';
import { type Bounding, toTruncatedOutput } from './to-truncated-output.ts';
import {
  requireTruncateOutputOptions,
  type TruncateOutputOptions,
  type TruncationEvent,
} from './truncate-output-options.ts';
import { byteLength, isHighSurrogate } from './truncation/byte-length.ts';
import { compactJson } from './truncation/compact-json.ts';
import { createJsonSample } from './truncation/json-sample.ts';
import { exceededByText, isOutputStream, type OutputStream } from './truncation/output-text.ts';
import { type ScannedOutput, scanFor } from './truncation/preview.ts';
import { serialize } from './truncation/serialize.ts';
import { createTextScan } from './truncation/text-scan.ts';
import { countLines } from './truncation/truncate-text.ts';
import { exceededLimit, type ResolvedLimits, resolveLimits } from './truncation/truncation-limits.ts';

/** A stream arrives as its text. */
export type DeliveredOutput<OUTPUT> = OUTPUT extends
  | ReadableStream<infer _>
  | (AsyncIterable<unknown> & { pipe(...parameters: never[]): unknown })
  ? string
  : OUTPUT;

const DEFAULT_SAVE_TIMEOUT_MS = 10_000;

/**
 * The way of every output: one within the limits is given back as it is; of one over them every byte is kept, and a bounded
 * `TruncatedOutput` takes its place. A store that is broken, full, slow or missing costs the path, never the result.
 *
 * A string and a stream are measured as text, everything else as compact JSON. A small value that JSON cannot carry (a cycle, a
 * BigInt) arrives as text, because the SDK would reject the whole run for it.
 *
 * @example
 * const result = await truncateOutput(await readServerLogs(), { store, scope: chatId, toolName: 'readServerLogs', toolCallId });
 */
export async function truncateOutput<OUTPUT>(
  output: OUTPUT,
  options: TruncateOutputOptions,
): Promise<DeliveredOutput<OUTPUT> | TruncatedOutput> {
  const bounding = toBounding(options);
  const bound = isOutputStream(output) ? boundStream(output, bounding) : boundValue(output, bounding);
  return bound as Promise<DeliveredOutput<OUTPUT> | TruncatedOutput>;
}

function toBounding(options: TruncateOutputOptions): Bounding {
  requireTruncateOutputOptions(options);
  return { options, limits: resolveLimits(options), startedAt: performance.now() };
}

function toKeepOptions({ options }: Bounding): Omit<KeepOutputOptions, 'mediaType'> {
  return { ...options, saveTimeoutMs: options.saveTimeoutMs ?? DEFAULT_SAVE_TIMEOUT_MS };
}

async function boundValue(output: unknown, bounding: Bounding): Promise<unknown> {
  const { limits } = bounding;
  if (typeof output === 'string') {
    const reason = exceededByText(output, limits);
    return reason ? boundText(serialize(output), { ...bounding, reason }) : output;
  }
  const measured = await measureValue(output, limits);
  if (measured.reason) {
    return boundText(serialize(output, { indent: 2 }), { ...bounding, reason: measured.reason });
  }
  // What JSON writes otherwise than we do (the bytes of a Buffer, the holes of an array) may be far larger than it was measured.
  const json = compactJson(output, limits.maxBytes);
  const isCarried = json !== undefined && exceededLimit(limits, sizeOfJson(json)) === undefined;
  return isCarried ? output : measured.text;
}

type Measured = { reason: TruncationEvent['reason'] } | { reason?: undefined; text: string };

/** The compact JSON of a value, or the limit that it is over. */
async function measureValue(value: unknown, limits: ResolvedLimits): Promise<Measured> {
  const size = { lines: 0, bytes: 0, chars: 0 };
  const texts: string[] = [];
  for await (const chunk of pace(serialize(value).chunks)) {
    size.bytes += byteLength(chunk);
    size.chars += chunk.length;
    const reason = exceededLimit(limits, size);
    if (reason) return { reason };
    texts.push(chunk);
  }
  return { text: texts.join('') };
}

/** A value has no lines. */
function sizeOfJson(json: string): { lines: number; bytes: number; chars: number } {
  return { lines: 0, bytes: byteLength(json), chars: json.length };
}

/** Keeps and scans a text that is over a limit already. */
async function boundText(
  { chunks, mediaType }: { chunks: Iterable<string>; mediaType: string },
  bounding: Bounding & { reason: TruncationEvent['reason'] },
): Promise<TruncatedOutput> {
  const scanner = createScanner(bounding.limits);
  const kept = await keepOutput({ ...toKeepOptions(bounding), mediaType });
  for await (const chunk of pace(chunks)) {
    scanner.push(chunk);
    await kept.save?.write(chunk);
  }
  const outcome = await kept.finish();
  const output = await scanner.finish();
  return toTruncatedOutput(output, { ...bounding, mediaType, outcome, bytes: output.scan.bytes });
}

/** Reads a stream to its end: within the limits it becomes its text, over them it is kept while it flows. */
async function boundStream(stream: OutputStream, bounding: Bounding): Promise<string | TruncatedOutput> {
  const { limits, options } = bounding;
  requireContent(stream);
  const scanner = createScanner(limits);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const size = { lines: 1, bytes: 0, chars: 0 };
  /** The first half of a pair whose second half comes with the next chunk. */
  let heldBack = '';
  /** All that came, until it is over a limit. */
  let held: (string | Uint8Array)[] = [];
  let texts: string[] = [];
  let kept: KeptOutput | undefined;

  function measure(chunk: string | Uint8Array, text: string): void {
    const whole = heldBack + text;
    heldBack = isHighSurrogate(whole.charCodeAt(whole.length - 1)) ? whole.slice(-1) : '';
    // Of bytes, those that are kept: what is no text becomes more when it is read as text.
    size.bytes += typeof chunk === 'string' ? byteLength(whole) - byteLength(heldBack) : chunk.length;
    size.chars += text.length;
    size.lines += countLines(text) - 1;
  }

  async function take(chunk: string | Uint8Array, text: string): Promise<void> {
    scanner.push(text);
    measure(chunk, text);
    if (kept) return kept.save?.write(chunk);
    held.push(typeof chunk === 'string' ? chunk : chunk.slice());
    texts.push(text);
    if (!exceededLimit(limits, size)) return;
    kept = await keepOutput({ ...toKeepOptions(bounding), mediaType: 'text/plain' });
    for (const part of held) await kept.save?.write(part);
    held = [];
    texts = [];
  }

  try {
    for await (const chunk of pace<unknown>(stream, { abortSignal: options.abortSignal })) {
      const part = toPart(chunk);
      await take(part, typeof part === 'string' ? part : decoder.decode(part, { stream: true }));
      // Nothing of it will be kept, and it may have no end.
      if (ArtifactTooLargeError.isInstance(kept?.save?.failure)) break;
    }
    await take('', decoder.decode());
    size.bytes += byteLength(heldBack);
  } catch (error) {
    // The tool's own failure, and nothing of it is kept.
    kept?.save?.abandon(error);
    abandon(stream);
    throw error;
  }
  const reason = exceededLimit(limits, size);
  if (!kept || !reason) return texts.join('');
  const outcome = await kept.finish();
  const output = await scanner.finish();
  return toTruncatedOutput(output, { ...bounding, reason, mediaType: 'text/plain', outcome, bytes: size.bytes });
}

function toPart(chunk: unknown): string | Uint8Array {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk;
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new InvalidOptionError({ option: 'output', value: chunk, expected: 'a stream of text or bytes' });
}

interface Scanner {
  push(text: string): void;
  finish(): Promise<ScannedOutput>;
}

/** Learns what a preview is chosen from. */
function createScanner(limits: ResolvedLimits): Scanner {
  const scan = createTextScan(scanFor(limits));
  const sample = limits.keep === 'auto' ? createJsonSample() : undefined;
  return {
    push(text) {
      scan.push(text);
      sample?.push(text);
    },
    async finish() {
      const output = { scan: scan.finish(), json: sample?.finish() };
      // The document of a sample takes a while, and so does the preview that comes next.
      while (sharedSlice.isUsedUp()) await sharedSlice.next();
      return output;
    },
  };
}
