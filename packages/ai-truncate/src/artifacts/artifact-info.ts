import { AiTruncateError } from '../errors.ts';
import { type LineIndex, type LineMark, thinned } from './line-index.ts';

/** What is known of an artifact. */
export interface ArtifactInfo {
  /** How models and people name it. */
  path: string;
  /** The last part of the path. */
  name: string;
  /** Exactly as the tool set names it. */
  toolName: string;
  /** Exactly as the model gave it. */
  toolCallId: string;
  mediaType: string;
  bytes: number;
  /** What `split('\n')` would give. */
  lines: number;
  createdAt: Date;
  /** From then on it may be deleted. */
  expiresAt: Date;
}

/** What the side-car holds: all but what its own key tells, and where lines start. */
export interface StoredInfo extends Omit<ArtifactInfo, 'path' | 'name'> {
  index: LineIndex;
}

/** What a side-car weighs at most, unless its ids alone weigh more than a quarter of that. */
const MAX_INFO_BYTES = 32 * 1024;
/** With ids of the greatest length a side-car stays below 1 MiB. */
export const MAX_ID_LENGTH = 65_536;
const MIN_MARKS = 64;

/** The JSON of a side-car. Marks are written as differences, and fewer of them when ids leave little room. */
export function serializeInfo(info: StoredInfo): Uint8Array<ArrayBuffer> {
  const { index, createdAt, expiresAt, ...rest } = info;
  const facts = { version: 1, ...rest, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  for (let { interval, marks } = index; ; interval *= 2, marks = thinned(marks, interval)) {
    const lineIndex = { interval, lines: differences(marks, 'line'), offsets: differences(marks, 'offset') };
    const bytes = new TextEncoder().encode(JSON.stringify({ ...facts, lineIndex }));
    if (bytes.length <= MAX_INFO_BYTES || marks.length <= MIN_MARKS) return bytes;
  }
}

/** Reads a side-car back; throws when it is not one that `serializeInfo` wrote. */
export function parseInfo(text: string, name: string): StoredInfo {
  const value = parseJson(text, name);
  if (!isStoredJson(value)) throw brokenInfo(name);
  const { version, lineIndex, createdAt, expiresAt, ...rest } = value;
  const lines = sums(lineIndex.lines);
  const offsets = sums(lineIndex.offsets);
  const marks = lines.map((line, at) => ({ line, offset: offsets[at] ?? 0 }));
  return {
    ...rest,
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
    index: { lines: rest.lines, bytes: rest.bytes, interval: lineIndex.interval, marks },
  };
}

/** Until when an artifact was promised, as milliseconds, also by a newer version of this package; `undefined` if nothing says. */
export function parseExpiry(text: string): number | undefined {
  try {
    const { expiresAt } = JSON.parse(text);
    const time = Date.parse(expiresAt);
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}

/** A side-car that cannot be read: changed by somebody else, or written by a newer version. Never "not found". */
function brokenInfo(name: string, options: { cause?: unknown } = {}): AiTruncateError {
  const message = `What is stored about \`${name}\` cannot be read: it was changed, or a newer version of ai-truncate wrote it.`;
  return new AiTruncateError(message, { code: 'ARTIFACT_INFO_BROKEN', ...options });
}

interface StoredJson {
  version: 1;
  toolName: string;
  toolCallId: string;
  mediaType: string;
  bytes: number;
  lines: number;
  createdAt: string;
  expiresAt: string;
  lineIndex: { interval: number; lines: number[]; offsets: number[] };
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw brokenInfo(name, { cause });
  }
}

function isStoredJson(value: unknown): value is StoredJson {
  if (typeof value !== 'object' || value === null) return false;
  const { version, toolName, toolCallId, mediaType, bytes, lines, createdAt, expiresAt, lineIndex } =
    value as Partial<StoredJson>;
  return (
    version === 1 &&
    [toolName, toolCallId, mediaType].every((text) => typeof text === 'string') &&
    [bytes, lines].every(isCount) &&
    [createdAt, expiresAt].every((date) => typeof date === 'string' && !Number.isNaN(Date.parse(date))) &&
    typeof lineIndex === 'object' &&
    lineIndex !== null &&
    isCount(lineIndex.interval) &&
    isCounts(lineIndex.lines) &&
    isCounts(lineIndex.offsets) &&
    lineIndex.lines.length === lineIndex.offsets.length
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}

function differences(marks: readonly LineMark[], key: keyof LineMark): number[] {
  return marks.map((mark, at) => mark[key] - (marks[at - 1]?.[key] ?? 0));
}

function sums(differences: readonly number[]): number[] {
  let sum = 0;
  return differences.map((difference) => {
    sum += difference;
    return sum;
  });
}
