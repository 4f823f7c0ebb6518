import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finished } from '../pace.ts';
import { RecordScan, type ScannedRecords } from './record-scan.ts';

/** Scans a text in chunks of the given sizes, again and again. */
function scanned(text: string, sizes: readonly number[] = [text.length]): ScannedRecords | undefined {
  const scan = new RecordScan();
  for (let at = 0, index = 0; at < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    scan.push(text.slice(at, at + size));
    at += size;
  }
  return finished(scan.finish());
}

const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5000 })), {
  minLength: 1,
  maxLength: 5,
});

describe('a table', () => {
  const number = /^-?(?:0|[1-9]\d{0,9})(?:\.\d{1,4})?$/;
  const cell = fc.oneof(
    fc.constantFrom('paid', 'refunded', '', 'a "quoted" word', 'two\nlines', 'one, two', '007', '2026-11-20', 'é文'),
    fc.integer().map(String),
    fc.integer({ min: -1000, max: 1000 }).map((value) => String(value / 8)),
  );
  const settings = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    ending: fc.constantFrom('\n', '\r\n'),
    endsWithBreak: fc.boolean(),
    quotesAll: fc.boolean(),
  });

  test('is counted like by a parser that reads the complete text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 12, maxLength: 60 }),
        settings,
        sizes,
        (rows, { delimiter, ending, endsWithBreak, quotesAll }, chunks) => {
          const write = (text: string) =>
            quotesAll || /["\n\r]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
          const names = ['id', 'the state', 'note', 'total'];
          const text =
            [names, ...rows].map((row) => row.map(write).join(delimiter)).join(ending) + (endsWithBreak ? ending : '');
          const found = scanned(text, chunks);
          fc.pre(found?.kind === 'table' && found.delimiter === delimiter);
          expect(found.count).toBe(rows.length);
          expect(found.fields.map(({ name }) => name)).toEqual(names);
          for (const [column, { summary }] of found.fields.entries()) {
            const cells = rows.map((row) => row[column] ?? '').filter((each) => each !== '');
            const numbers = cells.filter((each) => number.test(each)).map(Number);
            expect(summary.nulls).toBe(rows.length - cells.length);
            expect(summary.numbers).toBe(numbers.length);
            expect(summary.texts).toBe(cells.length - numbers.length);
            expect(summary.least).toBe(Math.min(...numbers));
            expect(summary.most).toBe(Math.max(...numbers));
            expect(summary.sum).toBeCloseTo(
              numbers.reduce((sum, value) => sum + value, 0),
              4,
            );
            expect(summary.values?.different ?? 0).toBe(new Set(cells).size);
            for (const { text: value, count } of summary.values?.frequent ?? [])
              expect(count).toBe(cells.filter((each) => each === value).length);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('gives the same result for any chunks, also if it is broken', () => {
    const piece = fc.constantFrom(
      'a,b\n',
      '1,2\n',
      '"x',
      '"',
      ',',
      '\r\n',
      '\n',
      '"a\nb",c\n',
      '3,"4"\n',
      ';',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 20, maxLength: 200 }), sizes, (pieces, chunks) => {
        const text = pieces.join('');
        expect(scanned(text, chunks)).toEqual(scanned(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe('NDJSON', () => {
  const line = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .record({ id: fc.nat(), name: fc.string(), tags: fc.array(fc.string()) })
        .map((value) => JSON.stringify(value)),
    },
    { weight: 1, arbitrary: fc.constantFrom('', '  ', '\r', '{"id":', 'not JSON', '[1,2]', '7', '{"id":1}\r') },
  );

  test('is counted line by line, for any chunks', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 10, maxLength: 60 }), sizes, (lines, chunks) => {
        const text = ['{"id":1}', '{"id":2}', ...lines].join('\n');
        const found = scanned(text, chunks);
        const parsed = text.split('\n').flatMap((each) => {
          try {
            return [JSON.parse(each) as { id?: number }];
          } catch {
            return [];
          }
        });
        const ids = parsed.flatMap(({ id }) => id ?? []);
        expect(found).toMatchObject({ kind: 'ndjson', count: parsed.length });
        expect(found).toMatchObject({ total: text.split('\n').filter((each) => each.trim() !== '').length });
        if (found?.fields.length) {
          expect(found.fields[0]).toMatchObject({
            name: 'id',
            summary: { numbers: ids.length, least: Math.min(...ids) },
          });
        } else expect(parsed.length).toBeLessThan(8);
        expect(found).toEqual(scanned(text));
      }),
      { numRuns: 300 },
    );
  });

  test('with more than a thousand lines that are not JSON is not counted', () => {
    const text = (broken: number) =>
      Array.from({ length: 5000 }, (_, id) => (id >= 2000 && id < 2000 + broken ? 'not JSON' : `{"id":${id}}`)).join(
        '\n',
      );
    expect(scanned(text(1000))).toMatchObject({ count: 4000, total: 5000 });
    expect(scanned(text(1001))).toBeUndefined();
  });

  test('has records that are too large to be counted, and says so', () => {
    const small = Array.from({ length: 20 }, (_, id) => JSON.stringify({ id }));
    const large = JSON.stringify({ id: 20, text: 'x'.repeat(1_000_000) });
    const text = [...small, large, ...small].join('\n');
    expect(scanned(text)).toMatchObject({ count: 40, total: 41 });
    expect(scanned(text, [10_000])).toEqual(scanned(text));
  });
});

test.each([
  ['a log', (row: number) => `2026-11-20 12:00:${10 + (row % 50)} INFO worker ${row}, request done, ${row} ms`],
  ['a log with a level', (row: number) => `[INFO] user ${row} logged in, session started`.repeat((row % 3) + 1)],
  ['code', (row: number) => `  const value${row} = ${row};`],
  ['a list in code', (row: number) => `  'entry ${row}',`],
  [
    'prose',
    (row: number) => `This is sentence ${row}${', and more'.repeat(row % 4)}${row % 5 === 0 ? '; really' : ''}.`,
  ],
  ['addresses', (row: number) => `https://example.com/${row}?a=1${'&b=2'.repeat(row % 3)}`],
  ['names with one comma now and then', (row: number) => (row % 3 === 0 ? `Doe, Jane ${row}` : `Jane Doe ${row}`)],
])('%s is not a table', (_name, lineOf) => {
  expect(scanned(Array.from({ length: 3000 }, (_, row) => lineOf(row)).join('\n'))).toBeUndefined();
});

test('a text that starts like a table and goes on differently is not a table', () => {
  const rows = Array.from({ length: 2000 }, (_, row) => `${row},paid`);
  const prose = Array.from({ length: 2000 }, (_, row) => `line ${row} of the rest`);
  expect(scanned(rows.join('\n'))?.kind).toBe('table');
  expect(scanned([...rows, ...prose].join('\n'))).toBeUndefined();
});

test('a quote that is never closed costs the table, and no memory', () => {
  const rows = Array.from({ length: 2000 }, (_, row) => `${row},paid`);
  expect(scanned([...rows, '"open,1', ...rows].join('\n'))).toBeUndefined();
  expect(scanned([...rows, '"open,1', ...rows, 'x'.repeat(2_000_000)].join('\n'), [100_000])).toBeUndefined();
});
