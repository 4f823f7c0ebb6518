import { BLANK, OMISSION_MARK, PREVIEW_TAG, REPEATS, REPEATS_MARK } from '../text/frame.ts';
import { byteLength, codePointStart, isHighSurrogate, isLowSurrogate, thousands } from '../text/utf.ts';
import { INVISIBLE_CHARACTERS } from '../text/visible-text.ts';
import type { JsonContainer, JsonItem, JsonNode } from './json-node.ts';

/** What a preview says about what it leaves out. A model reads these words, so they are few and the numbers exact. */
export const omission = {
  /** Stands between the first and last items of an array. */
  items: (omitted: number, shown: number): string => `… ${amount(omitted, shown, 'item')} …`,
  /** The value of a member whose key is {@link omission.key}. */
  members: (omitted: number, shown: number): string => amount(omitted, shown, 'member'),
  /** Stands between the first and last part of a string. */
  characters: (omitted: number, shown: number): string => `… [${amount(omitted, shown, 'character')}] …`,
  key: '…',
} as const;

function amount(count: number, shown: number, noun: string): string {
  return `${thousands(count)}${shown > 0 ? ' more' : ''} ${noun}${count === 1 ? '' : 's'}`;
}

/** What is at most this large is shown whole or not at all: the words for a gap would take half of it. */
export const SHORT: number = 64;
/**
 * Where lines break: `document` here and in the outermost large array below, `members` here only, `rows` in the first
 * large array found, `line` nowhere.
 */
export type Layout = 'document' | 'members' | 'rows' | 'line';

/** How a container is put together in a layout. */
export type Shape = { open: string; separator: string; close: string; inner: Layout; bytes: number };

export function shapeOf(node: JsonContainer, layout: Layout): Shape {
  const breaks = layout !== 'line' && (node.kind === 'object' ? layout !== 'rows' : hasRows(node));
  const line = breaks ? '\n' : '';
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const belowBreak = node.kind === 'array' || layout === 'members' ? 'line' : 'rows';
  const inner = layout === 'line' ? 'line' : breaks ? belowBreak : 'rows';
  return { open: open + line, separator: `,${line}`, close: line + close, inner, bytes: 2 + 2 * line.length };
}

/** Rows are worth a line each when they are more than short values. */
function hasRows(node: JsonContainer): boolean {
  const sample = node.first[0] ?? node.last[0];
  const isRow =
    sample !== undefined &&
    (sample.value.kind === 'array' || sample.value.kind === 'object' || measure(sample.value, SHORT) > SHORT / 2);
  return isRow && measure(node, 4 * SHORT) > 4 * SHORT;
}

/** UTF-8 bytes of the node on one line; when they are over the limit, or parts of it are not known, any number over it. */
export function measure(node: JsonNode, limit: number): number {
  if (node.kind === 'literal') return node.text.length;
  if (node.kind === 'string') return node.first.length === node.length ? quotedBytes(node.first, limit) : limit + 1;
  if (node.first.length < node.count) return limit + 1;
  const atLeast = largeSizes.get(node);
  if (atLeast !== undefined && atLeast > limit) return atLeast;
  let bytes = 2 + Math.max(0, node.count - 1);
  for (const item of node.first) {
    if (bytes > limit) break;
    bytes += keyBytes(item) + measure(item.value, limit - bytes);
  }
  if (bytes > limit) largeSizes.set(node, bytes);
  return bytes;
}

/** What containers have at least: a deep nest is measured at each of its levels, and each time down to where the room ends. */
const largeSizes = new WeakMap<JsonContainer, number>();

export function writeWhole(node: JsonNode, layout: Layout): string {
  if (node.kind === 'literal') return node.text;
  if (node.kind === 'string') return quoteJson(node.first);
  const { open, separator, close, inner } = shapeOf(node, layout);
  const items = node.first.map((item) => writeItem(item, inner));
  return items.length === 0 ? (node.kind === 'object' ? '{}' : '[]') : open + items.join(separator) + close;
}

export function writeItem(item: JsonItem, layout: Layout): string {
  return writeKey(item) + writeWhole(item.value, layout);
}

export function writeKey({ key }: JsonItem): string {
  return key === undefined ? '' : `${quoteKey(key)}:`;
}

export function keyBytes({ key }: JsonItem): number {
  if (key === undefined) return 0;
  return 1 + (OWN_KEY.test(key) ? byteLength(quoteKey(key)) : quotedBytes(key, Number.POSITIVE_INFINITY));
}

/** A key that is one of the preview's own, {@link omission.key}, is escaped. Parsed, it is the same. */
function quoteKey(key: string): string {
  return OWN_KEY.test(key) ? `"\\u2026${key.slice(1)}"` : quoteJson(key);
}

const OWN_KEY = /^…+$/;

/** Words of the preview's own as a JSON string: the only ones that stand there unescaped. */
export function writeMark(words: string): string {
  return `"${words}"`;
}

/**
 * A string as JSON that a model may see. Parsed, it is the same string, but for lone surrogates, which become U+FFFD.
 * What is invisible or reorders text stands as `\uXXXX`, and so does the first character of what could pass for a mark of the
 * preview. Nothing in it can open or close the preview's frame.
 */
