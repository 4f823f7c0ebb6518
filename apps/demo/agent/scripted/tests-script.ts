import type { Meaning } from './meaning';
import { call, type Script, type Steps } from './play';
import { contentOf, countIn, cursorIn, isUnfinished, linkTo, numberedLinesOf, savedPathOf } from './saved-outputs';

/** The report of a failing test. */
export interface TestFailure {
  name: string;
  /** The line in the saved output; `undefined` if the complete output was shown. */
  line?: number;
  path?: string;
  expected?: string;
  received?: string;
  /** The file and line that the test names as the mistake. */
  place?: { file: string; line: number };
  details: string[];
}

export interface TestRun {
  passed: number;
  failed: number;
  path: string | undefined;
  failures: TestFailure[];
}

const CONTEXT_LINES = 6;
const MAX_SEARCHES = 4;
const suggestions = ['Fix the failing test', 'How many tests are there?'];

/** Runs the tests and answers from the output of the test runner. */
export function* testsScript({ aspect }: Extract<Meaning, { about: 'tests' }>): Script {
  const run = yield* runTests();
  if (aspect === 'duration') return { text: yield* durationWords(run), suggestions };
  const summary = summaryOf(run);
  if (aspect === 'count') return { text: summary, suggestions };
  const [first] = run.failures;
  const link =
    first?.path !== undefined &&
    first.line !== undefined &&
    linkTo(first.path, { start: first.line, end: first.line + first.details.length });
  const text = [summary, ...run.failures.map(failureWords), link && `Evidence: ${link}`].filter(Boolean).join('\n\n');
  return { text, suggestions: run.failed > 0 ? suggestions : suggestions.slice(1) };
}

/** Runs the tests and finds the failures in output of any length. */
export function* runTests(): Steps<TestRun> {
  const { text } = yield* call('runTests', {}, { say: 'Running the tests.' });
  const path = savedPathOf(text);
  const counts = { ...countsIn(contentOf(text)), path };
  if (!/\bFAIL\b/.test(contentOf(text))) return { ...counts, failures: [] };
  const rows =
    path === undefined
      ? contentOf(text)
          .split('\n')
          .map((row) => ({ text: row }))
      : yield* findFailures(path);
  return {
    ...counts,
    failures: failuresIn(rows).map((failure) => ({ ...failure, ...(path !== undefined && { path }) })),
  };
}

/** The rows around each failure. A search that runs out of time continues, because a failure that is not shown would look like a pass. */
function* findFailures(path: string): Steps<Row[]> {
  const rows: Row[] = [];
  let cursor: unknown;
  for (let searches = 1; ; searches++) {
    const input = { path, pattern: '^.*\\bFAIL\\b', context: CONTEXT_LINES, ...(cursor !== undefined && { cursor }) };
    const result = yield* call('grepArtifacts', input);
    rows.push(
      ...contentOf(result.text)
        .split('\n')
        .map((row) => numberedLinesOf(row)[0] ?? { text: row }),
    );
    const next = cursorIn(result.text);
    if (next === undefined && !isUnfinished(result.text)) return rows;
    if (searches === MAX_SEARCHES)
      return [...rows, { text: 'FAIL (the search ran out of time, so more tests may have failed)' }];
    cursor = next ?? cursor;
  }
}

/** The runner prints no duration today. Each word for one is searched alone, so that the answer stays true when that changes. */
function* durationWords({ path }: TestRun): Steps<string> {
  if (path === undefined) return 'The output of the test runner was not saved, so I cannot search it for a duration.';
  const counts: string[] = [];
  for (const word of ['duration', 'seconds', ' ms']) {
    const { text } = yield* call('grepArtifacts', { path, pattern: word, literal: true, ignoreCase: true });
    const [found] = numberedLinesOf(text);
    if (found) return `${linkTo(path, { start: found.line })} says: \`${found.text.trim().replaceAll('`', "'")}\``;
    counts.push(`“${word.trim()}” is in ${countIn(text).lines} lines`);
  }
  return `The test runner prints no duration. I searched its output: ${counts.join(', ')}.`;
}

/** The result of a run in one sentence. */
export function summaryOf({ passed, failed }: Pick<TestRun, 'passed' | 'failed'>): string {
  const all = (passed + failed).toLocaleString('en');
  if (failed === 0) return `All ${all} tests pass.`;
  return `${failed.toLocaleString('en')} of ${all} tests failed, ${passed.toLocaleString('en')} passed.`;
}

function failureWords({ name, details, expected, received, place }: TestFailure): string {
  const reason =
    expected && received && place
      ? `\`${place.file}\`, line ${place.line}, has \`${received}\`, and the test expects \`${expected}\`.`
      : '';
  return [`**${name}** failed. ${reason}`.trim(), ['```', ...details, '```'].join('\n')].join('\n\n');
}

function countsIn(text: string): { passed: number; failed: number } {
  const summary = text.split('\n').findLast((line) => /^(?:\d+: )?\s*Tests /.test(line)) ?? '';
  const countOf = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? 0);
  return { passed: countOf(/(\d{1,9}) passed/), failed: countOf(/(\d{1,9}) failed/) };
}

interface Row {
  line?: number;
  text: string;
}

/** A failure is a line with FAIL; the lines below it, up to the next test, are its details. Each line belongs to one failure. */
function failuresIn(rows: readonly Row[]): TestFailure[] {
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
  const [expected, received] = [textAfter('- Expected '), textAfter('+ Received ')];
  const place = details.map((text) => /^at (\S+):(\d+)$/.exec(text)).find((match) => match !== null);
  return {
    name,
    details,
    ...(row.line !== undefined && { line: row.line }),
    ...(expected !== undefined && { expected }),
    ...(received !== undefined && { received }),
    ...(place?.[1] && place[2] && { place: { file: place[1], line: Number(place[2]) } }),
  };
}
