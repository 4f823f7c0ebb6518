import { MAX_LISTED } from '../reader-limits.ts';
import type { GrepArtifactsResult as SearchArtifactsResult } from '../search/grep-artifacts.ts';
import { thousands } from '../text/utf.ts';
import type { ReadWindowResult } from '../windows/read-window.ts';

/** The descriptions of the readers, which the model sees before it calls one. */
export const readerDescriptions = {
  readArtifact: 'Reads lines of a saved tool output, with their numbers. Search first, then read around the matches.',
  grepArtifacts:
    'Searches saved tool outputs line by line, in RE2 syntax (no look-around, no back-references). Without `path`: all of them.',
  queryArtifact:
    'Filters, groups, sorts and counts records of a saved JSON, NDJSON, CSV or TSV output. Exact: use it instead of reading rows. Dots reach into objects and lists: authors.name; date.year .month .day .hour, list.length.',
  listArtifacts: 'Lists the saved tool outputs of this conversation, newest first.',
  globArtifacts: 'Finds saved tool outputs by name, e.g. `*read-logs*` or `*.json`.',
};

interface RowCounts {
  rows: number;
  matched: number;
  scanned: number;
  place?: string | undefined;
  groups?: number | undefined;
}

/** A share with two decimals, and more for a small one: never 0 or 100 for a part that is neither. */
function percent(share: number): string {
  if (share === 0 || share === 1) return String(share * 100);
  const rounded = Number((share * 100).toFixed(2));
  return String(rounded === 0 || rounded === 100 ? Number((share * 100).toPrecision(rounded === 0 ? 2 : 8)) : rounded);
}

/** The texts about the result of a reader: the work, the state and the next step. */
export const readerWords = {
  readOn: (cursor: string): string =>
    `Call readArtifact with cursor "${cursor}" to read on, or search for what you need.`,
  notSearchedToTheEnd: 'The time was up before the end.',
  indentedMember: (member: string): string =>
    `Saved values have one member on each line, and a space after its colon. Search for ${member}`,
  countsStretches: 'In a line over 4,096 characters, matches less than 200 characters apart count as one.',
  rows: (options: RowCounts): string => {
    const { rows, matched, scanned, place, groups } = options;
    const result =
      groups === undefined
        ? `${thousands(rows)} ${rows === 1 ? 'row' : 'rows'}`
        : `${thousands(rows)} of ${thousands(groups)} groups`;
    const records = place === undefined ? 'records' : `records of ${place}`;
    const share = scanned === 0 ? '' : ` (${percent(matched / scanned)} %)`;
    return `${thousands(matched)} of ${thousands(scanned)} ${records} match${share}; ${result} shown.`;
  },
  queryOn: (offset: number): string => `Call queryArtifact with offset ${offset} to continue, or narrow \`where\`.`,
  narrow: 'Narrow `where`, or group by a field with fewer values.',
  findDate: 'To find the dates of one year or month, use contains.',
  listed: (count: number, list: { total: number; isMore: boolean; isLaterPage: boolean }): string => {
    const { total, isMore, isLaterPage } = list;
    if (isLaterPage) return `${thousands(count)} more saved ${count === 1 ? 'output' : 'outputs'}.`;
    const older = isMore ? ` among the newest ${thousands(MAX_LISTED)}. There are older ones` : '';
    return `${thousands(count)} of ${thousands(total)} saved ${total === 1 ? 'output' : 'outputs'}${older}.`;
  },
  listOn: (tool: string, cursor: string): string => `Call ${tool} with cursor "${cursor}" for the next ones.`,
  fields: (names: string): string => `Fields: ${names}.`,
};

/** The lines of a page. `askedLine` is the line of a requested part. */
export function windowText(
  { pieces, totalLines }: ReadWindowResult,
  { askedLine }: { askedLine: number | undefined },
): string {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return nothingThereText(totalLines, askedLine);
  if (totalLines === 1 && first.isEnd && first.character === 1 && first.text === '')
    return 'The saved output is empty.';
  const total = thousands(totalLines);
  return first.line === last.line ? `Line ${first.line} of ${total}.` : `Lines ${first.line}-${last.line} of ${total}.`;
}

