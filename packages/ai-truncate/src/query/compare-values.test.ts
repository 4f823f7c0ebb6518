import { describe, expect, test } from 'vitest';
import { answerOf, ids, people, refusalOf, where } from '../../fixtures/ask-records.ts';
import { callReader } from '../../fixtures/call-reader.ts';
import { readCorpus } from '../../fixtures/corpus.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { RecordQuery } from './arguments.ts';

describe('null and missing values', () => {
  const data = [{ id: 1, a: null }, { id: 2 }, { id: 3, a: 0 }, { id: 4, a: '' }];

  test.each([
    ['eq', null, [1]],
    ['ne', null, [3, 4]],
    ['ne', 0, [1, 4]],
    ['exists', true, [1, 3, 4]],
    ['exists', undefined, [1, 3, 4]],
    ['exists', false, [2]],
    ['in', [null, 0], [1, 3]],
    ['eq', '', [4]],
    ['lt', 1, [3]],
    ['gte', 0, [3]],
  ])('%s %j', async (op, value, expected) => {
    expect(ids(await answerOf(data, where('a', op, value)))).toEqual(expected);
  });

  test.each([
    ['exists', { where: [{ field: 'Age ', op: 'exists' }] }],
    ['sort', { where: [{ field: 'age', op: 'exists', value: false }], sort: [{ field: 'Age ' }] }],
  ])('is refused for a field that no record has: %s', async (_, query) => {
    expect((await refusalOf(people, query)).message).toBe('No record has the field "Age ". Did you mean "age"?');
  });

  test('are explained if no record has the field', async () => {
    const answer = await answerOf(people, where('Age ', 'exists', false));
    expect(answer.matched).toBe(3);
    expect(answer.notes).toEqual(['No record has the field "Age ". Did you mean "age"?']);
    const query = { select: ['id'], where: [{ field: 'error', op: 'exists', value: false }] };
    expect(await answerOf(people, query)).toMatchObject({
      rows: [{ id: 1 }, { id: 2 }, { id: 3 }],
      notes: ['No record has the field "error".'],
    });
  });

  test('come last in both directions', async () => {
    const sorted = async (direction: string) =>
      ids(await answerOf(data.slice(0, 3), { sort: [{ field: 'a', direction }] }));
    expect([await sorted('asc'), await sorted('desc')]).toEqual([
      [3, 1, 2],
      [3, 1, 2],
    ]);
  });
});

describe('comparing', () => {
  const of = async (values: unknown[], op: string, value: unknown) => {
    const data = values.map((v) => ({ v }));
    return (await answerOf(data, where('v', op, value), {})).rows.map(({ v }) => v);
  };

  test('treats numbers written as text as numbers, in both directions', async () => {
    expect(await of([5, 10, 9], 'gt', '9')).toEqual([10]);
    expect(await of(['5', '10', '9'], 'gt', 9)).toEqual(['10']);
    expect(await of(['5', '10', '9'], 'gt', '9')).toEqual(['10']);
    expect(await of([1776], 'eq', '1776')).toEqual([1776]);
    expect(await of(['5.0'], 'eq', 5)).toEqual(['5.0']);
  });

  test('distinguishes texts that are spelled differently, even if both are the same number', async () => {
    const versions = ['1.1', '1.10', '1.2'];
    expect(await of(versions, 'eq', '1.1')).toEqual(['1.1']);
    expect(await of(versions, 'ne', '1.1')).toEqual(['1.10', '1.2']);
    expect(await of(versions, 'in', ['1.10', '1.3'])).toEqual(['1.10']);
    expect(await of(versions, 'eq', 1.1)).toEqual(['1.1', '1.10']);
    expect(await of(['5', 5], 'in', ['5.0', '6'])).toEqual([5]);
    expect((await answerOf('id,v\n1,1.1\n2,1.2\n', where('v', 'eq', '1.10'))).rows).toEqual([{ id: 1, v: 1.1 }]);
  });

  test('does not treat 007 as 7', async () => {
    expect(await of(['007', '7'], 'eq', 7)).toEqual(['7']);
  });

  test('compares ISO dates by their time', async () => {
    const dates = ['2026-01-01T00:30:00+02:00', '2026-01-01', '2025-12-31T23:00:00.000Z'];
    expect(await of(dates, 'lt', '2025-12-31T22:45:00Z')).toEqual([dates[0]]);
    expect(await of(dates, 'eq', '2025-12-31T22:30Z')).toEqual([dates[0]]);
  });

  test('sorts other text by code unit', async () => {
    expect(await of(['Zeta', 'alpha', 'é'], 'lt', 'b')).toEqual(['Zeta', 'alpha']);
  });

  test('distinguishes integers beyond 2^53, and returns them as text', async () => {
    const text = '[{"v":12345678901234567891},{"v":12345678901234567892},{"v":5}]';
    expect((await answerOf(text, where('v', 'eq', '12345678901234567891'))).rows).toEqual([
      { v: '12345678901234567891' },
    ]);
    expect((await answerOf(text, { sort: [{ field: 'v' }] })).rows.map(({ v }) => v)).toEqual([
      5,
      '12345678901234567891',
      '12345678901234567892',
    ]);
  });

  test('reports the values that could not be compared', async () => {
    const answer = await answerOf([{ v: 5 }, { v: 'n/a' }, { v: 7 }], where('v', 'gt', 4));
    expect(answer.matched).toBe(2);
    expect(answer.notes).toEqual(['1 value of "v", such as "n/a", cannot be compared by gt with 4 and did not match.']);
  });

  test('reports the values that a sum leaves out', async () => {
    const answer = await answerOf([{ v: 5 }, { v: 'n/a' }, { v: '7' }], { aggregate: [{ op: 'sum', field: 'v' }] });
    expect(answer.rows).toEqual([{ 'sum(v)': 12 }]);
    expect(answer.notes?.[0]).toContain('leaves out 1 value of another type, such as "n/a"');
  });

  test('finds true and false in CSV', async () => {
    expect((await answerOf('id,up\n1,true\n2,False\n', where('up', 'eq', false))).rows).toEqual([
      { id: 2, up: 'False' },
    ]);
  });

  test('is case-sensitive, and says so if nothing matched', async () => {
    const answer = await answerOf(people, where('name', 'eq', 'ada'));
    expect(answer.matched).toBe(0);
    expect(answer.notes?.[0]).toContain('case-sensitively. Values that exist: "name" e.g. "Ada", "Bob", "Cleo"');
  });
});

