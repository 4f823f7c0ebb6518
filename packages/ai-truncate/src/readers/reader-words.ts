import { thousands } from '../text/utf.ts';

/** What a model reads of the readers before it calls one. */
export const readerDescriptions = {
  readArtifact:
    'Reads lines of a saved tool output, with their numbers. Search first, then read around what was found.',
  grepArtifacts:
    'Searches saved tool outputs line by line, in RE2 syntax (no look-around, no back-references). Without `path`: all of them.',
  queryArtifact:
    'Filters, groups, sorts and counts the records of a saved JSON, NDJSON, CSV or TSV output. Exact: use it instead of reading rows. Fields with dots reach into objects.',
  listArtifacts: 'Lists the saved tool outputs of this conversation, newest first.',
  globArtifacts: 'Finds saved tool outputs by name, e.g. `*read-logs*` or `*.json`.',
};

/** What a model reads of what a reader found: what was done, in what state it is, what comes next. */
export const readerWords = {
  lines: (first: number, last: number, total: number): string =>
    first === last ? `Line ${first} of ${thousands(total)}.` : `Lines ${first}-${last} of ${thousands(total)}.`,
  empty: 'The saved output is empty.',
  noLines: (total: number): string =>
    total === 1
      ? 'There is nothing there: the output has 1 line. Use `offset` 1.'
      : `There is nothing there: the output has ${thousands(total)} lines. Use an \`offset\` from 1 to ${total}, or -20 for the last 20.`,
  noCharacters: (line: number): string => `Line ${line} has fewer characters: use a smaller \`start\`.`,
  readOn: (cursor: string): string =>
    `Call readArtifact with cursor "${cursor}" to read on, or search for what you need.`,
  found: (count: number, options: { atLeast: boolean; searched: number }): string => {
    const amount = `${options.atLeast ? 'at least ' : ''}${thousands(count)} ${count === 1 ? 'match' : 'matches'}`;
    return `Found ${amount} in ${thousands(options.searched)} saved ${options.searched === 1 ? 'output' : 'outputs'}.`;
  },
  /** Of a page behind the first: how many there are in all an earlier page said. */
  foundMore: (count: number, first: { file: string; line: number } | undefined): string =>
    first === undefined
      ? 'No more matches.'
      : `${thousands(count)} more ${count === 1 ? 'match' : 'matches'}, from line ${thousands(first.line)} of ${first.file}.`,
  shown: (count: number): string => `The first ${thousands(count)} are shown.`,
  notSearchedToTheEnd: 'The time was up before the end.',
  notSearched: (count: number): string => `${thousands(count)} could not be searched.`,
  searchOn: (cursor: string): string => `Call grepArtifacts with cursor "${cursor}" to go on, or narrow the pattern.`,
  notSearchedAll: 'Ask for less: name one `path`.',
  lookAtFailed: 'Search them one by one to see why, or leave them out.',
  rows: (options: { rows: number; matched: number; scanned: number; groups?: number | undefined }): string => {
    const { rows, matched, scanned, groups } = options;
    const result =
      groups === undefined
        ? `${thousands(rows)} ${rows === 1 ? 'row' : 'rows'}`
        : `${thousands(rows)} of ${thousands(groups)} groups`;
    return `${thousands(matched)} of ${thousands(scanned)} records match; ${result} shown.`;
  },
  queryOn: (offset: number): string => `Call queryArtifact with offset ${offset} to go on, or narrow \`where\`.`,
  incomplete: {
    deadline: 'The time was up before all records were read: the numbers are about those that were.',
    groups: 'There are too many groups: those that came last are not counted.',
    distinct: 'There are too many different values to count them exactly.',
  },
  narrow: 'Narrow `where`, or group by a field with fewer values.',
  findDate: 'For dates of one year or month ask with contains instead.',
  notReadAll: 'Ask for less: name one path, or narrow `where`.',
  listed: (count: number, total: number): string =>
    `${thousands(count)} of ${thousands(total)} saved ${total === 1 ? 'output' : 'outputs'}.`,
  listOn: (tool: string, cursor: string): string => `Call ${tool} with cursor "${cursor}" for the next ones.`,
  fields: (names: string): string => `Fields: ${names}.`,
  example: (query: string): string => `For example: ${query}`,
};

/** What a model reads of what could not be done, and what to do instead. */
export const readerErrors = {
  outside: 'A path names a saved tool output as it was shown: no URL, no `..`, no other place of the disk.',
  notFound:
    'There is no saved tool output of this name here: it expired, or the path is not exactly the one that was shown.',
  directory: 'This is the folder of the saved tool outputs, not one of them.',
  binary: (kind: string): string => `This output is no text (${kind}), so its lines cannot be read or searched.`,
  store: 'The store of the saved tool outputs',
  pathNoText: 'The path must be a text.',
  pathEmpty: 'The path is empty.',
  pathNul: 'The path has a NUL character; no path of a saved tool output has one.',
  pathTooLong: 'The path has more than 1,024 characters; no path of a saved tool output has so many.',
  unknownParameter: (name: string, known: readonly string[]): string =>
    `\`${name}\` is no parameter; there are ${known.map((each) => `\`${each}\``).join(', ')}.`,
  usePath: 'Use the path from the notice about the output.',
  askPerson: 'Give its path to the person who asked, who can download it.',
  tryAgain: 'Try again, or ask for less.',
  readerFailed: (code: string): string => `The reader failed (${code}).`,
  storeFailed: (code: string): string => `The store failed (${code}).`,
  readAsText: 'Search it or read it as text: it cannot be queried.',
  correct: 'Correct the parameter and call again.',
};
