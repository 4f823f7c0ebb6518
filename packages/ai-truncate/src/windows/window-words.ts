/** How lines stand in the text of a page. */
export const windowWords = {
  line: (line: number): string => `${line}: `,
  /** Of a line whose beginning stands on an earlier page. */
  restOfLine: (line: number, character: number): string => `${line} (from character ${character}): `,
  goesOn: ' … (this line goes on)',
};
