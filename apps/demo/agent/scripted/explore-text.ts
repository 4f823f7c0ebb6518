import { asksForFailure, escapePattern, searchWordsOf } from './search-words';
import { asksToTryAgain, cursorIn, type NumberedLine, numberedLinesOf } from './shown-output';
import { lastOf, type Reply, type ToolResult } from './turn';

/** What a search found, as the explore agent reports it. */
export interface Finding {
  conclusion: string;
  evidence: { path: string; start_line: number; end_line: number; quote: string }[];
}

export interface TextSearch {
  question: string;
  path: string;
  /** Answers of the readers so far. */
  results: readonly ToolResult[];
}

const FAILURE_PATTERN = '\\b(ERROR|FATAL|FAIL|FAILED|PANIC|CRITICAL)\\b|Exception';
/** How far the cause may stand before the failure, and what belongs to the failure behind it. */
const LINES_BEFORE = 12;
const LINES_AFTER = 12;
const LINES_FURTHER_BACK = 100;
const MAX_QUOTE_CHARS = 300;

/** Words by which people and programs say why something happened. */
const CAUSAL =
  /\b(caused? by|cause|because|due to|changed|reloaded|expired|revoked|deploy\w*|refused|denied|disk full|out of memory|killed|missing|restarted|since)\b/gi;

/** The next step of a search in text: a reader to call, or what was found. Grep, then read around the best hit. */
export function exploreText(search: TextSearch): Reply['call'] | Finding {
  const { question, path, results } = search;
  const searches = results.filter(({ toolName }) => toolName === 'grepArtifacts');
  const hits = searches.flatMap(({ text }) => (tellsNothing(text) ? [] : numberedLinesOf(text)));
  if (hits.length === 0) return nextSearch(search, searches);

  const hit = bestHit(hits, question);
  const windows = results.filter(({ toolName }) => toolName === 'readArtifact');
  if (windows.length === 0) {
    const offset = Math.max(1, hit.line - LINES_BEFORE);
    return { toolName: 'readArtifact', input: { path, offset, limit: LINES_BEFORE + LINES_AFTER } };
  }
  const lines = windows.flatMap(({ text }) => numberedLinesOf(text));
  const cause = causeOf(hit, lines);
  const earliest = Math.min(...lines.map(({ line }) => line));
  if (!cause && windows.length === 1 && earliest > 1 && asksForFailure(question)) {
    const offset = Math.max(1, earliest - LINES_FURTHER_BACK);
    return { toolName: 'readArtifact', input: { path, offset, limit: earliest - offset } };
  }
  return toFinding({ path, hit, cause, lines, found: foundIn(searches) });
}

function nextSearch({ question, path }: TextSearch, searches: readonly ToolResult[]): Reply['call'] | Finding {
  const words = searchWordsOf(question);
  const patterns = [
    ...(asksForFailure(question) ? [FAILURE_PATTERN] : []),
    ...(words.length > 0 ? [words.map(escapePattern).join('|')] : []),
  ];
  const last = searches.at(-1);
  // A large output is searched for two seconds at a time.
  const isHadAgain = last !== undefined && asksToTryAgain(last.text);
  const found = last && !tellsNothing(last.text) ? cursorIn(last.text) : undefined;
  const cursor = isHadAgain ? last.input.cursor : found;
  const tried = new Set(searches.map(({ input }) => input.pattern));
  const goesOn = isHadAgain || cursor !== undefined;
  const pattern = goesOn ? String(last?.input.pattern) : patterns.find((each) => !tried.has(each));
  if (pattern !== undefined && searches.length < MAX_SEARCHES) {
    const ignoreCase = pattern !== FAILURE_PATTERN;
    return { toolName: 'grepArtifacts', input: { path, pattern, ignoreCase, ...(cursor !== undefined && { cursor }) } };
  }
  if (goesOn) return { conclusion: 'The search ran out of time before the end of the output.', evidence: [] };
  const looked = asksForFailure(question) ? 'ERROR, FATAL, FAIL or Exception' : words.join(' or ');
  return { conclusion: `No line of the output stands out for ${looked || 'the question'}.`, evidence: [] };
}

const MAX_SEARCHES = 8;
const MAX_TELLING_MATCHES = 20_000;

