import { expect, test } from 'vitest';
import { searchWords } from './search-words';
import { type SearchState, withEvents } from './use-search';

const begun: SearchState = {
  request: { text: 'x', isRegex: false, ignoreCase: true },
  matches: [],
  status: 'running',
  share: 0,
  current: undefined,
};
const match = (line: number) => ({ type: 'match' as const, line, text: 'x' });
const part = { matches: 2, searchedTo: 50, totalBytes: 200 };

test('what a search has found is known while it runs', () => {
  const state = withEvents(begun, [match(3), match(9), { type: 'progress', ...part }]);
  expect(state.matches.map(({ line }) => line)).toEqual([3, 9]);
  expect(searchWords(state)).toBe('2 matches, 25 % searched');
});

test('a search that ends early knows where to go on, and says that there may be more', () => {
  const state = withEvents(begun, [match(3), { type: 'end', ended: 'enough', next: '4:1:60', ...part }]);
  expect(state.next).toBe('4:1:60');
  expect(searchWords({ ...state, current: 0 })).toBe('1 of the first 1 match: next ones follow the last');
});

test('a search of everything says how many there are, or that there is none', () => {
  const end = { type: 'end' as const, ended: 'complete' as const, matches: 0, searchedTo: 0, totalBytes: 0 };
  expect(searchWords(withEvents(begun, [end]))).toBe('No match');
  expect(searchWords({ ...withEvents(begun, [match(3), end]), current: 0 })).toBe('1 of 1 match');
});

test('what went wrong is said in the words of the server', () => {
  const error = { code: 'TIMEOUT' as const, message: 'The store did not answer.' };
  expect(searchWords(withEvents(begun, [{ type: 'error', error }]))).toBe('The store did not answer.');
});
