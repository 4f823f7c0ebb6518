import type { Artifacts } from '../artifacts/artifacts.ts';
import { grepArtifact } from '../readers/grep-artifact.ts';
import { compileSearchPattern, type SearchPattern } from '../readers/search-pattern.ts';
import { decodeText, parsePosition } from '../readers/text-window-position.ts';
import type { EvidenceClaim } from './evidence.ts';
import { placeOfQuote, withoutSpace, wordings } from './evidence-quote.ts';

/** Where a quote stands in truth. */
export interface FoundQuote {
  /** As the artifact is shown, however it was named. */
  path: string;
  startLine: number;
  endLine: number;
}

type Call = { abortSignal: AbortSignal };

const MAX_WINDOW_LINES = 200;
const MAX_WINDOW_BYTES = 256 * 1024;
/** Shorter ones stand somewhere in any artifact: it proves nothing that they do. */
const MIN_CHARS_ELSEWHERE = 8;
const MAX_MATCHES = 50;
const MAX_LOOKED_AT = 10;
const MAX_LINES_AROUND = 60;
/** Models count badly. */
const LINES_BEFORE = 5;
const BYTES_AROUND = 4096;

/** Looks for a quote where it was said to be, then in the whole artifact. */
export async function findQuote(
  artifacts: Artifacts,
  claim: EvidenceClaim,
  call: Call,
): Promise<FoundQuote | undefined> {
  const { path } = await artifacts.info(claim.path, call);
  const { start_line: start, end_line: end } = claim;
  const first = Math.max(1, start - LINES_BEFORE);
  const count = Math.min(end - first + 1 + linesOf(claim.quote), MAX_WINDOW_LINES);
  const here = await lookAt(artifacts, path, { ...claim, start: first, count, near: start - first, ...call });
  return here ?? (await findElsewhere(artifacts, path, { ...claim, ...call }));
}

async function findElsewhere(
  artifacts: Artifacts,
  path: string,
  { quote, start_line: claimed, abortSignal }: EvidenceClaim & Call,
): Promise<FoundQuote | undefined> {
  if (withoutSpace(quote).length < MIN_CHARS_ELSEWHERE) return undefined;
  const around = linesOf(quote);
  for (const pattern of probes(quote)) {
    const { matches } = await grepArtifact(artifacts, path, { pattern, maxMatches: MAX_MATCHES, abortSignal });
    const distance = (line: number) => Math.abs(line - claimed);
    const nearest = [...matches].sort((a, b) => distance(a.line) - distance(b.line)).slice(0, MAX_LOOKED_AT);
    for (const { line, text, at } of nearest) {
      const shown = at === undefined ? text : await textAround(artifacts, path, { at, abortSignal });
      if (placeOfQuote([shown], { quote, near: 0 })) return { path, startLine: line, endLine: line };
      const start = Math.max(1, line - around);
      const near = line - start;
      const found = await lookAt(artifacts, path, { quote, start, count: 2 * around + 1, near, abortSignal });
      if (found) return found;
    }
  }
  return undefined;
}

/** How many lines a quote may stand on, if it was written as fewer. */
function linesOf(quote: string): number {
  return Math.min(MAX_LINES_AROUND, quote.split(PARTS).length + LINES_BEFORE);
}

/** In a line of megabytes the quote is around the match, not at the beginning of the line. */
async function textAround(
  artifacts: Artifacts,
  path: string,
  { at, abortSignal }: { at: string } & Call,
): Promise<string> {
  const byte = parsePosition(at)?.byte ?? 0;
  const range = { start: Math.max(0, byte - BYTES_AROUND), end: byte + BYTES_AROUND, abortSignal };
  return decodeText((await artifacts.readBytes(path, range)).bytes);
}

async function lookAt(
  artifacts: Artifacts,
  path: string,
  { quote, start, count, near = 0, abortSignal }: { quote: string; start: number; count: number; near?: number } & Call,
): Promise<FoundQuote | undefined> {
  const { lines } = await artifacts.readLines(path, { start, count, maxBytes: MAX_WINDOW_BYTES, abortSignal });
  const place = placeOfQuote(
    lines.map(({ text }) => text),
    { quote, near },
  );
  const [first, last] = [lines[place?.first ?? -1], lines[place?.last ?? -1]];
  return first && last && { path, startLine: first.number, endLine: last.number };
}

/** What to search for: a line of the quote as it is; then its longest parts, in whatever spacing and colour. */
function* probes(quote: string): Generator<SearchPattern> {
  for (const lines of wordings(quote)) {
    const line = longest(lines.map((each) => each.trim()));
    yield* compiled(line.slice(0, MAX_LITERAL_CHARS), { literal: true });
  }
  const [lines = []] = wordings(quote).slice(-1);
  const parts = lines.flatMap((each) => each.split(PARTS)).sort((a, b) => b.length - a.length);
  for (const part of parts.slice(0, MAX_PARTS)) {
    yield* compiled(spaced(part.split(/\s+|(?<=:)|(?=:)/).filter(Boolean)), { literal: false });
  }
}

/** Where JSON may break a line. */
const PARTS = /[\n,{}[\]]/;
const MAX_PARTS = 4;
const MAX_LITERAL_CHARS = 200;
const MAX_PATTERN_CHARS = 400;
const GAP = String.raw`(?:\s|\x1b\[[0-9;]*m)*`;

/** As many of the words as a pattern may hold. */
function spaced(words: readonly string[]): string {
  let pattern = '';
  for (const word of words) {
    const next = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    if (pattern.length + GAP.length + next.length > MAX_PATTERN_CHARS) break;
    pattern += pattern === '' ? next : GAP + next;
  }
  return pattern;
}

function* compiled(source: string, { literal }: { literal: boolean }): Generator<SearchPattern> {
  const result = compileSearchPattern(source, { literal });
  if (result.ok) yield result.pattern;
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), '');
}
