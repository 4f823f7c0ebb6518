import { type Context, type Meaning, type Target, targetOf } from './meaning';
import { hasKind, type Phrase, readQuestion } from './question';

const ORDER =
  /^(?:please |can you |could you )?(search|grep|look|find)( for| up)? (?:the )?(?:word |text |string |phrase )?(.+)$/i;
const MENTION = /^(.{0,120}?)\b(?:mentions?|contains?|says? about|says?) (?:the word )?(.+)$/i;
const SINGLE_WORD = 1;

/** A request to search for a text. The grammar covers only the words around the text. */
export function searchIn(text: string, context: Context): { meaning: Meaning; isCertain: boolean } | undefined {
  const question = text.trim().split('\n', 1)[0]?.slice(0, 300) ?? '';
  const [, verb, particle, asked] = ORDER.exec(question) ?? [];
  if (asked !== undefined && (verb?.toLowerCase() !== 'look' || particle === ' for')) {
    const { literal, target } = withoutPlace(asked, context);
    if (literal === '') return undefined;
    // `find the largest order` is a question; `grep` and `search` always search.
    const isCertain = /search|grep/i.test(verb ?? '') || particle === ' for' || wordCount(literal) === SINGLE_WORD;
    return { meaning: { about: 'search', literal, target }, isCertain };
  }
  const [, place = '', mentioned] = MENTION.exec(question) ?? [];
  if (mentioned === undefined) return undefined;
  const { phrases } = readQuestion(place);
  const isPlace =
    isAbout(phrases, placeKinds) && ['where', 'log', 'it', 'output', 'line'].some((kind) => hasKind(phrases, kind));
  const literal = withoutQuotes(mentioned);
  if (!isPlace || literal === '') return undefined;
  return { meaning: { about: 'search', literal, target: targetOf(phrases, context) }, isCertain: true };
}

const placeKinds = [
  'neutral',
  'count',
  'log',
  'service',
  'night',
  'it',
  'there',
  'where',
  'what',
  'output',
  'test',
  'order',
  'line',
];

function isAbout(phrases: readonly Phrase[], kinds: readonly string[]): boolean {
  return phrases.every((phrase) => kinds.some((kind) => hasKind([phrase], kind)));
}

function wordCount(text: string): number {
  return text.split(' ').length;
}

/** The text to search for, without `in the checkout log` at its end. */
function withoutPlace(asked: string, context: Context): { literal: string; target: Target } {
  // `search the checkout log for timeout`: the place comes first.
  const middle = asked.toLowerCase().indexOf(' for ');
  const before = middle === -1 ? [] : readQuestion(asked.slice(0, middle)).phrases;
  if (before.length > 0 && isAbout(before, placeKinds))
    return { literal: withoutQuotes(asked.slice(middle + ' for '.length)), target: targetOf(before, context) };
  const start = asked.toLowerCase().lastIndexOf(' in ');
  const place = start === -1 ? [] : readQuestion(asked.slice(start)).phrases;
  return place.length > 0 && isAbout(place, placeKinds)
    ? { literal: withoutQuotes(asked.slice(0, start)), target: targetOf(place, context) }
    : { literal: withoutQuotes(asked), target: 'last' };
}

/** The text to search for: inside of its quotes, or without an article and the end of the sentence. */
function withoutQuotes(text: string): string {
  const plain = text
    .trim()
    .replace(/[.?!]$/, '')
    .trim();
  const quoted = /^["“'‘`](.+)["”'’`]$/.exec(plain)?.[1];
  return quoted ?? plain.replace(/^(?:an?|the) /i, '');
}
