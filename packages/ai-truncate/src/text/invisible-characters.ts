/**
 * What text can hide or reorder itself with, as alternatives of a regular expression with the flag `u`; tab and line feed
 * are not among it. Joiners and variation selectors stay where composed emoji and scripts need them: one of each behind a
 * character that is not ASCII. Anywhere else, and in a row, they could carry what nobody sees.
 */
export const INVISIBLE_CHARACTERS: string = [
  '(?![\\t\\n])\\p{Cc}',
  '[\\u2028\\u2029\\ufff9-\\ufffb]', // separators and annotations
  '(?![\\u200c\\u200d\\ufe0e\\ufe0f])\\p{Default_Ignorable_Code_Point}', // bidi, tags, fillers, soft hyphens
  '(?<![^\\0-\\x7f]|[0-9#*])[\\ufe0e\\ufe0f]',
  '(?<![^\\0-\\x7f])[\\u200c\\u200d]',
  '(?<=[\\u200c\\u200d])[\\u200c\\u200d\\ufe0e\\ufe0f]',
  '(?<=[\\ufe0e\\ufe0f])[\\ufe0e\\ufe0f]',
  '\\p{Surrogate}',
].join('|');
