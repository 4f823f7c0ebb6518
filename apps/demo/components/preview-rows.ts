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
  const first = firstNumber(truncation, { hasGaps: gaps.some((gap) => gap?.kind === 'gap' && gap.isPlaced) });
  if (first === undefined) return plain;

  let next = first;
  let isNumbered = false;
  const rows = texts.map((text, index): PreviewRow => {
    const gap = gaps[index];
    if (gap) {
      if (gap.kind === 'gap') next = gap.nextLine ?? Math.max(first, next - 1);
      if (gap.kind !== 'start') isNumbered = gap.kind === 'gap' && gap.hasRows;
      return { text, kind: 'gap' };
    }
    if (!isNumbered) return { text, kind: 'line', number: next++ };
    const number = /^(\d+)(?::\d+)?: /.exec(text)?.[1];
    return number === undefined ? { text, kind: 'line' } : { text, kind: 'salient', number: Number(number) };
  });
  // A wrong number is worse than no number: both ends are shown, so the count must arrive at the last line.
  const hasGap = gaps.some((gap) => gap !== undefined);
  return hasGap && next - 1 !== truncation.original_lines ? plain : rows;
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

type ParsedGap =
  /** The row before a line in which a text of a value begins. */
  | { kind: 'start' }
  | {
      kind: 'gap';
      /** The number of the line after the gap; absent when the gap is inside one line. */
      nextLine?: number;
      /** It names lines. */
      isPlaced: boolean;
      /** Numbered lines of the gap follow. */
      hasRows: boolean;
    };

const GAP_START = '... [';
const GAP_END = '] ...';
/** The places of a gap. The words after them may quote the output. */
const PLACES =
  /not shown(?:: (?<rest>the rest of line \d+)?(?:, )?(?:(?:lines? (?:\d+-)?|the other lines up to line )(?<last>\d+))?(?:, |(?<=: ))?(?:the start of line (?<start>\d+))?)?/;

function parseGap(text: string): ParsedGap | undefined {
  const words = gapWords(text);
  if (words === undefined) return undefined;
  const { last, start } = PLACES.exec(words)?.groups ?? {};
  if (!words.includes('not shown')) return { kind: 'start' };
  const hasRows = / except the [\d,]+ rows? below/.test(words);
  if (start !== undefined) return { kind: 'gap', nextLine: Number(start), isPlaced: true, hasRows };
  if (last !== undefined) return { kind: 'gap', nextLine: Number(last) + 1, isPlaced: true, hasRows };
  return { kind: 'gap', isPlaced: false, hasRows };
}

/** The words of a gap row. In NDJSON it is a JSON string, so that every row parses. */
function gapWords(text: string): string | undefined {
  const row = text.slice(text.startsWith('"') ? 1 : 0, text.endsWith('"') ? -1 : undefined);
  if (!row.startsWith(GAP_START) || !row.endsWith(GAP_END)) return undefined;
  const words = row.slice(GAP_START.length, -GAP_END.length);
  return words.includes('not shown') || / begins in line \d+$/.test(words) ? words : undefined;
}
