import { BLANK, OMISSION_MARK, PREVIEW_TAG, REPEATS, REPEATS_MARK } from '../text/frame.ts';
import { byteLength, codePointStart, isHighSurrogate, isLowSurrogate, thousands } from '../text/utf.ts';
import { INVISIBLE_CHARACTERS } from '../text/visible-text.ts';
import type { JsonContainer, JsonItem, JsonNode } from './json-node.ts';

/** The words with which a preview describes omitted parts. The model sees them, so they are short and their numbers are exact. */
export const omission = {
  /** Between the first and last items of an array. */
  items: (omitted: number, shown: number): string => `… ${amount(omitted, shown, 'item')} …`,
  /** The mark before an item from the middle of an array. Its index counts from 0. */
  itemsBefore: (omitted: number, index: number): string => `… ${amount(omitted, 1, 'item')}; next is [${index}] …`,
  /** The key of the profile of all items, or of the counted items if some could not be counted. */
  counted: (counted: number, count: number, noun: 'item' | 'member' | 'record'): string =>
    `… ${amount(counted, 0, noun)}${counted < count ? ` counted, of ${thousands(count)}` : ''} …`,
  /** The value of a member whose key is {@link omission.key}. */
  members: (omitted: number, shown: number): string => amount(omitted, shown, 'member'),
  /** Between the first and last part of a string. */
  characters: (omitted: number, shown: number): string => `… [${amount(omitted, shown, 'character')}] …`,
  key: '…',
} as const;

function amount(count: number, shown: number, noun: string): string {
  return `${thousands(count)}${shown > 0 ? ' more' : ''} ${noun}${count === 1 ? '' : 's'}`;
}

/** A value of at most this size is shown completely or not at all, because the words for a gap would take half of it. */
export const SHORT: number = 64;
/**
 * The places of line breaks: `document` at this level and in the outermost large array below, `members` only at this level, `rows`
 * in the first large array, `line` nowhere.
 */
export type Layout = 'document' | 'members' | 'rows' | 'line';

/** The text around the items of a container in a layout. */
export type Shape = { open: string; separator: string; close: string; inner: Layout; bytes: number };

export function shapeOf(node: JsonContainer, layout: Layout): Shape {
  const breaks = layout !== 'line' && (node.kind === 'object' ? layout !== 'rows' : hasRows(node));
  const line = breaks ? '\n' : '';
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const belowBreak = node.kind === 'array' || layout === 'members' ? 'line' : 'rows';
  const inner = layout === 'line' ? 'line' : breaks ? belowBreak : 'rows';
  return { open: open + line, separator: `,${line}`, close: line + close, inner, bytes: 2 + 2 * line.length };
}

/** Rows get their own lines if they are more than short values. */
function hasRows(node: JsonContainer): boolean {
  const sample = node.first[0] ?? node.last[0];
  const isRow =
    sample !== undefined &&
    (sample.value.kind === 'array' || sample.value.kind === 'object' || measure(sample.value, SHORT) > SHORT / 2);
  return isRow && measure(node, 4 * SHORT) > 4 * SHORT;
}

/** The UTF-8 bytes of the node on one line. If they exceed the limit, or a part is unknown, it is any number over the limit. */
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

/**
 * The minimum sizes of containers. A deep nest is measured at each of its levels, and each time down to the level where the
 * room ends.
 */
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

/** A key that equals the preview's own {@link omission.key} is escaped. Its parsed value is the same. */
function quoteKey(key: string): string {
  return OWN_KEY.test(key) ? `"\\u2026${key.slice(1)}"` : quoteJson(key);
}

const OWN_KEY = /^…+$/;

/** Words of the preview as a JSON string. Only these words are unescaped in a preview. */
export function writeMark(words: string): string {
  return `"${words}"`;
}

/**
 * A string as JSON that is safe for a model. Its parsed value is the same, except that lone surrogates become U+FFFD.
 * Characters that are invisible or reorder text become `\uXXXX`, and so does the first character of text that looks like a mark
 * of the preview. No text can open or close the preview's frame.
 */
export function quoteJson(text: string): string {
  return isPlain(text) ? `"${text}"` : `"${text.replace(ESCAPED, escapeCharacter)}"`;
}

/** True if {@link quoteJson} would write every string of a JSON text in the same way. */
export function isSafeJson(json: string): boolean {
  return json.search(UNSAFE) < 0;
}

/** A JSON text with its strings written as {@link quoteJson} would write them. Its parsed value is the same. */
export function toSafeJson(json: string): string {
  return isSafeJson(json) ? json : json.replace(new RegExp(UNSAFE, 'giu'), escapeCharacter);
}

/** The UTF-8 bytes of {@link quoteJson}. If they exceed the limit, it is any number over the limit. */
export function quotedBytes(text: string, limit: number): number {
  if (text.length + 2 > limit) return text.length + 2;
  return isPlain(text) ? text.length + 2 : byteLength(quoteJson(text));
}

/** The longest beginning of `text` that takes at most `maxBytes` when quoted, without the quotes. */
export function quotableStart(text: string, maxBytes: number): string {
  // The search for a frame tag ends at the limit. A tag that starts before and ends after it needs no escape, because it is
  // cut.
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

/** The longest ending of `text` that takes at most `maxBytes` when quoted, without the quotes. */
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

/** The UTF-8 bytes that {@link quoteJson} writes for one code point. */
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
 * True for values that are useless when shortened: ids, hashes, paths, addresses. A model that sees part of an id invents the
 * rest.
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

/** True if no character is escaped. */
function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.startsWith('... [') && !text.includes(REPEATS);
}

const PLAIN = /^[ !#-;=-[\]-~]*$/;
/** The beginning of a `gapRow`, which would be on its own line in a list of texts. */
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
/** The bytes of each ASCII character when quoted, except characters whose size depends on the next character. */
const ASCII_WIDTHS: Uint8Array = Uint8Array.from(
  { length: 0x80 },
  (_, code) => quoteJson(String.fromCharCode(code)).length - 2,
);
