import { expect, test } from 'vitest';
import { type SearchState, searchBegun } from './search-state';
import { searchWords, spokenSearchWords } from './search-words';

const running = searchBegun({ text: 'x', isRegex: false, ignoreCase: false, from: '1' });
const match = { type: 'match', line: 3, text: 'x' } as SearchState['matches'][number];

test('while a search runs, its progress changes the visible status and not the announcement', () => {
  const later = { ...running, share: 0.5, matches: [match] };
  expect(searchWords(running)).toBe('0 matches, 0 % searched');
  expect(searchWords(later)).toBe('1 match, 50 % searched');
  expect(spokenSearchWords(later)).toBe(spokenSearchWords(running));
});

test('the end of a search is announced as it is shown', () => {
  const ended: SearchState = { ...running, status: 'complete', share: 1, matches: [match], current: 0 };
  expect(spokenSearchWords(ended)).toBe('1 of 1 match');
  expect(spokenSearchWords(ended)).toBe(searchWords(ended));
});
