import { ArtifactNotFoundError, type Artifacts } from '../../artifacts/artifacts.ts';
import { now, withTimeout } from '../../deadlines.ts';
import { requireOption, requireWholeNumber } from '../../options.ts';
import { inSearchTurn } from '../../search/search-turn.ts';
import { type Evidence, markLookedUp, toClaim, type UsableClaim, unverified } from './evidence.ts';
import { findAtNamedLines, findEverywhere, type QuoteLookup, quoteLookup, type SearchBudget } from './find-quotes.ts';

export interface CheckEvidenceOptions {
  abortSignal?: AbortSignal | undefined;
  /** What is known until now, each time that more is: claims that are decided, in their order. */
  onChecked?: ((soFar: Evidence[]) => void) | undefined;
  /** How long it may take, all claims together. @default 10000 */
  deadlineMs?: number | undefined;
  /** What may be read to search where a quote was not said to be, all claims together. @default 1073741824 (1 GiB) */
  maxBytes?: number | undefined;
}

const MAX_CLAIMS = 20;
const DEADLINE_MS = 10_000;
const MAX_BYTES = 1024 ** 3;
/** Of the time, to look at the named lines; then the searches have the rest. */
const NEAR_PART = 0.5;

/**
 * Looks up each quote in its artifact: first all of them at the lines that were named, then those that are not there everywhere
 * else. A quote may differ from the artifact in white space, and in what readers add to lines (numbers, visible control
 * characters, an ellipsis), in nothing else.
 *
 * Takes what a model said as it is: of a list the first 20, of a quote the first 500 characters. Nothing of a model's wording
 * is in a verified quote. What could not be looked up, as the store failed or the time was up, is `unchecked`.
 *
 * @example
 * const evidence = await checkEvidence(artifacts, [{ path, start_line: 120, end_line: 120, quote: 'ERROR disk full' }]);
 */
export async function checkEvidence(
  artifacts: Artifacts,
  claims: readonly unknown[],
  { abortSignal, onChecked, deadlineMs = DEADLINE_MS, maxBytes = MAX_BYTES }: CheckEvidenceOptions = {},
): Promise<Evidence[]> {
  requireOption(Array.isArray(claims), { option: 'claims', value: claims, expected: 'a list' });
  requireWholeNumber('deadlineMs', { value: deadlineMs, min: 1 });
  requireWholeNumber('maxBytes', { value: maxBytes, min: 0 });
  const usable = claims.slice(0, MAX_CLAIMS).flatMap((claim) => toClaim(claim) ?? []);
  const decided = new Map<UsableClaim, Evidence>();
  const decide = (evidence: Evidence, claim: UsableClaim): void => {
    decided.set(claim, markLookedUp(evidence));
    onChecked?.(usable.flatMap((each) => decided.get(each) ?? []));
  };
  const endsAt = now() + deadlineMs;
  const limit = { abortSignal, milliseconds: deadlineMs * NEAR_PART };
  const elsewhere = new Map<string, QuoteLookup[]>();
  const lookNear = async (claim: UsableClaim): Promise<void> => {
    const lookup = quoteLookup(claim);
    if (!lookup) return decide(unverified(claim), claim);
    const near = await withinTime(limit, async (signal) => {
      const { path } = await artifacts.info(claim.path, { abortSignal: signal });
      return { path, isDecided: await findAtNamedLines(artifacts, path, { lookup, abortSignal: signal }) };
    });
    if ('error' in near) {
      const isAbsent = ArtifactNotFoundError.isInstance(near.error);
      return decide({ ...unverified(claim), ...(!isAbsent && { unchecked: true }) }, claim);
    }
    const { path, isDecided } = near.found;
    if (isDecided) decide(evidenceOf(path, lookup, { isComplete: true }), claim);
    else elsewhere.set(path, [...(elsewhere.get(path) ?? []), lookup]);
  };
  await Promise.all(usable.map(lookNear));
  const budget: SearchBudget = { bytes: maxBytes };
  let left = elsewhere.size;
  for (const [path, lookups] of elsewhere) {
    const share = { abortSignal, milliseconds: (endsAt - now()) / left-- };
    const searched = await withinTime(share, (signal) => {
      const work = () => findEverywhere(artifacts, path, { lookups, budget, abortSignal: signal });
      return inSearchTurn(artifacts, { signal, work });
    });
    // The time was up, or the store failed. Quotes that were found stay verified; the others are unchecked.
    const isComplete = 'found' in searched && searched.found === true;
    for (const lookup of lookups) decide(evidenceOf(path, lookup, { isComplete }), lookup.claim);
  }
  return usable.flatMap((each) => decided.get(each) ?? []);
}

/** Resolves to the result, or to the reason why no result came in time. Rejects only when the caller aborts. */
async function withinTime<Found>(
  { milliseconds, abortSignal }: { milliseconds: number; abortSignal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Found>,
): Promise<{ found: Found } | { error: unknown }> {
  try {
    return { found: await withTimeout(milliseconds, { work, abortSignal, what: 'Checking quotes' }) };
  } catch (error) {
    abortSignal?.throwIfAborted();
    return { error };
  }
}

function evidenceOf(path: string, { claim, place }: QuoteLookup, { isComplete }: { isComplete: boolean }): Evidence {
  if (!place) return { ...unverified(claim), ...(!isComplete && { unchecked: true }) };
  return { path, start_line: place.startLine, end_line: place.endLine, quote: place.text, verified: true };
}
