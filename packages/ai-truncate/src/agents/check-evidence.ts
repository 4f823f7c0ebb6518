import type { Artifacts } from '../artifacts/artifacts.ts';
import { within } from '../artifacts/within.ts';
import { isRecord } from '../protocol/is-record.ts';
import type { Evidence, EvidenceClaim } from './evidence.ts';
import { beginningOfText } from './evidence-quote.ts';
import { findQuote } from './find-quote.ts';

const MAX_CLAIMS = 20;
const MAX_QUOTE_CHARS = 500;
const MAX_PATH_CHARS = 200;
const DEADLINE_MS = 10_000;

/**
 * Looks up each quote in its artifact: at the lines that were named, then everywhere else. A quote may differ from the artifact
 * in white space, and in what a reader added to it (line numbers, visible control characters), in nothing else.
 *
 * Takes what a model said as it is: of a list the first 20, of a quote the first 500 characters. What cannot be looked up, for
 * whatever reason, is not verified.
 *
 * @example
 * const evidence = await checkEvidence(artifacts, [{ path, start_line: 120, end_line: 120, quote: 'ERROR disk full' }]);
 */
export async function checkEvidence(
  artifacts: Artifacts,
  claims: readonly unknown[],
  { abortSignal, onChecked }: { abortSignal?: AbortSignal | undefined; onChecked?: (so: Evidence[]) => void } = {},
): Promise<Evidence[]> {
  const endsAt = performance.now() + DEADLINE_MS;
  const evidence: Evidence[] = [];
  for (const claim of claims.slice(0, MAX_CLAIMS).map(toClaim)) {
    if (claim === undefined) continue;
    evidence.push(await check(artifacts, claim, { abortSignal, endsAt }));
    onChecked?.([...evidence]);
  }
  return evidence;
}

async function check(
  artifacts: Artifacts,
  claim: EvidenceClaim,
  { abortSignal, endsAt }: { abortSignal: AbortSignal | undefined; endsAt: number },
): Promise<Evidence> {
  const over = new AbortController();
  const signal = abortSignal ? AbortSignal.any([abortSignal, over.signal]) : over.signal;
  try {
    const left = Math.max(1, Math.ceil(endsAt - performance.now()));
    const work = () => findQuote(artifacts, claim, { abortSignal: signal });
    const found = await within(left, { work, abortSignal, what: 'Checking a quote' });
    if (!found) return { ...claim, verified: false };
    return { ...claim, path: found.path, start_line: found.startLine, end_line: found.endLine, verified: true };
  } catch {
    abortSignal?.throwIfAborted();
    // An artifact that is not there, or a store that fails, proves nothing.
    return { ...claim, verified: false };
  } finally {
    over.abort();
  }
}

/** Models write numbers as texts, leave out the last line, or swap the two. */
function toClaim(value: unknown): EvidenceClaim | undefined {
  if (!isRecord(value)) return undefined;
  const { path, quote } = value;
  if (typeof path !== 'string' || typeof quote !== 'string' || path === '' || quote.trim() === '') return undefined;
  const first = lineOf(value.start_line) ?? lineOf(value.end_line) ?? 1;
  const last = lineOf(value.end_line) ?? first;
  return {
    path: beginningOfText(path, MAX_PATH_CHARS),
    start_line: Math.min(first, last),
    end_line: Math.max(first, last),
    quote: beginningOfText(quote, MAX_QUOTE_CHARS),
  };
}

function lineOf(value: unknown): number | undefined {
  const line = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return Number.isSafeInteger(line) && (line as number) >= 1 ? (line as number) : undefined;
}
