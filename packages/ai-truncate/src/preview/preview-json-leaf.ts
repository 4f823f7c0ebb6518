import type { JsonContainer, JsonItem, JsonNode, JsonString } from '../json/json-node.ts';
import {
  isIdentifier,
  measure,
  omission,
  quotableEnd,
  quotableStart,
  quotedBytes,
  quoteJson,
  SHORT,
  writeKey,
  writeMark,
} from '../json/json-text.ts';
import { OMISSION_MARK } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import { fitFields } from './fit-profile.ts';

/** A value without members as JSON of at most `maxBytes`, or `undefined` if a part of it would be misleading. */
export function fitLeaf(
  node: Exclude<JsonNode, JsonContainer>,
  maxBytes: number,
  key: string | undefined,
): string | undefined {
  if (node.kind === 'string') return fitString(node, maxBytes, key);
  if (node.text.length <= maxBytes) return node.text;
  return fitString({ kind: 'string', first: node.text, last: '', length: node.text.length }, maxBytes, undefined);
}

/** The string as JSON of at most `maxBytes`: complete, or its two ends, or `undefined` if a part of it would be misleading. */
function fitString(node: JsonString, maxBytes: number, key: string | undefined): string | undefined {
  if (measure(node, maxBytes) <= maxBytes) return quoteJson(node.first);
  const isWhole = node.first.length === node.length;
  // A part of an identifier, or of a string hardly longer than the words for its gap, is misleading.
  const isFirmText = node.length <= 2 * SHORT && (!isWhole || isIdentifier(node.first, key));
  if (node.length <= SHORT || isFirmText) return undefined;

  const room = maxBytes - 2 - byteLength(omission.characters(node.length, 1));
  if (room < SHORT / 4) return undefined;
  const knownEnd = isWhole ? node.first : node.last;
  const half = quotableStart(node.first, knownEnd === '' ? room : Math.ceil(room / 2));
  const known = quotableEnd(knownEnd, room - contentBytes(half));
  // With the end of the mark before it, the text could look like another mark.
  const end = new RegExp(`^${OMISSION_MARK}`).test(`…${known}`) ? known.slice(1) : known;
  const start = quotableStart(node.first, room - contentBytes(end));
  const shown = start.length + end.length;
  const mark = omission.characters(node.length - shown, shown);
  return `"${contentOf(start)}${mark}${contentOf(`…${end}`).slice(1)}"`;
}

function contentOf(text: string): string {
  return quoteJson(text).slice(1, -1);
}

function contentBytes(text: string): number {
  return quotedBytes(text, Number.POSITIVE_INFINITY) - 2;
}

/** The description of a gap in a container: a member of an object, an item of an array. */
export type Gap = { text: (shown: number) => string; maxBytes: number };

export function gapOf(node: JsonContainer): Gap {
  const key = node.kind === 'object' ? `${writeMark(freeKey(node))}:` : '';
  const words = node.kind === 'object' ? omission.members : omission.items;
  const text = (shown: number): string => key + writeMark(words(node.count - shown, shown));
  return { text, maxBytes: byteLength(key + writeMark(words(node.count, 1))) };
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

/** The profile of all records, as an object with a text for each field; `undefined` if no text fits. */
export function fitProfile({ kind, count, profile }: JsonContainer, maxBytes: number): string | undefined {
  if (!profile) return undefined;
  const key = writeMark(omission.counted(profile.count, count, kind === 'array' ? 'item' : 'member'));
  const [open, close] = kind === 'array' ? [`{${key}:{`, '}}'] : [`${key}:{`, '}'];
  const members = fitFields(profile.fields, {
    records: profile.count,
    maxBytes: maxBytes - byteLength(open) - close.length,
    write: writeProfileField,
  });
  return members.length === 0 ? undefined : open + members.join(',') + close;
}

/** A field of a profile as a member of an object. */
export function writeProfileField(name: string, words: string): string {
  return `${writeKey({ key: name, value: { kind: 'literal', text: '' } })}${quoteJson(words)}`;
}

/** Whether parts of an item are not known. */
export function isCut(item: JsonItem | undefined): boolean {
  const node = item?.value;
  if (node?.kind === 'string') return node.first.length < node.length;
  return (node?.kind === 'array' || node?.kind === 'object') && node.first.length + node.last.length < node.count;
}
