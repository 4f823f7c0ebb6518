import { describe, expect, test } from 'vitest';
import { processorMsOf } from '../../fixtures/processor-time.ts';
import { allRecords, bytesOf } from '../../fixtures/record-bytes.ts';
import { toCell } from '../text/table-cells.ts';
import { delimitedRecords } from './delimited-records.ts';
import { textsOf } from './record-text.ts';

const read = (text: string, { size, delimiter }: { size?: number; delimiter?: string } = {}) =>
  allRecords(delimitedRecords(textsOf(bytesOf(text, size)), { delimiter }));

const notesOf = async (text: string): Promise<string[]> => {
  const records = delimitedRecords(textsOf(bytesOf(text)));
  await allRecords(records);
  return records.notes?.() ?? [];
};

describe.each([1, 2, 3, 7, 1000])('a table in chunks of %i bytes', (size) => {
  test.each([
    [
      'lines',
      'a,b\n1,x\n2,y\n',
      [
        { a: 1, b: 'x' },
        { a: 2, b: 'y' },
      ],
    ],
    ['no final line feed', 'a,b\n1,x', [{ a: 1, b: 'x' }]],
    [
      'CRLF',
      'a,b\r\n1,x\r\n2,y',
      [
        { a: 1, b: 'x' },
        { a: 2, b: 'y' },
      ],
    ],
    [
      'mixed line ends',
      'a,b\r\n1,x\n2,y\r\n',
      [
        { a: 1, b: 'x' },
        { a: 2, b: 'y' },
      ],
    ],
    ['quotes', 'a,b\n"x, y","z"\n', [{ a: 'x, y', b: 'z' }]],
    ['doubled quotes', 'a,b\n"say ""hi""",""""\n', [{ a: 'say "hi"', b: '"' }]],
    ['line breaks in quotes', 'a,b\n"x\r\ny\n",z\n', [{ a: 'x\r\ny\n', b: 'z' }]],
    ['a quote inside a cell', 'a,b\n5" pipe,x"y\n', [{ a: '5" pipe', b: 'x"y' }]],
    [
      'quotes before CRLF',
      'a,b\r\n1,"x"\r\n2,"y"\r\n',
      [
        { a: 1, b: 'x' },
        { a: 2, b: 'y' },
      ],
    ],
    [
      'empty cells',
      'a,b,c\n,,\n1,,""\n',
      [
        { a: null, b: null, c: null },
        { a: 1, b: null, c: null },
      ],
    ],
    ['a quoted header', '"a b","c,d"\n1,2\n', [{ 'a b': 1, 'c,d': 2 }]],
    ['blank lines', '\na,b\n\n1,2\n\n', [{ a: 1, b: 2 }]],
    ['a byte order mark', '\ufeffa,b\n1,2', [{ a: 1, b: 2 }]],
    ['wide characters', 'name,größe\n日本,😀\n', [{ name: '日本', größe: '😀' }]],
    ['tabs', 'a\tb\n1,5\tx\n', [{ a: '1,5', b: 'x' }]],
    ['semicolons', 'a;b\n1,5;x\n', [{ a: '1,5', b: 'x' }]],
    ['bars', 'a|b\n1|x\n', [{ a: 1, b: 'x' }]],
    [
      'psql',
      ' id |  status  | total \n----+----------+-------\n  1 | refunded |  9.50\n  2 | paid     |      \n(2 rows)\n',
      [
        { id: 1, status: 'refunded', total: 9.5 },
        { id: 2, status: 'paid', total: null },
      ],
    ],
    ['Markdown', '| id | status |\n| --- | :---: |\n| 1 | paid |\n', [{ id: 1, status: 'paid' }]],
    ['bars with cells of single dashes', 'a|b\n-|-\n', [{ a: '-', b: '-' }]],
    [
      'a short row',
      'a,b,c\n1,2\n3,4,5\n',
      [
        { a: 1, b: 2 },
        { a: 3, b: 4, c: 5 },
      ],
    ],
    [
      'a long row',
      'a,b\n1,2,3\n4,5\n',
      [
        { a: 1, b: 2, column_3: 3 },
        { a: 4, b: 5 },
      ],
    ],
    [
      'no header',
      '1,x\n2,y\n',
      [
        { column_1: 1, column_2: 'x' },
        { column_1: 2, column_2: 'y' },
      ],
    ],
    ['years as names', 'land,2019,2020\nx,1,2\n', [{ land: 'x', 2019: 1, 2020: 2 }]],
    ['duplicate and missing names', 'a,a,\n1,2,3\n', [{ a: 1, a_2: 2, column_3: 3 }]],
    ['only names', 'a,b\n', []],
  ])('may have %s', async (_, text, records) => {
    expect(await read(text, { size })).toEqual(records);
  });

  test('is refused if a quote is never closed', async () => {
    await expect(read('a,b\n1,2\n3,"x\n4,5\n', { size })).rejects.toThrow('A quote in row 3 is never closed.');
  });
});

