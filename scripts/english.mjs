import { findProse, splitSentences } from './prose.mjs';

/**
 * A pattern that plain English does not need, with the words to use.
 *
 * @typedef {{ pattern: RegExp, use: string }} Rule
 */

const HEADLESS = String.raw`(?= (?:that|which|who|whose|of|with|without|in|on|at|from|before|after|it|they)\b|[,.;:)]|$)`;

/** A question may open with these words. @type {Rule[]} */
const openings = [
  { pattern: /^(?:Of|What|Who|Where)\b(?!.*\?)/, use: 'the subject first' },
  { pattern: /^(?:One|Those) (?:that|which|who|whose|with|without|before|after)\b/, use: 'the noun' },
  { pattern: /^(?:So|Neither|Nor) (?:does|do|did|is|are|was|were|has|have|can)\b/, use: 'a full sentence' },
];

/** @type {Rule[]} */
const words = [
  { pattern: /\b(?:stands?|stood|standing)\b(?!-| for\b| in for\b)/i, use: '"is", "is in"' },
  { pattern: /\btold\b(?! apart)/i, use: '"called with", "receives", "knows"' },
  { pattern: /\btell(?:s|ing)? of\b/i, use: '"reports", "mentions", "describes"' },
  { pattern: /\b(?:lies|lie|lay|lying)\b(?! about\b)/i, use: '"is in"' },
  { pattern: /\b(?:comes?|came|coming) past\b/i, use: '"passes"' },
  { pattern: /\b(?:gives?|gave|given|giving) (?:\w+ ){0,2}back\b/i, use: '"returns"' },
  { pattern: /\b(?:anew|lest|whence|thereof|whom)\b/i, use: 'a modern word' },
  {
    pattern: /(?<!\b(?:hid(?:den|es?)|le(?:ft|aves?|aving))\b.*)\bbehind\b(?! (?:an?|the) (?:proxy|flag|scenes)\b)/i,
    use: '"after"',
  },
  { pattern: /\bbeside\b/i, use: '"next to", "with", "besides"' },
  { pattern: /\bnobody\b/i, use: 'the positive statement, or "no user"' },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were|has|have|had) none\b/i, use: '"is not a …", "has no …"' },
  {
    pattern:
      /\bwhat (?:is|are|was|were) (?:asked|cut|found|given|kept|left|read|said|saved|sent|shown|stored|told|written)\b/i,
    use: 'the noun',
  },
  { pattern: /\b(?:but|by|for|than|to|with) who\b/i, use: 'the noun' },
  { pattern: /\ball of it\b/i, use: 'the noun' },
  { pattern: new RegExp(`\\b(?:the ones?|those)${HEADLESS}`, 'i'), use: 'the noun' },
  { pattern: /\b(?:ours|theirs|yours)\b/i, use: 'the noun' },
  {
    pattern: new RegExp(`\\bof (?:its|his|their|our|your|my|one's|(?:an?|the) \\w+'s) own${HEADLESS}`, 'i'),
    use: '"its own …"',
  },
  { pattern: /\bvisitors?\b/i, use: '"owner" or "user"' },
  {
    pattern:
      /\b(?:stores?|storage|disk|bucket) (?:that )?keeps?\b|\bkeep(?:s|ing)? (?:an?|the|every|each|all|its)? ?(?:artifacts?|outputs?)\b|\b(?:not kept|kept (?:artifacts?|outputs?)|(?:artifacts?|outputs?) (?:(?:that )?(?:is|are|was|were) )?kept)\b/i,
    use: '"saved", "stores"',
  },
  { pattern: /\b(?:by|for|to) the page\b|\bthe page (?:gets|is sent|receives|sees|shows)\b/i, use: '"the UI"' },
  { pattern: /\bthe model (?:reads|is (?:given|sent|told))\b/i, use: '"the model sees"' },
  { pattern: /\b(?:answer|result)s? of an? tool\b/i, use: '"tool output"' },
];

/**
 * Lists the sentences of a source file that are not plain English, as far as a pattern can see it.
 *
 * @param {string} source TypeScript or JavaScript.
 * @returns {{ line: number, sentence: string, found: string, use: string }[]}
 */
export function findStrangeSentences(source) {
  return findProse(source).flatMap(({ kind, line, text }) =>
    splitSentences(text).flatMap((sentence) => {
      const opened = kind === 'test name' ? sentence.replace(/^\p{L}/u, (letter) => letter.toUpperCase()) : sentence;
      return [...match(opened, openings), ...match(sentence, words)].map((hit) => ({ line, sentence, ...hit }));
    }),
  );
}

/**
 * @param {string} sentence
 * @param {Rule[]} rules
 */
function match(sentence, rules) {
  // Names in code are not words of the sentence.
  const plain = sentence.replaceAll(/`[^`]*`/g, '`…`');
  return rules.flatMap(({ pattern, use }) => {
    const found = pattern.exec(plain)?.[0];
    return found === undefined ? [] : [{ found, use }];
  });
}