describe('text that could be an identifier', () => {
  const codes = ['007', '+1', '10', '9'].map((code, index) => ({ id: index, code }));

  test('is text in every part of a question', async () => {
    expect(ids(await answerOf(codes, where('code', 'eq', 7)))).toEqual([]);
    expect(ids(await answerOf(codes, where('code', 'gte', 0)))).toEqual([2, 3]);
    expect(ids(await answerOf(codes, { sort: [{ field: 'code' }] }))).toEqual([3, 2, 1, 0]);
    const aggregate = ['sum', 'avg', 'min', 'max'].map((op) => ({ op, field: 'code' }));
    const { rows, notes } = await answerOf(codes, { aggregate });
    expect(rows).toEqual([{ 'sum(code)': 19, 'avg(code)': 9.5, 'min(code)': '9', 'max(code)': '10' }]);
    expect(notes?.join(' ')).toContain('"007"');
  });
});

describe('a day compared with moments', () => {
  const moments = ['2020-01-01T08:00:00Z', '2020-01-02T08:00:00Z'].map((at, id) => ({ id, at }));

  test.each(['eq', 'lte', 'gt', 'ne'])('is explained as its first moment if that matters: %s', async (op) => {
    expect((await answerOf(moments, where('at', op, '2020-01-01'))).notes?.[0]).toContain(
      'A day means its first moment',
    );
  });

  test.each([
    ['gte', '2020-01-01'],
    ['lt', '2020-01-02'],
    ['gt', '2019-12-31'],
    ['gt', '2020-01-01T00:00Z'],
  ])('is not explained if that does not matter: %s %s', async (op, day) => {
    expect((await answerOf(moments, where('at', op, day))).notes).toBeUndefined();
  });
});

const weather = readCorpus('seattle-weather.csv');
const movies = readCorpus('movies.json');
const films: { 'Release Date': string }[] = JSON.parse(movies);
const DATE_COUNT = weather.trim().split('\n').length - 1;

/** The refusal with the values of the data and the fields that it names. */
async function expectHelp(data: string | unknown[], { query, words }: { query: RecordQuery; words: string[] }) {
  const refusal = await refusalOf(data, query);
  const [asked] = query.where ?? [];
  expect(refusal.code).toBe('INVALID_PARAM');
  for (const word of words) expect(refusal.message).toContain(word);
  expect(refusal.fields?.map(({ name }) => name)).toContain(asked?.field);
}