describe('a text that is not a table', () => {
  test.each([
    ['prose', 'Once upon a time, there was a king.\nHe had a daughter.\nShe was, as it were, clever, and kind.\n'],
    [
      'a log',
      '2015-10-18 18:01:47,978 INFO [main] org.apache.hadoop.mapreduce: Created MRAppMaster for it\n'.repeat(5),
    ],
    ['one word per line', 'a\nb\nc\n'],
    ['nothing', ''],
  ])('is refused: %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow(/neither JSON nor a table|empty/);
  });
});

describe('a hostile table', () => {
  test('cannot replace the prototype with a column', async () => {
    const [record] = (await read('__proto__,b\nx,1\n')) as [object];
    expect(Object.entries(record)).toEqual([
      ['__proto__', 'x'],
      ['b', 1],
    ]);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });

  test('cannot collect the rest of a file after an open quote', async () => {
    await expect(read(`a,b\n1,"x\n${'1,2\n'.repeat(1_500_000)}`)).rejects.toThrow('Row 2 is longer than');
  });

  test('cannot have a row of a million cells', async () => {
    await expect(read(`a,b\n${','.repeat(1_000_000)}\n`)).rejects.toThrow('too many for a table');
  });
});

describe('an irregular table', () => {
  test('has a note about rows of another length', async () => {
    expect(await notesOf('a,b\n1\n2,3,4\n5,6\n7,8\n')).toEqual([
      '1 row has fewer cells and 1 row has more cells than the first row.',
    ]);
  });

  test('keeps text after a closing quote in the cell', async () => {
    expect(await read('a,b\n"x"y,1\n')).toEqual([{ a: 'xy', b: 1 }]);
  });
});

describe('a cell', () => {
  test.each([
    ['0', 0],
    ['-12.50', -12.5],
    ['.5', 0.5],
    [' 12 ', 12],
    ['1.5e5', 150_000],
    ['1e+20', 1e20],
    ['1E-05', 0.00001],
    ['9007199254740993', 9007199254740993n],
  ])('is a number: %j', (text, number) => {
    expect(toCell(text)).toBe(number);
  });

  test.each([
    '007',
    '+1',
    '1e5',
    '12e4567',
    '1,234',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '-',
    '.',
    '1.',
    '2012-01-01',
    'true',
    ' ',
  ])('is text: %j', (text) => {
    expect(toCell(text)).toBe(text);
  });

  test('is null when it is empty', () => {
    expect(toCell('')).toBeNull();
  });
});

test.each([
  ['a page', '<html lang="en">\n<p>a, b</p>\n<p>c, d</p>\n<p>e, f</p>\n'],
  ['a document with consistent markup', '<!DOCTYPE html><meta a;b>\n<p>x;y</p>\n<p>z;w</p>\n'],
  ['a comment', '<!-- a, b -->\n<i>c, d</i>\n'],
])('markup is not a table, even if it is regular: %s', async (_, text) => {
  await expect(read(text)).rejects.toThrow('neither JSON nor a table');
});

describe('a first row that repeats one name', () => {
  test('numbers as many names as a table may have', async () => {
    const names = Array.from({ length: 5000 }, () => 'a').join(',');
    const numbered = async () => {
      const [record] = await read(`${names}\n${names}\n`);
      expect(Object.keys(record ?? {}).slice(0, 3)).toEqual(['a', 'a_2', 'a_3']);
      expect(Object.keys(record ?? {})).toHaveLength(5000);
    };
    expect(await processorMsOf(numbered)).toBeLessThan(1000);
  });

  test('is refused at once if it has more', async () => {
    const refused = () => expect(read('a,'.repeat(500_000))).rejects.toMatchObject({ problem: 'too large' });
    expect(await processorMsOf(refused)).toBeLessThan(2000);
  });
});
