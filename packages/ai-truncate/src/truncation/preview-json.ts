import { byteLength } from './byte-length.ts';
import { isIdentifier, isSafeJson, omission, quotableEnd, quotableStart, quotedBytes, quoteJson } from './json-text.ts';
import { type JsonContainer, type JsonItem, type JsonNode, type JsonString, parseJson } from './partial-json.ts';

/** How large a preview may be. */
export type JsonPreviewOptions = {
  /** UTF-8 bytes; from 256 on, they are always kept to. */
  maxBytes: number;
  /** @default no limit */
  maxLines?: number;
};

/**
 * A smaller JSON document that still parses: first and last items, true counts, long strings shortened, identifiers
 * whole. Members of the root and items of the outermost array stand on lines of their own.
 *
 * The prefix of a document teaches a model its shape but not what it holds, and half a document teaches it to guess.
 *
 * @example
 * ```ts
 * previewJson(node, { maxBytes: 4096 });
 * // { text: '[\n{"id":1},\n"… 2,484 more items …",\n{"id":2486}\n]', complete: false }
 * ```
 */
export function previewJson(node: JsonNode, options: JsonPreviewOptions): { text: string; complete: boolean } {
  const { maxBytes, maxLines = Number.POSITIVE_INFINITY } = options;
  const complete = measure(node, maxBytes) <= maxBytes;
  for (const layout of ['document', 'members', 'line'] as const) {
    const text = fit(node, maxBytes, { layout });
    if (text !== undefined && lineCount(text) <= maxLines) return { text, complete };
  }
  return { text: '[]', complete: false };
}

/**
 * One line of NDJSON in at most `maxBytes`, still one line that parses. The line itself when it fits and is safe to show;
 * `undefined` when it is no object or array, or when so few bytes can say nothing of it.
 */
export function shrinkJsonLine(line: string, maxBytes: number): string | undefined {
  const node = parseJson(line);
  if (!node) return undefined;
  if (isSafeJson(line) && byteLength(line) <= maxBytes) return line;
  return fit(node, maxBytes, { layout: 'line' });
}

/**
 * Where lines break: `document` here and in the outermost large array below, `members` here only, `rows` in the first
 * large array found, `line` nowhere.
 */
type Layout = 'document' | 'members' | 'rows' | 'line';

type Place = { layout: Layout; key?: string | undefined };

/** What is at most this large is shown whole or not at all: the words for a gap would take half of it. */
const SHORT = 64;
/** With less than this for each large member, an object is better shown by its first and last members. */
const MIN_SHARE = 96;
const NUMBER_OF_SHRUNK_ITEMS = { min: 3, max: 6, bytesEach: 800 };

/** The node as JSON text in at most so many bytes, or `undefined` when nothing useful fits. */
function fit(node: JsonNode, maxBytes: number, place: Place): string | undefined {
  if (node.kind === 'string') return fitString(node, maxBytes, place.key);
  if (node.kind === 'deep') return fitString(wholeString(omission.deep), maxBytes, undefined);
  if (node.kind === 'literal') {
    if (node.text.length <= maxBytes) return node.text;
    return fitString({ ...wholeString(node.text) }, maxBytes, undefined);
  }
  return fitContainer(node, maxBytes, place.layout);
}

function wholeString(text: string): JsonString {
  return { kind: 'string', first: text, last: '', length: text.length };
}

function fitString(node: JsonString, maxBytes: number, key: string | undefined): string | undefined {
  if (measure(node, maxBytes) <= maxBytes) return quoteJson(node.first);
  const isWhole = node.first.length === node.length;
  if (isWhole && (node.length <= SHORT || (node.length <= 2 * SHORT && isIdentifier(node.first, key)))) return undefined;

  const room = maxBytes - 2 - byteLength(omission.characters(node.length, 1));
  if (room < SHORT / 4) return undefined;
  const knownEnd = isWhole ? node.first : node.last;
  const half = quotableStart(node.first, knownEnd === '' ? room : Math.ceil(room / 2));
  const end = quotableEnd(knownEnd, room - contentBytes(half));
  const start = quotableStart(node.first, room - contentBytes(end));
  const shown = start.length + end.length;
  return quoteJson(`${start}${omission.characters(node.length - shown, shown)}${end}`);
}

function contentBytes(text: string): number {
  return quotedBytes(text, Number.POSITIVE_INFINITY) - 2;
}

