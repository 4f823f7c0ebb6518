import type { JsonNode } from '../json/json-node.ts';
import { parseJson } from '../json/json-sample.ts';
import { isSafeJson, measure } from '../json/json-text.ts';
import type { Steps } from '../pace.ts';
import { byteLength, countLines } from '../text/utf.ts';
import { fitNode } from './choose-json-items.ts';

/** The size limits of a preview. */
export type JsonPreviewOptions = {
  /** UTF-8 bytes. A limit of at least 256 is always met. */
  maxBytes: number;
  /** @default no limit */
  maxLines?: number;
};

export type JsonPreview = { text: string; complete: boolean };

/**
 * A smaller JSON document that still parses: first and last items, true counts, shortened strings, complete identifiers.
 * Members of the root and items of the outermost array have their own lines.
 *
 * Each step tries one layout. A mere prefix would show the form of a document but not its content, and the model would guess
 * the content.
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
 * One line of NDJSON in at most `maxBytes`, which is still one line that parses. The line itself if it fits and is safe to
 * show; `undefined` if it is not an object or array, or if nothing useful fits.
 */
export function shrinkJsonLine(line: string, maxBytes: number): string | undefined {
  const node = parseJson(line);
  if (!node) return undefined;
  if (isSafeJson(line) && byteLength(line) <= maxBytes) return line;
  return fitNode(node, maxBytes, { layout: 'line' });
}
