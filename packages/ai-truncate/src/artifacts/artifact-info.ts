import { AiTruncateError } from '../errors.ts';
import { isRecord } from '../protocol/guards.ts';
import type { ArtifactInfo } from './artifacts.ts';
import { type LineIndex, type LineMark, thinned } from './line-index.ts';

/** The content of a side-car: everything except the parts of its own key, and the starts of lines. */
export interface StoredInfo extends Omit<ArtifactInfo, 'path' | 'name' | 'tool' | 'hasTextView'> {
  index: LineIndex;
}

/** The largest size of a side-car, unless its ids alone need more than a quarter of it. */
const MAX_INFO_BYTES = 32 * 1024;
/** With ids of this length, a side-car stays below 1 MiB. */
export const MAX_ID_LENGTH = 65_536;
const MIN_MARKS = 64;
const VERSION_OF_VIEWS = 2;

/** The JSON of a side-car. Marks are written as differences. There are fewer of them if ids leave little room. */
export function serializeInfo(info: StoredInfo): Uint8Array<ArrayBuffer> {
  const { index, createdAt, expiresAt, ...rest } = info;
  // An older version would search for the lines of a view among the stored lines.
  const facts = {
    version: index.isView ? VERSION_OF_VIEWS : 1,
    ...rest,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
  for (let { interval, marks } = index; ; interval *= 2, marks = thinned(marks, interval)) {
    const lines = differences(marks, 'line');
    const lineIndex = { ...(index.isView && { isView: true }), interval, lines, offsets: differences(marks, 'offset') };
    const bytes = new TextEncoder().encode(JSON.stringify({ ...facts, lineIndex }));
    if (bytes.length <= MAX_INFO_BYTES || marks.length <= MIN_MARKS) return bytes;
  }
}

/** Parses a side-car. Throws unless `serializeInfo` wrote it. */
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
  const { interval, isView } = lineIndex;
  const index: LineIndex = { lines, bytes, interval, marks, ...(isView === true && { isView }) };
  return { ...rest, createdAt: new Date(createdAt), expiresAt: new Date(expiresAt), index };
}

/** The text of a side-car. `Response` would read it too, but in Node its first use in a process takes 15 ms. */
export async function readInfo(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

/** The promised end of an artifact in milliseconds, even from a newer version of this package; `undefined` if there is none. */
export function parseExpiry(text: string): number | undefined {
  try {
    const { expiresAt } = JSON.parse(text);
    const time = Date.parse(expiresAt);
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}

/** A side-car that cannot be read, because it was changed or a newer version wrote it. Never reported as "not found". */
function brokenInfo(name: string, options: { cause?: unknown } = {}): AiTruncateError {
  const message = `The metadata of \`${name}\` cannot be read: it was changed, or a newer version of ai-truncate wrote it.`;
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
  version: 1 | typeof VERSION_OF_VIEWS;
  createdAt: string;
  expiresAt: string;
  lineIndex: { interval: number; lines: number[]; offsets: number[]; isView?: unknown };
};

const FACTS: Record<string, (value: unknown) => boolean> = {
  version: (value) => value === 1 || value === VERSION_OF_VIEWS,
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
