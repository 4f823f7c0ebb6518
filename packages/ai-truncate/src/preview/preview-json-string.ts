import type { JsonString } from '../json/json-node.ts';
import {
  isIdentifier,
  measure,
  omission,
  quotableEnd,
  quotableStart,
  quotedBytes,
  quoteJson,
  SHORT,
} from '../json/json-text.ts';
import { byteLength } from '../text/utf.ts';
import { OMISSION_MARK } from '../text/visible-text.ts';

/** A text of the preview's own, or of a long number, as a string of which everything is known. */
export function wholeString(text: string): JsonString {
  return { kind: 'string', first: text, last: '', length: text.length };
}

/** The string as JSON in at most so many bytes: whole, or its two ends, or `undefined` when part of it would say something wrong. */
export function fitString(node: JsonString, maxBytes: number, key: string | undefined): string | undefined {
  if (measure(node, maxBytes) <= maxBytes) return quoteJson(node.first);
  const isWhole = node.first.length === node.length;
  // Part of an identifier, or of a string hardly longer than the words for its gap, says something wrong.
  const isFirmText = node.length <= 2 * SHORT && (!isWhole || isIdentifier(node.first, key));
  if (node.length <= SHORT || isFirmText) return undefined;

  const room = maxBytes - 2 - byteLength(omission.characters(node.length, 1));
  if (room < SHORT / 4) return undefined;
  const knownEnd = isWhole ? node.first : node.last;
  const half = quotableStart(node.first, knownEnd === '' ? room : Math.ceil(room / 2));
  const known = quotableEnd(knownEnd, room - contentBytes(half));
  // With the end of the mark before it, it could pass for another mark.
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
