/** What a model reads when its glob cannot be matched. */
export const globWords = {
  empty: 'The glob is empty. Give one such as `*read-logs*` or `**/*.json`.',
  tooLong: (length: number, max: number): string => `The glob has ${length} characters, at most ${max} are matched.`,
  tooLarge: 'The glob is too large: use fewer alternatives in braces.',
  unclosed: 'The glob opens a `{` or `[` that it does not close. Write `\\{` or `\\[` for the sign itself.',
  badClass: 'The glob has a class that is none: write it as `[abc]`, `[a-z]` or `[!a]`.',
};