function nothingThereText(totalLines: number, askedLine: number | undefined): string {
  if (askedLine !== undefined && askedLine <= totalLines) {
    return `Line ${askedLine} has fewer characters: use a smaller \`start\`.`;
  }
  if (totalLines === 1) return 'There is nothing there: the output has 1 line. Use `offset` 1.';
  return `There is nothing there: the output has ${thousands(totalLines)} lines. Use an \`offset\` from 1 to ${totalLines}, or -20 for the last 20.`;
}

/** A key and its value, as a preview of JSON shows them: without a space. */
const COMPACT_MEMBER = /"[^"]*":(?!\s|\\s|$)[^,{}[\]]*/;

/** The result of a search, the state of the answer, and how to continue. */
export function searchTexts(
  found: SearchArtifactsResult,
  { isLaterPage, pattern }: { isLaterPage: boolean; pattern: string },
): { happened: string; state?: string; next?: string } {
  const { matches, count, countsStretches, ended, failed, isComplete, next } = found;
  const [member] = COMPACT_MEMBER.exec(pattern) ?? [];
  const state = [
    ...(isComplete && count === 0 && member ? [readerWords.indentedMember(member.replace('":', '": '))] : []),
    ...(!isLaterPage && countsStretches ? [readerWords.countsStretches] : []),
    ...(!isLaterPage && next !== undefined && matches.length < count
      ? [`The first ${thousands(matches.length)} are shown.`]
      : []),
    ...(ended === 'deadline' ? [readerWords.notSearchedToTheEnd] : []),
    ...(failed.length > 0 ? [`${thousands(failed.length)} could not be searched.`] : []),
  ];
  return {
    happened: isLaterPage ? laterMatchesText(matches) : matchesText(found),
    ...(state.length > 0 && { state: state.join(' ') }),
    ...(next !== undefined
      ? { next: `Call grepArtifacts with cursor "${next}" to continue, or narrow the pattern.` }
      : !isComplete
        ? { next: 'Ask for less: name one `path`.' }
        : failed.length > 0 && { next: 'Search them one by one to see why, or leave them out.' }),
  };
}

function matchesText({ count, isComplete, searched }: SearchArtifactsResult): string {
  const amount = `${isComplete ? '' : 'at least '}${thousands(count)} ${count === 1 ? 'match' : 'matches'}`;
  return `Found ${amount} in ${thousands(searched)} saved ${searched === 1 ? 'output' : 'outputs'}.`;
}

/** The text of a page after the first, which does not know the number of all matches. */
function laterMatchesText(matches: SearchArtifactsResult['matches']): string {
  const [first] = matches;
  if (!first) return 'No more matches.';
  const count = `${thousands(matches.length)} more ${matches.length === 1 ? 'match' : 'matches'}`;
  return `${count}, from line ${thousands(first.line)} of ${first.file}.`;
}

/** The texts about failures, and what to do instead. */
export const readerErrors = {
  outside: 'Use the path of a saved tool output exactly as it was shown: no URL, no `..`, no other place on the disk.',
  notFound: 'There is no saved tool output with this name. It expired, or the path is wrong.',
  binary: (kind: string): string => `This output is not text (${kind}), so its lines cannot be read or searched.`,
  store: 'The store of the saved tool outputs',
  noPath: 'The path must be text of 1 to 1,024 characters, as it was shown.',
  unknownParameter: (name: string, known: readonly string[]): string =>
    `Unknown parameter \`${name}\`. Known parameters: ${known.map((each) => `\`${each}\``).join(', ')}.`,
  usePath: 'Use the path from the notice about the output.',
  askPerson: 'Give its path to the person who asked, who can download it.',
  tryAgain: 'Try again, or ask for less.',
  readerFailed: (code: string): string => `The reader failed (${code}).`,
  storeFailed: (code: string): string => `The store failed (${code}).`,
  readAsText: 'It cannot be queried, so search it or read it as text.',
  correct: 'Correct the parameter and call again.',
};

/** The texts about globs that cannot be matched. */
export const globWords = {
  empty: 'The glob is empty. Give one such as `*read-logs*` or `**/*.json`.',
  tooLong: (length: number, max: number): string => `The glob has ${length} characters, at most ${max} are matched.`,
  tooLarge: 'The glob is too large: use fewer alternatives in braces.',
  unclosed: 'The glob opens a `{` or `[` that it does not close. Write `\\{` or `\\[` for the sign itself.',
  badClass: 'The glob has an invalid class: write it as `[abc]`, `[a-z]` or `[!a]`.',
};
