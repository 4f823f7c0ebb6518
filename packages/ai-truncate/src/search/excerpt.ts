import { codePointStart, detach } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Hit } from './region.ts';
import { STRETCH } from './region.ts';

/** Lines up to here are shown whole. */
export const SHOWN_LINE = 300;
const SHOWN_BEFORE = SHOWN_LINE - STRETCH;
/** Characters that cannot be seen are shown by their codes, ten characters for one. */
const MAX_EXCERPT = 2 * SHOWN_LINE;
const CUT = '…';

/** What is shown of a line that matches: all of it, or so much around the match. */
export function excerptOf(text: string, { start, end, isEnded, at = start }: Hit): { text: string; isCut: boolean } {
  const isWhole = start >= 0 && isEnded && end - start <= SHOWN_LINE;
  if (isWhole) return { text: shown(text.slice(start, end)), isCut: false };
  const lineStart = Math.max(start, 0);
  const from = Math.max(lineStart, codePointStart(text, Math.max(0, at - SHOWN_BEFORE)));
  const to = Math.min(end, codePointStart(text, Math.max(at, lineStart) + STRETCH));
  const before = start >= 0 && from === start ? '' : CUT;
  const behind = isEnded && to === end ? '' : CUT;
  return { text: before + shown(text.slice(from, to)) + behind, isCut: true };
}

/** What is shown of a line around one that matches. */
export function contextLine(line: string): string {
  if (line.length > SHOWN_LINE) return shown(line.slice(0, codePointStart(line, STRETCH))) + CUT;
  return shown(line.endsWith('\r') ? line.slice(0, -1) : line);
}

function shown(raw: string): string {
  const text = visibleText(raw);
  return detach(text.length <= MAX_EXCERPT ? text : text.slice(0, codePointStart(text, MAX_EXCERPT)) + CUT);
}
