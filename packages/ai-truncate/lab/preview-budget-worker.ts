// Checks a part of the fuzzed outputs of `preview-budget.ts`, in its own thread.
import { parentPort, workerData } from 'node:worker_threads';
import { callReader } from '../fixtures/call-reader.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { truncateText } from '../src/preview/truncate-text.ts';
import type { TruncatedOutput } from '../src/protocol/truncated-output.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { type Delivered, ways } from './fuzzed-delivery.ts';
import { type FuzzedLimits, fuzzedLimits, OUTPUTS_PER_LARGE, realLimits } from './fuzzed-limits.ts';
import { fuzzedOutput } from './fuzzed-output.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** Faults that must never occur, with their counts. */
const faults = {
  'over budget': 0,
  'with a hidden character': 0,
  'with a lone surrogate': 0,
  'JSON that does not parse': 0,
  'changed by a chat log': 0,
  'saved with other bytes': 0,
  thrown: 0,
};

/** Previews that claim to be JSON, and were parsed. Without any, the check for broken JSON would prove nothing. */
const parsed = { values: 0, texts: 0, records: 0 };

/** Answers of readers that found saved outputs. A reader that finds nothing has little to say. */
const read = { answers: 0 };

/**
 * Characters that can hide or reorder text. They are listed here again, because a gap in the library's own list would not show.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const LONE_SURROGATE = /\p{Surrogate}/u;

const READER_CHARS = 10_000;
const READER_JSON_CHARS = 22_000;
/** Every so many outputs, the readers are tested and the store is replaced. */
const OUTPUTS_PER_READING = 20;
const OUTPUTS_PER_STORE = 500;
const LARGE_CHARS = 2_000_000;
const LEAST_RECORDS = 5;

const { seed, count } = workerData as { seed: number; count: number };
parentPort?.postMessage(await fuzz(seed, count));

/** Sends outputs through every path, and checks each result. */
async function fuzz(seed: number, count: number): Promise<FuzzTally> {
  const random = seededRandom(seed);
  const names = Object.keys(ways);
  const tally: FuzzTally = { faults, parsed, read, replaced: 0, large: 0, first: undefined };
  let store = memoryStore();
  for (let index = 0; index < count; index++) {
    if (index % OUTPUTS_PER_STORE === 0) store = memoryStore();
    const isLarge = index % OUTPUTS_PER_LARGE === 0;
    const limits = isLarge ? random.oneOf(realLimits) : fuzzedLimits(random);
    const chars = isLarge
      ? limits.maxBytes + random.below(LARGE_CHARS - limits.maxBytes)
      : Math.floor(limits.maxBytes * (0.6 + random.next()));
    const output = fuzzedOutput(random, chars);
    const way = random.oneOf(names);
    try {
      const set = random.next() < 0.3 ? {} : ({ readers: false } as const);
      const delivered = await ways[way]?.(output, { store, limits, set });
      const saved = delivered && (await savedJson(delivered, store));
      const found = delivered ? faultsOf(delivered, { limits, output, saved }) : [];
      if (delivered && !(await isKeptAsItWas(delivered, store))) found.push('saved with other bytes');
      if (delivered?.text !== undefined) tally[isLarge ? 'large' : 'replaced']++;
      if (typeof output === 'string') found.push(...faultsOfText(output, limits));
      const envelope = delivered?.envelopes.find(({ data }) => data.truncation.full_output_path !== null);
      if (envelope && (isLarge || index % OUTPUTS_PER_READING === 0))
        found.push(...(await faultsOfReaders(envelope, { store, random })));
      for (const fault of found) faults[fault]++;
      if (found.length > 0) tally.first ??= `seed ${seed}, ${way}, output ${index}: ${found[0]}`;
    } catch (error) {
      faults.thrown++;
      tally.first ??= `seed ${seed}, ${way}, output ${index}: ${error}`;
    }
  }
  return tally;
}

type Fault = keyof typeof faults;

export interface FuzzTally {
  faults: typeof faults;
  parsed: typeof parsed;
  read: typeof read;
  /** Outputs that were replaced by a preview. */
  replaced: number;
  large: number;
  /** The first fault, to find its cause. */
  first: string | undefined;
}

/** The JSON of a value as it was saved, or the value itself when nothing was saved. */
interface Given {
  limits: FuzzedLimits;
  output: unknown;
  saved: unknown;
}

function faultsOf(delivered: Delivered, { limits, output, saved }: Given): Fault[] {
  const { text, textAgain, envelopes, whole } = delivered;
  const found: Fault[] = text === undefined ? [] : faultsOfShown(text, limits.previewBytes);
  if (whole && isOver(whole, limits)) found.push('over budget');
  if (textAgain !== undefined && textAgain !== text) found.push('changed by a chat log');
  for (const envelope of envelopes) {
    const { media: _, ...data } = envelope.data;
    const json = JSON.stringify({ ...envelope, data });
    if (Buffer.byteLength(json) > 2 * limits.previewBytes + 8192) found.push('over budget');
    if (areShrunkRecords(envelope, { output, limits })) {
      parsed.records++;
      if (!envelope.data.preview.split('\n').every(parses)) found.push('JSON that does not parse');
    }
    if (!isShrunkJson(envelope, { output, limits, saved })) continue;
    parsed[typeof output === 'string' ? 'texts' : 'values']++;
    if (!parses(envelope.data.preview)) found.push('JSON that does not parse');
  }
  return found;
}

