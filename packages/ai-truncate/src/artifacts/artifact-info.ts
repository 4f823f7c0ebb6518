import { AiTruncateError } from '../errors.ts';
import { isRecord } from '../protocol/guards.ts';
import type { ArtifactInfo } from './artifacts.ts';
import { type LineIndex, type LineMark, thinned } from './line-index.ts';

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
  const { version: _, lineIndex, createdAt, expiresAt, ...rest } = value;
  const { lines, bytes } = rest;
  const mark: LineMark = { line: 0, offset: 0 };
  const marks = lineIndex.lines.map((moreLines, at) => {
    mark.line += moreLines;
    mark.offset += lineIndex.offsets[at] ?? 0;
    return { ...mark };
  });
  const index = { lines, bytes, interval: lineIndex.interval, marks };
  return { ...rest, createdAt: new Date(createdAt), expiresAt: new Date(expiresAt), index };
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

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw brokenInfo(name, { cause });
  }
}

/** A side-car as JSON. */
type StoredJson = Omit<StoredInfo, 'createdAt' | 'expiresAt' | 'index'> & {
  version: 1;
  createdAt: string;
  expiresAt: string;
  lineIndex: { interval: number; lines: number[]; offsets: number[] };
};

const FACTS: Record<string, (value: unknown) => boolean> = {
  version: (value) => value === 1,
  toolName: isText,
  toolCallId: isText,
  mediaType: isText,
  bytes: isCount,
  lines: isCount,
  createdAt: isDate,
  expiresAt: isDate,
};

function isStoredJson(value: unknown): value is StoredJson {
  if (!isRecord(value) || !isRecord(value.lineIndex)) return false;
  const { interval, lines, offsets } = value.lineIndex;
  return (
    Object.entries(FACTS).every(([name, isRight]) => isRight(value[name])) &&
    isCount(interval) &&
    isCounts(lines) &&
    isCounts(offsets) &&
    lines.length === offsets.length
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
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