export function quoteJson(text: string): string {
  return isPlain(text) ? `"${text}"` : `"${text.replace(ESCAPED, escapeCharacter)}"`;
}

/** True when a JSON text holds nothing that {@link quoteJson} would have written in another way. */
export function isSafeJson(json: string): boolean {
  return json.search(UNSAFE) < 0;
}

/** A JSON text with its strings written as {@link quoteJson} would. Parsed, it is the same. */
export function toSafeJson(json: string): string {
  return isSafeJson(json) ? json : json.replace(new RegExp(UNSAFE, 'giu'), escapeCharacter);
}

/** UTF-8 bytes of {@link quoteJson}; when they are over the limit, any number over it. */
export function quotedBytes(text: string, limit: number): number {
  if (text.length + 2 > limit) return text.length + 2;
  return isPlain(text) ? text.length + 2 : byteLength(quoteJson(text));
}

/** The longest beginning of `text` that takes at most `maxBytes` when it is quoted, the quotes not counted. */
export function quotableStart(text: string, maxBytes: number): string {
  // A frame tag that runs past the room is not looked for beyond it: an escape that is missing then would not be needed.
  const known = text.slice(0, Math.max(0, maxBytes));
  if (isPlain(known)) return known;
  let end = 0;
  for (let bytes = 0; end < known.length; ) {
    bytes += quotedWidth(known, end);
    if (bytes > maxBytes) break;
    end += codePointLength(known, end);
  }
  return text.slice(0, codePointStart(text, end));
}

/** The longest ending of `text` that takes at most `maxBytes` when it is quoted, the quotes not counted. */
export function quotableEnd(text: string, maxBytes: number): string {
  const known = text.slice(text.length - Math.min(text.length, Math.max(0, maxBytes)));
  if (isPlain(known)) return known;
  let start = text.length;
  for (let bytes = 0; start > 0; ) {
    const previous = codePointStart(text, start - 1);
    bytes += quotedWidth(text, previous);
    if (bytes > maxBytes) break;
    start = previous;
  }
  return text.slice(start);
}

/** UTF-8 bytes that {@link quoteJson} writes for the code point at a place. */
function quotedWidth(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80 && !DEPENDING.has(code)) return ASCII_WIDTHS[code] as number;
  ESCAPED_HERE.lastIndex = at;
  const isEscaped = ESCAPED_HERE.test(text);
  if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(at + 1))) return isEscaped ? 12 : 4;
  if (code >= 0xd800 && code <= 0xdfff) return 3;
  if (isEscaped) return 6;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

function codePointLength(text: string, at: number): number {
  return isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1;
}

/**
 * True for what stops working when it is shortened: ids, hashes, paths, addresses. A model that sees part of an id makes
 * up the rest.
 */
export function isIdentifier(text: string, key: string | undefined): boolean {
  if (text.length <= 128) return !/\s/.test(text);
  if (text.length > 512 || /\s/.test(text)) return false;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || isIdentifyingKey(key);
}

export function isIdentifyingKey(key: string | undefined): boolean {
  return key !== undefined && IDENTIFYING_KEY.test(key);
}

const IDENTIFYING_KEY =
  /(?:^|[^a-z])(?:id|key|name|url|uri|href|path|file|sha\d*|hash|digest|cursor|token)s?$|(?:Id|ID|Key|Name|Url|URL|Path|Sha|Hash|Cursor|Token)s?$/;

/** Nothing in it is escaped. */
function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.startsWith('... [') && !text.includes(REPEATS);
}

const PLAIN = /^[ !#-;=-[\]-~]*$/;
/** The beginning of a `gapRow`: in a list of texts it would be on a line of its own. */
const GAP_MARK = `\\.(?=\\.\\.${BLANK}\\[)`;

const FRAME_TAG = `<(?=[\\s/\\\\]*${PREVIEW_TAG})`;
const MARKS = `${REPEATS_MARK}|${OMISSION_MARK}`;
const ESCAPED = new RegExp(`["\\\\]|\\p{Cc}|${INVISIBLE_CHARACTERS}|${FRAME_TAG}|${MARKS}|^${GAP_MARK}`, 'giu');
const ESCAPED_HERE = new RegExp(ESCAPED.source, 'yiu');
const UNSAFE = new RegExp(
  `\\p{Cc}|${INVISIBLE_CHARACTERS}|${FRAME_TAG}|${MARKS}|(?<=")${GAP_MARK}|(?<=")…(?=…*"\\s*:)`,
  'iu',
);

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20 || code === 0x22 || code === 0x5c) return JSON.stringify(character).slice(1, -1);
  if (character.length === 1 && code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** `<`, `.` and `[`. */
const DEPENDING: ReadonlySet<number> = new Set([0x3c, 0x2e, 0x5b]);
/** Bytes of each ASCII character when it is quoted, those aside that depend on what follows them. */
const ASCII_WIDTHS: Uint8Array = Uint8Array.from(
  { length: 0x80 },
  (_, code) => quoteJson(String.fromCharCode(code)).length - 2,
);
