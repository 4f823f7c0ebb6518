import type { TruncatedOutput } from 'ai-truncate/ui';

/**
 * One row of a preview. The texts of all rows, joined by line feeds, are the preview: nothing is added to what the model
 * received, nothing is taken from it.
 */
export interface PreviewRow {
  text: string;
  /** `gap` stands for what is not shown; `salient` is a line out of the middle, which begins with its own number. */
  kind: 'line' | 'gap' | 'salient';
  /** The number of the line in the full output; absent where the preview does not tell it. */
  number?: number;
}

/** Splits a preview into rows, each line with its true number in the full output. */
export function previewRows({ truncation, preview }: TruncatedOutput['data']): PreviewRow[] {
  const texts = preview.split('\n');
  const gaps = texts.map(parseGap);
  const plain = texts.map((text, index): PreviewRow => ({ text, kind: gaps[index] ? 'gap' : 'line' }));
  const first = firstNumber(truncation, { hasGaps: gaps.some((gap) => gap?.isPlaced) });
  if (first === undefined) return plain;

  const lastGap = gaps.findLastIndex((gap) => gap !== undefined);
  let next = first;
  let isBehindGap = false;
  const rows = texts.map((text, index): PreviewRow => {
    const gap = gaps[index];
    if (gap) {
      next = gap.nextLine ?? Math.max(first, next - 1);
      isBehindGap = true;
      return { text, kind: 'gap' };
    }
    const number = next++;
    const isSalient = isBehindGap && index < lastGap && text.startsWith(`${number}: `);
    return { text, kind: isSalient ? 'salient' : 'line', number };
  });
  // A wrong number is worse than none: both ends were shown, so the count must arrive at the last line.
  const endsAt = next - 1;
  return lastGap >= 0 && endsAt !== truncation.original_lines ? plain : rows;
}

/** Digits of the largest number, for the width of the column; 0 where no row has one. */
export function numberDigits(rows: PreviewRow[]): number {
  return rows.reduce((digits, { number }) => Math.max(digits, number === undefined ? 0 : String(number).length), 0);
}

function firstNumber(
  { direction, original_lines, kept_lines, running }: TruncatedOutput['data']['truncation'],
  { hasGaps }: { hasGaps: boolean },
): number | undefined {
  if (running) return undefined;
  if (direction === 'head') return 1;
  if (direction === 'tail') return Math.max(1, original_lines - kept_lines + 1);
  // Without a gap that names lines, `auto` shows a smaller JSON document: its lines are not those of the output.
  return (direction === 'auto' || direction === 'ends') && hasGaps ? 1 : undefined;
}

interface ParsedGap {
  /** The number of the line behind the gap; absent when the gap lies inside of one line. */
  nextLine?: number;
  /** It names lines. */
  isPlaced: boolean;
}

const GAP_START = '... [';
const GAP_END = '] ...';

function parseGap(text: string): ParsedGap | undefined {
  const words = gapWords(text);
  if (words === undefined) return undefined;
  const startOf = /the start of line (\d+)/.exec(words)?.[1];
  const lastHidden = Array.from(words.matchAll(/lines? (?:\d+-)?(\d+)/g)).at(-1)?.[1];
  if (startOf !== undefined) return { nextLine: Number(startOf), isPlaced: true };
  if (lastHidden !== undefined) return { nextLine: Number(lastHidden) + 1, isPlaced: true };
  return { isPlaced: false };
}

/** The words of a gap row. In NDJSON it is a JSON string, so that every row parses. */
function gapWords(text: string): string | undefined {
  const row = text.slice(text.startsWith('"') ? 1 : 0, text.endsWith('"') ? -1 : undefined);
  if (!row.startsWith(GAP_START) || !row.endsWith(GAP_END)) return undefined;
  const words = row.slice(GAP_START.length, -GAP_END.length);
  return words.includes('not shown') && !words.includes(']') ? words : undefined;
}
