import type { JsonNode } from '../json/json-node.ts';
import { parseJson } from '../json/json-sample.ts';
import { isSafeJson, measure } from '../json/json-text.ts';
import type { Steps } from '../pace.ts';
import { byteLength, countLines } from '../text/utf.ts';
import { fitNode } from './choose-json-items.ts';

/** How large a preview may be. */
export type JsonPreviewOptions = {
  /** UTF-8 bytes; from 256 on, they are always kept to. */
  maxBytes: number;
  /** @default no limit */
  maxLines?: number;
};

export type JsonPreview = { text: string; complete: boolean };

/**
 * A smaller JSON document that still parses: first and last items, true counts, long strings shortened, identifiers
 * whole. Members of the root and items of the outermost array stand on lines of their own.
 *
 * Each step tries one layout. A mere prefix would show the shape of a document but not its content, so the model would guess it.
 *
 * @example
 * ```ts
 * await inTurns(previewJsonInSteps(node, { maxBytes: 4096 }));
 * // { text: '[\n{"id":1},\n"… 2,484 more items …",\n{"id":2486}\n]', complete: false }
 * ```
 */
export function* previewJsonInSteps(node: JsonNode, options: JsonPreviewOptions): Steps<JsonPreview> {
  const { maxBytes, maxLines = Number.POSITIVE_INFINITY } = options;
  const complete = measure(node, maxBytes) <= maxBytes;
  for (const layout of ['document', 'members', 'line'] as const) {
    yield;
    const text = fitNode(node, maxBytes, { layout });
    if (text !== undefined && countLines(text) <= maxLines) return { text, complete };
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
  return fitNode(node, maxBytes, { layout: 'line' });
}
