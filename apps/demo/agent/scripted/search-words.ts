const stopWords = new Set(
  'a about all an and any are as at be because been but by can could did do does for from had has have how i if in into is it its last me my no not of on or our please say says show so tell that the their them then there these they this those to us was we were what when where which who whose why will with would you your night today yesterday had get got look find search saved output question'.split(
    ' ',
  ),
);

/** The words of a question that are worth searching for, in their order, each once. */
export function searchWordsOf(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 && !stopWords.has(word)))].slice(0, 12);
}

/** What a word has in common with its other forms: `refunds`, `refunded` and `refund` are one. */
export function stemOf(word: string): string {
  return word.toLowerCase().replace(/(?:ies|ed|ing|es|s)$/, '');
}

/** Whether a question is about something that went wrong. */
export function asksForFailure(question: string): boolean {
  return /\b(fail\w*|errors?|wrong|crash\w*|broke\w*|down|outage|incident|problem\w*|exception\w*|happened)\b/i.test(
    question,
  );
}

/** A literal text as a pattern. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