function fitContainer(node: JsonContainer, maxBytes: number, layout: Layout): string | undefined {
  const frame = frameOf(node, layout);
  if (measure(node, maxBytes) <= maxBytes) {
    const broken = writeWhole(node, layout);
    return byteLength(broken) <= maxBytes ? broken : writeWhole(node, 'line');
  }
  return (node.kind === 'object' ? shareAmongMembers(node, maxBytes, frame) : undefined) ?? takeEnds(node, maxBytes, frame);
}

/** How a container is put together in its layout. */
type Frame = { open: string; separator: string; close: string; inner: Layout; gap: (shown: number) => string; bytes: number };

function frameOf(node: JsonContainer, layout: Layout): Frame {
  const breaks = layout !== 'line' && (node.kind === 'object' ? layout !== 'rows' : hasRows(node));
  const line = breaks ? '\n' : '';
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const belowBreak = node.kind === 'array' || layout === 'members' ? 'line' : 'rows';
  const inner = layout === 'line' ? 'line' : breaks ? belowBreak : 'rows';
  const gapKey = node.kind === 'object' ? `${quoteJson(freeKey(node))}:` : '';
  const words = node.kind === 'object' ? omission.members : omission.items;
  const gap = (shown: number): string => `${gapKey}${quoteJson(words(node.count - shown, shown))}`;
  const separator = `,${line}`;
  const bytes = 2 + 2 * line.length + byteLength(gapKey) + byteLength(quoteJson(words(node.count, 1))) + separator.length;
  return { open: open + line, separator, close: line + close, inner, gap, bytes };
}

/** Rows are worth a line each when they are more than short values. */
function hasRows(node: JsonContainer): boolean {
  const sample = node.first[0] ?? node.last[0];
  const isRow = sample !== undefined && (sample.value.kind === 'array' || sample.value.kind === 'object' || measure(sample.value, SHORT) > SHORT / 2);
  return isRow && measure(node, 4 * SHORT) > 4 * SHORT;
}

/** A key for the gap that no known member has. */
function freeKey(node: JsonContainer): string {
  const taken = new Set<string | undefined>();
  for (const { key } of node.first) if (key?.startsWith(omission.key)) taken.add(key);
  for (const { key } of node.last) if (key?.startsWith(omission.key)) taken.add(key);
  let key: string = omission.key;
  while (taken.has(key)) key += omission.key;
  return key;
}

/** Every member is kept: small ones and identifiers whole, and the large ones share what is left. */
function shareAmongMembers(node: JsonContainer, maxBytes: number, frame: Frame): string | undefined {
  const items = [...node.first, ...node.last];
  if (items.length * 5 > maxBytes) return undefined;
  const texts: (string | undefined)[] = new Array(items.length);
  const large: { index: number; item: JsonItem; size: number }[] = [];
  let room = maxBytes - frame.bytes;
  for (const [index, item] of items.entries()) {
    const size = measure(item.value, maxBytes);
    room -= keyBytes(item) + frame.separator.length;
    if (size <= SHORT || (size <= maxBytes && isFirm(item))) {
      texts[index] = writeItem(item, 'line');
      room -= size;
    } else large.push({ index, item, size });
    if (room < large.length * MIN_SHARE) return undefined;
  }

  // The smallest first: what one does not need goes to the others. Strings last, for they can use any number of bytes.
  large.sort((a, b) => Math.min(a.size, maxBytes) - Math.min(b.size, maxBytes) || Number(a.item.value.kind === 'string') - Number(b.item.value.kind === 'string') || a.index - b.index);
  for (const [turn, { index, item }] of large.entries()) {
    const text = fit(item.value, Math.floor(room / (large.length - turn)), { layout: frame.inner, key: item.key });
    if (text === undefined) continue;
    texts[index] = writeKey(item) + text;
    room -= byteLength(text);
  }
  return assemble(texts.slice(0, node.first.length), texts.slice(node.first.length), node, frame);
}

function isFirm({ key, value }: JsonItem): boolean {
  if (value.kind === 'literal') return value.text.length <= SHORT;
  return value.kind === 'string' && value.first.length === value.length && isIdentifier(value.first, key);
}