/** Words that stand everywhere lead nowhere. */
function tellsNothing(text: string): boolean {
  return Number(/Found ([\d,]+)/.exec(text)?.[1]?.replaceAll(',', '') ?? 0) > MAX_TELLING_MATCHES;
}

/** The hit with most words of the question; of several the first, since what comes later mostly follows from it. */
function bestHit(hits: NumberedLine[], question: string): NumberedLine {
  const words = searchWordsOf(question);
  const scoreOf = ({ text }: NumberedLine) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const best = Math.max(...hits.map(scoreOf));
  return hits.find((hit) => scoreOf(hit) === best) as NumberedLine;
}

/** The line before the failure that says why, if one does: by its words, and by what it shares with the failure. */
function causeOf(hit: NumberedLine, lines: NumberedLine[]): NumberedLine | undefined {
  const shared = new Set(wordsIn(hit.text).filter((word) => /\.|^\d{2,}$|^[a-z]{5,}$/.test(word)));
  const candidates = lines
    .filter(({ line, text }) => line < hit.line && text !== hit.text)
    .map((line) => ({ line, causal: line.text.match(CAUSAL)?.length ?? 0, shared: sharedWith(line.text, shared) }))
    .filter(({ causal }) => causal > 0)
    .sort((one, other) => other.causal + other.shared - (one.causal + one.shared));
  return candidates[0]?.line;
}

function sharedWith(text: string, words: ReadonlySet<string>): number {
  return new Set(wordsIn(text).filter((word) => words.has(word))).size;
}

/** Words and dotted names: `payments.internal` is one. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\w+(?:\.\w+)?/g) ?? [];
}

interface Found {
  path: string;
  hit: NumberedLine;
  cause: NumberedLine | undefined;
  lines: NumberedLine[];
  found: string | undefined;
}

function toFinding({ path, hit, cause, lines, found }: Found): Finding {
  const details = detailsOf(hit, lines);
  const last = details.at(-1) ?? hit;
  const quoted = [hit, ...details].map(({ text }) => text).join('\n');
  const said = details.filter(({ text }) => !/\bat \S+ \(/.test(text));
  const conclusion = [
    `Line ${hit.line.toLocaleString('en')} says: ${quoteOf(hit)}`,
    cause && `Before it, line ${cause.line.toLocaleString('en')} says why: ${quoteOf(cause)}`,
    said.length > 0 && `It adds: ${said.map(quoteOf).join(', ')}`,
    found && `In all, ${found} of the output match.`,
  ];
  const evidence = [{ path, start_line: hit.line, end_line: last.line, quote: wholeLinesOf(quoted) }];
  if (cause)
    evidence.unshift({
      path,
      start_line: cause.line,
      end_line: cause.line,
      quote: cause.text.slice(0, MAX_QUOTE_CHARS),
    });
  return { conclusion: conclusion.filter(Boolean).join('\n\n'), evidence };
}

const MAX_DETAILS = 5;

/** The first lines of a quote, as many as fit; of a single line that does not, its beginning. */
function wholeLinesOf(quote: string): string {
  if (quote.length <= MAX_QUOTE_CHARS) return quote;
  const end = quote.lastIndexOf('\n', MAX_QUOTE_CHARS);
  return quote.slice(0, end === -1 ? MAX_QUOTE_CHARS : end);
}

/** What a failure says below itself: a comparison, a stack. */
function detailsOf(hit: NumberedLine, lines: NumberedLine[]): NumberedLine[] {
  const below = lines.filter(({ line }) => line > hit.line).sort((one, other) => one.line - other.line);
  const end = below.findIndex(
    ({ text }) => !/^(?:\S+ +\S+ +\S+ {2,}|\s*)(?:at |- |\+ |AssertionError|cause)/.test(text),
  );
  return below.slice(0, end === -1 ? MAX_DETAILS : Math.min(end, MAX_DETAILS));
}

/** A line as code, so that nothing in it is taken for Markdown. */
function quoteOf({ text }: NumberedLine): string {
  return `\`${text.trim().replace(/\s+/g, ' ').replaceAll('`', "'")}\``;
}

/** How many lines the search found, in words. */
function foundIn(searches: readonly ToolResult[]): string | undefined {
  const count = /Found ([\d,]+) match/.exec(lastOf(searches, 'grepArtifacts')?.text ?? '')?.[1];
  return count === undefined || count === '1' ? undefined : `${count} lines`;
}
