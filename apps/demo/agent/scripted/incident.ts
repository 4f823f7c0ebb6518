import { call, type Steps } from './play';
import { type Count, countIn, cursorIn, isUnfinished, type NumberedLine, numberedLinesOf } from './saved-outputs';

/** The lines of a log about a failure. */
export interface Incident {
  first: NumberedLine;
  /** Pattern of the first line of each failure, so that the lines of a stack count once. */
  event: string;
  events: Count;
  /** All lines that report a failure, including stack lines. */
  lines: Count;
  /** A line before the first failure that gives the cause. */
  cause: NumberedLine | undefined;
  /** A line near the cause that names a deployment. */
  deployed: NumberedLine | undefined;
  /** The last failure before the end, if it was found. */
  last: NumberedLine | undefined;
  /** A line after all failures that reports the end. */
  end: NumberedLine | undefined;
  /** The failures on the first page of the search. */
  firstEvents: NumberedLine[];
}

/** Words that report a failure in a log. */
export const failureWords = ['ERROR', 'FATAL', 'FAIL', 'FAILED', 'PANIC', 'CRITICAL', 'Exception'] as const;

const FAILURE_PATTERN = `\\b(${failureWords.slice(0, -1).join('|')})\\b|Exception`;
const RECOVERY_PATTERN =
  '\\b(rollback|rolled back|reverted|restored|recovered|resumed|reconnected|again|healthy|back to normal)\\b';
const LINES_BEFORE = 12;
const LINES_AFTER = 12;
/** How far before the failure the cause may be, if it is not in the lines just before the failure. */
const LINES_FURTHER_BACK = 100;
/** The number of lines that fit into one reader output. */
const LINES_BEFORE_END = 60;
const MAX_WINDOWS = 3;
const MAX_SEARCHES = 8;

/** Words that programs use for causes. */
const CAUSAL =
  /\b(caused? by|cause|because|due to|changed|reloaded|expired|revoked|deploy\w*|refused|denied|disk full|out of memory|killed|missing|restarted|since)\b/gi;

/** Searches a log for a failure, its cause and its end. Returns `undefined` if no line reports a failure, and `unfinished` if time ran out. */
export function* investigate(path: string): Steps<Incident | 'quiet' | 'unfinished'> {
  const failures = yield* searchUntilFound(path, FAILURE_PATTERN);
  const [first] = failures.found;
  if (!first) return failures.count.isExact ? 'quiet' : 'unfinished';

  const start = Math.max(1, first.line - LINES_BEFORE);
  let around = yield* readLines(path, { start, count: LINES_BEFORE + LINES_AFTER });
  let cause = causeOf(first, around);
  if (!cause && start > 1) {
    const further = Math.max(1, start - LINES_FURTHER_BACK);
    around = [...(yield* readLines(path, { start: further, count: start - further })), ...around];
    cause = causeOf(first, around);
  }
  const event = eventPatternOf(first);
  const events = yield* searchUntilFound(path, event);
  const recovery = yield* searchUntilFound(path, `(?i)${RECOVERY_PATTERN}`);
  const end = recovery.found.find(({ line }) => line > first.line);
  const isOver = end !== undefined && (yield* happensNoMore(path, { event, end }));
  const last = isOver ? yield* lastBefore(path, { first, event, end }) : undefined;
  return {
    first,
    event,
    events: events.count,
    lines: failures.count,
    cause,
    deployed: around.findLast(({ line, text }) => line < first.line && /\bdeploy \S+ by \S/.test(text)),
    last,
    end: isOver ? end : undefined,
    firstEvents: events.found,
  };
}

interface Found {
  found: NumberedLine[];
  count: Count;
}

/** Searches on while the time of a search ends before its first match. */
function* searchUntilFound(path: string, pattern: string): Steps<Found> {
  let cursor: unknown;
  for (let searches = 0; ; searches++) {
    const { text, input } = yield* call('grepArtifacts', { path, pattern, ...(cursor !== undefined && { cursor }) });
    const found = numberedLinesOf(text);
    const count = searches === 0 ? countIn(text) : { lines: found.length, isExact: false };
    if (found.length > 0 || !isUnfinished(text) || searches === MAX_SEARCHES) return { found, count };
    cursor = cursorIn(text) ?? input.cursor;
  }
}

function* readLines(path: string, { start, count }: { start: number; count: number }): Steps<NumberedLine[]> {
  const { text } = yield* call('readArtifact', { path, offset: start, limit: count });
  return numberedLinesOf(text);
}

interface Ended {
  first: NumberedLine;
  event: string;
  end: NumberedLine;
}

/** The last failure before the end, from the lines before it. */
function* lastBefore(path: string, { first, event, end }: Ended): Steps<NumberedLine | undefined> {
  let before = end.line;
  for (let windows = 0; windows < MAX_WINDOWS && before > first.line; windows++) {
    const start = Math.max(first.line, before - LINES_BEFORE_END);
    const lines = yield* readLines(path, { start, count: before - start });
    const last = lines.findLast((line) => eventPatternOf(line) === event);
    if (last) return last;
    before = start;
  }
  return undefined;
}

/** Whether no failure follows the end. Only a log whose lines begin with a time can be searched for it. */
function* happensNoMore(path: string, { event, end }: { event: string; end: NumberedLine }): Steps<boolean> {
  const time = timeOf(end);
  if (time === undefined) return false;
  const { text } = yield* call('grepArtifacts', { path, pattern: `^(?:${laterThan(time)}).*${event}` });
  const { lines, isExact } = countIn(text);
  return lines === 0 && isExact;
}

/** A pattern of all times after this one: for each digit, the same beginning and a larger digit. */
function laterThan(time: string): string {
  const alternatives = Array.from(time).flatMap((character, index) =>
    /[0-8]/.test(character) ? [`${time.slice(0, index).replaceAll('.', '\\.')}[${Number(character) + 1}-9]`] : [],
  );
  return alternatives.join('|');
}

/** The time at the start of a line, in ISO 8601. */
export function timeOf({ text }: NumberedLine): string | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?/.exec(text)?.[0];
}

/** The message of a line, after its time, level and source. */
export function messageOf({ text }: NumberedLine): string {
  return text.replace(/^\S{1,40} {1,4}[A-Z]{3,8} {1,4}(?:\S{1,60}-\d{1,4} )?/, '').trim();
}

const MAX_EVENT_CHARS = 120;

/** A pattern for all lines with the same message and other numbers. It uses the message up to its first colon. */
function eventPatternOf(line: NumberedLine): string {
  const [said = ''] = messageOf(line).slice(0, MAX_EVENT_CHARS).split(': ', 1);
  return said
    .split(' ')
    .map((word) => (/\d/.test(word) ? '\\S+' : escapePattern(word)))
    .join(' ');
}

/** A text as a pattern that matches exactly this text. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The line before the failure that gives its cause. It is found by words for causes, and by words of the failure. */
function causeOf(failure: NumberedLine, lines: readonly NumberedLine[]): NumberedLine | undefined {
  const shared = new Set(wordsIn(failure.text).filter((word) => /\.|^\d{2,}$|^[a-z]{5,}$/.test(word)));
  const scoreOf = ({ text }: NumberedLine) => {
    const causal = text.match(CAUSAL)?.length ?? 0;
    return causal === 0 ? 0 : causal + new Set(wordsIn(text).filter((word) => shared.has(word))).size;
  };
  const [best] = lines
    .filter(({ line }) => line < failure.line)
    .map((line) => ({ line, score: scoreOf(line) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  return best?.line;
}

/** Words and dotted names: `payments.internal` is one. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\w+(?:\.\w+)?/g) ?? [];
}
