import { expect, test } from 'vitest';
import type { GrepArtifactsResult } from '../search/grep-artifacts.ts';
import type { ReadWindowResult } from '../windows/read-window.ts';
import { globWords, readerDescriptions, readerErrors, readerWords, searchTexts, windowText } from './reader-words.ts';

test('every description of a reader is shown here', () => {
  expect(readerDescriptions).toMatchInlineSnapshot(`
    {
      "globArtifacts": "Finds saved tool outputs by name, e.g. \`*read-logs*\` or \`*.json\`.",
      "grepArtifacts": "Searches saved tool outputs line by line, in RE2 syntax (no look-around, no back-references). Without \`path\`: all of them.",
      "listArtifacts": "Lists the saved tool outputs of this conversation, newest first.",
      "queryArtifact": "Filters, groups, sorts and counts records of a saved JSON, NDJSON, CSV or TSV output. Exact: use it instead of reading rows. Dots reach into objects and lists: authors.name; date.year .month .day .hour, list.length.",
      "readArtifact": "Reads lines of a saved tool output, with their numbers. Search first, then read around the matches.",
    }
  `);
});

test('every text about an answer is shown here', () => {
  const rows = { rows: 20, matched: 1200, scanned: 20_000 };
  const texts: Record<keyof typeof readerWords, string | string[]> = {
    ...readerWords,
    readOn: readerWords.readOn('7:1:300'),
    rows: [
      readerWords.rows(rows),
      readerWords.rows({ ...rows, rows: 1 }),
      readerWords.rows({ ...rows, rows: 5, groups: 12 }),
    ],
    queryOn: readerWords.queryOn(40),
    listed: [
      readerWords.listed(40, { total: 120, isMore: false, isLaterPage: false }),
      readerWords.listed(1, { total: 1, isMore: false, isLaterPage: false }),
      readerWords.listed(40, { total: 1000, isMore: true, isLaterPage: false }),
      readerWords.listed(40, { total: 1000, isMore: true, isLaterPage: true }),
      readerWords.listed(1, { total: 1, isMore: false, isLaterPage: true }),
    ],
    listOn: readerWords.listOn('listArtifacts', 'abc'),
    fields: readerWords.fields('id, region'),
    indentedMember: readerWords.indentedMember('"id": 7'),
  };
  expect(texts).toMatchInlineSnapshot(`
    {
      "countsStretches": "In a line over 4,096 characters, matches less than 200 characters apart count as one.",
      "fields": "Fields: id, region.",
      "findDate": "To find the dates of one year or month, use contains.",
      "indentedMember": "Saved values have one member on each line, and a space after its colon. Search for "id": 7",
      "listOn": "Call listArtifacts with cursor "abc" for the next ones.",
      "listed": [
        "40 of 120 saved outputs.",
        "1 of 1 saved output.",
        "40 of 1,000 saved outputs among the newest 1,000. There are older ones.",
        "40 more saved outputs.",
        "1 more saved output.",
      ],
      "narrow": "Narrow \`where\`, or group by a field with fewer values.",
      "notSearchedToTheEnd": "The time was up before the end.",
      "queryOn": "Call queryArtifact with offset 40 to continue, or narrow \`where\`.",
      "readOn": "Call readArtifact with cursor "7:1:300" to read on, or search for what you need.",
      "rows": [
        "1,200 of 20,000 records match (6 %); 20 rows shown.",
        "1,200 of 20,000 records match (6 %); 1 row shown.",
        "1,200 of 20,000 records match (6 %); 5 of 12 groups shown.",
      ],
    }
  `);
});

test('every text about a window of lines is shown here', () => {
  const piece = (line: number) => ({ line, character: 1, text: 'text', isEnd: true });
  const textOf = (lines: number[], totalLines: number, askedLine?: number): string =>
    windowText({ pieces: lines.map(piece), totalLines } as ReadWindowResult, { askedLine });
  expect([
    textOf([1, 2, 3], 1200),
    textOf([7], 1200),
    textOf([], 1200),
    textOf([], 1),
    textOf([], 1200, 7),
    windowText({ pieces: [{ ...piece(1), text: '' }], totalLines: 1 } as ReadWindowResult, { askedLine: undefined }),
  ]).toMatchInlineSnapshot(`
    [
      "Lines 1-3 of 1,200.",
      "Line 7 of 1,200.",
      "There is nothing there: the output has 1,200 lines. Use an \`offset\` from 1 to 1200, or -20 for the last 20.",
      "There is nothing there: the output has 1 line. Use \`offset\` 1.",
      "Line 7 has fewer characters: use a smaller \`start\`.",
      "The saved output is empty.",
    ]
  `);
});