describe('a column of ISO dates (seattle-weather.csv)', () => {
  const words = ['its type is date, such as "2012-01-01", "2012-01-02"', 'Write dates as 2015-06-01'];

  test.each(
    ['lt', 'lte', 'gt', 'gte', 'eq', 'ne'].flatMap((op) =>
      ['06/01/2015', 'Jun 1 2015', '1.6.2015', 'today', '-7 days', 'June', ''].map((value) => [op, value] as const),
    ),
  )('is not compared by %s with %j', async (op, value) => {
    if (op === 'ne' && value === '') return;
    await expectHelp(weather, { query: where('date', op, value), words });
  });

  test.each([
    ['in', ['06/01/2015', '06/02/2015']],
    ['eq', '2015'],
    ['in', ['2015', '2014']],
    ['gte', 2015],
    ['eq', 20150601],
    ['eq', '20150601'],
  ])('cannot be compared by %s with %j', async (op, value) => {
    await expectHelp(weather, { query: where('date', op, value), words });
  });

  test.each([
    ['gte', '2015-06-01', 214],
    ['gte', '2015/06/01', 214],
    ['lt', '2013', 366],
    ['gte', '2015-06', 214],
    ['eq', '2015/06/01', 1],
    ['in', ['2015-06-01', 'today'], 1],
    ['startsWith', '2015-06', 30],
    ['ne', '', DATE_COUNT],
    ['ne', '2015-06-01', DATE_COUNT - 1],
  ])('can be compared by %s with %j', async (op, value, matched) => {
    expect((await answerOf(weather, where('date', op, value))).matched).toBe(matched);
  });

  test('has a refusal in the envelope, with the types and some values', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save(weather, { toolName: 'csv', toolCallId: 'call-1', mediaType: 'text/csv' });
    const query = { path, ...where('date', 'gte', '06/01/2015') };
    const { code, text, output } = await callReader(artifacts, 'queryArtifact', query);
    expect(code).toBe('INVALID_PARAM');
    expect(text).toContain(
      '"date" cannot be compared by gte with "06/01/2015": its type is date, such as "2012-01-01", "2012-01-02", "2012-01-03".',
    );
    expect(text).toContain('date (date)');
    expect(output.data).toEqual({});
  });
});

describe('a column of numbers', () => {
  test.each(
    ['lt', 'lte', 'gt', 'gte', 'eq', 'ne'].flatMap((op) =>
      ['warm', '12 C', '2015-06-01', '06/01/2015', 'N/A'].map((value) => [op, value] as const),
    ),
  )('cannot be compared by %s with %j', async (op, value) => {
    await expectHelp(weather, {
      query: where('temp_max', op, value),
      words: ['its type is number, such as 12.8, 10.6'],
    });
  });

  test('cannot be found in a list of words', async () => {
    await expectHelp(weather, { query: where('temp_max', 'in', ['warm', 'hot']), words: ['its type is number'] });
  });

  test.each(['lt', 'gte', 'eq'])('that are text cannot be compared by %s with a word', async (op) => {
    const data = [{ price: '12' }, { price: '5.5' }, { price: '100' }];
    const words = ['its type is numeric text, such as "12", "5.5", "100"'];
    await expectHelp(data, { query: where('price', op, 'cheap'), words });
    await expectHelp(data, { query: where('price', op, '2020-01-01'), words });
  });
});

