// A part of the fuzzed outputs of `preview-budget.ts`, in a thread of its own.
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

/** What must never happen, and how often it did. */
const faults = {
  'over budget': 0,
  'with a hidden character': 0,
  'with a lone surrogate': 0,
  'JSON that does not parse': 0,
  'changed by a chat log': 0,
  'kept otherwise than it was': 0,
  thrown: 0,
};

/** Previews that say they are JSON, and were parsed: none of them would be none that does not parse. */
const parsed = { values: 0, texts: 0, records: 0 };

/** Answers of readers that found what was kept: a reader that finds nothing has little to say. */
const read = { answers: 0 };

/** What text hides or reorders itself with. Written down here once more: a gap in the library's own list would not show. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const LONE_SURROGATE = /\p{Surrogate}/u;

const READER_CHARS = 10_000;
const READER_JSON_CHARS = 22_000;
/** So seldom the readers are asked for what was kept, and so often the store is a new one. */
const OUTPUTS_PER_READING = 20;
const OUTPUTS_PER_STORE = 500;
const LARGE_CHARS = 2_000_000;
const LEAST_RECORDS = 5;

const { seed, count } = workerData as { seed: number; count: number };
parentPort?.postMessage(await fuzz(seed, count));

/** Lets outputs go through every path, and looks at what comes of each. */
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
      const found = delivered ? faultsOf(delivered, { limits, output }) : [];
      if (delivered && !(await isKeptAsItWas(delivered, store))) found.push('kept otherwise than it was');
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
  /** Outputs that a preview took the place of. */
  replaced: number;
  large: number;
  /** The first fault, for whoever looks for its cause. */
  first: string | undefined;
}

function faultsOf(delivered: Delivered, { limits, output }: { limits: FuzzedLimits; output: unknown }): Fault[] {
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
    if (!isShrunkJson(envelope, { output, limits })) continue;
    parsed[typeof output === 'string' ? 'texts' : 'values']++;
    if (!parses(envelope.data.preview)) found.push('JSON that does not parse');
  }
  return found;
}

/** Whether a preview is to be a smaller document: of a value, or of a text that is JSON, with more bytes than fit. */
function isShrunkJson(
  { data }: TruncatedOutput,
  { output, limits }: { output: unknown; limits: FuzzedLimits },
): boolean {
  const { media_type: mediaType, reason, direction, original_bytes: bytes } = data.truncation;
  if (direction !== 'auto' || reason !== 'bytes') return false;
  if (typeof output !== 'string') return mediaType === 'application/json';
  const isPart = bytes !== Buffer.byteLength(output);
  if (isPart || !/^[[{]/.test(output) || !parses(output)) return false;
  // Where only its white space is too much, its own lines are shown.
  return Buffer.byteLength(JSON.stringify(JSON.parse(output))) > limits.previewBytes;
}

/** Whether each line of a preview is to be JSON: of NDJSON whose records are no longer than what is shown of one. */
function areShrunkRecords(
  { data }: TruncatedOutput,
  { output, limits }: { output: unknown; limits: FuzzedLimits },
): boolean {
  const { reason, direction, original_bytes: bytes } = data.truncation;
  if (typeof output !== 'string' || direction !== 'auto' || reason !== 'bytes') return false;
  // Too little room to show both ends, a gap and what matters between them.
  if ((limits.maxLines ?? LEAST_RECORDS) < LEAST_RECORDS || limits.maxChars !== undefined) return false;
  const lines = output.split('\n');
  const isPart = bytes !== Buffer.byteLength(output);
  return !isPart && lines.length > 1 && lines.every((line) => line.length < 500 && /^\{/.test(line) && parses(line));
}

/** An output that is delivered unchanged is within every limit, or so small that a preview might be larger. */
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

/** Exact parts of the text: what hides in it stays, but no pair is split. */
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
