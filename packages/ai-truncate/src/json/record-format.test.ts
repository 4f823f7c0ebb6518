import { describe, expect, test } from 'vitest';
import { readCorpus } from '../../fixtures/corpus.ts';
import { looksLikeRecords } from './record-format.ts';

describe('records are recognized by their beginning', () => {
  test.each(['movies.json', 'earthquakes.json', 'seattle-weather.csv'])('in %s', (name) => {
    expect(looksLikeRecords(readCorpus(name))).toBe(true);
    expect(looksLikeRecords(readCorpus(name).slice(0, 32_768))).toBe(true);
  });

  test.each([
    ['a compact array', '[{"id":1},{"id":2}'],
    ['an array after a key', '{"total":2,"data":{"items":[{"id":1}'],
    ['JSON lines', '{"id":1}\n{"id":2}\n'],
    ['a table with tabs', 'id\tname\n1\ta\n2\tb\n'],
    ['a table with quotes, semicolons and a BOM', '\ufeff"id";"full, name"\n1;"a;b"\n2;"c"\n'],
    ['a header that is quoted', '"id","name"\n1,a\n2,b\n'],
  ])('in %s', (_, text) => {
    expect(looksLikeRecords(text)).toBe(true);
  });

  test.each([
    'Apache_2k.log',
    'Hadoop_2k.log',
    'Linux_2k.log',
    'OpenStack_2k.log',
    'Zookeeper_2k.log',
    'wikipedia.html',
  ])('not in %s', (name) => {
    expect(looksLikeRecords(readCorpus(name))).toBe(false);
  });

  test.each([
    ['nothing', ''],
    ['a text in an object', '{"stdout":"line 1\\nline 2"}'],
    ['lists of numbers', '[1, 2, 3]'],
    ['a log in brackets', '[2026-01-01] start\n[2026-01-02] end\n'],
    ['prose', 'Dear reader,\nhow are you, today,\nor tomorrow?\nKind regards, A.\n'],
    ['regular lines of a log', '10:00:01,123 INFO\n10:00:02,456 INFO\n10:00:03,789 INFO\n'],
    ['a program', 'if (a) {\n  b();\n}\n'],
  ])('not in %s', (_, text) => {
    expect(looksLikeRecords(text)).toBe(false);
  });

  test.each([' ', ':', ': ', '":[', '"', '{ "', '}\n'])('takes little time for a repetitive beginning: %j', (piece) => {
    const before = process.cpuUsage();
    looksLikeRecords(`{"a"${piece.repeat(100_000)}`);
    looksLikeRecords(piece.repeat(100_000));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(50);
  });

  // One beginning would take some 30 ms if each line break were tried with each other one.
  test.each([
    ['blank lines after an object', '{"a":1}', '\n'],
    ['blank lines with Windows line breaks after an object', '{"a":1}', '\r\n'],
    ['lines of white space after an object', '{"a":1}', ' \n\t\n'],
    ['blank lines after a colon', '{"a":', '\n'],
  ])('takes little time for %s, a hundred times', (_, start, piece) => {
    const text = start + piece.repeat(30_000);
    const before = process.cpuUsage();
    for (let count = 0; count < 100; count++) looksLikeRecords(text);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(200);
  });
});

describe('the inspected beginning', () => {
  const padding = (chars: number) => `{"a":"${'x'.repeat(chars)}"`;

  test('has 32,768 characters', () => {
    expect(looksLikeRecords(`${padding(32_000)},"rows":[{"id":1}`)).toBe(true);
    expect(looksLikeRecords(`${padding(32_768)},"rows":[{"id":1}`)).toBe(false);
  });
});

describe('records in other places than a list of objects', () => {
  test.each([
    ['a dictionary', '{"KJFK":{"temp":1,"wind":2},"KLGA":{"temp":1},"KEWR":{"temp":3,"wind":0},"KBOS":{"te'],
    ['columns', '{"units":{"t":"C"},"hourly":{"time":["2025-01-01","2025-01-02"],"t":[1,2],"w":[1,'],
    ['rows with a list of names', '{"columns":["a","b"],"rows":[[1,2],[3,4'],
    ['rows below a header', '[["a","b"],[1,2],[3,4'],
    ['edges of GraphQL', '{"data":{"viewer":{"repositories":{"edges":[{"node":{"a":1'],
    ['several lists', '{"a":[{"x":1}],"b":[{"y":1}]}'],
  ])('are found: %s', (_, text) => {
    expect(looksLikeRecords(text)).toBe(true);
  });

  test.each([
    ['one object', '{"name":"x","version":"1.0.0","scripts":{"a":"b"}}'],
    ['objects of different kinds', '{"page":{"number":1},"user":{"name":"x"},"links":{"next":"y"}}'],
    ['a list of words', '{"words":["a","b","c"]}'],
    ['an empty list', '{"results":[],"total":0}'],
  ])('are not found in %s', (_, text) => {
    expect(looksLikeRecords(text)).toBe(false);
  });
});
