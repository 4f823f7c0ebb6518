/** What a model reads when its pattern cannot be searched for: what is wrong, and what to write in its place. */
export const patternWords = {
  empty: 'The pattern is empty. Give a word or an expression in RE2 syntax.',
  notText: 'The pattern must be a string: a word or an expression in RE2 syntax.',
  tooLong: (length: number, max: number): string =>
    `The pattern has ${length} characters, at most ${max} are searched for. Search for its rarest part, or do several searches.`,
  tooLarge:
    'The pattern is too large: its repeats multiply to more than can be searched in time. Use smaller counts, or `*` and `+`, which cost nothing.',
  newline:
    'Lines are searched one by one, so a line break is never found. Search for a part that stands in one line, with context lines to see those around it.',
  lookAround: (found: string): string =>
    `RE2 has no look-around (\`${found}\`). Search for the text itself without it, e.g. \`foo(?=bar)\` as \`foobar\`, and read the context lines; to leave lines out, search for what the wanted ones have.`,
  backReference: (found: string): string =>
    `RE2 has no back-references (\`${found}\`). Write the repeated text out, or search for the first half and compare in the lines that are found.`,
  possessive: (found: string): string =>
    `RE2 has no atomic groups or possessive repeats (\`${found}\`). Leave the extra sign out: RE2 never backtracks.`,
  syntax: (detail: string): string =>
    `The pattern is no RE2 expression: ${detail}. Escape signs that stand for themselves with \`\\\`, or search for it literally.`,
};
