import { describe, expect, it } from 'vitest';
import { callReader } from '../../fixtures/call-reader.ts';
import { readCorpus } from '../../fixtures/corpus.ts';
import { bytesOf } from '../../fixtures/record-bytes.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { readRecords } from '../records/record-source.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { RecordQuery } from './arguments.ts';
import { type QueryAnswer, queryRecords } from './query-records.ts';
import type { QueryRefusal } from './refusals-and-notes.ts';

const weather = readCorpus('seattle-weather.csv');
const movies = readCorpus('movies.json');
const films: { 'Release Date': string }[] = JSON.parse(movies);
const DATE_COUNT = weather.trim().split('\n').length - 1;

const ask = (data: string | unknown[], query: RecordQuery) =>
  queryRecords(readRecords(bytesOf(typeof data === 'string' ? data : JSON.stringify(data))), query);

async function answerOf(data: string | unknown[], query: RecordQuery): Promise<QueryAnswer> {
  const result = await ask(data, query);
  if (result.status !== 'ok') throw new Error(result.message);
  return result;
}

async function refusalOf(data: string | unknown[], query: RecordQuery): Promise<QueryRefusal> {
  const result = await ask(data, query);
  if (result.status !== 'refused') throw new Error(`answered with ${JSON.stringify(result).slice(0, 300)}`);
  return result;
}

const where = (field: string, op: string, value?: unknown) =>
  ({ where: [{ field, op, value }] }) as unknown as RecordQuery;

/** A refusal names values of the data, and asks in its example what can be asked. */
async function expectHelp(data: string | unknown[], { query, words }: { query: RecordQuery; words: string[] }) {
  const refusal = await refusalOf(data, query);
  const [asked] = query.where ?? [];
  expect(refusal.code).toBe('INVALID_PARAM');
  for (const word of words) expect(refusal.message).toContain(word);
  expect(refusal.fields?.map(({ name }) => name)).toContain(asked?.field);
  expect(refusal.example?.where?.[0]?.field).toBe(asked?.field);
  expect((await answerOf(data, refusal.example as RecordQuery)).matched).toBeGreaterThan(0);
  return refusal;
}

describe('a column of ISO dates (seattle-weather.csv)', () => {
  const words = ['it is a date, such as "2012-01-01", "2012-01-02"', 'Write dates as 2015-06-01'];

  it.each(
    ['lt', 'lte', 'gt', 'gte', 'eq', 'ne'].flatMap((op) =>
      ['06/01/2015', 'Jun 1 2015', '1.6.2015', 'today', '-7 days', 'June', ''].map((value) => [op, value] as const),
    ),
  )('is not compared by %s with %j', async (op, value) => {
    if (op === 'ne' && value === '') return;
    await expectHelp(weather, { query: where('date', op, value), words });
  });

  it.each([
    ['in', ['06/01/2015', '06/02/2015']],
    ['eq', '2015'],
    ['in', ['2015', '2014']],
    ['gte', 2015],
    ['eq', 20150601],
    ['eq', '20150601'],
  ])('is not compared by %s with %j', async (op, value) => {
    await expectHelp(weather, { query: where('date', op, value), words });
  });

  it('shows in the example how the same is asked of it', async () => {
    const exampleOf = async (op: string, value: unknown) =>
      (await refusalOf(weather, where('date', op, value))).example?.where?.[0];
    expect(await exampleOf('lt', 'today')).toEqual({ field: 'date', op: 'lte', value: '2012-01-01' });
    expect(await exampleOf('gt', 'today')).toEqual({ field: 'date', op: 'gte', value: '2012-01-01' });
    expect(await exampleOf('eq', 'today')).toEqual({ field: 'date', op: 'eq', value: '2012-01-01' });
    expect(await exampleOf('in', ['today'])).toMatchObject({
      op: 'in',
      value: ['2012-01-01', '2012-01-02', '2012-01-03'],
    });
  });

  it.each([
    ['gte', '2015-06-01', 214],
    ['gte', '2015/06/01', 214],
    ['lt', '2013', 366],
    ['gte', '2015-06', 214],
    ['eq', '2015/06/01', 1],
    ['in', ['2015-06-01', 'today'], 1],
    ['startsWith', '2015-06', 30],
    ['ne', '', DATE_COUNT],
    ['ne', '2015-06-01', DATE_COUNT - 1],
  ])('is compared by %s with %j', async (op, value, matched) => {
    expect((await answerOf(weather, where('date', op, value))).matched).toBe(matched);
  });

  it('answers in the envelope with the types, some values and an example', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    const { path } = await artifacts.save(weather, { toolName: 'csv', toolCallId: 'call-1', mediaType: 'text/csv' });
    const query = { path, ...where('date', 'gte', '06/01/2015') };
    const { code, text, output } = await callReader(artifacts, 'queryArtifact', query);
    expect(code).toBe('INVALID_PARAM');
    expect(text).toContain(
      '"date" cannot be compared by gte with "06/01/2015": it is a date, such as "2012-01-01", "2012-01-02", "2012-01-03".',
    );
    expect(text).toContain('date (date)');
    expect(text).toContain('For example: {"where":[{"field":"date","op":"gte","value":"2012-01-01"}],"limit":5}');
    expect(output.data).toEqual({});
  });
});

