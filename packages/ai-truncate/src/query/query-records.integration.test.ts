import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

const script = join(import.meta.dirname, '../../fixtures/query-peak-memory.ts');
// The young generation of V8 grows to 100 MB with whatever makes many short-lived strings; 8 MB show what is ours.
const flags = [
  '--expose-gc',
  '--max-semi-space-size=8',
  '--max-old-space-size=64',
  '--disable-warning=ExperimentalWarning',
];

// The promise is 50 ms; on a busy machine the collector of V8 takes some more. What is done in one step takes hundreds.
const LONGEST_MS = 80;

async function run(name: string): Promise<{ megabytes: number; longestMs: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, name]);
  return JSON.parse(stdout);
}

describe.skipIf(!existsSync('/proc/self/clear_refs'))('a query over 200 MB, under a heap of 64 MB', () => {
  test.each([
    'filter and group JSON',
    'filter and group NDJSON',
    'filter and group CSV',
    'sort JSON',
    'sort CSV with line breaks in quotes',
    'a group for each record',
    'contains in text of JSON',
    'contains in text of NDJSON',
    'contains in text of CSV',
    'lists of 300,000 texts',
    'lists of 300,000 texts, asked 20 times',
    'lists of 300,000 dates, asked for a day',
    'integers beyond 2^53',
    'keys with escapes',
  ])('needs at most 64 MB and leaves the event loop its turns: %s', async (name) => {
    const { megabytes, longestMs } = await run(name);
    expect(megabytes).toBeLessThanOrEqual(64);
    expect(longestMs).toBeLessThan(LONGEST_MS);
  });

  // A record is parsed as a whole: its bytes, its text and its value stand side by side.
  test.each(['records of 7 MB', 'records of 900,000 numbers', 'records of 24,000 keys'])(
    'leaves the event loop its turns with giant records: %s',
    async (name) => {
      expect((await run(name)).longestMs).toBeLessThan(LONGEST_MS);
    },
  );
});

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

/** Means and sums are added up in another order. */
const rounded = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value;
const comparable = (rows: Record<string, unknown>[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, rounded(value)])));
const sorted = (rows: Record<string, unknown>[]) =>
  rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

const check = async (text: string, { records, question }: { records: unknown[]; question: Question }) => {
  const { query, at, answer, matched, unordered } = question;
  const result = await queryRecords(readRecords(asBytes(text), { at }), query, { matcher, maxChars: 100_000 });
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
  test('has null for an empty cell', async () => {
    const question: Question = {
      asks: 'empty cells',
      query: { where: [{ field: 'load', op: 'eq', value: null }], select: ['id'], limit: 100 },
      answer: (all) => all.filter(({ load }) => load === undefined || load === null).map(({ id }) => ({ id })),
    };
    await check(serviceCsv, { records: services(), question });
  });
});
