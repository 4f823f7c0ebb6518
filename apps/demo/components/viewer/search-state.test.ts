import { expect, test } from 'vitest';
import { isAllSearched, MAX_STRETCHES, matchBefore, searchBegun, searchBeyond, withEvents } from './search-state';
import { searchWords } from './search-words';

const words = { text: 'x', isRegex: false, ignoreCase: true };
const lines = 100;
const begun = searchBegun({ ...words, from: '1' });
const match = (line: number) => ({ type: 'match' as const, line, text: 'x' });
const part = { matches: 2, searchedTo: 50, totalBytes: 200 };

test('the matches of a search are known while it runs', () => {
  const state = withEvents(begun, [match(3), match(9), { type: 'progress', ...part }]);
  expect(state.matches.map(({ line }) => line)).toEqual([3, 9]);
  expect(searchWords(state)).toBe('2 matches, 25 % searched');
});

test('a search that ends early can continue, and says that there may be more', () => {
  const state = withEvents(begun, [match(3), { type: 'end', ended: 'enough', next: '4:1:60', ...part }]);
  expect(state.next).toBe('4:1:60');
  expect(searchWords({ ...state, current: 0 })).toBe('1 of 1+ matches');
});

test('a complete search says how many matches there are, or that there is none', () => {
  const end = { type: 'end' as const, ended: 'complete' as const, matches: 0, searchedTo: 0, totalBytes: 0 };
  expect(searchWords(withEvents(begun, [end]))).toBe('No match');
  expect(searchWords({ ...withEvents(begun, [match(3), end]), current: 0 })).toBe('1 of 1 match');
});

test('a failure is explained in the words of the server', () => {
  const error = { code: 'TIMEOUT' as const, message: 'The store did not answer.' };
  expect(searchWords(withEvents(begun, [{ type: 'error', error }]))).toBe('The store did not answer.');
});

test('a search starts with no searched lines', () => {
  expect(searchWords(begun)).toBe('0 matches, 0 % searched');
});

test('a search continues at the end of its stretch, or at the first line when no lines are left', () => {
  const end = { type: 'end' as const, ended: 'enough' as const, next: '20:1:400', ...part };
  expect(searchBeyond(withEvents(begun, [match(3), end]), lines)).toEqual({ ...words, from: '20:1:400' });
  const last = withEvents(searchBegun({ ...words, from: '20' }), [{ type: 'end', ended: 'complete', ...part }]);
  expect(searchBeyond(last, lines)).toEqual({ ...words, from: '1' });
  expect(searchWords(last)).toBe('No match from line 20 on');
});

test('an interrupted search continues where it stopped, and only a complete search starts at the first line', () => {
  const broken = { status: 'failed' as const };
  const ahead = { ...withEvents(begun, [match(3), match(9)]), ...broken };
  expect(searchBeyond(ahead, lines)).toEqual({ ...words, from: '10' });
  const inGiantLine = { ...withEvents(begun, [{ ...match(9), at: '9:70:900' }]), ...broken };
  expect(searchBeyond(inGiantLine, lines)).toEqual({ ...words, from: '9:70:900' });
  const atTheEnd = { ...withEvents(begun, [match(lines)]), ...broken };
  expect(searchBeyond(atTheEnd, lines)).toEqual({ ...words, from: '1' });
  const onward = { ...searchBegun({ ...words, from: '4:1:60' }), ...broken };
  expect(searchBeyond(onward, lines)).toEqual({ ...words, from: '4:1:60' });
});

test('the previous match can be in an earlier stretch', () => {
  const first = withEvents(begun, [match(3), { ...match(9), column: 70 }]);
  const second = withEvents(searchBegun({ ...words, from: '9:90:900' }, first), [
    { ...match(9), column: 90 },
    match(20),
  ]);
  const lineAndColumn = (state: typeof first | undefined) => {
    const found = state?.matches[state.current ?? -1];
    return found && [found.line, found.column];
  };
  expect(lineAndColumn(matchBefore(second, { line: 20 }))).toEqual([9, 90]);
  expect(lineAndColumn(matchBefore(second, { line: 9, column: 90 }))).toEqual([9, 70]);
  expect(matchBefore(second, { line: 9, column: 90 })?.request.from).toBe('1');
  expect(lineAndColumn(matchBefore(second, { line: 9 }))).toEqual([3, undefined]);
  expect(matchBefore(second, { line: 3 })).toBeUndefined();
});

test('the previous match is the nearest of all stretches, and all stretches are kept', () => {
  const first = withEvents(begun, [match(3), match(9)]);
  const far = withEvents(searchBegun({ ...words, from: '60' }, first), [match(70)]);
  const between = withEvents(searchBegun({ ...words, from: '20' }, far), [match(20), match(40)]);
  const visited: number[] = [];
  let state = matchBefore(between, { line: 80 });
  while (state) {
    const line = state.matches[state.current ?? -1]?.line ?? 0;
    visited.push(line);
    state = matchBefore(state, { line });
  }
  expect(visited).toEqual([70, 40, 20, 9, 3]);
});

test('when two stretches have the same match, the visible stretch counts', () => {
  const first = withEvents(begun, [match(3)]);
  const second = withEvents(searchBegun({ ...words, from: '2' }, first), [match(3)]);
  expect(matchBefore(second, { line: 9 })?.request.from).toBe('2');
});

test('a stretch stops when its search is left', () => {
  const second = searchBegun({ ...words, from: '20' }, withEvents(begun, [match(3)]));
  const back = matchBefore(second, { line: 9 });
  expect([...second.earlier, ...(back?.earlier ?? [])].map(({ request, status }) => [request.from, status])).toEqual([
    ['1', 'cancelled'],
    ['20', 'cancelled'],
  ]);
});

test('only the latest stretches of the same search are remembered', () => {
  let state = begun;
  for (let line = 2; line < 100; line++) state = searchBegun({ ...words, from: `${line}` }, state);
  expect([state.request, ...state.earlier.map(({ request }) => request)].map(({ from }) => from)).toEqual(
    Array.from({ length: MAX_STRETCHES }, (_, index) => `${99 - index}`),
  );
  expect(searchBegun({ ...words, text: 'y', from: '5' }, state).earlier).toEqual([]);
  expect(searchBegun({ ...words, from: '1' }, state).earlier).toEqual([]);
});

test('a search is complete only from the first line to the last', () => {
  const complete = { type: 'end' as const, ended: 'complete' as const, ...part };
  expect(isAllSearched(withEvents(begun, [complete]))).toBe(true);
  expect(isAllSearched(withEvents(searchBegun({ ...words, from: '2' }), [complete]))).toBe(false);
  expect(isAllSearched(withEvents(begun, [match(3)]))).toBe(false);
});

test('a search that took too long says how far it got', () => {
  const state = withEvents(begun, [{ type: 'end', ended: 'deadline', next: '10:1:50', ...part }]);
  expect(searchWords(state)).toBe('0 matches, timed out at 25 %');
});
