import { expect, test } from 'vitest';
import type { JsonList, RecordPlace } from '../json/record-places.ts';
import {
  atInTableText,
  noArrayText,
  noListInLinesText,
  noTableText,
  otherPlacesText,
  placeName,
  raggedText,
  recordNotes,
  severalArraysText,
  tooManyColumnsText,
  tooManyColumnsUsedText,
  wrongPathText,
} from './record-words.ts';

const arrays: RecordPlace[] = [
  { at: ['data', 'items'], kind: 'items', count: 1200, holds: 'objects' },
  { at: ['tags'], kind: 'items', count: 3, holds: 'lists' },
  { at: ['tags'], kind: 'items', count: 3, holds: 'lists' },
  { at: ['versions'], kind: 'members', count: 120, holds: 'objects' },
  { at: ['hourly'], kind: 'columns', count: 168, holds: 'values' },
];

test('each text about records that cannot be read', () => {
  expect({
    noArray: [
      noArrayText([], undefined),
      noArrayText([], ['rows']),
      noArrayText(arrays, undefined),
      noArrayText(arrays, ['rows']),
    ],
    severalArrays: severalArraysText(arrays),
    noTable: noTableText,
    tooManyColumns: tooManyColumnsText(20_000),
    ragged: [raggedText({ short: 2, long: 0 }), raggedText({ short: 0, long: 1 }), raggedText({ short: 2, long: 1 })],
    noLists: [atInTableText, noListInLinesText(['authors'])],
    otherPlaces: otherPlacesText(arrays.slice(0, 1)),
    tooManyColumnsUsed: tooManyColumnsUsedText(20, 16),
    wrongPath: wrongPathText(16),
  }).toMatchInlineSnapshot(`
    {
      "noArray": [
        "The JSON has no list of records.",
        "There is no list of records at ["rows"], or at any other place.",
        "The JSON has no list of records. Records are at: ["data","items"] (1,200), ["tags"] (3 without names), ["versions"] (120 by key), ["hourly"] (columns of 168). Name one with \`at\`.",
        "There is no list of records at ["rows"]. Records are at: ["data","items"] (1,200), ["tags"] (3 without names), ["versions"] (120 by key), ["hourly"] (columns of 168). Name one with \`at\`.",
      ],
      "noLists": [
        "The records of a table are its rows, which have no lists inside. Leave \`at\` out.",
        "No line has a list at ["authors"]. The records of NDJSON are its lines. Leave \`at\` out, or name a list in each line.",
      ],
      "noTable": "This is neither JSON nor a table, because its lines do not have a regular number of cells.",
      "otherPlaces": "Other records, for \`at\`: ["data","items"] (1,200).",
      "ragged": [
        "2 rows have fewer cells than the first row.",
        "1 row has more cells than the first row.",
        "2 rows have fewer cells and 1 row has more cells than the first row.",
      ],
      "severalArrays": "The JSON has records at several places: ["data","items"] (1,200), ["tags"] (3 without names), ["versions"] (120 by key), ["hourly"] (columns of 168). Name one with \`at\`.",
      "tooManyColumns": "A row has 20,000 cells, which is too many for a table.",
      "tooManyColumnsUsed": "The query needs 20 columns at once, but at most 16 can be read. Name fewer columns.",
      "wrongPath": "\`at\` must be a list of at most 16 keys that lead to the array of records in the JSON, such as ["data", "items"].",
    }
  `);
});

test('a long key in a path is shortened', () => {
  expect(severalArraysText([{ at: ['k'.repeat(100)], kind: 'items', count: 1, holds: 'objects' }])).toContain(
    `["${'k'.repeat(60)}…"]`,
  );
});

test('each name of a place and each note about it', () => {
  const list = { key: 'time', count: 7, holds: 'values' } as JsonList;
  const read = { columns: [list], hasHeaderRow: true };
  const columns: RecordPlace = { at: ['hourly'], kind: 'columns', count: 7, holds: 'values', columns: [list, list] };
  const document: RecordPlace = { at: [], kind: 'document', count: 1, holds: 'objects' };
  expect({
    names: [
      placeName({ at: [], kind: 'items' }),
      placeName(document),
      placeName({ at: ['a'], rest: ['b', 'c'], kind: 'items' }),
    ],
    notes: [recordNotes(columns, read), recordNotes({ ...document, rest: ['b'] }, { ...read, hasHeaderRow: false })],
  }).toMatchInlineSnapshot(`
    {
      "names": [
        undefined,
        "the whole document",
        "\`a.b.c\`",
      ],
      "notes": [
        [
          "Rows show 1 of 2 columns; name others with \`select\`.",
          "The first row has the names of the fields.",
        ],
        [
          "The document has no list of records, so it is read as one record.",
          "Fields of the record around an item: \`parent.<name>\`.",
        ],
      ],
    }
  `);
});
