import { describe, expect, it, test } from 'vitest';
import { readCorpus } from '../../fixtures/corpus.ts';
import { looksLikeRecords } from './notice-and-hint-words.ts';

describe('records are told by their beginning', () => {
  it.each(['movies.json', 'earthquakes.json', 'seattle-weather.csv'])('in %s', (name) => {
    expect(looksLikeRecords(readCorpus(name))).toBe(true);
    expect(looksLikeRecords(readCorpus(name).slice(0, 32_768))).toBe(true);
  });

  it.each([
    ['a compact array', '[{"id":1},{"id":2}'],
    ['an array behind a key', '{"total":2,"data":{"items":[{"id":1}'],
    ['JSON lines', '{"id":1}\n{"id":2}\n'],
    ['a table with tabs', 'id\tname\n1\ta\n2\tb\n'],
    ['a table with quotes, semicolons and a BOM', '\ufeff"id";"full, name"\n1;"a;b"\n2;"c"\n'],
    ['a header that is quoted', '"id","name"\n1,a\n2,b\n'],
  ])('in %s', (_, text) => {
    expect(looksLikeRecords(text)).toBe(true);
  });

  it.each(['Apache_2k.log', 'Hadoop_2k.log', 'Linux_2k.log', 'OpenStack_2k.log', 'Zookeeper_2k.log', 'wikipedia.html'])(
    'not in %s',
    (name) => {
      expect(looksLikeRecords(readCorpus(name))).toBe(false);
    },
  );

  it.each([
    ['nothing', ''],
    ['a text in an object', '{"stdout":"line 1\\nline 2"}'],
    ['lists of numbers', '[1, 2, 3]'],
    ['a log in brackets', '[2026-01-01] start\n[2026-01-02] end\n'],
    ['prose', 'Dear reader,\nhow are you, today,\nor tomorrow?\nYours, A.\n'],
    ['regular lines of a log', '10:00:01,123 INFO\n10:00:02,456 INFO\n10:00:03,789 INFO\n'],
    ['two lines', 'a,b\n1,2\n'],
    ['a program', 'if (a) {\n  b();\n}\n'],
  ])('not in %s', (_, text) => {
    expect(looksLikeRecords(text)).toBe(false);
  });

  it.each([' ', ':', ': ', '":[', '"', '{ "', '}\n'])('takes no time over a beginning that repeats: %j', (piece) => {
    const before = process.cpuUsage();
    looksLikeRecords(`{"a"${piece.repeat(100_000)}`);
    looksLikeRecords(piece.repeat(100_000));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(50);
  });

  // One beginning takes some 30 ms when each line break is tried with each other one.
  test.each([
    ['blank lines after an object', '{"a":1}', '\n'],
    ['blank lines of Windows after an object', '{"a":1}', '\r\n'],
    ['lines of white space after an object', '{"a":1}', ' \n\t\n'],
    ['blank lines after a colon', '{"a":', '\n'],
  ])('takes no time over %s, a hundred times', (_, start, piece) => {
    const text = start + piece.repeat(30_000);
    const before = process.cpuUsage();
    for (let count = 0; count < 100; count++) looksLikeRecords(text);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(200);
  });
});

describe('the beginning that is looked at', () => {
  const padding = (chars: number) => `{"a":"${'x'.repeat(chars)}"`;

  test('has 8,192 characters', () => {
    expect(looksLikeRecords(`${padding(8000)},"rows":[{"id":1}`)).toBe(true);
    expect(looksLikeRecords(`${padding(8192)},"rows":[{"id":1}`)).toBe(false);
    expect(looksLikeRecords(`${padding(8000)}}\n{"a":1}`)).toBe(true);
    expect(looksLikeRecords(`${padding(8192)}}\n{"a":1}`)).toBe(false);
  });
});
