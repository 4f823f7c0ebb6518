import type { SalientLine } from './salient-lines.ts';

/** The first line with a pattern, and the number of lines with this pattern. */
interface CountedLine {
  line: number;
  text: string;
  count: number;
  lastLine: number;
}

/** Only the beginning of a line is tested, because a message states its subject early. */
const REACH = 160;
/** If there are more lines of one kind, they say nothing about the output. In a manual, for instance, many lines contain `cannot`. */
const MAX_OF_KIND = 24;

/** `58 files changed`, `1024 rows in set`, `3 services restarted` */
const COUNT_THEN_EVENT =
  /(?:^|[\s(,:])(?:1 [a-z-]{2,}|\d[\d,.]*\s(?:[a-z-]+\s)?(?!(?:was|has|does|this)\b)[a-z-]{2,}s)\s(?:[a-z]{2,}ed|in set|sent|found|built|written|done|ok)\b/i;
/** `Ran 512 tests`, `Checked 402 files`, `Found about 3 problems` */
const EVENT_THEN_COUNT =
  /^\W*(?:[\w-]+\W\s?)?(?:[a-z]{2,}ed|ran|found|built|sent|wrote|took|read)\s(?:[a-z]+\s){0,2}\d[\d,.]*\s?[a-z]/i;
/** `Total reclaimed space: 3.1 GB` */
const TOTAL = /\b(?:sub|grand )?totals?\b[^\d\n]{0,40}\d/i;
/** `Compiled in 3.2 s` */
const DURATION = /\b(?:in|after|took) \d[\d.,]*\s?(?:ms|s|secs?|seconds|m|mins?|minutes)\b/i;
const TOTALS = [COUNT_THEN_EVENT, EVENT_THEN_COUNT, TOTAL, DURATION];

/** Words that report a problem in the messages of programs. In other texts, they are too frequent, so not every line is searched for them. */
const TROUBLE =
  /\b(?:refused|denied|killed|rejected|expired|revoked|timed out|time-?out|can(?:no|')t|could(?:n't| not)|unable to|not found|no such|undefined|undeclared|unresolved|unexpected|invalid|illegal|malformed|missing|mismatch|corrupt(?:ed)?|conflict(?:s|ing)?|violat(?:ion|ed|es)|exceed(?:ed|s)|(?:segmentation|bus|page) fault|core dumped|overflow(?:ed)?|deadlock(?:ed)?|unreachable|unhealthy|quota)\b/i;
/** `pay.go:41:9: undefined: x`, as compilers and linters write */
const COMPILER_MESSAGE = /^\s{0,8}(?:[\w.@-]*[/\\])*[\w.-]+\.\w{1,5}[:(]\d+[:,]\d+\)?:? [^\d\s]/;
const TROUBLES = [TROUBLE, COMPILER_MESSAGE];

/**
 * The lines that state a total or report a problem in an output in which no line counts as rare. Only lines whose pattern occurs once
 * or twice are checked, so a word that is in every line chooses no line.
 */
export function tellingLines(lines: readonly CountedLine[]): SalientLine[] {
  const totals: SalientLine[] = [];
  const troubles: SalientLine[] = [];
  for (const { line, text, count, lastLine } of lines) {
    const start = text.slice(0, REACH);
    const isTrouble = TROUBLES.some((each) => each.test(start));
    const found = isTrouble ? troubles : totals;
    if (found.length > MAX_OF_KIND || !(isTrouble || TOTALS.some((each) => each.test(start)))) continue;
    found.push({ line, text, severity: isTrouble ? 'warning' : 'summary', count, lastLine });
  }
  return [totals, troubles].flatMap((found) => (found.length > MAX_OF_KIND ? [] : found));
}
