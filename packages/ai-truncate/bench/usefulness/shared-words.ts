/** Words that carry no meaning alone. A question shares them with every line. */
const functionWords = new Set(
  (
    'a an and are as at be been by can could did do does for from get had has have how i if in into is it its may me my no ' +
    'not of on one or our so some that the their then there they this those to was we were what when where which who ' +
    'why will with would you your'
  ).split(' '),
);

/** The words that a question shares with a text, without function words. */
export function sharedWords(question: string, text: string): string[] {
  const words = new Set(wordsOf(text));
  return [...new Set(wordsOf(question))].filter((word) => words.has(word) && !functionWords.has(word));
}

/** A text without each word that contains the identifier, number or stem that a question and a line share on purpose. */
export function withoutClue(text: string, clue: string): string {
  const lower = text.toLowerCase();
  const sought = clue.toLowerCase();
  let rest = '';
  let end = 0;
  for (let at = lower.indexOf(sought); at !== -1; at = lower.indexOf(sought, end)) {
    const before = /[\p{L}\p{N}]*$/u.exec(text.slice(end, at))?.[0].length ?? 0;
    const after = /^[\p{L}\p{N}]*/u.exec(text.slice(at + clue.length))?.[0].length ?? 0;
    rest += `${text.slice(end, at - before)} `;
    end = at + clue.length + after;
  }
  return rest + text.slice(end);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
