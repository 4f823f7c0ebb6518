import type { LongText } from '../json/json-node.ts';
import { type TextStart, textRow } from '../text/frame.ts';
import { byteLength, endOfFirstBytes } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import type { CutLimits } from './truncate-text.ts';

/**
 * Plans the rows that mark the start of each long text of a value. A line of a text can look like the next key, but not like one
 * of these rows.
 */
export interface TextStarts {
  /** The room for the rows, in addition to the gaps after chosen lines. */
  bytes: number;
  lines: number;
  /** The additional room of each gap for the text that begins in it, if there are more texts than rows. */
  bytesPerGap: number;
  /** The last text that begins in one of these lines. */
  lastOf(lines: LineRange): TextStart | undefined;
  /** The shown text of these lines, with a row before each line in which a text begins. */
  withRows(shown: string, lines: LineRange): string;
}

/** Line numbers, both included. */
interface LineRange {
  from: number;
  to: number;
}

export const noTexts: TextStarts = {
  bytes: 0,
  lines: 0,
  bytesPerGap: 0,
  lastOf: () => undefined,
  withRows: (shown) => shown,
};

const MAX_NAME_BYTES = 100;
/** An end has at most one row for this many bytes, because a long text is not shorter. */
const BYTES_PER_ROW = 4096;

/** Plans the rows. The first text needs no row, because the beginning of the value is shown. */
export function planTextStarts([, ...later]: readonly LongText[], { maxBytes }: CutLimits): TextStarts {
  if (later.length === 0) return noTexts;
  const starts = later.map(({ line, key }) => ({ line, name: nameOf(key) }));
  const rowBytes = Math.max(...starts.map((start) => byteLength(textRow(start)))) + 1;
  const mostShown = Math.min(starts.length, 2 + Math.ceil(maxBytes / BYTES_PER_ROW));
  let left = mostShown;
  return {
    // One more row for the last gap.
    bytes: (mostShown + 1) * rowBytes,
    lines: mostShown,
    bytesPerGap: starts.length > mostShown ? rowBytes : 0,
    lastOf: ({ from, to }) => starts.findLast(({ line }) => line >= from && line <= to),
    withRows(shown, { from, to }) {
      const rows = new Map(starts.filter(({ line }) => line >= from && line <= to).map((start) => [start.line, start]));
      if (rows.size === 0) return shown;
      return shown
        .split('\n')
        .flatMap((text, index) => {
          const start = rows.get(from + index);
          return start && left-- > 0 ? [textRow(start), text] : [text];
        })
        .join('\n');
    },
  };
}

function nameOf(key: LongText['key']): string {
  if (typeof key === 'number') return `item ${key + 1}`;
  const name = visibleText(JSON.stringify(key ?? ''));
  const end = endOfFirstBytes(name, MAX_NAME_BYTES);
  return end < name.length ? `${name.slice(0, end)}…"` : name;
}
