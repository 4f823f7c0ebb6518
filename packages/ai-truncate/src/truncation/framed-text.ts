import { PREVIEW_TAG } from './visible-text.ts';

/** Longer than any notice or hint that is written here, the path included. */
const MAX_NOTICE_CHARS = 1024;
const MAX_HINT_CHARS = 512;

const START = `\n<${PREVIEW_TAG}>\n`;
const END = `\n</${PREVIEW_TAG}>`;
const NOTICE = /^.{1,80} (?:succeeded, but|failed, but|is still running: )/su;

/**
 * The parts of what `modelText` composed: the words and the preview; `undefined` for any other text. Such a text was bounded
 * before, and says where the rest is: a new notice around it would say that the rest is lost. Looks at both ends only, however
 * long the text is.
 */
export function framedTextOf(text: string): { text: string; preview: string } | undefined {
  const notice = lineAtStart(text);
  if (notice === undefined || !NOTICE.test(notice)) return undefined;
  const start = notice.length + START.length;
  if (text.slice(notice.length, start) !== START) return undefined;
  const tailFrom = Math.max(start - 1, text.length - MAX_HINT_CHARS - END.length - 1);
  const offset = text.slice(tailFrom).lastIndexOf(END);
  const end = tailFrom + offset;
  if (offset === -1) return undefined;
  const behind = text.slice(end + END.length);
  // One line behind the frame, or none.
  if (behind !== '' && (behind[0] !== '\n' || behind.includes('\n', 1))) return undefined;
  return { text: notice + behind, preview: text.slice(Math.min(start, end), end) };
}

/** Whether these are words as they stand around a preview: one line, and perhaps a second one. */
export function isNoticeAndHint(text: string): boolean {
  const notice = lineAtStart(text) ?? text;
  if (notice.length > MAX_NOTICE_CHARS || !NOTICE.test(notice)) return false;
  const behind = text.slice(notice.length, notice.length + MAX_HINT_CHARS + 1);
  return text.length - notice.length <= MAX_HINT_CHARS && !behind.includes('\n', 1);
}

function lineAtStart(text: string): string | undefined {
  const end = text.slice(0, MAX_NOTICE_CHARS + 1).indexOf('\n');
  return end === -1 ? undefined : text.slice(0, end);
}