/** First and last items, about two to one, as many as fit; what is huge is shrunk so that some can be seen. */
function takeEnds(node: JsonContainer, maxBytes: number, frame: Frame): string | undefined {
  const room = maxBytes - frame.bytes;
  if (room < -frame.separator.length) return undefined;
  const known = node.first.length + node.last.length;
  const ends = { first: [] as string[], last: [] as string[] };
  const stopped = { first: false, last: false };
  const { min, max, bytesEach } = NUMBER_OF_SHRUNK_ITEMS;
  const wholeUpTo = Math.floor(room / Math.min(node.count, min));
  const shrunkTo = Math.floor(room / Math.min(node.count, Math.max(min, Math.min(max, Math.floor(room / bytesEach)))));
  let left = room;

  const next = (side: 'first' | 'last'): JsonItem | undefined => {
    if (ends.first.length + ends.last.length >= known) return undefined;
    const index = ends[side].length;
    if (side === 'first') return node.first[index] ?? (known === node.count ? node.last[index - node.first.length] : undefined);
    const fromEnd = node.last.length - 1 - index;
    if (fromEnd >= 0) return node.last[fromEnd];
    return known === node.count ? node.first[node.first.length + fromEnd] : undefined;
  };
  const take = (side: 'first' | 'last', shrinkTo: number, alwaysShrink: boolean): boolean => {
    const item = next(side);
    if (!item) return false;
    const around = keyBytes(item) + frame.separator.length;
    const size = measure(item.value, Math.min(left, room)) + around;
    const isWhole = size <= left && (size <= wholeUpTo || isFirm(item));
    if (!isWhole && !alwaysShrink && (size <= wholeUpTo || left < shrinkTo)) return false;
    const text = fit(item.value, (isWhole ? left : Math.min(left, shrinkTo)) - around, { layout: frame.inner, key: item.key });
    if (text === undefined) return false;
    left -= byteLength(text) + around;
    ends[side].push(writeKey(item) + text);
    return true;
  };

  for (let turn = 0; !(stopped.first && stopped.last); turn++) {
    const side = (turn % 3 === 1 && !stopped.last) || stopped.first ? 'last' : 'first';
    if (!take(side, shrunkTo, false)) stopped[side] = true;
  }
  // A last one may be shrunk into a remainder that would be a waste.
  if (left > room / 5) take('first', left, true) || take('last', left, true);
  return assemble(ends.first, ends.last.reverse(), node, frame);
}

/** Puts the shown items together, with the number of the others where the first of them is missing. */
function assemble(first: (string | undefined)[], last: (string | undefined)[], node: JsonContainer, frame: Frame): string {
  const all = [...first, ...last];
  const shown = all.filter((text) => text !== undefined);
  const missing = all.indexOf(undefined);
  const gapAt = missing < 0 ? first.length : Math.min(missing, first.length);
  const before = all.slice(0, gapAt).filter((text) => text !== undefined);
  const gap = shown.length < node.count ? [frame.gap(shown.length)] : [];
  return frame.open + [...before, ...gap, ...shown.slice(before.length)].join(frame.separator) + frame.close;
}

/** UTF-8 bytes of the node on one line; when they are over the limit, or parts of it are not known, any number over it. */
function measure(node: JsonNode, limit: number): number {
  if (node.kind === 'literal') return node.text.length;
  if (node.kind === 'deep') return limit + 1;
  if (node.kind === 'string') return node.first.length === node.length ? quotedBytes(node.first, limit) : limit + 1;
  if (node.first.length < node.count) return limit + 1;
  let bytes = 2 + Math.max(0, node.count - 1);
  for (const item of node.first) {
    if (bytes > limit) break;
    bytes += keyBytes(item) + measure(item.value, limit - bytes);
  }
  return bytes;
}

function writeWhole(node: JsonNode, layout: Layout): string {
  if (node.kind === 'literal') return node.text;
  if (node.kind === 'string') return quoteJson(node.first);
  if (node.kind === 'deep') return quoteJson(omission.deep);
  const { open, separator, close, inner } = frameOf(node, layout);
  const items = node.first.map((item) => writeItem(item, inner));
  return items.length === 0 ? open.trim() + close.trim() : open + items.join(separator) + close;
}

function writeItem(item: JsonItem, layout: Layout): string {
  return writeKey(item) + writeWhole(item.value, layout);
}

function writeKey({ key }: JsonItem): string {
  return key === undefined ? '' : `${quoteJson(key)}:`;
}

function keyBytes({ key }: JsonItem): number {
  return key === undefined ? 0 : quotedBytes(key, Number.POSITIVE_INFINITY) + 1;
}

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
