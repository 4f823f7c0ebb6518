import { answerWords } from './answer-words';
import type { Rule } from './rule';
import { asksToTryAgain, contentOf, cursorIn, linkTo, numberedLinesOf, savedPathOf } from './shown-output';
import { lastOf, type Reply, type ToolResult, type Turn } from './turn';

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
export const testsRule: Rule = {
  matches: ({ question }) => /\b(tests?|suite|specs?)\b/i.test(question),
  next(turn) {
    const run = runAndRead(turn);
    if (!('summary' in run)) return run;
    return { text: answerWords.tests({ ...run, link: linkOf(run.failures[0]) }) };
  },
};

export interface TestRun {
  summary: string;
  failures: TestFailure[];
}

/** The next step towards the result of the tests, or the result. Only calls after the last edit count. */
export function runAndRead({ results }: Pick<Turn, 'results'>): Reply | TestRun {
  const run = lastOf(results, 'runTests');
  if (!run) return { text: answerWords.runningTests, call: { toolName: 'runTests', input: {} } };
  if (run.outcome !== 'answered') return { text: answerWords.toolFailed('runTests', run.text) };
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
  return { text: answerWords.toolFailed('grepArtifacts', last?.text ?? '') };
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

interface Row {
  line?: number;
  text: string;
}

/** A failure is a line with FAIL; the lines below it, up to the next test, are its details. Each line belongs to one failure. */
function failuresIn(rows: Row[]): TestFailure[] {
  const failures: { row: Row; name: string; details: string[] }[] = [];
  let details: string[] | undefined;
  for (const row of rows) {
    const name = failedNameIn(row.text);
    if (name !== undefined) {
      details = [];
      failures.push({ row, name, details });
    } else if (/^\s*(✓|✗|FAIL\b|$)/.test(row.text)) {
      details = undefined;
    } else {
      details?.push(row.text.trim());
    }
  }
  return failures.map(toFailure);
}

function failedNameIn(text: string): string | undefined {
  const mark = /\bFAIL\s/.exec(text);
  return mark ? text.slice(mark.index + 'FAIL'.length).trim() : undefined;
}

function toFailure({ row, name, details }: { row: Row; name: string; details: string[] }): TestFailure {
  const textAfter = (start: string) =>
    details
      .find((text) => text.startsWith(start))
      ?.slice(start.length)
      .trim();
  const place = details.map((text) => /^at (\S+):(\d+)$/.exec(text)).find((match) => match !== null);
  return {
    name,
    details,
    ...(row.line !== undefined && { line: row.line }),
    ...withText('expected', textAfter('- Expected ')),
    ...withText('received', textAfter('+ Received ')),
    ...(place?.[1] && place[2] && { place: { file: place[1], line: Number(place[2]) } }),
  };
}

function withText<NAME extends string>(name: NAME, text: string | undefined): { [KEY in NAME]?: string } {
  return (text === undefined ? {} : { [name]: text }) as { [KEY in NAME]?: string };
}
