import { isRecord } from '../../protocol/guards.ts';
import { shortened } from '../../text/utf.ts';
import { exploreWords } from './explore-words.ts';

const MAX_LABEL_CHARS = 80;

/** What a reader is called for, in a few words: the pattern of a search, the lines of a page. */
export function exploreLabel(input: unknown): string {
  return isRecord(input) ? shortened(labelOf(input), MAX_LABEL_CHARS) : '';
}

function labelOf({ pattern, where, groupBy, chars, offset, limit }: Record<string, unknown>): string {
  if (typeof pattern === 'string') return pattern;
  if (Array.isArray(where)) return where.slice(0, MAX_PARTS).map(conditionOf).join(' and ');
  if (Array.isArray(groupBy)) return exploreWords.by(listOf(groupBy));
  if (isRecord(chars) && typeof chars.line === 'number') return exploreWords.lines(chars.line, chars.line);
  if (typeof offset !== 'number') return '';
  return typeof limit === 'number' ? exploreWords.lines(offset, offset + limit - 1) : exploreWords.from(offset);
}

const MAX_PARTS = 3;

function conditionOf(condition: unknown): string {
  if (!isRecord(condition)) return '';
  const { field, op, value } = condition;
  return [field, op, Array.isArray(value) ? listOf(value) : value].map(wordOf).join(' ');
}

function listOf(values: readonly unknown[]): string {
  return values.slice(0, MAX_PARTS).map(wordOf).join(',');
}

function wordOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MAX_LABEL_CHARS);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '…';
}