describe('a column of numbers', () => {
  it.each(
    ['lt', 'lte', 'gt', 'gte', 'eq', 'ne'].flatMap((op) =>
      ['warm', '12 C', '2015-06-01', '06/01/2015', 'N/A'].map((value) => [op, value] as const),
    ),
  )('is not compared by %s with %j', async (op, value) => {
    await expectHelp(weather, { query: where('temp_max', op, value), words: ['it is a number, such as 12.8, 10.6'] });
  });

  it('is not found in a list of words', async () => {
    await expectHelp(weather, { query: where('temp_max', 'in', ['warm', 'hot']), words: ['it is a number'] });
  });

  it.each(['lt', 'gte', 'eq'])('that are text is not compared by %s with a word', async (op) => {
    const data = [{ price: '12' }, { price: '5.5' }, { price: '100' }];
    const words = ['it is text that is a number, such as "12", "5.5", "100"'];
    await expectHelp(data, { query: where('price', op, 'cheap'), words });
    await expectHelp(data, { query: where('price', op, '2020-01-01'), words });
  });
});

describe('a column of dates that are not ISO (movies.json)', () => {
  const words = ['it is a date that is not ISO, such as "Jun 12 1998", "Aug 07 1998"', 'have no order'];

  it.each(
    ['lt', 'lte', 'gt', 'gte'].flatMap((op) =>
      ['2005-01-01', '2005', 2005, 'Jan 01 2005', '01/01/2005', 'M'].map((value) => [op, value] as const),
    ),
  )('has no order by which it could be compared: %s %j', async (op, value) => {
    const { example } = await expectHelp(movies, { query: where('Release Date', op, value), words });
    expect(example?.where).toEqual([{ field: 'Release Date', op: 'contains', value: '1998' }]);
  });

  it.each([
    ['eq', '1998-06-12'],
    ['eq', '06/12/1998'],
    ['eq', 'June 12, 1998'],
    ['eq', '1998'],
    ['in', ['1998-06-12', '1998-08-07']],
    ['ne', '1998-06-12'],
  ])('can never be equal to one that is written otherwise: %s %j', async (op, value) => {
    await expectHelp(movies, { query: where('Release Date', op, value), words });
  });

  it('is found as it is written, by its year and by a list', async () => {
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

  it.each([
    ['sorted', { sort: [{ field: 'Release Date', direction: 'desc' as const }] }, 'Release Date'],
    ['sorted as groups', { groupBy: ['Release Date'], sort: [{ field: 'Release Date' }] }, 'Release Date'],
    ['as the largest', { aggregate: [{ op: 'max' as const, field: 'Release Date' }] }, 'max(Release Date)'],
    [
      'as the smallest of each group',
      { groupBy: ['Major Genre'], aggregate: [{ op: 'min' as const, field: 'Release Date' }], limit: 200 },
      'min(Release Date)',
    ],
  ])('says that letters put it in order: %s', async (_, query, column) => {
    const answer = await answerOf(movies, query);
    expect(answer.datesByLetters).toEqual([column]);
    expect(answer.notes?.join(' ')).toContain('they are ordered by their letters, not by time');
  });

  it('is never a success when it is sorted, in the text and in the data', async () => {
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
    expect(whole.text).toContain('ask with contains instead');
  });

  it('says nothing of it where nothing is put in order', async () => {
    const answer = await answerOf(movies, { ...where('Release Date', 'contains', '1998'), sort: [{ field: 'Title' }] });
    expect(answer).not.toHaveProperty('datesByLetters');
  });

  it('is sorted like other text in a column of titles', async () => {
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

  it.each([
    ['gte', '2026-01-01', 2, '3 values of "due", such as "none", cannot be compared'],
    ['eq', '2026-01-01', 1, '3 values of "due", such as "none", cannot be compared'],
    ['eq', 'none', 1, '4 values of "due", such as "2026-01-01", cannot be compared'],
    ['gt', 'a', 1, '4 values of "due", such as "2026-01-01", cannot be compared'],
    ['ne', '2026-01-01', 5, '3 values of "due", such as "none", cannot be compared'],
  ])('says how many values could not be compared: %s %j', async (op, value, matched, note) => {
    const answer = await answerOf(due, where('due', op, value));
    expect(answer.matched).toBe(matched);
    expect(answer.notes?.[0]).toContain(note);
  });

  it('says what of it stands apart when it is sorted', async () => {
    const answer = await answerOf(due, { sort: [{ field: 'due', direction: 'desc' }] });
    expect(answer.notes).toContain(
      '"due" has 2 dates ("2026-01-01"), 2 texts ("none"), 1 numbers (7): each type is sorted apart.',
    );
  });

  it.each(['min', 'max'] as const)('says what %s left out of it', async (op) => {
    const answer = await answerOf(due, { aggregate: [{ op, field: 'due' }] });
    expect(answer.rows).toEqual([{ [`${op}(due)`]: 7 }]);
    expect(answer.notes?.[0]).toContain('leaves out 4 values of another type');
  });
});

it('compares what 200 values are wanted of without a look at each for each', async () => {
  const list = Array.from({ length: 200 }, (_, index) => `word ${index}`);
  const data = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id}` }));
  const before = process.cpuUsage();
  expect((await answerOf(data, where('name', 'in', list))).matched).toBe(0);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});
