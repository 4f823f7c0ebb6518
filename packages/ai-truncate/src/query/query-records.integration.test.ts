import { describe, expect, test } from 'vitest';
import { readCorpus } from '../../fixtures/corpus.ts';
import {
  earthquakeQuestions,
  movieQuestions,
  type Question,
  serviceQuestions,
  services,
  weatherQuestions,
} from '../../fixtures/query-questions.ts';
import { readRecords } from '../records/record-source.ts';
import { queryRecords } from './query-records.ts';

const asBytes = async function* (text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
};

const matcher = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};

const movies = readCorpus('movies.json');
const earthquakes = readCorpus('earthquakes.json');
const weather = readCorpus('seattle-weather.csv');
const weatherRecords = weather
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [date, precipitation, tempMax, tempMin, wind, kind] = line.split(',');
    const numbers = {
      precipitation: Number(precipitation),
      temp_max: Number(tempMax),
      temp_min: Number(tempMin),
      wind: Number(wind),
    };
    return { date, ...numbers, weather: kind };
  });

const serviceCsv = `id,load,name\n${services()
  .map(({ id, load, name }) => `${id},${load ?? ''},"${name ?? ''}"`)
  .join('\n')}\n`;

/** Averages and sums may differ in the order of additions. */
const rounded = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value;
const comparable = (rows: Record<string, unknown>[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, rounded(value)])));
const sorted = (rows: Record<string, unknown>[]) =>
  rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

const check = async (text: string, { records, question }: { records: unknown[]; question: Question }) => {
  const { query, at, answer, matched, unordered } = question;
  const result = await queryRecords(
    readRecords(() => asBytes(text), { at }),
    query,
    { matcher, maxChars: 100_000 },
  );
  if (result.status !== 'ok') throw new Error(result.message);
  const expected = answer([...records]);
  expect(expected.length).toBeGreaterThan(0);
  const order = unordered ? sorted : (rows: Record<string, unknown>[]) => rows;
  expect(comparable(order(result.rows))).toEqual(comparable(order(expected)));
  expect(result.matched).toBe(matched ? matched([...records]) : expected.length);
  expect(result.scanned).toBe(records.length);
};

describe('films (JSON)', () => {
  test.each(movieQuestions.map((question) => [question.asks, question] as const))('%s', async (_, question) => {
    await check(movies, { records: JSON.parse(movies), question });
  });
});

describe('earthquakes (GeoJSON)', () => {
  test.each(earthquakeQuestions.map((question) => [question.asks, question] as const))('%s', async (_, question) => {
    await check(earthquakes, { records: JSON.parse(earthquakes).features, question });
  });
});

describe('weather (CSV)', () => {
  test.each(weatherQuestions.map((question) => [question.asks, question] as const))('%s', async (_, question) => {
    await check(weather, { records: weatherRecords, question });
  });
});

describe.each([
  ['JSON', JSON.stringify(services(), null, 1)],
  [
    'NDJSON',
    services()
      .map((service) => JSON.stringify(service))
      .join('\n'),
  ],
])('services (%s)', (_, text) => {
  test.each(serviceQuestions.map((question) => [question.asks, question] as const))('%s', async (_, question) => {
    await check(text, { records: services(), question });
  });
});

describe('services (CSV)', () => {
  test('contain null for an empty cell', async () => {
    const question: Question = {
      asks: 'empty cells',
      query: { where: [{ field: 'load', op: 'eq', value: null }], select: ['id'], limit: 100 },
      answer: (all) => all.filter(({ load }) => load === undefined || load === null).map(({ id }) => ({ id })),
    };
    await check(serviceCsv, { records: services(), question });
  });
});
