import { boundedText } from '../protocol/bounded-text.ts';
import { isRecord } from '../protocol/is-record.ts';
import { exploreWords } from './explore-words.ts';

const MAX_LABEL_CHARS = 80;

/** What a reader is called for, in a few words: the pattern of a search, the lines of a page. */
export function exploreLabel(input: unknown): string {
  if (!isRecord(input)) return '';
  const { pattern, offset, limit, where, cursor } = input;
  if (typeof pattern === 'string') return boundedText(pattern, MAX_LABEL_CHARS);
  if (Array.isArray(where))
    return boundedText(where.slice(0, MAX_CONDITIONS).map(conditionOf).join(' and '), MAX_LABEL_CHARS);
  if (typeof offset === 'number' && typeof limit === 'number') return exploreWords.lines(offset, offset + limit - 1);
  return typeof cursor === 'string' ? boundedText(cursor, MAX_LABEL_CHARS) : '';
}

const MAX_CONDITIONS = 3;

function conditionOf(condition: unknown): string {
  if (!isRecord(condition)) return '';
  const { field, op, value } = condition;
  return [field, op, value].map((part) => boundedText(String(part), MAX_LABEL_CHARS)).join(' ');
}
