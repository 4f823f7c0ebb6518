import { escapeSequencesIn } from '../text/visible-text.ts';

/** A line as people and models see it: without the sequences that colour it or move the cursor. */
export interface ShownLine {
  text: string;
  /** Where in the stored line the character at this index of the text stands. */
  toStored(index: number): number;
}

/** `undefined` for a line that is shown as it is stored. */
export function shownLine(line: string): ShownLine | undefined {
  const sequences = escapeSequencesIn(line);
  if (sequences.length === 0) return undefined;
  let text = '';
  let end = 0;
  for (const sequence of sequences) {
    text += line.slice(end, sequence.start);
    end = sequence.end;
  }
  return {
    text: text + line.slice(end),
    toStored(index) {
      let hidden = 0;
      for (const { start, end } of sequences) {
        if (start - hidden > index) break;
        hidden += end - start;
      }
      return index + hidden;
    },
  };
}
