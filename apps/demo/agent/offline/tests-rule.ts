import type { OfflineRule } from './offline-rule';
import { lastOf, type Reply, type ToolResult, type Turn } from './offline-turn';
import { offlineWords } from './offline-words';
import { asksToTryAgain, contentOf, cursorIn, linkTo, numberedLinesOf, savedPathOf } from './shown-output';

/** What a failing test says of itself. */
export interface TestFailure {
  name: string;
  /** In the output of the tests; `undefined` when all of that was shown. */
  line?: number;
  path?: string;
  expected?: string;
  received?: string;
  /** Where the test says that the mistake is. */
  place?: { file: string; line: number };
  details: string[];
}

const CONTEXT_LINES = 6;
const MAX_SEARCHES = 4;

/** Runs the tests and says what failed, from what the test runner printed. */
export const testsRule: OfflineRule = {
  matches: ({ question }) => /\b(tests?|suite|specs?)\b/i.test(question),
  next(turn) {
    const run = runAndRead(turn);
    if (!('summary' in run)) return run;
    return { text: offlineWords.tests({ ...run, link: linkOf(run.failures[0]) }) };
  },
};

export interface TestRun {
  summary: string;
  failures: TestFailure[];
}

/** The next step towards the result of the tests, or the result. Only calls after the last edit count. */
export function runAndRead({ results }: Pick<Turn, 'results'>): Reply | TestRun {
  const run = lastOf(results, 'runTests');
  if (!run) return { text: offlineWords.runningTests, call: { toolName: 'runTests', input: {} } };
  if (run.outcome !== 'answered') return { text: offlineWords.toolFailed('runTests', run.text) };
  const summary = summaryOf(run);
  const path = savedPathOf(run.text);
  if (!/\bFAIL\b/.test(contentOf(run.text))) return { summary, failures: [] };
  if (path === undefined)
    return {
      summary,
      failures: failuresIn(
        contentOf(run.text)
          .split('\n')
          .map((text) => ({ text })),
      ),
    };

  const searches = results.slice(results.indexOf(run)).filter(({ toolName }) => toolName === 'grepArtifacts');
  const last = searches.at(-1);
  if (!last || isUnfinished(last)) return searches.length < MAX_SEARCHES ? search(path, last) : givenUp(last);
  const rows = searches
    .flatMap(({ text }) => contentOf(text).split('\n'))
    .map((row) => {
      const [line] = numberedLinesOf(row);
      return line ?? { text: row };
    });
  return { summary, failures: failuresIn(rows).map((failure) => ({ ...failure, path })) };
}

/** From the beginning, or from where the one before ran out of time. */
function search(path: string, last: ToolResult | undefined): Reply {
  const cursor = last && (cursorIn(last.text) ?? last.input.cursor);
  const input = { path, pattern: '^.*\\bFAIL\\b', context: CONTEXT_LINES, ...(cursor !== undefined && { cursor }) };
  return { call: { toolName: 'grepArtifacts', input } };
}

function isUnfinished({ text }: ToolResult): boolean {
  return cursorIn(text) !== undefined || asksToTryAgain(text);
}

function givenUp(last: ToolResult | undefined): Reply {
  return { text: offlineWords.toolFailed('grepArtifacts', last?.text ?? '') };
}

function linkOf(failure: TestFailure | undefined): string | undefined {
  if (failure?.path === undefined || failure.line === undefined) return undefined;
  return linkTo(failure.path, { start: failure.line, end: failure.line + failure.details.length });
}

function summaryOf({ text }: ToolResult): string {
  const lines = contentOf(text)
    .split('\n')
    .map((line) => line.replace(/^\d+: /, '').trim());
  const summary = lines.findLast((line) => line.startsWith('Tests '))?.replace(/\s+/g, ' ');
  const status = lines.findLast((line) => line.startsWith('exit status'));
  return [summary, status].filter(Boolean).join(', ');
}

/** A failure is a line with FAIL; what stands below it until the next test are its details. */
function failuresIn(rows: { line?: number; text: string }[]): TestFailure[] {
  return rows.flatMap((row, index) => {
    const name = /\bFAIL\b\s+(.*)$/.exec(row.text)?.[1]?.trim();
    if (name === undefined) return [];
    const below = rows.slice(index + 1);
    const end = below.findIndex(({ text }) => /^\s*(✓|✗|FAIL\b|$)/.test(text));
    const details = below.slice(0, end === -1 ? undefined : end).map(({ text }) => text.trim());
    const pick = (pattern: RegExp) => details.map((text) => pattern.exec(text)).find((match) => match !== null);
    const place = pick(/^at (\S+):(\d+)$/);
    return [
      {
        name,
        details,
        ...(row.line !== undefined && { line: row.line }),
        ...withText('expected', pick(/^- Expected\s+(.*)$/)?.[1]),
        ...withText('received', pick(/^\+ Received\s+(.*)$/)?.[1]),
        ...(place?.[1] && place[2] && { place: { file: place[1], line: Number(place[2]) } }),
      },
    ];
  });
}

function withText<NAME extends string>(name: NAME, text: string | undefined): { [KEY in NAME]?: string } {
  return (text === undefined ? {} : { [name]: text }) as { [KEY in NAME]?: string };
}