test('every text about a search is shown here', () => {
  const complete: GrepArtifactsResult = {
    matches: [],
    count: 0,
    files: [],
    searched: 1,
    failed: [],
    isComplete: true,
    scannedBytes: 0,
  };
  const match = { file: '1_read-logs_a.txt', line: 1200 } as GrepArtifactsResult['matches'][number];
  const textsOf = (found: Partial<GrepArtifactsResult>, isLaterPage = false) =>
    searchTexts({ ...complete, ...found }, { isLaterPage, pattern: 'ERROR' });
  expect([
    textsOf({ count: 1, searched: 3, matches: [match] }),
    textsOf({ count: 1200, matches: [match, match], next: 'abc' }),
    textsOf({ count: 2, matches: [match, match], isComplete: false, ended: 'deadline' }),
    textsOf({ failed: [{}, {}] as GrepArtifactsResult['failed'] }),
    textsOf({ matches: [match, match], next: 'def' }, true),
    textsOf({}, true),
  ]).toMatchInlineSnapshot(`
    [
      {
        "happened": "Found 1 match in 3 saved outputs.",
      },
      {
        "happened": "Found 1,200 matches in 1 saved output.",
        "next": "Call grepArtifacts with cursor "abc" to continue, or narrow the pattern.",
        "state": "The first 2 are shown.",
      },
      {
        "happened": "Found at least 2 matches in 1 saved output.",
        "next": "Ask for less: name one \`path\`.",
        "state": "The time was up before the end.",
      },
      {
        "happened": "Found 0 matches in 1 saved output.",
        "next": "Search them one by one to see why, or leave them out.",
        "state": "2 could not be searched.",
      },
      {
        "happened": "2 more matches, from line 1,200 of 1_read-logs_a.txt.",
        "next": "Call grepArtifacts with cursor "def" to continue, or narrow the pattern.",
      },
      {
        "happened": "No more matches.",
      },
    ]
  `);
});

test('every refusal of a reader is shown here', () => {
  const texts: Record<keyof typeof readerErrors, string> = {
    ...readerErrors,
    binary: readerErrors.binary('image'),
    unknownParameter: readerErrors.unknownParameter('lines', ['path', 'offset']),
    readerFailed: readerErrors.readerFailed('INTERNAL_ERROR'),
    storeFailed: readerErrors.storeFailed('ECONNRESET'),
  };
  expect(texts).toMatchInlineSnapshot(`
    {
      "askPerson": "Give its path to the person who asked, who can download it.",
      "binary": "This output is not text (image), so its lines cannot be read or searched.",
      "correct": "Correct the parameter and call again.",
      "noPath": "The path must be text of 1 to 1,024 characters, as it was shown.",
      "notFound": "There is no saved tool output with this name. It expired, or the path is wrong.",
      "outside": "Use the path of a saved tool output exactly as it was shown: no URL, no \`..\`, no other place on the disk.",
      "readAsText": "It cannot be queried, so search it or read it as text.",
      "readerFailed": "The reader failed (INTERNAL_ERROR).",
      "store": "The store of the saved tool outputs",
      "storeFailed": "The store failed (ECONNRESET).",
      "tryAgain": "Try again, or ask for less.",
      "unknownParameter": "Unknown parameter \`lines\`. Known parameters: \`path\`, \`offset\`.",
      "usePath": "Use the path from the notice about the output.",
    }
  `);
});

test('every refusal of a glob is shown here', () => {
  expect({ ...globWords, tooLong: globWords.tooLong(3000, 1024) }).toMatchInlineSnapshot(`
    {
      "badClass": "The glob has an invalid class: write it as \`[abc]\`, \`[a-z]\` or \`[!a]\`.",
      "empty": "The glob is empty. Give one such as \`*read-logs*\` or \`**/*.json\`.",
      "tooLarge": "The glob is too large: use fewer alternatives in braces.",
      "tooLong": "The glob has 3000 characters, at most 1024 are matched.",
      "unclosed": "The glob opens a \`{\` or \`[\` that it does not close. Write \`\\{\` or \`\\[\` for the sign itself.",
    }
  `);
});