describe('a column of dates that are not ISO (movies.json)', () => {
  const words = ['its type is text date, such as "Jun 12 1998", "Aug 07 1998"', 'have no order'];

  test.each(
    ['lt', 'lte', 'gt', 'gte'].flatMap((op) =>
      ['2005-01-01', '2005', 2005, 'Jan 01 2005', '01/01/2005', 'M'].map((value) => [op, value] as const),
    ),
  )('has no order for a comparison: %s %j', async (op, value) => {
    await expectHelp(movies, { query: where('Release Date', op, value), words });
  });

  test.each([
    ['eq', '1998-06-12'],
    ['eq', '06/12/1998'],
    ['eq', 'June 12, 1998'],
    ['eq', '1998'],
    ['in', ['1998-06-12', '1998-08-07']],
    ['ne', '1998-06-12'],
  ])('can never equal a date in another notation: %s %j', async (op, value) => {
    await expectHelp(movies, { query: where('Release Date', op, value), words });
  });

  test('is found by its exact text, by its year and by a list', async () => {
    const matched = async (op: string, value: unknown) =>
      (await answerOf(movies, where('Release Date', op, value))).matched;
    const count = (holds: (date: string) => boolean) => films.filter((film) => holds(film['Release Date'])).length;
    expect(await matched('eq', 'Jun 12 1998')).toBe(count((date) => date === 'Jun 12 1998'));
    expect(await matched('contains', '1998')).toBe(count((date) => date.includes('1998')));
    expect(await matched('in', ['Jun 12 1998', 'Aug 07 1998'])).toBe(
      count((date) => date === 'Jun 12 1998' || date === 'Aug 07 1998'),
    );
    expect(await matched('eq', 'Jun 31 1998')).toBe(0);
  });

  test.each([
    ['sorted', { sort: [{ field: 'Release Date', direction: 'desc' as const }] }, 'Release Date'],
    ['sorted as groups', { groupBy: ['Release Date'], sort: [{ field: 'Release Date' }] }, 'Release Date'],
    ['as the largest', { aggregate: [{ op: 'max' as const, field: 'Release Date' }] }, 'max(Release Date)'],
    [
      'as the smallest of each group',
      { groupBy: ['Major Genre'], aggregate: [{ op: 'min' as const, field: 'Release Date' }], limit: 200 },
      'min(Release Date)',
    ],
  ])('is reported as sorted by its letters: %s', async (_, query, column) => {
    const answer = await answerOf(movies, query);
    expect(answer.datesByLetters).toEqual([column]);
    expect(answer.notes?.join(' ')).toContain('They are ordered by their letters, not by time');
  });

  test('is reported as incomplete if it is sorted, in the text and in the data', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save(movies, {
      toolName: 'fetch',
      toolCallId: 'call-1',
      mediaType: 'application/json',
    });
    const query = { path, select: ['Title'], sort: [{ field: 'Release Date', direction: 'desc' }] };
    const { output, text, data } = await callReader(artifacts, 'queryArtifact', { ...query, limit: 200 });
    expect(output.status).toBe('partial');
    expect(data).toMatchObject({ fallback: 'dates by letters', fallback_fields: ['Release Date'] });
    expect(text).toContain('ordered by their letters, not by time');
    const where = [{ field: 'Title', op: 'eq', value: 'The Land Girls' }];
    const whole = await callReader(artifacts, 'queryArtifact', { ...query, where });
    expect(whole.output.status).toBe('partial');
    expect(whole.data).not.toHaveProperty('truncated');
    expect(whole.text).toContain('use contains.');
  });

  test('has no note if nothing is sorted', async () => {
    const answer = await answerOf(movies, { ...where('Release Date', 'contains', '1998'), sort: [{ field: 'Title' }] });
    expect(answer).not.toHaveProperty('datesByLetters');
  });

  test('is sorted like other text in a column of titles', async () => {
    const titles = ['Alien', 'September 2010', 'Zodiac', ...Array.from({ length: 20 }, (_, at) => `Title ${at}`)];
    const answer = await answerOf(
      titles.map((title) => ({ title })),
      { sort: [{ field: 'title' }], limit: 100 },
    );
    expect(answer.rows.map(({ title }) => title)).toEqual(titles.toSorted());
    expect(answer).not.toHaveProperty('datesByLetters');
  });
});

describe('a column of several types', () => {
  const due = ['2026-01-01', 'none', '2026-02-01', '02/03/2026', 7, null].map((value, id) => ({ id, due: value }));

  test.each([
    ['gte', '2026-01-01', 2, '3 values of "due", such as "none", cannot be compared'],
    ['eq', '2026-01-01', 1, '3 values of "due", such as "none", cannot be compared'],
    ['eq', 'none', 1, '4 values of "due", such as "2026-01-01", cannot be compared'],
    ['gt', 'a', 1, '4 values of "due", such as "2026-01-01", cannot be compared'],
    ['ne', '2026-01-01', 5, '3 values of "due", such as "none", cannot be compared'],
  ])('reports how many values could not be compared: %s %j', async (op, value, matched, note) => {
    const answer = await answerOf(due, where('due', op, value));
    expect(answer.matched).toBe(matched);
    expect(answer.notes?.[0]).toContain(note);
  });

  test.each(['min', 'max'] as const)('reports the values that %s left out', async (op) => {
    const answer = await answerOf(due, { aggregate: [{ op, field: 'due' }] });
    expect(answer.rows).toEqual([{ [`${op}(due)`]: 7 }]);
    expect(answer.notes?.[0]).toContain('leaves out 4 values of another type');
  });
});

test('compares each value with 200 others at once', async () => {
  const list = Array.from({ length: 200 }, (_, index) => `word ${index}`);
  const data = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id}` }));
  const before = process.cpuUsage();
  expect((await answerOf(data, where('name', 'in', list))).matched).toBe(0);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});
