import { PREVIEW_TAG, withoutFrameTags } from './visible-text.ts';

/** Longer than any notice or hint that is written here, the path included. */
const MAX_NOTICE_CHARS = 1024;
const MAX_HINT_CHARS = 512;

const START = `\n<${PREVIEW_TAG}>\n`;
const END = `\n</${PREVIEW_TAG}>`;

/**
 * The preview in a text that has the form of `modelText`: a line, the frame, at most one more line; `undefined` for any other text.
 * Anybody can write such a text, so the words are not looked at, and the form proves nothing but the size of what is around the
 * preview. Looks at both ends only, however long the text is.
 */
export function framedPreviewOf(text: string): string | undefined {
  const notice = lineAtStart(text);
  if (notice === undefined) return undefined;
  const start = notice.length + START.length;
  if (text.slice(notice.length, start) !== START) return undefined;
  const tailFrom = Math.max(start - 1, text.length - MAX_HINT_CHARS - END.length - 1);
  const offset = text.slice(tailFrom).lastIndexOf(END);
  const end = tailFrom + offset;
  if (offset === -1) return undefined;
  const behind = text.slice(end + END.length);
  // One line behind the frame, or none.
  if (behind !== '' && (behind[0] !== '\n' || behind.includes('\n', 1))) return undefined;
  const preview = text.slice(Math.min(start, end), end);
  return withoutFrameTags(preview) === preview ? preview : undefined;
}

function lineAtStart(text: string): string | undefined {
  const end = text.slice(0, MAX_NOTICE_CHARS + 1).indexOf('\n');
  return end === -1 ? undefined : text.slice(0, end);
}