/** Whether a preview should be a smaller document: of a value or a JSON text with more bytes than fit. */
function isShrunkJson({ data }: TruncatedOutput, { output, limits, saved }: Given): boolean {
  const { media_type: mediaType, reason, direction, original_bytes: bytes } = data.truncation;
  if (direction !== 'auto' || reason !== 'bytes') return false;
  if (typeof output !== 'string') return mediaType === 'application/json' && !isMostlyText(saved);
  const isPart = bytes !== Buffer.byteLength(output);
  if (isPart || !/^[[{]/.test(output) || !parses(output)) return false;
  // If only its white space is too large, its own lines are shown.
  return Buffer.byteLength(JSON.stringify(JSON.parse(output))) > limits.previewBytes;
}

/** Whether a value is shown as text: strings of at least 4 KiB with a line break are at least half of it. */
function isMostlyText(value: unknown): boolean {
  const written = (part: unknown): number => Buffer.byteLength(JSON.stringify(part, null, 2) ?? 'null');
  const longTexts = (part: unknown): number => {
    if (typeof part === 'string') return part.includes('\n') && written(part) - 2 >= 4096 ? written(part) - 2 : 0;
    if (typeof part !== 'object' || part === null) return 0;
    return Object.values(part).reduce((sum: number, member) => sum + longTexts(member), 0);
  };
  return longTexts(value) * 2 >= written(value);
}

async function savedJson({ envelopes }: Delivered, store: ArtifactStore): Promise<unknown> {
  const { full_output_path: path, media_type: mediaType } = envelopes.at(-1)?.data.truncation ?? {};
  if (!path || mediaType !== 'application/json') return undefined;
  const stream = await scopedArtifacts(store, { scope: 'lab' }).readStream(path);
  return JSON.parse(await new Response(stream).text());
}

/** Whether each line of a preview should be JSON: for NDJSON whose records are no longer than the shown part of one. */
function areShrunkRecords(
  { data }: TruncatedOutput,
  { output, limits }: { output: unknown; limits: FuzzedLimits },
): boolean {
  const { reason, direction, original_bytes: bytes } = data.truncation;
  if (typeof output !== 'string' || direction !== 'auto' || reason !== 'bytes') return false;
  // Too little room for both ends, a gap and important lines.
  if ((limits.maxLines ?? LEAST_RECORDS) < LEAST_RECORDS || limits.maxChars !== undefined) return false;
  const lines = output.split('\n');
  const isPart = bytes !== Buffer.byteLength(output);
  return !isPart && lines.length > 1 && lines.every((line) => line.length < 500 && /^\{/.test(line) && parses(line));
}

/** An output that is delivered unchanged must be within every limit, or so small that a preview might be larger. */
function isOver({ text, hasLines }: NonNullable<Delivered['whole']>, limits: FuzzedLimits): boolean {
  const { maxBytes, maxLines = Number.POSITIVE_INFINITY, maxChars = Number.POSITIVE_INFINITY } = limits;
  const { previewBytes = Math.min(16_384, maxBytes) } = limits;
  if (Buffer.byteLength(text) <= previewBytes) return false;
  if (Buffer.byteLength(text) > maxBytes || text.length > maxChars) return true;
  return hasLines && text.split('\n').length > maxLines;
}

function faultsOfShown(text: string, maxBytes: number): Fault[] {
  const found: Fault[] = [];
  if (Buffer.byteLength(text) > maxBytes) found.push('over budget');
  if (HIDDEN.test(text)) found.push('with a hidden character');
  if (LONE_SURROGATE.test(text)) found.push('with a lone surrogate');
  return found;
}

/** The parts are exact: hidden characters stay, but no pair is split. */
function faultsOfText(text: string, { maxBytes, maxLines, keep }: FuzzedLimits): Fault[] {
  const end = keep === 'head' || keep === 'tail' || keep === 'ends' ? keep : 'head';
  const { content } = truncateText(text, { maxBytes, ...(maxLines && { maxLines }), keep: end });
  const found: Fault[] = [];
  const isLong = maxLines !== undefined && content.split('\n').length > maxLines;
  if (isLong || Buffer.byteLength(content) > maxBytes) found.push('over budget');
  if (!LONE_SURROGATE.test(text) && LONE_SURROGATE.test(content)) found.push('with a lone surrogate');
  return found;
}

async function isKeptAsItWas({ sent, envelopes }: Delivered, store: ArtifactStore): Promise<boolean> {
  const path = envelopes.at(-1)?.data.truncation.full_output_path;
  if (!sent || !path) return true;
  const stream = await scopedArtifacts(store, { scope: 'lab' }).readStream(path);
  return Buffer.compare(await new Response(stream).bytes(), sent) === 0;
}

async function faultsOfReaders(
  { data }: TruncatedOutput,
  { store, random }: { store: ArtifactStore; random: SeededRandom },
): Promise<Fault[]> {
  const path = data.truncation.full_output_path;
  const artifacts = scopedArtifacts(store, { scope: 'lab' });
  const pattern = random.oneOf(['.', 'a', 'ERROR', '[^a]+', '.*']);
  const answers = [
    await callReader(artifacts, 'readArtifact', { path, limit: 1 + random.below(200) }),
    await callReader(artifacts, 'grepArtifacts', { path, pattern, context: random.below(3) }),
    await callReader(artifacts, 'queryArtifact', { path, limit: 5 }),
  ];
  return answers.flatMap(({ text, output }) => {
    if (output.status !== 'error') read.answers++;
    const found = faultsOfShown(text, Number.POSITIVE_INFINITY);
    if (text.length > READER_CHARS || JSON.stringify(output).length > READER_JSON_CHARS) found.push('over budget');
    return found;
  });
}

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
