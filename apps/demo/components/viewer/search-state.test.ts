import { expect, test } from 'vitest';
import { isAllSearched, searchBegun, searchBeyond, withEvents } from './search-state';
import { searchWords } from './search-words';

const words = { text: 'x', isRegex: false, ignoreCase: true };
const lines = 100;
const begun = searchBegun({ ...words, from: '1' }, lines);
const back = searchBegun({ ...words, before: '50' }, lines);
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

test('a search begins with nothing searched, backwards at the end', () => {
  expect(searchWords(begun)).toBe('0 matches, 0 % searched');
  expect(searchWords(back)).toBe('0 matches, searched back to 100 %');
});

test('backwards, what comes later stands before what is known, and what is shown stays shown', () => {
  const state = withEvents(back, [match(40), match(30)]);
  const later = withEvents({ ...state, current: 1 }, [match(20), { type: 'progress', ...part }]);
  expect(later.matches.map(({ line }) => line)).toEqual([20, 30, 40]);
  expect(later.matches[later.current ?? -1]?.line).toBe(40);
  expect(searchWords(later)).toBe('3 matches, searched back to 25 %');
});

test('a stretch is left at both ends, and where nothing is left the search begins at the other end', () => {
  const end = { type: 'end' as const, ended: 'enough' as const, next: '20:1:400', ...part };
  const state = withEvents(back, [match(40), match(20), end]);
  expect(searchBeyond(state, { by: -1, lines })).toEqual({ ...words, before: '20:1:400' });
  expect(searchBeyond(state, { by: 1, lines })).toEqual({ ...words, from: '50' });
  const first = withEvents(back, [{ type: 'end', ended: 'complete', ...part, searchedTo: 0 }]);
  expect(searchBeyond(first, { by: -1, lines })).toEqual({ ...words, before: '101' });
  expect(searchWords(first)).toBe('No match before line 50');
  const last = withEvents(searchBegun({ ...words, from: '20' }, lines), [{ type: 'end', ended: 'complete', ...part }]);
  expect(searchBeyond(last, { by: 1, lines })).toEqual({ ...words, from: '1' });
  expect(searchBeyond(last, { by: -1, lines })).toEqual({ ...words, before: '20' });
});

test('a search that broke off goes on where it came to, and only a complete one begins at the other end', () => {
  const broken = { status: 'failed' as const };
  const ahead = { ...withEvents(begun, [match(3), match(9)]), ...broken };
  expect(searchBeyond(ahead, { by: 1, lines })).toEqual({ ...words, from: '10' });
  const inGiantLine = { ...withEvents(begun, [{ ...match(9), at: '9:70:900' }]), ...broken };
  expect(searchBeyond(inGiantLine, { by: 1, lines })).toEqual({ ...words, from: '9:70:900' });
  const atTheEnd = { ...withEvents(begun, [match(lines)]), ...broken };
  expect(searchBeyond(atTheEnd, { by: 1, lines })).toEqual({ ...words, from: '1' });
  const onward = { ...searchBegun({ ...words, from: '4:1:60' }, lines), ...broken };
  expect(searchBeyond(onward, { by: 1, lines })).toEqual({ ...words, from: '4:1:60' });

  const behind = { ...withEvents(back, [match(40), match(30)]), status: 'cancelled' as const };
  expect(searchBeyond(behind, { by: -1, lines })).toEqual({ ...words, before: '30' });
  const backInGiantLine = { ...withEvents(back, [{ ...match(9), at: '9:70:900' }]), ...broken };
  expect(searchBeyond(backInGiantLine, { by: -1, lines })).toEqual({ ...words, before: '9:70:900' });
  expect(searchBeyond({ ...back, ...broken }, { by: -1, lines })).toEqual({ ...words, before: '50' });
  // The other way, it is known where the stretch begins.
  expect(searchBeyond(ahead, { by: -1, lines })).toEqual({ ...words, before: '101' });
  expect(searchBeyond(behind, { by: 1, lines })).toEqual({ ...words, from: '50' });
});

test('all is searched only from the first line to the last', () => {
  const complete = { type: 'end' as const, ended: 'complete' as const, ...part };
  expect(isAllSearched(withEvents(begun, [complete]))).toBe(true);
  expect(isAllSearched(withEvents(searchBegun({ ...words, before: '101' }, lines), [complete]))).toBe(true);
  expect(isAllSearched(withEvents(back, [complete]))).toBe(false);
  expect(isAllSearched(withEvents(searchBegun({ ...words, from: '2' }, lines), [complete]))).toBe(false);
  expect(isAllSearched(withEvents(begun, [match(3)]))).toBe(false);
});

test('a search backwards that took too long says how far back it came', () => {
  const state = withEvents(back, [{ type: 'end', ended: 'deadline', next: '10:1:50', ...part }]);
  expect(searchWords(state)).toBe('0 matches, searched back to 25 %: that took long');
});
